// Plain kernels, unrolled UNROLL times: what most users write.
#ifndef UNROLL
#define UNROLL 16
#endif
#define BODY _Pragma("unroll")
template <int N> __global__ void axpy(const float *__restrict__ x, float *__restrict__ y, float a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { BODY for (int k = 0; k < N; ++k) y[i + k * n] += a * x[i + k * n]; }
}
template <int N> __global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float ta[N][N], tb[N][N]; float sum[4] = {};
    int row = blockIdx.y * N + threadIdx.y, col = blockIdx.x * N + threadIdx.x;
    for (int t = 0; t < n; t += N) {
        ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x]; tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
        __syncthreads();
        BODY for (int k = 0; k < N; ++k) sum[k & 3] += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum[0] + sum[1] + sum[2] + sum[3];
}
template <int N> __global__ void stencil(const double *in, double *out, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; double s = 0;
    if (x < N || y < N || x >= nx - N || y >= ny - N) return;
    BODY for (int k = -N; k <= N; ++k) s += in[y * nx + x + k] * k + in[(y + k) * nx + x];
    out[y * nx + x] = s;
}
template <int N> __global__ void spmv(const int *ptr, const int *col, const float *val, const float *x, float *y, int rows) {
    int r = blockIdx.x * blockDim.x + threadIdx.x; if (r >= rows) return; float s = 0;
    for (int i = ptr[r]; i < ptr[r + 1]; i += N) { BODY for (int k = 0; k < N; ++k) s += val[i + k] * x[col[i + k]]; }
    y[r] = s;
}
template <int N> __global__ void mix(uint4 *x) {
    uint4 v = x[threadIdx.x];
    BODY for (int k = 0; k < N * 8; ++k) { v.x = v.x * 1664525u + v.y; v.y ^= v.z >> 3; v.z = __funnelshift_l(v.w, v.x, k & 31); v.w += v.x & v.y; }
    x[threadIdx.x] = v;
}
template __global__ void axpy<UNROLL>(const float *, float *, float, int);
template __global__ void matmul<16>(const float *, const float *, float *, int);
template __global__ void matmul<32>(const float *, const float *, float *, int);
template __global__ void stencil<UNROLL>(const double *, double *, int, int);
template __global__ void spmv<UNROLL>(const int *, const int *, const float *, const float *, float *, int);
template __global__ void mix<UNROLL>(uint4 *);
