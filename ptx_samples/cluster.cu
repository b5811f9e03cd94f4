// cluster: two blocks reverse 512 numbers by reading each other's shared memory.
//
// Shows: a cluster of two blocks (.reqnctapercluster), its barrier, an address in another block's
// shared memory (mapa) and a load from there.
//
// RUN: gpucc compile %s --arch=sm_90 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}reverse
// CHECK: .reqnctapercluster 2
// CHECK: st.shared.{{[us]}}32
// CHECK: barrier.cluster.arrive
// CHECK: barrier.cluster.wait
// CHECK: mapa.
// CHECK: ld{{.*}}.{{[us]}}32
// CHECK: st.global.{{[us]}}32

#include "sample.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int BLOCK = 256;

__global__ void __cluster_dims__(2, 1, 1) reverse(const int *__restrict__ in,
                                                   int *__restrict__ out) {
    __shared__ int mine[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    mine[threadIdx.x] = in[i];
    auto cluster = cg::this_cluster();
    cluster.sync();
    const int *theirs = cluster.map_shared_rank(mine, 1 - cluster.block_rank());
    out[i] = theirs[BLOCK - 1 - threadIdx.x];
    cluster.sync(); // the other block may still be reading
}

int main() {
    const int n = 20 * 2 * BLOCK;
    Array<int> in(n), out(n);
    for (int i = 0; i < n; ++i)
        in[i] = i * i;
    reverse<<<n / BLOCK, BLOCK>>>(in, out);
    finish("reverse");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        int first = i / (2 * BLOCK) * (2 * BLOCK);
        checker.equal("out", i, out[i], in[first + 2 * BLOCK - 1 - (i - first)]);
    }
    return checker.verdict();
}
