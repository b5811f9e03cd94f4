// saxpy: y = a*x + y, one thread for each element.
//
// Shows: two streams that are read once and one that is written in place; the address of each is
// the pointer plus 4 bytes for each thread, whatever the block.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}saxpy
// CHECK: setp.ge.s32
// CHECK: ld.global.f32
// CHECK: fma.rn.f32
// CHECK: st.global.f32

#include "sample.h"

__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1000003;
    Array<float> x(n), y(n), before(n);
    Random random;
    for (int i = 0; i < n; ++i) {
        x[i] = random.uniform();
        before[i] = y[i] = random.uniform();
    }
    saxpy<<<(n + 255) / 256, 256>>>(n, 2.5f, x, y);
    finish("saxpy");
    Checker checker;
    for (int i = 0; i < n; ++i)
        checker.equal("y", i, y[i], 2.5 * x[i] + before[i], 1e-6);
    return checker.verdict();
}
