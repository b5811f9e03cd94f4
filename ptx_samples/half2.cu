// half2: a polynomial in half precision, two numbers in each 32-bit register.
//
// Shows: fma.rn.f16x2, packed loads and stores; everything is touched once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}polynomial
// CHECK: ld.global.nc.{{[bu]}}32
// CHECK: fma.rn.f16x2
// CHECK: fma.rn.f16x2
// CHECK: st.global.{{[bu]}}32

#include "sample.h"

#include <cuda_fp16.h>

__global__ void polynomial(int pairs, float a, float b, float c, const __half2 *__restrict__ x,
                           __half2 *__restrict__ y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    __half2 v = x[i];
    __half2 sum = __hfma2(__float2half2_rn(a), v, __float2half2_rn(b));
    y[i] = __hfma2(sum, v, __float2half2_rn(c));
}

int main() {
    const int pairs = 65537;
    Array<__half2> x(pairs), y(pairs);
    Random random;
    for (int i = 0; i < pairs; ++i)
        x[i] = __floats2half2_rn(random.uniform(), random.uniform());
    polynomial<<<(pairs + 255) / 256, 256>>>(pairs, 0.5f, -2.0f, 0.25f, x, y);
    finish("polynomial");
    Checker checker;
    for (int i = 0; i < pairs; ++i) {
        double low = __low2float(x[i]), high = __high2float(x[i]);
        checker.equal("low", i, __low2float(y[i]), (0.5 * low - 2) * low + 0.25, 4e-3);
        checker.equal("high", i, __high2float(y[i]), (0.5 * high - 2) * high + 0.25, 4e-3);
    }
    return checker.verdict();
}
