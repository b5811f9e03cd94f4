// gather: out[i] = table[index[i]], as an embedding lookup does it, a row of 64 floats at a time.
//
// Shows: a stream of indices, each read by the whole row's threads, and a load whose address comes
// from memory, so nothing can be said of it before the program runs.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}gather
// CHECK: ld.global.nc.{{[us]}}32 [[INDEX:%r[0-9]+]]
// CHECK: [[INDEX]]
// CHECK: ld.global.nc.f32
// CHECK: st.global.f32

#include "sample.h"

constexpr int WIDTH = 64;

__global__ void gather(int n, const int *__restrict__ index, const float *__restrict__ table,
                       float *__restrict__ out) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row < n)
        out[row * WIDTH + threadIdx.x] = table[index[row] * WIDTH + threadIdx.x];
}

int main() {
    const int n = 5003, rows = 700;
    Array<int> index(n);
    Array<float> table(rows * WIDTH), out(n * WIDTH);
    Random random;
    for (int i = 0; i < n; ++i)
        index[i] = random.below(rows);
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = static_cast<float>(i);
    gather<<<(n + 3) / 4, dim3(WIDTH, 4)>>>(n, index, table, out);
    finish("gather");
    Checker checker;
    for (int i = 0; i < n * WIDTH; ++i)
        checker.equal("out", i, out[i], table[index[i / WIDTH] * WIDTH + i % WIDTH]);
    return checker.verdict();
}
