// scatter: out[index[i]] = in[i] where no index comes twice, and the same with addition where one may.
//
// Shows: stores and reductions whose addresses come from memory; what is read is read once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}scatter_add
// CHECK: {{atom|red}}.global.add.f32
// CHECK-LABEL: .entry {{.*}}scatter_to
// CHECK: st.global.f32

#include "sample.h"

__global__ void scatter_add(int n, const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[index[i]], in[i]);
}

__global__ void scatter_to(int n, const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[index[i]] = in[i];
}

int main() {
    const int n = 40009, bins = 511;
    Array<int> place(n), bin(n);
    Array<float> in(n), placed(n), sums(bins);
    Random random;
    for (int i = 0; i < n; ++i) {
        place[i] = static_cast<int>(i * 7919LL % n); // 7919 and n share no factor
        bin[i] = random.below(bins);
        in[i] = static_cast<float>(random.below(16));
    }
    scatter_to<<<(n + 127) / 128, 128>>>(n, place, in, placed);
    scatter_add<<<(n + 127) / 128, 128>>>(n, bin, in, sums);
    finish("scatter");
    Checker checker;
    double wanted[bins] = {};
    for (int i = 0; i < n; ++i) {
        checker.equal("placed", place[i], placed[place[i]], in[i]);
        wanted[bin[i]] += in[i];
    }
    for (int i = 0; i < bins; ++i)
        checker.equal("sums", i, sums[i], wanted[i]);
    return checker.verdict();
}
