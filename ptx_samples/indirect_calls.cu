// indirect_calls: a recursive function, and functions chosen by data from a table.
//
// Shows: a call through a register with its .callprototype, a table of functions in memory, a
// function that calls itself, and so a stack of unknown depth.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK: .func{{ +}}(.param .b32 func_retval0) {{.*}}fibonacci
// CHECK: {{.*}}fibonacci
// CHECK-LABEL: .entry {{.*}}apply
// CHECK: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _)
// CHECK: st.global.{{[us]}}32

#include "sample.h"

using Operation = int (*)(int, int);

__device__ __noinline__ int gcd(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
__device__ __noinline__ int smaller(int a, int b) { return a < b ? a : b; }
__device__ __noinline__ int product(int a, int b) { return a * b; }
__device__ __noinline__ int fibonacci(int a, int b) {
    return a < 2 ? a : fibonacci(a - 1, b) + fibonacci(a - 2, b);
}

__device__ Operation operations[] = {gcd, smaller, product, fibonacci};

__global__ void apply(int n, const int *which, const int *a, const int *b, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = operations[which[i]](a[i], b[i]);
}

int reference(int which, int a, int b) {
    if (which == 1)
        return a < b ? a : b;
    if (which == 2)
        return a * b;
    if (which == 3) {
        int now = 0, next = 1;
        while (a-- > 0) {
            int after = now + next;
            now = next;
            next = after;
        }
        return now;
    }
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main() {
    const int n = 4001;
    Array<int> which(n), a(n), b(n), out(n);
    Random random;
    for (int i = 0; i < n; ++i) {
        which[i] = random.below(4);
        a[i] = random.below(12);
        b[i] = random.below(100);
    }
    apply<<<(n + 127) / 128, 128>>>(n, which, a, b, out);
    finish("apply");
    Checker checker;
    for (int i = 0; i < n; ++i)
        checker.equal("out", i, out[i], reference(which[i], a[i], b[i]));
    return checker.verdict();
}
