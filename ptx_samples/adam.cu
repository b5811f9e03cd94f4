// adam: one step of the Adam optimiser, in place.
//
// Shows: three arrays that are read and written back by the thread that read them, beside one that
// is only read; sqrt and two divisions for each element.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}adam
// CHECK: ld.global.f32
// CHECK: sqrt.rn.f32
// CHECK: div.rn.f32
// CHECK: st.global.f32

#include "sample.h"

struct Settings {
    float rate, beta1, beta2, epsilon;
    float unbias1, unbias2; // 1 / (1 - beta^step)
};

__global__ void adam(int n, Settings with, const float *__restrict__ gradient,
                     float *__restrict__ weight, float *__restrict__ mean,
                     float *__restrict__ square) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = gradient[i];
    float m = with.beta1 * mean[i] + (1 - with.beta1) * g;
    float s = with.beta2 * square[i] + (1 - with.beta2) * g * g;
    mean[i] = m;
    square[i] = s;
    weight[i] -= with.rate * m * with.unbias1 / (sqrtf(s * with.unbias2) + with.epsilon);
}

int main() {
    const int n = 100003;
    Array<float> gradient(n), weight(n), mean(n), square(n), before(n);
    Random random;
    for (int i = 0; i < n; ++i) {
        gradient[i] = random.uniform() - 0.5f;
        before[i] = weight[i] = random.uniform();
    }
    const Settings with = {0.01f, 0.9f, 0.999f, 1e-8f, 10.0f, 1000.0f}; // the first step
    adam<<<(n + 255) / 256, 256>>>(n, with, gradient, weight, mean, square);
    finish("adam");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        double g = gradient[i];
        double m = (1 - 0.9) * g, s = (1 - 0.999) * g * g;
        checker.equal("mean", i, mean[i], m, 1e-6);
        checker.equal("square", i, square[i], s, 1e-6);
        double wanted = before[i] - 0.01 * m * 10 / (std::sqrt(s * 1000) + 1e-8);
        checker.equal("weight", i, weight[i], wanted, 1e-5);
    }
    return checker.verdict();
}
