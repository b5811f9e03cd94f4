// Filters over an image of bytes: a blur with a kernel in constant memory, Sobel's edges, a median of
// nine by a sorting network; uchar4 pixels and a second stream.
#include "program.h"

#include <algorithm>

__constant__ float weights[5];

__device__ int at(const unsigned char *image, int w, int h, int x, int y) {
    return image[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];
}

__global__ void grey(const uchar4 *in, unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (unsigned char)((in[i].x * 77 + in[i].y * 150 + in[i].z * 29) >> 8);
}
__global__ void blur(const unsigned char *in, float *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            sum += weights[dy + 2] * weights[dx + 2] * at(in, w, h, x + dx, y + dy);
    out[y * w + x] = sum;
}
__global__ void sobel(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int gx = 0, gy = 0;
    for (int d = -1; d <= 1; ++d) {
        gx += (2 - abs(d)) * (at(in, w, h, x + 1, y + d) - at(in, w, h, x - 1, y + d));
        gy += (2 - abs(d)) * (at(in, w, h, x + d, y + 1) - at(in, w, h, x + d, y - 1));
    }
    out[y * w + x] = min(abs(gx) + abs(gy), 255);
}
template <int N> __device__ void sort(int (&v)[N]) {
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
        for (int j = i & 1; j + 1 < N; j += 2) {
            int low = min(v[j], v[j + 1]), high = max(v[j], v[j + 1]);
            v[j] = low;
            v[j + 1] = high;
        }
}
__global__ void median(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int v[9];
    for (int k = 0; k < 9; ++k) v[k] = at(in, w, h, x + k % 3 - 1, y + k / 3 - 1);
    sort(v);
    out[y * w + x] = v[4];
}

int main() {
    const int w = 131, h = 77, n = w * h;
    const float taps[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    CHECK(cudaMemcpyToSymbol(weights, taps, sizeof taps));
    Random random;
    std::vector<uchar4> pixels(n);
    std::vector<unsigned char> image(n);
    for (int i = 0; i < n; ++i) {
        pixels[i] = make_uchar4(random.next(), random.next(), random.next(), 255);
        image[i] = (pixels[i].x * 77 + pixels[i].y * 150 + pixels[i].z * 29) >> 8;
    }
    Device<uchar4> d_pixels(pixels);
    Device<unsigned char> d_grey(n), d_sobel(n), d_median(n);
    Device<float> d_blur(n);
    cudaStream_t other;
    cudaEvent_t ready;
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    dim3 block(32, 4), grid((w + 31) / 32, (h + 3) / 4);
    grey<<<(n + 255) / 256, 256>>>(d_pixels, d_grey, n);
    CHECK(cudaEventRecord(ready));
    CHECK(cudaStreamWaitEvent(other, ready, 0));
    blur<<<grid, block>>>(d_grey, d_blur, w, h);
    sobel<<<grid, block, 0, other>>>(d_grey, d_sobel, w, h);
    median<<<grid, block, 0, other>>>(d_grey, d_median, w, h);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned char> got_grey = d_grey.host(), edges = d_sobel.host(), middle = d_median.host();
    std::vector<float> blurred = d_blur.host();
    auto pixel = [&](int x, int y) {
        return static_cast<int>(image[std::clamp(y, 0, h - 1) * w + std::clamp(x, 0, w - 1)]);
    };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int i = y * w + x, gx = 0, gy = 0, v[9];
            double sum = 0;
            for (int dy = -2; dy <= 2; ++dy)
                for (int dx = -2; dx <= 2; ++dx) sum += taps[dy + 2] * taps[dx + 2] * pixel(x + dx, y + dy);
            for (int d = -1; d <= 1; ++d) {
                gx += (2 - std::abs(d)) * (pixel(x + 1, y + d) - pixel(x - 1, y + d));
                gy += (2 - std::abs(d)) * (pixel(x + d, y + 1) - pixel(x + d, y - 1));
            }
            for (int k = 0; k < 9; ++k) v[k] = pixel(x + k % 3 - 1, y + k / 3 - 1);
            std::sort(v, v + 9);
            expect("grey", i, got_grey[i], image[i]);
            expect("blur", i, blurred[i], sum, 1e-5);
            expect("sobel", i, edges[i], std::min(std::abs(gx) + std::abs(gy), 255));
            expect("median", i, middle[i], v[4]);
        }
    return verdict();
}
