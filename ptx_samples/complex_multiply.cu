// complex_multiply: spectra multiplied element by element and scaled, as in a convolution by FFT.
//
// Shows: 8-byte vector loads of pairs, two streams in and one out.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}multiply
// CHECK: ld.global.nc.v2.f32
// CHECK: ld.global.nc.v2.f32
// CHECK: fma.rn.f32
// CHECK: st.global.v2.f32

#include "sample.h"

__global__ void multiply(int n, float scale, const float2 *__restrict__ a,
                         const float2 *__restrict__ b, float2 *__restrict__ c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 x = a[i], y = b[i];
    c[i] = make_float2(scale * (x.x * y.x - x.y * y.y), scale * (x.x * y.y + x.y * y.x));
}

int main() {
    const int n = 90001;
    Array<float2> a(n), b(n), c(n);
    Random random;
    for (int i = 0; i < n; ++i) {
        a[i] = make_float2(random.uniform(), random.uniform());
        b[i] = make_float2(random.uniform(), random.uniform());
    }
    multiply<<<(n + 127) / 128, 128>>>(n, 0.125f, a, b, c);
    finish("multiply");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        double ax = a[i].x, ay = a[i].y, bx = b[i].x, by = b[i].y;
        checker.equal("c.x", i, c[i].x, 0.125 * (ax * bx - ay * by), 1e-6);
        checker.equal("c.y", i, c[i].y, 0.125 * (ax * by + ay * bx), 1e-6);
    }
    return checker.verdict();
}
