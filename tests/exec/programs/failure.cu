// A kernel that fails makes the device unusable: every later call says so, until a reset.
// The argument chooses how: trap, assert, deadlock.
#include "program.h"

#include <cassert>
#include <cstring>

__global__ void fail(int how) {
    if (threadIdx.x != 3) return;
    if (how == 0) __trap();
    if (how == 1) assert(how == 7);
}
__global__ void stuck(volatile int *never) {
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;");
    *never = 1;
}
__global__ void note(int *x) { *x = 1; }

int main(int, char **arguments) {
    const bool traps = !std::strcmp(arguments[1], "trap");
    const bool asserts = !std::strcmp(arguments[1], "assert");
    int *x;
    CHECK(cudaMallocManaged(&x, sizeof(int)));
    *x = 0;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    if (traps || asserts)
        fail<<<1, 32, 0, stream>>>(asserts);
    else
        stuck<<<1, 32, 0, stream>>>(x);
    note<<<1, 1, 0, stream>>>(x);
    const cudaError_t wanted = asserts ? cudaErrorAssert
                               : traps ? cudaErrorLaunchFailure
                                       : cudaErrorLaunchTimeout;
    EXPECT(cudaStreamSynchronize(stream) == wanted);
    EXPECT(*x == 0);
    void *more;
    EXPECT(cudaMalloc(&more, 4) == wanted);
    EXPECT(cudaGetLastError() == wanted);
    EXPECT(cudaGetLastError() == wanted);
    note<<<1, 1>>>(x);
    EXPECT(cudaDeviceSynchronize() == wanted);
    EXPECT(*x == 0);
    EXPECT(cudaDeviceReset() == cudaSuccess);
    EXPECT(cudaMalloc(&more, 4) == cudaSuccess);
    return verdict();
}
