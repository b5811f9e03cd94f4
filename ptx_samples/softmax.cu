// softmax: of each row of a matrix, one block for a row, with the largest element taken off first.
//
// Shows: a row that is read three times by the same block (for the maximum, for the sum, for the
// result) and then never again; ex2.approx; two block-wide reductions through one shared array.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}softmax
// CHECK: ld.global.nc.f32
// CHECK: max.f32
// CHECK: shfl.sync.bfly.b32
// CHECK: ld.global.nc.f32
// CHECK: ex2.approx
// CHECK: ld.global.nc.f32
// CHECK: st.global.f32

#include "sample.h"

struct Larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};

// The result for all of the block's values, in every thread.
template <typename Operation> __device__ float over_block(float value, Operation operation) {
    __shared__ float of_warp[32];
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value = operation(value, __shfl_xor_sync(~0u, value, offset));
    __syncthreads(); // whoever still reads the last result is done
    if (threadIdx.x % warpSize == 0)
        of_warp[threadIdx.x / warpSize] = value;
    __syncthreads();
    value = of_warp[0];
    for (int warp = 1; warp < blockDim.x / warpSize; ++warp)
        value = operation(value, of_warp[warp]);
    return value;
}

__global__ void softmax(int columns, const float *__restrict__ in, float *__restrict__ out) {
    const float *row = in + static_cast<long long>(blockIdx.x) * columns;
    float *result = out + static_cast<long long>(blockIdx.x) * columns;
    float largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        largest = fmaxf(largest, row[i]);
    largest = over_block(largest, Larger());
    float sum = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += __expf(row[i] - largest);
    sum = over_block(sum, Plus());
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        result[i] = __expf(row[i] - largest) / sum;
}

int main() {
    const int rows = 301, columns = 1111;
    Array<float> in(rows * columns), out(rows * columns);
    Random random;
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = 8 * random.uniform() - 4;
    softmax<<<rows, 256>>>(columns, in, out);
    finish("softmax");
    Checker checker;
    for (int row = 0; row < rows; ++row) {
        double sum = 0;
        for (int i = 0; i < columns; ++i)
            sum += std::exp(static_cast<double>(in[row * columns + i]));
        for (int i = 0; i < columns; ++i) {
            double wanted = std::exp(static_cast<double>(in[row * columns + i])) / sum;
            checker.equal("out/mean", row * columns + i, out[row * columns + i] * columns,
                          wanted * columns, 1e-5);
        }
    }
    return checker.verdict();
}
