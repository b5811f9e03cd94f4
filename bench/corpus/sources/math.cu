// The device math library, float and double.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
template <class T> __device__ T elementary(T x) { return sin(x) + cos(x) + tan(x) + exp(x) + log(x) + pow(x, x) + atan2(x, T(2)) + cbrt(x) + erf(x) + tgamma(x) + lgamma(x) + sinh(x) + acosh(x) + j0(x) + fmod(x, T(3)) + remainder(x, T(5)) + hypot(x, x); }
__global__ void floats(float *x) { x[threadIdx.x] = elementary(x[threadIdx.x]); }
__global__ void doubles(double *x) { x[threadIdx.x] = elementary(x[threadIdx.x]); }
__global__ void roundings(float *x, double *d, int *i, long long *l) {
    float a = x[0], b = x[1]; double c = d[0];
    x[2] = __fadd_rz(a, b) + __fmul_ru(a, b) + __fdiv_rd(a, b) + __fsqrt_rn(a) + __frcp_ru(b);
    d[1] = __dadd_rd(c, c) * __ddiv_ru(c, 3.0) + __dsqrt_rz(c) + __fma_rn(c, c, c);
    i[0] = __float2int_rn(a) + __double2int_ru(c) + __clz(i[1]) + __popc(i[2]) + __brev(i[3]) + __ffs(i[4]) + __byte_perm(i[1], i[2], 0x3210) + __funnelshift_l(i[0], i[1], 5);
    l[0] = __float2ll_rd(a) + __mul64hi(l[1], l[2]) + __umul24(i[0], i[1]) + l[3] / l[4] + l[5] % l[6];
#ifndef __CUDACC_DEBUG__  // cicc refuses this one in debug builds
    i[5] = __dp4a(i[0], i[1], i[2]);
#endif
}
__global__ void halves(__half2 *h, __nv_bfloat162 *b, __nv_fp8_e4m3 *q, float *f) {
    h[0] = __hfma2_relu(h[1], h[2], h2exp2(h[3])) + h2rcp(h[4]);
    b[0] = __hmax2(b[1], b[2]) * h2sqrt(b[3]);
    q[threadIdx.x] = __nv_fp8_e4m3(f[threadIdx.x]);
    f[threadIdx.x] = float(q[threadIdx.x]) + __half2float(__low2half(h[5]));
}
