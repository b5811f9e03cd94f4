// A fast Fourier transform of many rows: radix 2 in dynamic shared memory, bits reversed by __brev,
// then backwards again.
#include "program.h"

__global__ void transform(float2 *rows, int bits, float sign) {
    extern __shared__ float2 kept[];
    int n = 1 << bits;
    float2 *row = rows + blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) kept[__brev(i) >> (32 - bits)] = row[i];
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            int within = i % half, a = 2 * (i - within) + within, b = a + half;
            float s, c;
            sincospif(sign * within / half, &s, &c);
            float2 x = kept[a], y = kept[b];
            float2 z = make_float2(y.x * c - y.y * s, y.x * s + y.y * c);
            kept[a] = make_float2(x.x + z.x, x.y + z.y);
            kept[b] = make_float2(x.x - z.x, x.y - z.y);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = kept[i];
}

int main() {
    const int bits = 8, n = 1 << bits, rows = 5;
    Random random;
    std::vector<float2> start(n * rows);
    for (float2 &value : start) value = make_float2(random.uniform() - 0.5f, random.uniform() - 0.5f);
    Device<float2> device(start);
    transform<<<rows, 64, n * sizeof(float2)>>>(device, bits, -1);
    std::vector<float2> there = device.host();
    transform<<<rows, 128, n * sizeof(float2)>>>(device, bits, 1);
    std::vector<float2> back = device.host();
    for (int r = 0; r < rows; ++r)
        for (int k = 0; k < n; ++k) {
            double re = 0, im = 0;
            for (int i = 0; i < n; ++i) {
                double angle = -2 * M_PI * (i * k % n) / n;
                float2 v = start[r * n + i];
                re += v.x * cos(angle) - v.y * sin(angle);
                im += v.x * sin(angle) + v.y * cos(angle);
            }
            expect("re", r * n + k, there[r * n + k].x, re, 2e-5);
            expect("im", r * n + k, there[r * n + k].y, im, 2e-5);
            expect("back", r * n + k, back[r * n + k].x / n, start[r * n + k].x, 1e-5);
        }
    return verdict();
}
