// What C++ does to PTX: virtual calls, recursion, function pointers, printf, lambdas, structs by
// value, local arrays, switch tables, module variables, inline assembly with its own scope.
#include <cstdio>
struct Shape { __device__ virtual float area() const = 0; };
struct Square : Shape { float a; __device__ explicit Square(float a) : a(a) {} __device__ float area() const override { return a * a; } };
struct Circle : Shape { float r; __device__ explicit Circle(float r) : r(r) {} __device__ float area() const override { return 3.14159f * r * r; } };
struct Big { double weights[24]; float *rows[4]; char tag[13]; };
__device__ __managed__ int counter;
__constant__ float table[256] = {1.0f, 2.0f, 3.0f};
__device__ float scratch[1024];
__device__ __noinline__ int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__device__ __noinline__ float up(float x) { return x + 1; }
__device__ __noinline__ float down(float x) { return x - 1; }
__device__ float (*steps[])(float) = {up, down};
__global__ void virtuals(float *out, int n) {
    Square s(n); Circle c(n);
    const Shape *shape = (threadIdx.x & 1) ? (const Shape *)&s : (const Shape *)&c;
    out[threadIdx.x] = shape->area() + steps[n & 1](out[threadIdx.x]);
}
__global__ void recursion(int *out, int m) { out[threadIdx.x] = ackermann(m, threadIdx.x); atomicAdd(&counter, 1); }
__global__ void by_value(Big big, float *out) {
    double sum = 0;
    for (int i = 0; i < 24; ++i) sum += big.weights[i] * big.rows[i & 3][threadIdx.x];
    out[threadIdx.x] = float(sum) + big.tag[threadIdx.x % 13];
}
__global__ void prints(int n) { if (threadIdx.x == 0) printf("%d %s %f\n", n, "ü;}", 1.5); __trap(); }
__global__ void tables(const int *op, float *x, int n) {
    float local[32];
    for (int i = 0; i < 32; ++i) local[i] = x[i * n];
    float v = local[op[0] & 31];
    for (int i = 0; i < n; ++i)
        switch (op[i]) {
        case 0: v += table[i & 255]; break; case 1: v *= 2; break; case 2: v = sqrtf(v); break;
        case 3: v = __sinf(v); break; case 4: v -= x[i]; break; case 5: v = fmaf(v, v, v); break;
        case 6: scratch[i & 1023] = v; break; case 7: v = local[i & 31]; break; default: return;
        }
    x[threadIdx.x] = v;
}
__global__ void assembly(unsigned *x) {
    unsigned r;
    asm volatile("{\n\t.reg .pred p;\n\t.reg .u32 t;\n\tsetp.lt.u32 p, %1, 7;\n\t@p mov.u32 t, 1;\n\t@!p mov.u32 t, 2;\n\tadd.u32 %0, t, %1;\n\t}" : "=r"(r) : "r"(x[0]));
    asm("{.reg .u32 t; mul.lo.u32 t, %0, 3; xor.b32 %0, t, 5;}" : "+r"(r));
    x[threadIdx.x] = r;
}
template <class F> __global__ void apply(float *x, F f) { x[threadIdx.x] = f(x[threadIdx.x]); }
void use(float *x, float k) { apply<<<1, 32>>>(x, [k] __device__(float v) { return v * k; }); }
