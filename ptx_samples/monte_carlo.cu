// monte_carlo: pi by throwing points, with a random number generator of its own for each thread.
//
// Shows: 64-bit multiplication, shifts and rotates, a long loop without memory; one reduction for
// each warp at the end.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}throw_points
// CHECK: m{{ul|ad}}.lo.{{[us]}}64
// CHECK: shf.{{[lr]}}.wrap.b32
// CHECK: shfl.sync.bfly.b32
// CHECK: {{atom|red}}.global.add.u64

#include "sample.h"

// PCG32 (O'Neill 2014): a linear congruential state, permuted on the way out.
struct Generator {
    unsigned long long state;

    __host__ __device__ unsigned next() {
        unsigned long long old = state;
        state = old * 6364136223846793005ULL + 1442695040888963407ULL;
        unsigned shifted = static_cast<unsigned>((old >> 18 ^ old) >> 27);
        unsigned turn = static_cast<unsigned>(old >> 59);
        return shifted >> turn | shifted << (-turn & 31);
    }
};

__host__ __device__ unsigned hits_of(unsigned long long seed, int points) {
    Generator generator = {seed * 0x9E3779B97F4A7C15ULL + 1};
    unsigned hits = 0;
    for (int i = 0; i < points; ++i) {
        unsigned long long x = generator.next() >> 8;
        unsigned long long y = generator.next() >> 8;
        hits += x * x + y * y < 1ULL << 48;
    }
    return hits;
}

__global__ void throw_points(int points, unsigned long long *total) {
    unsigned hits = hits_of(blockIdx.x * blockDim.x + threadIdx.x, points);
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        hits += __shfl_xor_sync(~0u, hits, offset);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(total, static_cast<unsigned long long>(hits));
}

int main() {
    const int blocks = 16, block = 128, points = 250;
    Array<unsigned long long> total(1);
    throw_points<<<blocks, block>>>(points, total);
    finish("throw_points");
    unsigned long long wanted = 0;
    for (int thread = 0; thread < blocks * block; ++thread)
        wanted += hits_of(thread, points);
    Checker checker;
    checker.equal("hits", 0, static_cast<double>(total[0]), static_cast<double>(wanted));
    checker.equal("pi", 0, 4.0 * total[0] / (blocks * block * points), 3.14159265, 1e-2);
    return checker.verdict();
}
