// Kernels for test_access.py.  The line before each kernel says what it does with each parameter:
// "a=read b=write"; a struct's words as "p+8=read"; "other=read+write" for memory that no parameter
// points to.  What is not named is not touched.  "debug:" gives what holds without optimisation
// where that differs.
#include <cassert>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

// --- plain arrays ---------------------------------------------------------------------------

// expect: a=read b=write
__global__ void copy(const float *a, float *b, int n) { if (INDEX < n) b[INDEX] = a[INDEX]; }

// expect: a=read b=read c=read+write
__global__ void with_restrict(const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ c) { c[INDEX] += a[INDEX] * b[INDEX]; }

// expect: a=read b=write
__global__ void vectors(const float4 *a, double2 *b) {
    float4 v = a[INDEX];
    b[INDEX] = make_double2(v.x + v.y, v.z * v.w);
}

// expect: a=read b=write
__global__ void not_touched(const float *a, float *b, float *unused, int n) {
    if (unused != nullptr && n > 3) b[0] = a[n];
}

// expect: a=write
__global__ void all_volatile(volatile int *a) { a[threadIdx.x] = 1; }

// expect: a=read+write b=read+write c=read
__global__ void atomics(int *a, unsigned long long *b, const int *c) {
    atomicAdd(&a[c[threadIdx.x]], 1);
    atomicCAS(b, 1ull, 2ull);
}

// expect: a=read index=read b=write
__global__ void gather(const float *a, const int *index, float *b) { b[INDEX] = a[index[INDEX]]; }

// expect: data=read table=read out=write
__global__ void table_of_bytes(const unsigned char *data, const unsigned char *table,
                               unsigned char *out, long long n) {
    for (long long i = threadIdx.x; i < n; i += blockDim.x) out[i] = table[data[i]];
}

// expect: data=read index=read out=write
// debug: data=read index=read out=write other=read
__global__ void long_index(const char *data, const long long *index, char *out) {
    out[INDEX] = data[index[INDEX]];
}

// expect: a=read b=write
__global__ void through_shared(const float *a, float *b, int n) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = a[INDEX];
    __syncthreads();
    b[INDEX] = tile[n - threadIdx.x];
}

// --- pointers that are chosen, moved, taken apart -----------------------------------------------

// expect: a=read b=read c=write
__global__ void chosen(const float *a, const float *b, float *c, int n) {
    const float *p = n & 1 ? a : b;
    for (int k = 0; k < n; k++) {
        c[threadIdx.x + k * blockDim.x] = p[threadIdx.x * n + k];
        if (k & 4) p = b;
    }
}

// expect: a=read+write b=read+write
__global__ void swapped(float *a, float *b, int n) {
    for (int i = 0; i < n; i++) {
        b[threadIdx.x] = a[threadIdx.x + 1] * 0.5f;
        float *t = a; a = b; b = t;
    }
}

// expect: a=read b=read c=write
__global__ void walked(const float *a, const float *b, float *c, int n) {
    float sum = 0;
    for (const float *end = a + n; a != end; ++a, b += 2) sum += *a * *b;
    c[threadIdx.x] = sum;
}

// expect: a=write b=write
__global__ void shuffled(float *a, float *b, int lane) {
    unsigned long long p = (unsigned long long)(threadIdx.x & 1 ? a : b);
    p = __shfl_sync(~0u, p, lane);
    *(float *)p = 3;
}

// expect: a=read b=write
__global__ void through_integer(unsigned long long a, float *b) { *b = *(float *)(a & ~7ull); }

// expect: a=read b=write
__global__ void tagged(unsigned long long a, float *b) {
    unsigned long long tag = a >> 48;
    *b = *(float *)((a << 16) >> 16) + (float)tag;
}

// expect: a=read b=read+write
// debug: a=read+write b=read+write
__global__ void by_difference(float *a, float *b) {
    long long apart = b - a;
    a[apart] = a[0] + b[0];
}

// expect: a=write b=write
__global__ void mixed_bits(unsigned long long a, unsigned long long b) {
    unsigned long long both = a ^ b;
    *(int *)(both ^ b) = 1;
    *(int *)(both ^ a) = 2;
}

// expect: low=write
__global__ void from_halves(unsigned long long low) {
    unsigned a = (unsigned)low, b = (unsigned)(low >> 32);
    *(int *)(((unsigned long long)b << 32) + a) = 1;
}

union Both { float *pointer; unsigned long long number; int halves[2]; };
// expect: u+0=write
__global__ void as_union(Both u, int k) { u.number += k * 4; u.pointer[threadIdx.x] = 1; }

// expect: a=read b=read+write
__global__ void compared(const float *a, float *b, const float *end) {
    for (const float *p = a; p < end; p++) b[0] += 0 * *p;
}

