// All shortest paths: a kernel for each intermediate node, and the same blocked in three phases.
#include "program.h"

constexpr int kB = 16, kFar = 1 << 20;

__global__ void relax(int *d, int n, int k) {
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n) d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}

__device__ void close(int (&c)[kB][kB], int (&a)[kB][kB], int (&b)[kB][kB]) {
    for (int k = 0; k < kB; ++k) {
        int through = a[threadIdx.y][k] + b[k][threadIdx.x];
        __syncthreads();
        if (through < c[threadIdx.y][threadIdx.x]) c[threadIdx.y][threadIdx.x] = through;
        __syncthreads();
    }
}
__global__ void blocked(int *d, int n, int k, int phase) {
    __shared__ int a[kB][kB], b[kB][kB], c[kB][kB];
    int bx = blockIdx.x, by = blockIdx.y;
    if (phase == 1) bx = by = k;
    if (phase == 3 && (bx == k || by == k)) return;
    auto at = [&](int y, int x) -> int & { return d[(y * kB + threadIdx.y) * n + x * kB + threadIdx.x]; };
    if (phase == 2) {
        bx = blockIdx.y ? blockIdx.x : k;
        by = blockIdx.y ? k : blockIdx.x;
        if (bx == k && by == k) return;
    }
    a[threadIdx.y][threadIdx.x] = at(by, k);
    b[threadIdx.y][threadIdx.x] = at(k, bx);
    c[threadIdx.y][threadIdx.x] = at(by, bx);
    __syncthreads();
    if (phase == 1)
        close(c, c, c);
    else if (phase == 3)
        close(c, a, b);
    else if (by == k)
        close(c, a, c);
    else
        close(c, c, b);
    at(by, bx) = c[threadIdx.y][threadIdx.x];
}

int main() {
    const int n = 5 * kB;
    Random random;
    std::vector<int> d(n * n, kFar);
    for (int i = 0; i < n; ++i) {
        d[i * n + i] = 0;
        for (int e = 0; e < 4; ++e) d[i * n + random.next() % n] = 1 + random.next() % 50;
        d[i * n + i] = 0;
    }
    Device<int> simple(d), tiled(d);
    for (int k = 0; k < n; ++k) relax<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(simple, n, k);
    for (int k = 0; k < n / kB; ++k) {
        blocked<<<1, dim3(kB, kB)>>>(tiled, n, k, 1);
        blocked<<<dim3(n / kB, 2), dim3(kB, kB)>>>(tiled, n, k, 2);
        blocked<<<dim3(n / kB, n / kB), dim3(kB, kB)>>>(tiled, n, k, 3);
    }
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
    std::vector<int> one = simple.host(), other = tiled.host();
    for (int i = 0; i < n * n; ++i) {
        expect("distance", i, one[i], d[i]);
        expect("blocked", i, other[i], d[i]);
    }
    return verdict();
}
