// texture: an image shrunk to half its size, the texture unit doing the interpolation.
//
// Shows: tex.2d through a texture object; its cache is not the one that loads go through, and no
// qualifier changes it.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}halve
// CHECK: ld.param.{{[bu]}}64
// CHECK: tex.2d.v4.f32.f32 {{{.*}}}, [{{.*}}, {{{.*}}}];
// CHECK: st.global.f32

#include "sample.h"

__global__ void halve(int width, int height, cudaTextureObject_t image, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    // The middle of four pixels, whose centres are at halves.
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(image, 2 * x + 1.0f, 2 * y + 1.0f);
}

int main() {
    const int width = 150, height = 90;
    Array<float> pixels(2 * width * 2 * height), out(width * height);
    Random random;
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<float>(random.below(256));
    cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array;
    check(cudaMallocArray(&array, &format, 2 * width, 2 * height), "array");
    const std::size_t pitch = 2 * width * sizeof(float);
    check(cudaMemcpy2DToArray(array, 0, 0, pixels, pitch, pitch, 2 * height, cudaMemcpyDefault),
          "copy");
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t image;
    check(cudaCreateTextureObject(&image, &resource, &how, nullptr), "texture");
    halve<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(width, height, image, out);
    finish("halve");
    Checker checker;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            int i = 2 * y * 2 * width + 2 * x;
            double mean = (static_cast<double>(pixels[i]) + pixels[i + 1] + pixels[i + 2 * width] +
                           pixels[i + 2 * width + 1]) /
                          4;
            checker.equal("out", y * width + x, out[y * width + x], mean, 1e-6);
        }
    check(cudaDestroyTextureObject(image), "texture");
    check(cudaFreeArray(array), "array");
    return checker.verdict();
}