// --- the stack ----------------------------------------------------------------------------------

// expect: a=read+write b=read+write c=read+write
__global__ void array_of_pointers(float *a, float *b, float *c, int n) {
    float *q[3] = {a, b, c};
    q[n][threadIdx.x] = q[n + 1][0];
}

// expect: a=read b=write
__global__ void slots(const float *a, float *b, int n) {
    struct { const float *from; float *to; int pad[9]; } s = {a, b, {n}};
    volatile int keep = s.pad[n & 7];
    s.to[threadIdx.x] = s.from[keep];
}

__device__ __noinline__ void put(float **where, float *what) { *where = what; }
// expect: a=write b=write
__global__ void by_reference(float *a, float *b) {
    float *p = b;
    put(&p, a);
    p[threadIdx.x] = 1;
}

struct Pair { float *first; const float *second; };
__device__ __noinline__ Pair make_pair_of(float *a, const float *b) { return {a, b}; }
// expect: a=write b=read
__global__ void returned(float *a, const float *b) {
    Pair pair = make_pair_of(a, b);
    pair.first[threadIdx.x] = pair.second[threadIdx.x];
}

// --- structs by value ---------------------------------------------------------------------------

struct Job { float *out; const float *in; int n; float *more[4]; };
// expect: job+0=write job+8=read
__global__ void job_fields(Job job) { if (INDEX < job.n) job.out[INDEX] = job.in[INDEX]; }

// expect: job+24=write job+8=read
__global__ void job_constant_index(Job job) { job.more[0][INDEX] = job.in[job.n]; }

struct Table { const float *rows[6]; };
// expect: t+0=read t+8=read t+16=read t+24=read t+32=read t+40=read out=write
__global__ void rows_by_index(Table t, float *out, int j) { out[INDEX] = t.rows[j][INDEX]; }

struct View { float *data; int n; __device__ float &operator[](int i) { return data[i]; } };
struct Views { View in, out; double scale; };
struct Square { __device__ float operator()(float x) const { return x * x; } };
struct Lookup { const float *table; __device__ float operator()(float x) const { return table[(int)x]; } };
template <class F> __global__ void transform(Views v, F f) {
    if (INDEX < v.in.n) v.out[INDEX] = f(v.in[INDEX]);
}
// expect transform<Square>: v+0=read v+16=write
template __global__ void transform<Square>(Views, Square);
// expect transform<Lookup>: v+0=read v+16=write f+0=read
template __global__ void transform<Lookup>(Views, Lookup);

template <class F> __global__ void for_each(int n, F f) { if (INDEX < n) f(INDEX); }
void launch_lambda(float *a, const float *b) {
    // expect for_each: f+0=write f+8=read
    for_each<<<1, 1>>>(3, [a, b] __device__(int i) { a[i] = b[i]; });
}

// --- calls --------------------------------------------------------------------------------------

__device__ __noinline__ float get(const float *p, int i) { return p[i] * 2; }
__device__ __noinline__ void set(float *p, int i, float v) { p[i] = v; }
// expect: a=read b=read+write
__global__ void calls(const float *a, float *b) { set(b, INDEX, get(a, INDEX)); b[0] += 1; }

__device__ __noinline__ float *advance(float *p, int n) { return p + n; }
// expect: a=read b=write
__global__ void one_helper_two_arrays(float *a, float *b) {
    float *p = advance(a, 3), *q = advance(b, 4);
    *q = *p;
}

__device__ __noinline__ int fibonacci(const int *a, int n) {
    return n < 2 ? a[n] : fibonacci(a, n - 1) + fibonacci(a, n - 2);
}
// expect: a=read b=write
__global__ void recursive(const int *a, int *b, int n) { b[threadIdx.x] = fibonacci(a, n); }

__device__ __noinline__ int odd(const int *a, int *b, int n);
__device__ __noinline__ int even(const int *a, int *b, int n) { return n ? odd(a, b, n - 1) + a[n] : 1; }
__device__ __noinline__ int odd(const int *a, int *b, int n) { b[n] = n; return n ? even(a, b, n - 1) : 0; }
// expect: a=read b=write
__global__ void mutually_recursive(const int *a, int *b, int n) { even(a, b, n); }

typedef float (*Function)(const float *, int);
__device__ Function functions[2] = {get, get};
// expect: a=escapes b=write other=read+write
__global__ void through_table(const float *a, float *b, int n) { b[INDEX] = functions[n](a, INDEX); }

// expect: a=escapes b=write other=read+write
__global__ void function_parameter(const float *a, float *b, Function f) { *b = f(a, 3); }

