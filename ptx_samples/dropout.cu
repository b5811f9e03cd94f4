// dropout: some elements become zero, by random bits made from the element's number; the rest grow.
//
// Shows: a counter-based random number generator (integer multiplications with their upper halves),
// a select, and one stream in and one out.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}dropout
// CHECK: mul{{.*}}.u{{32|64}}
// CHECK: xor.b32
// CHECK: ld.global.nc.f32
// CHECK: st.global.f32

#include "sample.h"

// Philox with two words (Salmon et al. 2011): ten rounds of a multiplication and an exclusive or.
__host__ __device__ unsigned random_bits(unsigned counter, unsigned key) {
    unsigned left = counter, right = 0;
    for (int round = 0; round < 10; ++round) {
        unsigned long long product = 0xD256D193ULL * left;
        left = static_cast<unsigned>(product >> 32) ^ key ^ right;
        right = static_cast<unsigned>(product);
        key += 0x9E3779B9u;
    }
    return left;
}

__global__ void dropout(int n, unsigned seed, unsigned below, float scale,
                        const float *__restrict__ in, float *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = random_bits(i, seed) < below ? 0.0f : in[i] * scale;
}

int main() {
    const int n = 200003;
    const unsigned seed = 42, below = 1u << 30; // a quarter of all
    Array<float> in(n), out(n);
    Random random;
    for (int i = 0; i < n; ++i)
        in[i] = 1 + random.uniform();
    dropout<<<(n + 255) / 256, 256>>>(n, seed, below, 4.0f / 3.0f, in, out);
    finish("dropout");
    Checker checker;
    int dropped = 0;
    for (int i = 0; i < n; ++i) {
        bool drop = random_bits(i, seed) < below;
        dropped += drop;
        checker.equal("out", i, out[i], drop ? 0 : in[i] * 4.0 / 3.0, 1e-6);
    }
    checker.equal("share dropped", 0, static_cast<double>(dropped) / n, 0.25, 5e-3);
    return checker.verdict();
}
