// wgmma: Hopper's matrix instruction, by which four warps multiply 64x16 by 16x64 out of shared
// memory.
//
// Shows: wgmma.mma_async with matrix descriptors and 32 accumulators, its fences and groups, and
// the fence between ordinary stores and what the tensor cores read.
//
// RUN: gpucc compile %s --arch=sm_90a -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK: .target sm_90a
// CHECK-LABEL: .entry {{.*}}matmul
// CHECK: st.shared.{{.*}}32
// CHECK: fence.proxy.async.shared::cta;
// CHECK: wgmma.fence.sync.aligned;
// CHECK: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// CHECK: wgmma.commit_group.sync.aligned;
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: st.global{{(.v2)?}}.f32

#include "sample.h"

#include <cuda_fp16.h>

constexpr int TILE = 64;
constexpr int DEPTH = 64;    // of the tiles in shared memory
constexpr int CORE = 8 * 16; // bytes of a core matrix: 8 rows of 8 halves

// Tells the tensor cores where a 64x16 slice lies: core matrices that follow each other along the
// 64 rows are CORE bytes apart, those along the depth 8 * CORE; no swizzle.
__device__ unsigned long long descriptor(const __half *slice) {
    unsigned long long address = __cvta_generic_to_shared(slice);
    unsigned long long along_depth = 8 * CORE, along_rows = CORE;
    return (address & 0x3ffff) >> 4 | along_depth >> 4 << 16 | along_rows >> 4 << 32;
}

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
__device__ void multiply_add(float (&d)[32], const __half *a, const __half *b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, 1, 1, 1, 0, 0;"
                 : D4(0), D4(4), D4(8), D4(12), D4(16), D4(20), D4(24), D4(28)
                 : "l"(descriptor(a)), "l"(descriptor(b)));
}

// Copy 64 rows of 64 halves, `depth` apart, into core matrices, two halves at a time.
__device__ void copy_tile(__half *tile, const __half *from, int depth) {
    for (int pair = threadIdx.x; pair < TILE * DEPTH / 2; pair += blockDim.x) {
        int row = pair / (DEPTH / 2), column = pair % (DEPTH / 2) * 2;
        int core = column / 8 * (TILE / 8) + row / 8;
        __half *to = tile + core * (CORE / 2) + row % 8 * 8 + column % 8;
        *reinterpret_cast<unsigned *>(to) =
            *reinterpret_cast<const unsigned *>(from + row * depth + column);
    }
}

// c = a*b; a in rows, b in columns; all sizes are multiples of 64; 128 threads for each block.
__global__ void __launch_bounds__(128)
    matmul(int columns, int depth, const __half *a, const __half *b, float *c) {
    __shared__ __align__(128) __half tile_a[TILE * DEPTH];
    __shared__ __align__(128) __half tile_b[TILE * DEPTH];
    a += static_cast<long long>(blockIdx.y) * TILE * depth;
    b += static_cast<long long>(blockIdx.x) * TILE * depth;
    float d[32] = {};
    for (int start = 0; start < depth; start += DEPTH) {
        copy_tile(tile_a, a + start, depth);
        copy_tile(tile_b, b + start, depth);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int k = 0; k < DEPTH; k += 16)
            multiply_add(d, tile_a + k * TILE, tile_b + k * TILE);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = blockIdx.y * TILE + warp * 16 + lane / 4;
    float *out = c + row * columns + blockIdx.x * TILE + lane % 4 * 2;
    for (int j = 0; j < 8; ++j) {
        out[8 * j] = d[4 * j];
        out[8 * j + 1] = d[4 * j + 1];
        out[8 * columns + 8 * j] = d[4 * j + 2];
        out[8 * columns + 8 * j + 1] = d[4 * j + 3];
    }
}

int main() {
    const int rows = 128, columns = 192, depth = 256;
    Array<__half> a(rows * depth), b(columns * depth);
    Array<float> c(rows * columns);
    Random random;
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = __float2half(random.uniform());
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = __float2half(random.uniform());
    matmul<<<dim3(columns / TILE, rows / TILE), 128>>>(columns, depth, a, b, c);
    finish("matmul");
    Checker checker;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            double wanted = 0;
            for (int k = 0; k < depth; ++k)
                wanted += static_cast<double>(__half2float(a[row * depth + k])) *
                          __half2float(b[column * depth + k]);
            checker.equal("c", row * columns + column, c[row * columns + column], wanted, 1e-4);
        }
    return checker.verdict();
}
