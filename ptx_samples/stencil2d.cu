// stencil2d: each point becomes the mean of its four neighbours; the edge stays as it is.
//
// Shows: five loads at constant distances from each other; neighbours share lines inside a warp,
// rows are shared across a block and across blocks.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}smooth
// CHECK: ld.global.nc.f32 {{.*}}+4];
// CHECK: mul.f32 {{.*}}, 0f3E800000;
// CHECK: st.global.f32

#include "sample.h"

__global__ void smooth(int width, int height, const float *__restrict__ in,
                       float *__restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int i = y * width + x;
    bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
    out[i] = inside ? 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]) : in[i];
}

int main() {
    const int width = 517, height = 301;
    Array<float> in(width * height), out(width * height);
    Random random;
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = random.uniform();
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    smooth<<<grid, block>>>(width, height, in, out);
    finish("smooth");
    Checker checker;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int i = y * width + x;
            bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
            double mean = inside ? 0.25 * (static_cast<double>(in[i - 1]) + in[i + 1] +
                                           in[i - width] + in[i + width])
                                 : in[i];
            checker.equal("out", i, out[i], mean, 1e-6);
        }
    return checker.verdict();
}
