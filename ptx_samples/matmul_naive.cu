// matmul_naive: c = a*b, one thread for each element of c, no shared memory.
//
// Shows: one load that all threads of a row of the block share (a broadcast), and one that each
// column of blocks reads again: the caches do what shared memory would.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}matmul
// CHECK: ld.global.f32
// CHECK: ld.global.f32
// CHECK: fma.rn.f32
// CHECK: st.global.f32

#include "sample.h"

__global__ void matmul(int n, const float *a, const float *b, float *c) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

int main() {
    const int n = 200;
    Array<float> a(n * n), b(n * n), c(n * n);
    Random random;
    for (int i = 0; i < n * n; ++i) {
        a[i] = random.uniform();
        b[i] = random.uniform();
    }
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    matmul<<<grid, block>>>(n, a, b, c);
    finish("matmul");
    Checker checker;
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column) {
            double wanted = 0;
            for (int k = 0; k < n; ++k)
                wanted += static_cast<double>(a[row * n + k]) * b[k * n + column];
            checker.equal("c", row * n + column, c[row * n + column], wanted, 1e-5);
        }
    return checker.verdict();
}
