// dot: the dot product of two arrays, in double precision.
//
// Shows: two streams in one loop, sums over a warp and over a block, one 64-bit reduction for each
// block.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}dot
// CHECK: ld.global.nc.f32
// CHECK: ld.global.nc.f32
// CHECK: fma.rn.f64
// CHECK: shfl.sync.bfly.b32
// CHECK: bar{{(rier)?}}.sync
// CHECK: {{atom|red}}{{.*}}.add.f64

#include "sample.h"

__device__ double sum_of_warp(double value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(~0u, value, offset);
    return value;
}

__global__ void dot(int n, const float *__restrict__ a, const float *__restrict__ b,
                    double *__restrict__ total) {
    __shared__ double of_warp[32];
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += static_cast<double>(a[i]) * b[i];
    sum = sum_of_warp(sum);
    if (threadIdx.x % warpSize == 0)
        of_warp[threadIdx.x / warpSize] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < blockDim.x / warpSize; ++warp)
            sum += of_warp[warp];
        atomicAdd(total, sum);
    }
}

int main() {
    const int n = 500009;
    Array<float> a(n), b(n);
    Array<double> total(1);
    Random random;
    double wanted = 0;
    for (int i = 0; i < n; ++i) {
        a[i] = random.uniform() - 0.5f;
        b[i] = random.uniform();
        wanted += static_cast<double>(a[i]) * b[i];
    }
    dot<<<120, 256>>>(n, a, b, total);
    finish("dot");
    Checker checker;
    checker.equal("total", 0, total[0], wanted, 1e-9);
    return checker.verdict();
}
