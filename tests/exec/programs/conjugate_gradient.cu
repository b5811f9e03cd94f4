// Conjugate gradients for a sparse matrix in CSR form: a warp for each row, dot products with a last
// block that is found by a counter, all in one stream with scalars left on the device.
#include "program.h"

__global__ void multiply(int n, const int *begin, const int *column, const double *value,
                         const double *x, double *y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n) return;
    double sum = 0;
    for (int i = begin[row] + lane; i < begin[row + 1]; i += 32) sum += value[i] * x[column[i]];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) y[row] = sum;
}

__device__ unsigned done;

__global__ void dot(int n, const double *a, const double *b, double *partial, double *result) {
    __shared__ double kept[128];
    __shared__ bool last;
    double sum = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) sum += a[i] * b[i];
    kept[threadIdx.x] = sum;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) kept[threadIdx.x] += kept[threadIdx.x + half];
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = kept[0];
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        double total = 0;
        for (int i = 0; i < gridDim.x; ++i) total += ((volatile double *)partial)[i];
        *result = total;
    }
}

// y = y + sign * (a/b) * x, or x + (a/b) * y for the direction.
__global__ void update(int n, double *y, const double *x, const double *a, const double *b, double sign) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += sign * (*a / *b) * x[i];
}
__global__ void turn(int n, double *p, const double *r, const double *a, const double *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + *a / *b * p[i];
}

int main() {
    const int side = 24, n = side * side;
    std::vector<int> begin{0}, column;
    std::vector<double> value, b(n), zero(n);
    Random random;
    for (int i = 0; i < n; ++i) {
        int x = i % side, y = i / side;
        auto add = [&](bool there, int at, double v) {
            if (!there) return;
            column.push_back(at);
            value.push_back(v);
        };
        add(y > 0, i - side, -1);
        add(x > 0, i - 1, -1);
        add(true, i, 4.5);
        add(x < side - 1, i + 1, -1);
        add(y < side - 1, i + side, -1);
        begin.push_back(column.size());
        b[i] = random.uniform();
    }
    Device<int> d_begin(begin), d_column(column);
    Device<double> d_value(value), x(zero), r(b), p(b), ap(n), partial(16), scalars(3);
    double *old = scalars, *now = scalars + 1, *curve = scalars + 2;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int grid = (n + 127) / 128;
    dot<<<16, 128, 0, stream>>>(n, r, r, partial, old);
    for (int i = 0; i < 60; ++i) {
        multiply<<<(n * 32 + 127) / 128, 128, 0, stream>>>(n, d_begin, d_column, d_value, p, ap);
        dot<<<16, 128, 0, stream>>>(n, p, ap, partial, curve);
        update<<<grid, 128, 0, stream>>>(n, x, p, old, curve, 1);
        update<<<grid, 128, 0, stream>>>(n, r, ap, old, curve, -1);
        dot<<<16, 128, 0, stream>>>(n, r, r, partial, now);
        turn<<<grid, 128, 0, stream>>>(n, p, r, now, old);
        std::swap(old, now);
    }
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    std::vector<double> got = x.host();
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * got[column[k]];
        expect("A*x", i, sum, b[i], 1e-9);
    }
    return verdict();
}
