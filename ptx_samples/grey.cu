// grey: the brightness of each pixel of a colour image, in integers.
//
// Shows: four bytes in one load, one byte in a store, multiplications by constants and shifts.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}grey
// CHECK: ld.global.nc
// CHECK: shr{{.*}}, 8;
// CHECK: st.global.{{[us]}}8

#include "sample.h"

__global__ void grey(int pixels, const uchar4 *__restrict__ in, unsigned char *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    uchar4 pixel = in[i];
    out[i] = static_cast<unsigned char>((77 * pixel.x + 150 * pixel.y + 29 * pixel.z) >> 8);
}

int main() {
    const int pixels = 640 * 361;
    Array<uchar4> in(pixels);
    Array<unsigned char> out(pixels);
    Random random;
    for (int i = 0; i < pixels; ++i) {
        unsigned value = random.below(1 << 24);
        in[i] = make_uchar4(value & 255, value >> 8 & 255, value >> 16, 255);
    }
    grey<<<(pixels + 255) / 256, 256>>>(pixels, in, out);
    finish("grey");
    Checker checker;
    for (int i = 0; i < pixels; ++i) {
        int wanted = (77 * in[i].x + 150 * in[i].y + 29 * in[i].z) / 256;
        checker.equal("out", i, out[i], wanted);
    }
    return checker.verdict();
}
