// device_printf: a kernel that prints what it finds wrong.
//
// Shows: a call of a function that is not in the file (vprintf), strings in global
// memory, arguments put together in local memory.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK: .extern .func {{.*}} vprintf
// CHECK: .global .align 1 .b8 {{.*}} = {
// CHECK-LABEL: .entry {{.*}}audit
// CHECK: ld.global.nc.{{[us]}}32
// CHECK: st.local
// CHECK: vprintf,

#include "sample.h"

__global__ void audit(int n, const int *__restrict__ values, int *__restrict__ found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] < 0) {
        atomicAdd(found, 1);
        printf("values[%d] is %d (%.1f%% of all)\n", i, values[i], 100.0 / n);
    }
}

int main() {
    const int n = 1000;
    Array<int> values(n), found(1);
    values[17] = -4;
    values[901] = -5;
    audit<<<(n + 127) / 128, 128>>>(n, values, found);
    finish("audit");
    Checker checker;
    checker.equal("found", 0, found[0], 2);
    return checker.verdict();
}
