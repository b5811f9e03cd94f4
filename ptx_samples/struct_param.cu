// struct_param: a kernel that is given one structure by value: pointers, sizes and an array inside.
//
// Shows: an aggregate .param and loads at offsets into it, one of them indexed by data; pointers
// that are not parameters themselves but parts of one.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}colour
// CHECK: .param .align 8 .b8 {{.*}}colour{{.*}}_param_0[64]
// CHECK: ld.param.{{[bu]}}64
// CHECK: ld.global.{{[us]}}8
// CHECK: st.global.v4.f32

#include "sample.h"

struct Palette {
    const unsigned char *pixels;
    float4 *out;
    int width;
    int pitch;
    struct {
        float scale;
        float shift;
    } channel[4];
    int height;
};

__global__ void colour(const __grid_constant__ Palette palette) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= palette.width || y >= palette.height)
        return;
    int pixel = palette.pixels[y * palette.pitch + x];
    float value = palette.channel[pixel & 3].scale * static_cast<float>(pixel);
    palette.out[y * palette.width + x] =
        make_float4(value + palette.channel[0].shift, value + palette.channel[1].shift,
                    value + palette.channel[2].shift, value + palette.channel[3].shift);
}

int main() {
    const int width = 301, height = 77, pitch = 320;
    Array<unsigned char> pixels(pitch * height);
    Array<float4> out(width * height);
    Random random;
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<unsigned char>(random.below(256));
    Palette palette = {pixels, out, width, pitch, {{1, 0}, {2, 1}, {3, -1}, {4, 9}}, height};
    colour<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(palette);
    finish("colour");
    Checker checker;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int pixel = pixels[y * pitch + x];
            double value = palette.channel[pixel & 3].scale * pixel;
            checker.equal("out.x", y * width + x, out[y * width + x].x, value);
            checker.equal("out.w", y * width + x, out[y * width + x].w, value + 9);
        }
    return checker.verdict();
}
