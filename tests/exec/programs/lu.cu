// LU decomposition without pivoting, blocked: the diagonal block, the panels, the rest of the matrix.
#include "program.h"

constexpr int kB = 16;

__global__ void diagonal(double *m, int n, int base) {
    __shared__ double a[kB][kB];
    int t = threadIdx.x;
    for (int i = 0; i < kB; ++i) a[i][t] = m[(base + i) * n + base + t];
    __syncthreads();
    for (int k = 0; k < kB - 1; ++k) {
        if (t > k) {
            a[t][k] /= a[k][k];
            for (int j = k + 1; j < kB; ++j) a[t][j] -= a[t][k] * a[k][j];
        }
        __syncthreads();
    }
    for (int i = 0; i < kB; ++i) m[(base + i) * n + base + t] = a[i][t];
}

// Blocks of the grid's first row solve for rows of U, those of the second for columns of L.
__global__ void panels(double *m, int n, int base) {
    __shared__ double d[kB][kB];
    int t = threadIdx.x, at = base + (blockIdx.x + 1) * kB;
    for (int i = 0; i < kB; ++i) d[i][t] = m[(base + i) * n + base + t];
    __syncthreads();
    if (blockIdx.y == 0) {
        for (int i = 1; i < kB; ++i) {
            double sum = 0;
            for (int k = 0; k < i; ++k) sum += d[i][k] * m[(base + k) * n + at + t];
            m[(base + i) * n + at + t] -= sum;
        }
    } else {
        for (int i = 0; i < kB; ++i) {
            double sum = 0;
            for (int k = 0; k < i; ++k) sum += m[(at + t) * n + base + k] * d[k][i];
            m[(at + t) * n + base + i] = (m[(at + t) * n + base + i] - sum) / d[i][i];
        }
    }
}

__global__ void rest(double *m, int n, int base) {
    __shared__ double l[kB][kB], u[kB][kB];
    int row = base + (blockIdx.y + 1) * kB + threadIdx.y, column = base + (blockIdx.x + 1) * kB + threadIdx.x;
    l[threadIdx.y][threadIdx.x] = m[row * n + base + threadIdx.x];
    u[threadIdx.y][threadIdx.x] = m[(base + threadIdx.y) * n + column];
    __syncthreads();
    double sum = 0;
    for (int k = 0; k < kB; ++k) sum += l[threadIdx.y][k] * u[k][threadIdx.x];
    m[row * n + column] -= sum;
}

int main() {
    const int n = 6 * kB;
    Random random;
    std::vector<double> a(n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a[i * n + j] = random.uniform() + (i == j ? n : 0);
    Device<double> m(a);
    for (int base = 0; base < n; base += kB) {
        int left = (n - base) / kB - 1;
        diagonal<<<1, kB>>>(m, n, base);
        if (left == 0) break;
        panels<<<dim3(left, 2), kB>>>(m, n, base);
        rest<<<dim3(left, left), dim3(kB, kB)>>>(m, n, base);
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<double> lu = m.host();
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k <= std::min(i, j); ++k)
                sum += (k == i ? 1 : lu[i * n + k]) * lu[k * n + j];
            expect("L*U", i * n + j, sum, a[i * n + j], 1e-11);
        }
    return verdict();
}
