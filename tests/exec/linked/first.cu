// Two files compiled with -rdc=true: device functions, variables and kernels of the other file.
#include "shared.h"

static __global__ void local(int *out) { *out = 1; }
__device__ float bias = 0.5f;

__global__ void apply(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = transform(x[i], 3) * scale;
    __syncwarp();
    atomicAdd(&counter, 1);
}

int main() {
    const int n = 100;
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) values[i] = i;
    Device<float> x(values);
    float two = 2;
    CHECK(cudaMemcpyToSymbol(scale, &two, sizeof two));
    apply<<<1, 128>>>(x, n);
    from_other<<<1, 128>>>(x, n);
    Device<int> out(1);
    local<<<1, 1>>>(out);
    Device<double> filled(4);
    fill<<<1, 4>>>(filled.data, 1.5);
    CHECK(cudaDeviceSynchronize());
    int counted;
    CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
    EXPECT(counted == n && out.host()[0] == 1 && filled.host()[3] == 3);
    std::vector<float> got = x.host();
    for (int i = 0; i < n; ++i) expect("x", i, got[i], (i + 3 * 0.5) * 2 + 100);
    EXPECT(run_other() == 2);
    return verdict();
}