struct Shape { __device__ virtual float area(const float *a) = 0; };
// expect: shape=read+escapes a=escapes b=write other=read+write
__global__ void virtual_call(Shape *shape, const float *a, float *b) { *b = shape->area(a); }

extern "C" __device__ int elsewhere(float *a);
// (compiled alone with -rdc=true)
#ifdef SEPARATE
// expect: a=escapes b=write other=read+write
__global__ void calls_elsewhere(float *a, int *b) { *b = elsewhere(a); }
#endif

// --- pointers that are stored and loaded ----------------------------------------------------------

// expect: list=read other=write
__global__ void pointer_array(float **list, int n) { list[n][threadIdx.x] = 1; }

struct Node { Node *next; int value; };
// expect: node=read sum=write other=read
__global__ void linked_list(const Node *node, int *sum) {
    int s = 0;
    for (; node; node = node->next) s += node->value;
    *sum = s;
}

__device__ float *kept;
// expect: a=escapes other=write
__global__ void keeps(float *a) { kept = a; }

// expect: b=write other=read
__global__ void uses_kept(float *b) { b[threadIdx.x] = kept[threadIdx.x]; }

// expect: a=escapes b=write
__global__ void stores_address(float *a, float **b) { b[threadIdx.x] = a + threadIdx.x; }

// expect: a=escapes b=read+write
__global__ void exchanges_address(float *a, unsigned long long *b) {
    atomicExch(b, (unsigned long long)a);
}

// expect: a=write v=escapes
__global__ void fill(long long *a, long long v, int n) { if (INDEX < n) a[INDEX] = v; }

struct Sizes { int n, m; float *data; };
// The two numbers might be the halves of a pointer.
// expect: s+0=escapes s+8=write out=write
__global__ void stores_number(Sizes s, int *out) { out[0] = s.n; out[1] = s.m; s.data[0] = 0; }

// expect: a=read b=write
__global__ void pointer_in_shared(const float *a, float *b) {
    __shared__ const float *p;
    if (threadIdx.x == 0) p = a;
    __syncthreads();
    b[threadIdx.x] = p[threadIdx.x];
}

__constant__ float weights[16];
// expect: a=write other=read
__global__ void constants(float *a, int i) { a[INDEX] = weights[i]; }

__device__ int counter;
// expect: other=read+write
__global__ void counts() { atomicAdd(&counter, 1); }

// --- the device runtime ---------------------------------------------------------------------------

// expect: a=read other=write
__global__ void prints(const float *a) { printf("%f\n", a[0]); }

// expect: a=read b=read other=write
__global__ void prints_pointer(const float *a, const char *b) { printf("%p %s\n", a, b); }

// expect: a=read
__global__ void asserts(const int *a) { assert(a[threadIdx.x] > 0); }

// expect: a=read other=read+write
__global__ void allocates(const float *a, int n) {
    float *mine = new float[n];
    for (int i = 0; i < n; i++) mine[i] = a[i];
    kept = mine;
}

// expect: a=read b=write
__global__ void library(const float *a, float *b) { b[INDEX] = sinf(a[INDEX]) + powf(a[0], 3.7f); }

// expect: a=read b=write
__global__ void copies_memory(const int *a, int *b, int n) { memcpy(b, a, n); }

// expect: a=write
__global__ void sets_memory(int *a, int n) { memset(a, 0, n); }

// --- instructions beside ld and st ----------------------------------------------------------------

// expect: a=read b=write
__global__ void async_copy(const float4 *a, float4 *b) {
    __shared__ float4 tile[128];
    __pipeline_memcpy_async(&tile[threadIdx.x], &a[INDEX], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    b[INDEX] = tile[threadIdx.x];
}

// expect: a=read b=write
__global__ void inline_assembly(const float *a, float *b) {
    float v;
    asm volatile("{ .reg .u64 t; add.u64 t, %1, 16; ld.global.nc.f32 %0, [t]; }" : "=f"(v) : "l"(a));
    *b = v;
}

// expect: b=write
__global__ void only_prefetches(const float *a, float *b) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(a + threadIdx.x));
    *b = 1;
}

// expect: a=read+write
__global__ void reduction(float *a) { asm volatile("red.global.add.f32 [%0], 1.0;" ::"l"(a)); }

// expect: b=write other=read
__global__ void texture(cudaTextureObject_t t, float *b) { b[INDEX] = tex2D<float>(t, 1.f, 2.f); }

// expect: other=write
__global__ void surface(cudaSurfaceObject_t s) { surf2Dwrite(1.f, s, 4, 5); }

// expect: a=read b=read c=read+write
__global__ void half_fma(const __half2 *a, const __half2 *b, __half2 *c) {
    c[INDEX] = __hfma2(a[INDEX], b[INDEX], c[INDEX]);
}
