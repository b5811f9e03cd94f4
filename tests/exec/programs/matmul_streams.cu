// A product of matrices in slices: each slice's copies and kernel in one of three streams, overlapping,
// from pinned memory; register tiles by a template.
#include "program.h"

template <int TILE, int PER>
__global__ void multiply(const float *a, const float *b, float *c, int n, int rows) {
    __shared__ float sa[TILE][TILE], sb[TILE][TILE];
    int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE;
    float sum[PER] = {};
    for (int k = 0; k < n; k += TILE) {
        for (int p = 0; p < PER; ++p) {
            int y = threadIdx.y + p * (TILE / PER);
            sa[y][threadIdx.x] = row + y < rows ? a[(row + y) * n + k + threadIdx.x] : 0;
            sb[y][threadIdx.x] = b[(k + y) * n + column];
        }
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            for (int p = 0; p < PER; ++p)
                sum[p] += sa[threadIdx.y + p * (TILE / PER)][i] * sb[i][threadIdx.x];
        __syncthreads();
    }
    for (int p = 0; p < PER; ++p) {
        int y = row + threadIdx.y + p * (TILE / PER);
        if (y < rows) c[y * n + column] = sum[p];
    }
}

int main() {
    const int n = 128, rows = 24;
    float *a, *c;
    CHECK(cudaMallocHost(&a, n * n * 4));
    CHECK(cudaHostAlloc(&c, n * n * 4, cudaHostAllocDefault));
    Random random;
    std::vector<float> b(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = random.uniform() - 0.5f;
        b[i] = random.uniform() - 0.5f;
    }
    Device<float> db(b), da(3 * rows * n), dc(3 * rows * n);
    cudaStream_t streams[3];
    for (cudaStream_t &stream : streams) CHECK(cudaStreamCreate(&stream));
    for (int first = 0, s = 0; first < n; first += rows, s = (s + 1) % 3) {
        int count = std::min(rows, n - first);
        float *slice = da + s * rows * n, *result = dc + s * rows * n;
        CHECK(cudaMemcpyAsync(slice, a + first * n, count * n * 4, cudaMemcpyHostToDevice, streams[s]));
        multiply<16, 4><<<dim3(n / 16, (count + 15) / 16), dim3(16, 4), 0, streams[s]>>>(slice, db, result, n, count);
        CHECK(cudaMemcpyAsync(c + first * n, result, count * n * 4, cudaMemcpyDeviceToHost, streams[s]));
    }
    for (cudaStream_t stream : streams) {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaStreamDestroy(stream));
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k) sum += static_cast<double>(a[i * n + k]) * b[k * n + j];
            expect("c", i * n + j, c[i * n + j], sum, 1e-5);
        }
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(c));
    return verdict();
}
