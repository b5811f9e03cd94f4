// scan: running sums of an array, in three launches: blocks, the blocks' totals, and adding those.
//
// Shows: shfl.sync up a warp, shared memory between warps, a kernel used twice; the second kernel
// reads one value for a whole block (a broadcast).
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}scan_blocks
// CHECK: ld.global.{{[us]}}32
// CHECK: shfl.sync.up.b32
// CHECK: st.global.{{[us]}}32
// CHECK-LABEL: .entry {{.*}}add_offsets
// CHECK: ld.global
// CHECK: st.global.{{[us]}}32

#include "sample.h"

constexpr int BLOCK = 256;

__device__ int scan_warp(int value) {
    int lane = threadIdx.x % warpSize;
    for (int offset = 1; offset < warpSize; offset *= 2) {
        int other = __shfl_up_sync(~0u, value, offset);
        if (lane >= offset)
            value += other;
    }
    return value;
}

__global__ void scan_blocks(int n, const int *in, int *out, int *totals) {
    __shared__ int of_warp[BLOCK / 32];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    int warp = threadIdx.x / warpSize;
    int value = scan_warp(i < n ? in[i] : 0);
    if (lane == warpSize - 1)
        of_warp[warp] = value;
    __syncthreads();
    for (int before = 0; before < warp; ++before)
        value += of_warp[before];
    if (i < n)
        out[i] = value;
    if (threadIdx.x == BLOCK - 1)
        totals[blockIdx.x] = value;
}

__global__ void add_offsets(int n, const int *offsets, int *out) {
    int i = (blockIdx.x + 1) * BLOCK + threadIdx.x;
    if (i < n)
        out[i] += offsets[blockIdx.x];
}

int main() {
    const int n = 60001, blocks = (n + BLOCK - 1) / BLOCK;
    Array<int> in(n), out(n), totals(blocks), unused(1);
    Random random;
    for (int i = 0; i < n; ++i)
        in[i] = random.below(1000);
    scan_blocks<<<blocks, BLOCK>>>(n, in, out, totals);
    scan_blocks<<<1, BLOCK>>>(blocks, totals, totals, unused);
    add_offsets<<<blocks - 1, BLOCK>>>(n, totals, out);
    finish("scan");
    Checker checker;
    int wanted = 0;
    for (int i = 0; i < n; ++i)
        checker.equal("out", i, out[i], wanted += in[i]);
    return checker.verdict();
}
