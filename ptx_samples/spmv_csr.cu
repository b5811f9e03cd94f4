// spmv_csr: y = A*x with A in compressed rows, one warp for each row.
//
// Shows: values and columns that are read once, beside a vector that is read at the columns:
// some of its elements are wanted again by other rows, and only the caches can tell which.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}spmv
// CHECK: ld.global.nc.{{[us]}}32
// CHECK: mul.wide.s32
// CHECK: ld.global.nc.f32
// CHECK: shfl.sync.{{bfly|down}}.b32
// CHECK: st.global.f32

#include "sample.h"

__global__ void spmv(int rows, const int *__restrict__ starts, const int *__restrict__ columns,
                     const float *__restrict__ values, const float *__restrict__ x,
                     float *__restrict__ y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int lane = threadIdx.x % warpSize;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = starts[row] + lane; i < starts[row + 1]; i += warpSize)
        sum += values[i] * x[columns[i]];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(~0u, sum, offset);
    if (lane == 0)
        y[row] = sum;
}

int main() {
    const int rows = 3001, most = 90;
    Random random;
    Array<int> starts(rows + 1), columns(rows * most);
    for (int row = 0; row < rows; ++row)
        starts[row + 1] = starts[row] + random.below(most);
    const int entries = starts[rows];
    Array<float> values(entries), x(rows), y(rows);
    for (int i = 0; i < entries; ++i) {
        columns[i] = random.below(rows);
        values[i] = random.uniform();
    }
    for (int i = 0; i < rows; ++i)
        x[i] = random.uniform();
    spmv<<<(rows + 7) / 8, 256>>>(rows, starts, columns, values, x, y);
    finish("spmv");
    Checker checker;
    for (int row = 0; row < rows; ++row) {
        double wanted = 0;
        for (int i = starts[row]; i < starts[row + 1]; ++i)
            wanted += static_cast<double>(values[i]) * x[columns[i]];
        checker.equal("y", row, y[row], wanted, 1e-5);
    }
    return checker.verdict();
}
