// compaction: keep the elements that pass a test, in any order, with one atomic for each warp.
//
// Shows: vote.sync.ballot, population counts, a warp-wide broadcast of what one lane's atomic
// returned; where an element is stored depends on data.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}keep_above
// CHECK: ld.global.nc.f32
// CHECK: vote.sync.ballot.b32
// CHECK: popc.b32
// CHECK: atom.global.add.u32
// CHECK: shfl.sync.idx.b32
// CHECK: st.global.f32

#include "sample.h"

__global__ void keep_above(int n, float limit, const float *__restrict__ in,
                           float *__restrict__ out, int *__restrict__ count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    float value = i < n ? in[i] : limit;
    bool keep = value > limit;
    unsigned keepers = __ballot_sync(~0u, keep);
    int start = 0;
    if (lane == 0 && keepers != 0)
        start = atomicAdd(count, __popc(keepers));
    start = __shfl_sync(~0u, start, 0);
    if (keep)
        out[start + __popc(keepers & ((1u << lane) - 1))] = value;
}

int main() {
    const int n = 100003;
    Array<float> in(n), out(n);
    Array<int> count(1);
    Random random;
    int wanted = 0;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        in[i] = random.uniform();
        if (in[i] > 0.7f) {
            ++wanted;
            sum += in[i];
        }
    }
    keep_above<<<(n + 255) / 256, 256>>>(n, 0.7f, in, out, count);
    finish("keep_above");
    Checker checker;
    checker.equal("count", 0, count[0], wanted);
    double found = 0;
    for (int i = 0; i < wanted; ++i) {
        checker.equal("out > limit", i, out[i] > 0.7f, 1);
        found += out[i];
    }
    checker.equal("sum of out", 0, found, sum, 1e-9);
    return checker.verdict();
}
