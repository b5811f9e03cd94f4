// dp4a: a matrix of 8-bit numbers times a vector, four products for each instruction.
//
// Shows: dp4a.s32.s32, 16-byte loads of bytes; the matrix is read once, the vector by every warp.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}multiply
// CHECK: ld.global.nc.v4.{{[us]}}32
// CHECK: dp4a.s32.s32
// CHECK: dp4a.s32.s32
// CHECK: shfl.sync.bfly.b32
// CHECK: st.global.{{[us]}}32

#include "sample.h"

__global__ void multiply(int rows, int vectors, const int4 *__restrict__ matrix,
                         const int4 *__restrict__ x, int *__restrict__ y) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    int sum = 0;
    for (int i = threadIdx.x; i < vectors; i += warpSize) {
        int4 a = matrix[row * vectors + i];
        int4 b = x[i];
        sum = __dp4a(a.x, b.x, sum);
        sum = __dp4a(a.y, b.y, sum);
        sum = __dp4a(a.z, b.z, sum);
        sum = __dp4a(a.w, b.w, sum);
    }
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(~0u, sum, offset);
    if (threadIdx.x == 0)
        y[row] = sum;
}

int main() {
    const int rows = 503, columns = 1024;
    Array<signed char> matrix(rows * columns), x(columns);
    Array<int> y(rows);
    Random random;
    for (std::size_t i = 0; i < matrix.size(); ++i)
        matrix[i] = static_cast<signed char>(random.below(256));
    for (int i = 0; i < columns; ++i)
        x[i] = static_cast<signed char>(random.below(256));
    multiply<<<(rows + 3) / 4, dim3(32, 4)>>>(rows, columns / 16,
                                              reinterpret_cast<int4 *>(matrix.data()),
                                              reinterpret_cast<int4 *>(x.data()), y);
    finish("multiply");
    Checker checker;
    for (int row = 0; row < rows; ++row) {
        int wanted = 0;
        for (int i = 0; i < columns; ++i)
            wanted += matrix[row * columns + i] * x[i];
        checker.equal("y", row, y[row], wanted);
    }
    return checker.verdict();
}
