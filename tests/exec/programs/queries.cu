// What programs ask before they launch: properties, attributes, occupancy, versions, limits.
#include "program.h"

#include <cooperative_groups.h>
#include <cstring>

template <int BYTES> __global__ void kernel(int *x) {
    __shared__ char kept[BYTES];
    kept[threadIdx.x] = *x;
    __syncthreads();
    *x = kept[0];
}

__global__ void mean(float *values, float *sum, int n) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) atomicAdd(sum, values[i]);
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) values[i] -= *sum / n;
}

int main() {
    int count = 0, device = -1;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaGetDevice(&device));
    EXPECT(count == 1 && device == 0);
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    EXPECT(!std::strcmp(p.name, "gpucc CPU"));
    EXPECT(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.major == 9 && p.minor == 0);
    EXPECT(p.multiProcessorCount == 132 && p.sharedMemPerBlockOptin == 232448);
    EXPECT(p.maxGridSize[1] == 65535 && p.totalGlobalMem > (size_t{1} << 28));
    EXPECT(p.managedMemory == 1 && p.memoryPoolsSupported == 1 && p.maxBlocksPerMultiProcessor == 32);
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(value == p.multiProcessorCount);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT(value == 232448);
    cudaFuncAttributes about;
    CHECK(cudaFuncGetAttributes(&about, kernel<10000>));
    EXPECT(about.sharedSizeBytes == 10000 && about.maxThreadsPerBlock == 1024);
    EXPECT(about.maxDynamicSharedSizeBytes == 49152 - 10000 && about.ptxVersion == 90);
    int blocks = 0, block = 0, grid = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<1024>, 256, 0));
    EXPECT(blocks == 8);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<40000>, 256, 0));
    EXPECT(blocks == 5);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel<1024>, 32, 0));
    EXPECT(blocks == 32);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel<1024>));
    EXPECT(block == 1024 && grid == 2 * 132);
    int runtime = 0, driver = 0;
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaDriverGetVersion(&driver));
    EXPECT(runtime == CUDART_VERSION && driver >= runtime);
    size_t limit = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20));
    CHECK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    EXPECT(limit == 1 << 20);
    int least, greatest;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(least == 0 && greatest < 0);

    // A cooperative launch as large as the device holds, by an attribute; one that is larger is refused.
    const int n = 20000;
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) values[i] = i % 7;
    Device<float> d(values), sum(1);
    CHECK(cudaMemset(sum, 0, sizeof(float)));
    cudaLaunchConfig_t config{};
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.gridDim = 132;
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, mean, d.data, sum.data, n));
    CHECK(cudaDeviceSynchronize());
    std::vector<float> got = d.host();
    double exact = 0;
    for (float v : values) exact += v / n;
    for (int i = 0; i < n; ++i) expect("mean", i, got[i], values[i] - exact, 1e-4);
    config.gridDim = 132 * 33;
    EXPECT(cudaLaunchKernelEx(&config, mean, d.data, sum.data, n) == cudaErrorCooperativeLaunchTooLarge);
    return verdict();
}
