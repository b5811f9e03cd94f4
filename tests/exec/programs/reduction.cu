// Sums, minima and maxima by a template over type, operation and block size: shared memory, then
// shuffles, then a second kernel over the blocks' results.
#include "program.h"

struct Sum {
    template <typename T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct Largest {
    template <typename T> __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <typename T, typename Op, int BLOCK>
__global__ void reduce(const T *in, T *out, int n, T neutral, Op op) {
    __shared__ T kept[BLOCK];
    T mine = neutral;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) mine = op(mine, in[i]);
    kept[threadIdx.x] = mine;
    __syncthreads();
    for (int half = BLOCK / 2; half >= 32; half /= 2) {
        if (threadIdx.x < half) kept[threadIdx.x] = op(kept[threadIdx.x], kept[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        mine = kept[threadIdx.x];
        for (int step = 16; step > 0; step /= 2) mine = op(mine, __shfl_down_sync(~0u, mine, step));
        if (threadIdx.x == 0) out[blockIdx.x] = mine;
    }
}

template <typename T, int BLOCK, typename Op>
T reduced(const std::vector<T> &values, T neutral, Op op) {
    Device<T> in(values), partial(40), out(1);
    reduce<T, Op, BLOCK><<<40, BLOCK>>>(in, partial, values.size(), neutral, op);
    reduce<T, Op, 64><<<1, 64>>>(partial, out, 40, neutral, op);
    CHECK(cudaGetLastError());
    return out.host()[0];
}

template <typename T, int BLOCK>
void test(size_t n, double tolerance) {
    Random random;
    std::vector<T> values(n);
    double sum = 0, largest = -1e9;
    for (T &value : values) {
        value = static_cast<T>(random.uniform() * 1000 - 300);
        sum += static_cast<double>(value);
        largest = std::fmax(largest, static_cast<double>(value));
    }
    expect("sum", n, static_cast<double>(reduced<T, BLOCK>(values, T(0), Sum())), sum, tolerance);
    expect("max", n, static_cast<double>(reduced<T, BLOCK>(values, T(-1000), Largest())), largest);
}

int main() {
    for (size_t n : {1, 31, 1000, 65537}) {
        test<int, 128>(n, 0);
        test<long long, 256>(n, 0);
        test<float, 512>(n, 1e-4);
        test<double, 64>(n, 1e-12);
    }
    return verdict();
}
