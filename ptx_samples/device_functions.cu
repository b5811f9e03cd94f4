// device_functions: work that stays in functions of its own: one takes and returns structures, one
// gets a pointer and follows it.
//
// Shows: .func with parameters in .param space, calls, a load behind a pointer that a function was
// given.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK: .func{{ +}}(.param .align 4 .b8 func_retval0[8]) {{.*}}multiply
// CHECK: .func{{ +}}(.param .b32 func_retval0) {{.*}}polynomial
// CHECK: ld{{(.global)?}}.f32
// CHECK-LABEL: .entry {{.*}}rotate
// CHECK: call.uni (retval0),
// CHECK: call.uni (retval0),
// CHECK: st.global.f32

#include "sample.h"

struct Complex {
    float re, im;
};

__device__ __noinline__ Complex multiply(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// weights[0] * x^(count-1) + … + weights[count-1]
__device__ __noinline__ float polynomial(const float *weights, int count, float x) {
    float sum = 0;
    for (int k = 0; k < count; ++k)
        sum = sum * x + weights[k];
    return sum;
}

__global__ void rotate(int n, Complex by, int count, const float *weights, Complex *values,
                       float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    values[i] = multiply(values[i], by);
    out[i] = polynomial(weights, count, values[i].re);
}

int main() {
    const int n = 10001;
    Array<Complex> values(n), before(n);
    const int count = 3;
    Array<float> weights(count), out(n);
    Random random;
    weights[0] = 0.25f;
    weights[1] = 2.0f;
    weights[2] = -1.0f;
    for (int i = 0; i < n; ++i)
        before[i] = values[i] = {random.uniform(), random.uniform()};
    const Complex by = {0.6f, -0.8f};
    rotate<<<(n + 127) / 128, 128>>>(n, by, count, weights, values, out);
    finish("rotate");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        double re = before[i].re * 0.6 + before[i].im * 0.8;
        double im = before[i].re * -0.8 + before[i].im * 0.6;
        checker.equal("values.re", i, values[i].re, re, 1e-6);
        checker.equal("values.im", i, values[i].im, im, 1e-6);
        checker.equal("out", i, out[i], (0.25 * re + 2.0) * re - 1.0, 1e-6);
    }
    return checker.verdict();
}
