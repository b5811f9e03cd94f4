// Error codes: of launches, memory, handles; what cudaGetLastError keeps; that bad calls do nothing.
#include "program.h"

#include <cstring>

__global__ void touch(int *x) { *x = 1; }
__global__ void __launch_bounds__(64) small(int *x) { *x = 1; }
__device__ int variable[4];
int no_variable;

int main() {
    Device<int> x(16);
    auto after = [](auto launch) {
        launch();
        cudaError_t status = cudaGetLastError();
        EXPECT(cudaGetLastError() == cudaSuccess);
        return status;
    };
    EXPECT(after([&] { touch<<<0, 1>>>(x); }) == cudaErrorInvalidConfiguration);
    EXPECT(after([&] { touch<<<1, 0>>>(x); }) == cudaErrorInvalidConfiguration);
    EXPECT(after([&] { touch<<<1, 1025>>>(x); }) == cudaErrorInvalidConfiguration);
    EXPECT(after([&] { touch<<<1, dim3(1, 1, 65)>>>(x); }) == cudaErrorInvalidConfiguration);
    EXPECT(after([&] { touch<<<dim3(1, 65536), 1>>>(x); }) == cudaErrorInvalidConfiguration);
    EXPECT(after([&] { small<<<1, 65>>>(x); }) == cudaErrorInvalidValue);
    EXPECT(after([&] { touch<<<1, 1, 49153>>>(x); }) == cudaErrorInvalidValue);
    EXPECT(after([&] { touch<<<1, 1, 49152>>>(x); }) == cudaSuccess);
    CHECK(cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    EXPECT(after([&] { touch<<<1, 1, 100000>>>(x); }) == cudaSuccess);
    EXPECT(cudaFuncSetAttribute(touch, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000) ==
           cudaErrorInvalidValue);
    EXPECT(cudaLaunchKernel((const void *)&no_variable, 1, 1, nullptr, 0, nullptr) ==
           cudaErrorInvalidDeviceFunction);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDeviceFunction);

    int host[16] = {};
    EXPECT(cudaMemcpy(x, host, 65, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(host, host, 64, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(x, x + 8, 36, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(x, host, 64, static_cast<cudaMemcpyKind>(9)) ==
           cudaErrorInvalidMemcpyDirection);
    EXPECT(cudaMemcpy2D(x, 16, host, 8, 12, 1, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidPitchValue);
    EXPECT(cudaMemset(host, 0, 4) == cudaErrorInvalidValue);
    EXPECT(cudaMemset(x, 0, 65) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpyToSymbol(variable, host, 17) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpyToSymbol(no_variable, host, 4) == cudaErrorInvalidSymbol);
    EXPECT(cudaFree(host) == cudaErrorInvalidValue);
    EXPECT(cudaFree(x + 1) == cudaErrorInvalidValue);
    EXPECT(cudaFree(nullptr) == cudaSuccess);
    EXPECT(cudaFreeHost(host) == cudaErrorInvalidValue);
    void *huge = host;
    EXPECT(cudaMalloc(&huge, size_t{1} << 60) == cudaErrorMemoryAllocation);
    EXPECT(huge == nullptr);
    CHECK(cudaHostRegister(host, sizeof host, 0));
    EXPECT(cudaHostRegister(host, sizeof host, 0) == cudaErrorHostMemoryAlreadyRegistered);
    CHECK(cudaHostUnregister(host));
    EXPECT(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered);

    EXPECT(cudaSetDevice(1) == cudaErrorInvalidDevice);
    cudaDeviceProp properties;
    EXPECT(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
    cudaEvent_t event;
    float milliseconds;
    CHECK(cudaEventCreate(&event));
    EXPECT(cudaEventElapsedTime(&milliseconds, event, event) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(&no_variable)) ==
           cudaErrorInvalidResourceHandle);
    CHECK(cudaEventDestroy(event));

    // The last error stays until it is asked for; a peek leaves it.
    cudaSetDevice(7);
    CHECK(cudaDeviceSynchronize());
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaErrorInvalidDevice);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
    EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
    EXPECT(!std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code"));
    return verdict();
}
