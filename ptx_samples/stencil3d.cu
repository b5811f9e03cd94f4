// stencil3d: a seven-point stencil that walks along z and keeps three planes' values in registers.
//
// Shows: a loop whose loads move by a plane each step; each value along z is loaded once, while its
// four neighbours in the plane are reused inside the block.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}laplace
// CHECK: ld.global.nc.f32
// CHECK: st.global.f32
// CHECK: @{{.*}} bra

#include "sample.h"

__global__ void laplace(int width, int height, int depth, const float *__restrict__ in,
                        float *__restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width - 1 || y >= height - 1)
        return;
    int plane = width * height;
    int i = y * width + x;
    float below = in[i];
    float here = in[i + plane];
    for (int z = 1; z < depth - 1; ++z) {
        i += plane;
        float above = in[i + plane];
        out[i] = in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + below + above - 6 * here;
        below = here;
        here = above;
    }
}

int main() {
    const int width = 70, height = 45, depth = 33;
    Array<float> in(width * height * depth), out(width * height * depth);
    Random random;
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = random.uniform();
    dim3 block(32, 8), grid((width - 2 + 31) / 32, (height - 2 + 7) / 8);
    laplace<<<grid, block>>>(width, height, depth, in, out);
    finish("laplace");
    Checker checker;
    const int plane = width * height;
    for (int z = 1; z < depth - 1; ++z)
        for (int y = 1; y < height - 1; ++y)
            for (int x = 1; x < width - 1; ++x) {
                int i = z * plane + y * width + x;
                double wanted = static_cast<double>(in[i - 1]) + in[i + 1] + in[i - width] +
                                in[i + width] + in[i - plane] + in[i + plane] - 6.0 * in[i];
                checker.equal("out", i, out[i], wanted, 1e-5);
            }
    return checker.verdict();
}
