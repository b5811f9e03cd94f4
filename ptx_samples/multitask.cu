// Four independent tasks and a join: what kesco puts on queues of their own.
//
// Black-Scholes-like pricing, a two-step filter, a matrix-vector chain and a reduction share no data;
// a last kernel reads what all four wrote.  As written, with one stream, they run one after another.
// Each grid is small, so that several fit on the GPU at once.
//
// RUN: gpucc compile %s --arch=sm_80 --passes=mpache,kesco --explain -o %t 2>&1 | filecheck %s
// CHECK-DAG: multitask.cu{{.*}} changed: price{{.*}}: queue [[A:[0-9]]]
// CHECK-DAG: multitask.cu{{.*}} changed: blur{{.*}}: queue
// CHECK-DAG: multitask.cu{{.*}} changed: join{{.*}}: queue {{[0-9]}}; waits for
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t status = (call);                                                     \
        if (status != cudaSuccess) {                                                     \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            return EXIT_FAILURE;                                                         \
        }                                                                                \
    } while (0)

constexpr int threads = 256;
constexpr int blocks = 16;
constexpr int n = threads * blocks;
constexpr int rounds = 2000;

extern "C" __global__ void price(const float *spot, float *value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = spot[i], sum = 0;
    for (int k = 1; k <= rounds; ++k) sum += s / (k + s);
    value[i] = sum / rounds;
}

extern "C" __global__ void blur(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < rounds; ++k) sum += in[(i + k) % n];
    out[i] = sum / rounds;
}

extern "C" __global__ void sharpen(const float *in, const float *soft, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i] - soft[i];
}

extern "C" __global__ void rotate(const float *in, float *out, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = 1 - x;
    for (int k = 0; k < turns; ++k) {
        float t = 0.8f * x - 0.6f * y;
        y = 0.6f * x + 0.8f * y;
        x = t;
    }
    out[i] = x;
}

extern "C" __global__ void running_mean(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mean = 0;
    for (int k = 0; k < rounds; ++k) mean += (in[(i * 7 + k) % n] - mean) / (k + 1);
    out[i] = mean;
}

extern "C" __global__ void join(const float *a, const float *b, const float *c, const float *d,
                                float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + b[i] + c[i] + d[i];
}

static double expected(const std::vector<float> &x, const std::vector<float> &y, int i) {
    double s = x[i], price = 0, soft = 0, mean = 0;
    for (int k = 1; k <= rounds; ++k) price += s / (k + s);
    for (int k = 0; k < rounds; ++k) soft += y[(i + k) % n];
    double u = x[i];
    for (int launch = 0; launch < 2; ++launch) {
        double v = 1 - u;
        for (int k = 0; k < rounds; ++k) {
            double t = 0.8 * u - 0.6 * v;
            v = 0.6 * u + 0.8 * v;
            u = t;
        }
    }
    for (int k = 0; k < rounds; ++k) mean += (y[(i * 7 + k) % n] - mean) / (k + 1);
    return price / rounds + (2 * y[i] - soft / rounds) + u + mean;
}

int main() {
    const size_t bytes = n * sizeof(float);
    std::vector<float> x(n), y(n), result(n);
    for (int i = 0; i < n; ++i) {
        x[i] = 0.25f + float(i * 37 % 101) / 101;
        y[i] = 0.5f + float(i * 53 % 97) / 97;
    }

    float *spot, *image, *value, *soft, *sharp, *turned, *half, *mean, *sum;
    CHECK(cudaMalloc(&spot, bytes));
    CHECK(cudaMalloc(&image, bytes));
    CHECK(cudaMalloc(&value, bytes));
    CHECK(cudaMalloc(&soft, bytes));
    CHECK(cudaMalloc(&sharp, bytes));
    CHECK(cudaMalloc(&turned, bytes));
    CHECK(cudaMalloc(&half, bytes));
    CHECK(cudaMalloc(&mean, bytes));
    CHECK(cudaMalloc(&sum, bytes));
    CHECK(cudaMemcpy(spot, x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(image, y.data(), bytes, cudaMemcpyHostToDevice));

    double best_ms = 1e9;
    for (int round = 0; round < 20; ++round) {
        auto start = std::chrono::steady_clock::now();
        price<<<blocks, threads>>>(spot, value);
        blur<<<blocks, threads>>>(image, soft);
        sharpen<<<blocks, threads>>>(image, soft, sharp);
        rotate<<<blocks, threads>>>(spot, half, rounds);
        rotate<<<blocks, threads>>>(half, turned, rounds);
        running_mean<<<blocks, threads>>>(image, mean);
        join<<<blocks, threads>>>(value, sharp, turned, mean, sum);
        CHECK(cudaMemcpy(result.data(), sum, bytes, cudaMemcpyDeviceToHost));
        std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        best_ms = std::min(best_ms, took.count());
    }
    CHECK(cudaGetLastError());

    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        double want = expected(x, y, i);
        if (std::fabs(result[i] - want) > 2e-3 * std::fabs(want) + 2e-3) ++wrong;
    }
    std::printf("%s: %d of %d values differ; best round %.3f ms\n", wrong ? "FAIL" : "PASS", wrong, n,
                best_ms);
    cudaFree(spot), cudaFree(image), cudaFree(value), cudaFree(soft), cudaFree(sharp);
    cudaFree(turned), cudaFree(half), cudaFree(mean), cudaFree(sum);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
