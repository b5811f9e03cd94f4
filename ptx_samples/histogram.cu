// histogram: 256 counters in shared memory for each block, added to the global ones at the end.
//
// Shows: atomics on shared memory whose address depends on data, reductions to global memory,
// byte loads four at a time.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}histogram
// CHECK: st.shared.{{[ub]}}32
// CHECK: bar{{(rier)?}}.sync
// CHECK: ld.global.nc.{{[ub]}}32
// CHECK: atom.shared.add.u32
// CHECK: bar{{(rier)?}}.sync
// CHECK: {{atom|red}}.global.add.u32

#include "sample.h"

constexpr int BINS = 256;

__global__ void histogram(int words, const unsigned *__restrict__ bytes, unsigned *counts) {
    __shared__ unsigned local[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        local[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        unsigned word = bytes[i];
        atomicAdd(&local[word & 0xff], 1u);
        atomicAdd(&local[word >> 8 & 0xff], 1u);
        atomicAdd(&local[word >> 16 & 0xff], 1u);
        atomicAdd(&local[word >> 24], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        atomicAdd(&counts[bin], local[bin]);
}

int main() {
    const int words = 300007;
    Array<unsigned> bytes(words), counts(BINS);
    unsigned wanted[BINS] = {};
    Random random;
    for (int i = 0; i < words; ++i) {
        unsigned a = random.below(BINS), b = random.below(BINS);
        bytes[i] = a | (a & b) << 8 | (a | b) << 16 | b << 24;
        for (int shift = 0; shift < 32; shift += 8)
            ++wanted[bytes[i] >> shift & 0xff];
    }
    histogram<<<80, 256>>>(words, bytes, counts);
    finish("histogram");
    Checker checker;
    for (int bin = 0; bin < BINS; ++bin)
        checker.equal("counts", bin, counts[bin], wanted[bin]);
    return checker.verdict();
}
