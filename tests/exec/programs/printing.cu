// What kernels print appears when the host waits for them, and in the order of the host's own lines.
#include "program.h"

__global__ void say(int n) { printf("device %d thread %d\n", n, threadIdx.x); }

int main() {
    say<<<1, 2>>>(1);
    printf("before the first wait\n");
    CHECK(cudaDeviceSynchronize());
    printf("after it\n");
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    say<<<1, 1, 0, stream>>>(2);
    printf("before the second\n");
    CHECK(cudaStreamSynchronize(stream));
    say<<<1, 1, 0, stream>>>(3);
    printf("the end\n");
    return 0;  // the third line comes as the process ends
}
