// Heat on a plate: a five-point stencil with a halo in shared memory, two buffers in pitched memory,
// coefficients in constant memory, events around the whole.
#include "program.h"

#include <algorithm>

constexpr int kTile = 16;
__constant__ float coefficient[2];

__global__ void heat(const float *in, float *out, size_t pitch, int width, int height) {
    __shared__ float tile[kTile + 2][kTile + 2];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    auto at = [&](int cx, int cy) {
        cx = max(0, min(width - 1, cx));
        cy = max(0, min(height - 1, cy));
        return *(const float *)((const char *)in + cy * pitch + cx * sizeof(float));
    };
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = at(x, y);
    if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y);
    if (threadIdx.x == kTile - 1) tile[ty][kTile + 1] = at(x + 1, y);
    if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1);
    if (threadIdx.y == kTile - 1) tile[kTile + 1][tx] = at(x, y + 1);
    __syncthreads();
    if (x >= width || y >= height) return;
    float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
    // The plate ends inside the tile, where no thread loads the halo.
    if (x == width - 1) around += tile[ty][tx] - tile[ty][tx + 1];
    if (y == height - 1) around += tile[ty][tx] - tile[ty + 1][tx];
    *(float *)((char *)out + y * pitch + x * sizeof(float)) =
        coefficient[0] * tile[ty][tx] + coefficient[1] * around;
}

int main() {
    const int width = 150, height = 83, steps = 20;
    const float coefficients[2] = {0.6f, 0.1f};
    CHECK(cudaMemcpyToSymbol(coefficient, coefficients, sizeof coefficients));
    Random random;
    std::vector<float> plate(width * height), next(plate.size());
    for (float &value : plate) value = random.uniform();
    float *a, *b;
    size_t pitch, pitch_b;
    CHECK(cudaMallocPitch(&a, &pitch, width * sizeof(float), height));
    CHECK(cudaMallocPitch(&b, &pitch_b, width * sizeof(float), height));
    CHECK(cudaMemcpy2D(a, pitch, plate.data(), width * 4, width * 4, height, cudaMemcpyHostToDevice));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile), block(kTile, kTile);
    for (int i = 0; i < steps; ++i) {
        heat<<<grid, block>>>(a, b, pitch, width, height);
        std::swap(a, b);
    }
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    EXPECT(milliseconds > 0);
    std::vector<float> got(plate.size());
    CHECK(cudaMemcpy2D(got.data(), width * 4, a, pitch, width * 4, height, cudaMemcpyDeviceToHost));
    for (int i = 0; i < steps; ++i) {
        auto at = [&](int x, int y) {
            return plate[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
        };
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                next[y * width + x] = 0.6f * at(x, y) + 0.1f * (at(x - 1, y) + at(x + 1, y) +
                                                               at(x, y - 1) + at(x, y + 1));
        plate.swap(next);
    }
    for (size_t i = 0; i < plate.size(); ++i) expect("heat", i, got[i], plate[i], 1e-5);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return verdict();
}
