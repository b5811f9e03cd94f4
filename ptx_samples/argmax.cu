// argmax: where the largest element is, the first of them if there are several.
//
// Shows: value and place packed into one 64-bit key, so that one atomic maximum settles both; the
// array is read once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}argmax
// CHECK: ld.global.nc
// CHECK: {{atom|red}}{{.*}}.max.u64

#include "sample.h"

// Bits that are in the order of the floats, and in the upper half; below, the later place is less.
__host__ __device__ unsigned long long key_of(float value, unsigned place) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return static_cast<unsigned long long>(bits) << 32 | ~place;
}

__global__ void argmax(int n, const float *__restrict__ in, unsigned long long *__restrict__ best) {
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned long long key = key_of(in[i], i);
        mine = key > mine ? key : mine;
    }
    if (mine != 0)
        atomicMax(best, mine);
}

int main() {
    const int n = 400031, first = 123457, second = 300001;
    Array<float> in(n);
    Array<unsigned long long> best(1);
    Random random;
    for (int i = 0; i < n; ++i)
        in[i] = -1 - random.uniform();
    in[first] = in[second] = -0.5f;
    argmax<<<64, 256>>>(n, in, best);
    finish("argmax");
    Checker checker;
    checker.equal("place", 0, ~static_cast<unsigned>(best[0]), first);
    return checker.verdict();
}
