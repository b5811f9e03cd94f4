// grid_sync: subtract the mean from an array in one launch, all blocks waiting for each other between.
//
// Shows: a cooperative launch; a barrier over the grid made of atomics and a loop that polls, which
// must keep reading memory; an array that is read once before it and once after it.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}subtract_mean
// CHECK: ld.global.f32
// CHECK: {{atom|red}}{{.*}}.add.f{{32|64}}
// CHECK: %envreg
// CHECK: atom{{.*}}.add.{{.*}}32
// CHECK: ld.{{volatile|acquire}}
// CHECK: st.global.f32

#include "sample.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void subtract_mean(int n, float *values, float *sum) {
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    float mine = 0;
    for (int i = first; i < n; i += step)
        mine += values[i];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        mine += __shfl_xor_sync(~0u, mine, offset);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(sum, mine);
    cg::this_grid().sync();
    float mean = *sum / n;
    for (int i = first; i < n; i += step)
        values[i] -= mean;
}

int main() {
    int n = 100000;
    Array<float> values(n), before(n), sum(1);
    Random random;
    double mean = 0;
    for (int i = 0; i < n; ++i) {
        before[i] = values[i] = random.uniform();
        mean += before[i] / static_cast<double>(n);
    }
    float *data = values, *total = sum;
    void *arguments[] = {&n, &data, &total};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(subtract_mean), dim3(8),
                                      dim3(256), arguments, 0, nullptr),
          "launch");
    finish("subtract_mean");
    Checker checker;
    for (int i = 0; i < n; ++i)
        checker.equal("values", i, values[i], before[i] - mean, 1e-5);
    return checker.verdict();
}
