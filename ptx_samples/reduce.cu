// reduce: the sum of an array; warps add by shuffles, a block by shared memory, blocks by an atomic.
//
// Shows: shfl.sync down a warp, one barrier, a reduction to global memory (red); the array is read
// once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}sum
// CHECK: ld.global.nc.f32
// CHECK: shfl.sync.down.b32
// CHECK: st.shared.f32
// CHECK: bar{{(rier)?}}.sync
// CHECK: {{atom|red}}.global.add.f32

#include "sample.h"

__device__ float warp_sum(float value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(~0u, value, offset);
    return value;
}

__global__ void sum(int n, const float *__restrict__ x, float *total) {
    __shared__ float of_warp[32];
    int lane = threadIdx.x % warpSize;
    int warp = threadIdx.x / warpSize;
    float value = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        value += x[i];
    value = warp_sum(value);
    if (lane == 0)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_sum(lane < blockDim.x / warpSize ? of_warp[lane] : 0.0f);
        if (lane == 0)
            atomicAdd(total, value);
    }
}

int main() {
    const int n = 1 << 20;
    Array<float> x(n), total(1);
    Random random;
    double wanted = 0;
    for (int i = 0; i < n; ++i)
        wanted += x[i] = random.uniform();
    sum<<<160, 256>>>(n, x, total);
    finish("sum");
    Checker checker;
    checker.equal("total", 0, total[0], wanted, 1e-5);
    return checker.verdict();
}
