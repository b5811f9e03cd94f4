// activation: a bias for each column and SiLU, x / (1 + exp(-x)), as between layers of a network.
//
// Shows: a stream beside a small vector that every row of blocks reads again; ex2.approx and a
// division.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}silu
// CHECK: ld.global.nc.f32
// CHECK: ld.global.nc.f32
// CHECK: ex2.approx
// CHECK: div.rn.f32
// CHECK: st.global.f32

#include "sample.h"

__global__ void silu(int columns, const float *__restrict__ in, const float *__restrict__ bias,
                     float *__restrict__ out) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    int i = blockIdx.y * columns + column;
    float x = in[i] + bias[column];
    out[i] = x / (1.0f + __expf(-x));
}

int main() {
    const int rows = 200, columns = 1000;
    Array<float> in(rows * columns), bias(columns), out(rows * columns);
    Random random;
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = 8 * random.uniform() - 4;
    for (int i = 0; i < columns; ++i)
        bias[i] = random.uniform() - 0.5f;
    silu<<<dim3((columns + 127) / 128, rows), 128>>>(columns, in, bias, out);
    finish("silu");
    Checker checker;
    for (int i = 0; i < rows * columns; ++i) {
        double x = static_cast<double>(in[i]) + bias[i % columns];
        checker.equal("out", i, out[i], x / (1 + std::exp(-x)), 1e-5);
    }
    return checker.verdict();
}
