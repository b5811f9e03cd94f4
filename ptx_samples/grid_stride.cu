// grid_stride: any number of elements with any grid, four of them a step.
//
// Shows: 16-byte vector loads and stores in a loop whose step is the size of the grid; nothing is
// touched twice.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}scale_and_shift
// CHECK: ld.global.nc.v4.f32
// CHECK: st.global.v4.f32
// CHECK: bra

#include "sample.h"

__global__ void scale_and_shift(int n, float scale, float shift, const float4 *__restrict__ in,
                                float4 *__restrict__ out) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float4 v = in[i];
        out[i] = make_float4(v.x * scale + shift, v.y * scale + shift, v.z * scale + shift,
                             v.w * scale + shift);
    }
}

int main() {
    const int n = 250001;
    Array<float4> in(n), out(n);
    Random random;
    for (int i = 0; i < n; ++i)
        in[i] = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform());
    scale_and_shift<<<120, 128>>>(n, 3.0f, -1.0f, in, out);
    finish("scale_and_shift");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        checker.equal("out.x", i, out[i].x, 3.0 * in[i].x - 1.0, 1e-6);
        checker.equal("out.w", i, out[i].w, 3.0 * in[i].w - 1.0, 1e-6);
    }
    return checker.verdict();
}
