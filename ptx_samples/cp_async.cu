// cp_async: a tensor-core matrix product whose next tiles are on their way while this one is used.
//
// Shows: cp.async past the registers into shared memory, groups of copies and waiting for all but
// the newest, ldmatrix; every tile is wanted by a whole row or column of blocks.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}matmul
// CHECK: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 1;
// CHECK: bar{{(rier)?}}.sync
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: st.global.v2.f32

#include "sample.h"

#include <cuda_fp16.h>

constexpr int TILE = 64;     // rows and columns of the result for each block
constexpr int DEPTH = 32;    // of a tile of a and b
constexpr int PITCH = 40;    // halves from row to row in shared memory: no bank conflicts
constexpr int THREADS = 128; // four warps, each a quarter of the block's tile

__device__ void copy_16_bytes(__half *to, const __half *from) {
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from));
}

__device__ void load_matrices(unsigned (&d)[4], const __half *row) {
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(address));
}

__device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Start copying 64 rows of 32 halves, which lie `depth` halves apart.
__device__ void copy_tile(__half (*tile)[PITCH], const __half *from, int depth) {
    for (int piece = threadIdx.x; piece < TILE * DEPTH / 8; piece += THREADS) {
        int row = piece / (DEPTH / 8), column = piece % (DEPTH / 8) * 8;
        copy_16_bytes(&tile[row][column], from + row * depth + column);
    }
}

// c = a*b; a in rows, b in columns; all sizes are multiples of the tiles'.
__global__ void __launch_bounds__(THREADS)
    matmul(int columns, int depth, const __half *a, const __half *b, float *c) {
    __shared__ __align__(16) __half tile_a[2][TILE][PITCH];
    __shared__ __align__(16) __half tile_b[2][TILE][PITCH];
    a += static_cast<long long>(blockIdx.y) * TILE * depth;
    b += static_cast<long long>(blockIdx.x) * TILE * depth;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int top = warp / 2 * 32, left = warp % 2 * 32; // of this warp's 32x32 in the block's tile
    float d[2][4][4] = {};

    copy_tile(tile_a[0], a, depth);
    copy_tile(tile_b[0], b, depth);
    asm volatile("cp.async.commit_group;");
    int tiles = depth / DEPTH;
    for (int t = 0; t < tiles; ++t) {
        int now = t % 2;
        if (t + 1 < tiles) {
            copy_tile(tile_a[1 - now], a + (t + 1) * DEPTH, depth);
            copy_tile(tile_b[1 - now], b + (t + 1) * DEPTH, depth);
        }
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        for (int k = 0; k < DEPTH; k += 16) {
            unsigned of_a[2][4], of_b[2][4];
            for (int i = 0; i < 2; ++i) {
                load_matrices(of_a[i], &tile_a[now][top + i * 16 + lane % 16][k + lane / 16 * 8]);
                load_matrices(of_b[i], &tile_b[now][left + i * 16 + lane / 16 * 8 + lane % 8]
                                              [k + lane / 8 % 2 * 8]);
            }
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 4; ++j)
                    multiply_add(d[i][j], of_a[i], of_b[j / 2][j % 2 * 2],
                                 of_b[j / 2][j % 2 * 2 + 1]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) {
            int row = blockIdx.y * TILE + top + i * 16 + lane / 4;
            int column = blockIdx.x * TILE + left + j * 8 + lane % 4 * 2;
            float *out = c + row * columns + column;
            *reinterpret_cast<float2 *>(out) = make_float2(d[i][j][0], d[i][j][1]);
            *reinterpret_cast<float2 *>(out + 8 * columns) = make_float2(d[i][j][2], d[i][j][3]);
        }
}

int main() {
    const int rows = 192, columns = 128, depth = 224;
    Array<__half> a(rows * depth), b(columns * depth);
    Array<float> c(rows * columns);
    Random random;
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = __float2half(random.uniform());
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = __float2half(random.uniform());
    matmul<<<dim3(columns / TILE, rows / TILE), THREADS>>>(columns, depth, a, b, c);
    finish("matmul");
    Checker checker;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            double wanted = 0;
            for (int k = 0; k < depth; ++k)
                wanted += static_cast<double>(__half2float(a[row * depth + k])) *
                          __half2float(b[column * depth + k]);
            checker.equal("c", row * columns + column, c[row * columns + column], wanted, 1e-5);
        }
    return checker.verdict();
}
