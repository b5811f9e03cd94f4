// bitonic_sort: each block sorts 1024 keys in shared memory by compare and exchange.
//
// Shows: two nested loops around a barrier, shared addresses made with exclusive or, select
// instructions for min and max; keys are read once and written once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}sort_blocks
// CHECK: ld.global.{{[us]}}32
// CHECK: st.shared.{{[us]}}32
// CHECK: bar{{(rier)?}}.sync
// CHECK: xor.b32
// CHECK: bar{{(rier)?}}.sync
// CHECK: st.global.{{[us]}}32

#include "sample.h"

constexpr int KEYS = 1024;

__global__ void sort_blocks(int *keys) {
    __shared__ int key[KEYS];
    int *block = keys + blockIdx.x * KEYS;
    for (int i = threadIdx.x; i < KEYS; i += blockDim.x)
        key[i] = block[i];
    __syncthreads();
    for (int run = 2; run <= KEYS; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            for (int i = threadIdx.x; i < KEYS; i += blockDim.x) {
                int partner = i ^ distance;
                if (partner > i) {
                    bool ascending = (i & run) == 0;
                    int low = min(key[i], key[partner]);
                    int high = max(key[i], key[partner]);
                    key[i] = ascending ? low : high;
                    key[partner] = ascending ? high : low;
                }
            }
            __syncthreads();
        }
    for (int i = threadIdx.x; i < KEYS; i += blockDim.x)
        block[i] = key[i];
}

int main() {
    const int blocks = 37;
    Array<int> keys(blocks * KEYS);
    Random random;
    double sums[blocks] = {};
    for (int i = 0; i < blocks * KEYS; ++i) {
        keys[i] = static_cast<int>(random.below(1000000)) - 500000;
        sums[i / KEYS] += keys[i];
    }
    sort_blocks<<<blocks, 512>>>(keys);
    finish("sort_blocks");
    Checker checker;
    for (int block = 0; block < blocks; ++block) {
        double sum = keys[block * KEYS];
        for (int i = block * KEYS + 1; i < (block + 1) * KEYS; ++i) {
            checker.equal("order", i, keys[i - 1] <= keys[i], 1);
            sum += keys[i];
        }
        checker.equal("sum", block, sum, sums[block]);
    }
    return checker.verdict();
}
