// What nvcc declares before the first line of a program, for a clang without NVIDIA's device headers.
//
// regenerate.py puts this before each sample (clang -include) to get LLVM IR from it, as nvcc puts
// the real cuda_runtime.h. It declares what the samples use, in terms of clang's NVPTX builtins and
// of libdevice (__nv_*); the runtime's API and the vector types are NVIDIA's own headers.

#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))

#include <cuda_runtime_api.h>
#include <math_constants.h>
#include <vector_functions.h>

#include <cmath>
#include <cstring>

// Only from here on: the headers above would declare nvcc's own builtins.
#define __CUDACC__
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)

// --- where a thread is -----------------------------------------------------------------------------

#define SPECIAL_REGISTER(variable, name)                                                           \
    struct variable##Type {                                                                        \
        struct X { __device__ operator unsigned() const { return __nvvm_read_ptx_sreg_##name##_x(); } }; \
        struct Y { __device__ operator unsigned() const { return __nvvm_read_ptx_sreg_##name##_y(); } }; \
        struct Z { __device__ operator unsigned() const { return __nvvm_read_ptx_sreg_##name##_z(); } }; \
        __device__ operator uint3() const { return {x, y, z}; }                                    \
        __device__ operator dim3() const { return {x, y, z}; }                                     \
        X x;                                                                                       \
        Y y;                                                                                       \
        Z z;                                                                                       \
    };                                                                                             \
    extern const __device__ variable##Type variable;
SPECIAL_REGISTER(threadIdx, tid)
SPECIAL_REGISTER(blockIdx, ctaid)
SPECIAL_REGISTER(blockDim, ntid)
SPECIAL_REGISTER(gridDim, nctaid)
#undef SPECIAL_REGISTER

constexpr int warpSize = 32;

// --- launches --------------------------------------------------------------------------------------

extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                 cudaStream_t stream = nullptr);

// --- warps and barriers ----------------------------------------------------------------------------

inline __device__ void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
inline __device__ void __barrier_sync(unsigned barrier) { __nvvm_barrier_sync(barrier); }
inline __device__ void __barrier_sync_count(unsigned barrier, unsigned threads) {
    __nvvm_barrier_sync_cnt(barrier, threads);
}
inline __device__ void __threadfence() { __nvvm_membar_gl(); }
inline __device__ unsigned __activemask() { return __nvvm_activemask(); }
inline __device__ unsigned __ballot_sync(unsigned mask, int predicate) {
    return __nvvm_vote_ballot_sync(mask, predicate);
}
inline __device__ int __any_sync(unsigned mask, int predicate) {
    return __nvvm_vote_any_sync(mask, predicate);
}
inline __device__ int __all_sync(unsigned mask, int predicate) {
    return __nvvm_vote_all_sync(mask, predicate);
}

// The last operand holds the segment's mask and the clamp; 0x1f is a whole warp.
#define SHUFFLE(name, builtin, clamp)                                                              \
    inline __device__ int name(unsigned mask, int value, int lane) {                               \
        return __nvvm_shfl_sync_##builtin##_i32(mask, value, lane, clamp);                         \
    }                                                                                              \
    inline __device__ unsigned name(unsigned mask, unsigned value, int lane) {                     \
        return __nvvm_shfl_sync_##builtin##_i32(mask, value, lane, clamp);                         \
    }                                                                                              \
    inline __device__ float name(unsigned mask, float value, int lane) {                           \
        return __nvvm_shfl_sync_##builtin##_f32(mask, value, lane, clamp);                         \
    }
SHUFFLE(__shfl_sync, idx, 0x1f)
SHUFFLE(__shfl_up_sync, up, 0)
SHUFFLE(__shfl_down_sync, down, 0x1f)
SHUFFLE(__shfl_xor_sync, bfly, 0x1f)
#undef SHUFFLE
inline __device__ double __shfl_xor_sync(unsigned mask, double value, int lane) {
    auto bits = __builtin_bit_cast(unsigned long long, value);
    unsigned long long low = __shfl_xor_sync(mask, static_cast<unsigned>(bits), lane);
    unsigned long long high = __shfl_xor_sync(mask, static_cast<unsigned>(bits >> 32), lane);
    return __builtin_bit_cast(double, high << 32 | low);
}

inline __device__ void __trap() { __builtin_trap(); }

extern "C" __device__ int printf(const char *, ...); // clang makes vprintf of it

// --- memory ----------------------------------------------------------------------------------------

template <typename T> inline __device__ T __ldg(const T *address) {
    if constexpr (sizeof(T) == sizeof(float) && !__is_integral(T))
        return __nvvm_ldg_f(address);
    else
        return __nvvm_ldg_i(address);
}

extern "C" inline __device__ void *memcpy(void *to, const void *from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}

#define ATOMIC(name, builtin, type)                                                                \
    inline __device__ type name(type *address, type value) {                                       \
        return __scoped_atomic_fetch_##builtin(address, value, __ATOMIC_RELAXED,                   \
                                               __MEMORY_SCOPE_DEVICE);                             \
    }
ATOMIC(atomicAdd, add, int)
ATOMIC(atomicAdd, add, unsigned)
ATOMIC(atomicAdd, add, unsigned long long)
ATOMIC(atomicAdd, add, float)
ATOMIC(atomicAdd, add, double)
ATOMIC(atomicMax, max, int)
ATOMIC(atomicMax, max, unsigned)
ATOMIC(atomicMax, max, unsigned long long)
#undef ATOMIC

inline __device__ int atomicCAS(int *address, int compare, int value) {
    __scoped_atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    return compare;
}

inline __device__ size_t __cvta_generic_to_shared(const void *pointer) {
    return reinterpret_cast<size_t>((const void __attribute__((address_space(3))) *)pointer);
}

template <typename T>
inline __device__ T tex2D(cudaTextureObject_t texture, float x, float y) {
    float red, green, blue, alpha;
    asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=f"(red), "=f"(green), "=f"(blue), "=f"(alpha)
                 : "l"(texture), "f"(x), "f"(y));
    return red;
}

// --- arithmetic ------------------------------------------------------------------------------------

inline __device__ int __popc(unsigned value) { return __builtin_popcount(value); }
inline __device__ int __ffs(int value) { return __builtin_ffs(value); }
inline __device__ int __clz(int value) { return value == 0 ? 32 : __builtin_clz(value); }
inline __device__ unsigned __umulhi(unsigned a, unsigned b) {
    return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
extern __device__ int __dp4a(int a, int b, int sum) __asm__("llvm.nvvm.idp4a.s.s");
inline __device__ int min(int a, int b) { return a < b ? a : b; }
inline __device__ int max(int a, int b) { return a > b ? a : b; }

// Device overloads of <cmath>'s functions, by libdevice.
#define MATH(name, type)                                                                           \
    extern "C" __device__ type __nv_##name(type);                                                  \
    inline __device__ type name(type x) { return __nv_##name(x); }
MATH(fabsf, float)
MATH(rsqrtf, float)
MATH(tanhf, float)
MATH(erfc, double)
MATH(exp, double)
MATH(log, double)
MATH(sqrt, double)
#undef MATH

extern "C" __device__ float __nv_fast_expf(float);
inline __device__ float __expf(float x) { return __nv_fast_expf(x); }
inline __device__ float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline __device__ float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
inline __device__ float fminf(float a, float b) { return __builtin_fminf(a, b); }
inline __device__ float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
inline __device__ float rintf(float x) { return __builtin_rintf(x); }
inline __device__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
inline __device__ unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }

// For cuda_fp16.h, which is NVIDIA's own.
inline __device__ float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline __device__ float __fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
