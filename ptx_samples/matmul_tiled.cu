// matmul_tiled: c = a*b through tiles in shared memory, for any sizes.
//
// Shows: two static shared arrays, two barriers in a loop, loads that are predicated at the edges;
// every tile of a and b is read by many blocks, c is written once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}matmul
// CHECK-DAG: .shared .align 4 .b8 {{.*}}tile_a[1024];
// CHECK-DAG: .shared .align 4 .b8 {{.*}}tile_b[1024];
// CHECK: ld.global.nc.f32
// CHECK: st.shared.f32
// CHECK: bar{{(rier)?}}.sync
// CHECK: ld.shared{{.*}}.f32
// CHECK: bar{{(rier)?}}.sync
// CHECK: st.global.f32

#include "sample.h"

constexpr int TILE = 16;

__global__ void matmul(int rows, int columns, int depth, const float *__restrict__ a,
                       const float *__restrict__ b, float *__restrict__ c) {
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < depth; start += TILE) {
        int k_of_a = start + threadIdx.x;
        int k_of_b = start + threadIdx.y;
        bool in_a = row < rows && k_of_a < depth;
        bool in_b = k_of_b < depth && column < columns;
        tile_a[threadIdx.y][threadIdx.x] = in_a ? a[row * depth + k_of_a] : 0.0f;
        tile_b[threadIdx.y][threadIdx.x] = in_b ? b[k_of_b * columns + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    if (row < rows && column < columns)
        c[row * columns + column] = sum;
}

int main() {
    const int rows = 150, columns = 170, depth = 190;
    Array<float> a(rows * depth), b(depth * columns), c(rows * columns);
    Random random;
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = random.uniform();
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = random.uniform();
    dim3 block(TILE, TILE), grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    matmul<<<grid, block>>>(rows, columns, depth, a, b, c);
    finish("matmul");
    Checker checker;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            double wanted = 0;
            for (int k = 0; k < depth; ++k)
                wanted += static_cast<double>(a[row * depth + k]) * b[k * columns + column];
            checker.equal("c", row * columns + column, c[row * columns + column], wanted, 1e-5);
        }
    return checker.verdict();
}
