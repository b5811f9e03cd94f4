// vector_add: c = a + b, one thread for each element.
//
// Shows: the first kernel of every course: two streams in, one out, each element touched once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}add
// CHECK: ld.global.nc.f32
// CHECK: ld.global.nc.f32
// CHECK: add.f32
// CHECK: st.global.f32

#include "sample.h"

__global__ void add(int n, const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main() {
    const int n = 300007;
    Array<float> a(n), b(n), c(n);
    Random random;
    for (int i = 0; i < n; ++i) {
        a[i] = random.uniform();
        b[i] = random.uniform();
    }
    add<<<(n + 255) / 256, 256>>>(n, a, b, c);
    finish("add");
    Checker checker;
    for (int i = 0; i < n; ++i)
        checker.equal("c", i, c[i], static_cast<double>(a[i]) + b[i], 1e-6);
    return checker.verdict();
}
