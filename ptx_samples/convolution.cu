// convolution: an image with a 7x7 filter that lies in constant memory.
//
// Shows: ld.const, an unrolled window whose rows overlap between threads and between blocks.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK: .const .align 4 .b8 filter[196];
// CHECK-LABEL: .entry {{.*}}convolve
// CHECK-DAG: ld.const.f32
// CHECK-DAG: ld.global.nc.f32
// CHECK: fma.rn.f32
// CHECK: st.global.f32

#include "sample.h"

constexpr int RADIUS = 3;
constexpr int SIDE = 2 * RADIUS + 1;

__constant__ float filter[SIDE * SIDE];

__global__ void convolve(int width, int height, const float *__restrict__ in,
                         float *__restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            int from_x = min(max(x + dx, 0), width - 1);
            int from_y = min(max(y + dy, 0), height - 1);
            sum += filter[(dy + RADIUS) * SIDE + dx + RADIUS] * in[from_y * width + from_x];
        }
    out[y * width + x] = sum;
}

int main() {
    const int width = 211, height = 97;
    Array<float> in(width * height), out(width * height);
    Random random;
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = random.uniform();
    float weights[SIDE * SIDE];
    for (float &weight : weights)
        weight = random.uniform() - 0.5f;
    check(cudaMemcpyToSymbol(filter, weights, sizeof weights), "copy of the filter");
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    convolve<<<grid, block>>>(width, height, in, out);
    finish("convolve");
    Checker checker;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            double sum = 0;
            for (int dy = -RADIUS; dy <= RADIUS; ++dy)
                for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
                    int from_x = x + dx < 0 ? 0 : x + dx >= width ? width - 1 : x + dx;
                    int from_y = y + dy < 0 ? 0 : y + dy >= height ? height - 1 : y + dy;
                    sum += static_cast<double>(weights[(dy + RADIUS) * SIDE + dx + RADIUS]) *
                           in[from_y * width + from_x];
                }
            checker.equal("out", y * width + x, out[y * width + x], sum, 1e-5);
        }
    return checker.verdict();
}
