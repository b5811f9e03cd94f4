// Ends only if streams run beside each other and beside the host: kernels that wait for a flag which
// the host, another kernel or a host function sets after the launch.
#include "program.h"

#include <atomic>
#include <chrono>
#include <thread>

__global__ void wait_for(volatile int *flag, int value, int *seen) {
    while (*flag != value) {
    }
    *seen = value;
}
__global__ void set(volatile int *flag, int value) { *flag = value; }

void set_from_host(void *flag) { *static_cast<volatile int *>(flag) = 3; }

int main() {
    int *flag, *seen;
    CHECK(cudaMallocHost(&flag, sizeof(int)));
    CHECK(cudaMallocHost(&seen, sizeof(int)));
    *flag = *seen = 0;
    cudaStream_t a, b;
    cudaEvent_t done;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaEventCreate(&done));

    // The launch returns; the host goes on.
    wait_for<<<1, 1, 0, a>>>(flag, 1, seen);
    CHECK(cudaEventRecord(done, a));
    EXPECT(cudaStreamQuery(a) == cudaErrorNotReady);
    EXPECT(cudaEventQuery(done) == cudaErrorNotReady);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaStreamQuery(b) == cudaSuccess);
    *static_cast<volatile int *>(flag) = 1;
    CHECK(cudaEventSynchronize(done));
    EXPECT(*seen == 1);
    EXPECT(cudaStreamQuery(a) == cudaSuccess);

    // Two kernels at once; the second one launched sets the first one free.
    wait_for<<<1, 1, 0, a>>>(flag, 2, seen);
    set<<<1, 1, 0, b>>>(flag, 2);
    CHECK(cudaStreamSynchronize(a));
    EXPECT(*seen == 2);

    // A host function of another stream does.
    wait_for<<<1, 1, 0, a>>>(flag, 3, seen);
    CHECK(cudaLaunchHostFunc(b, set_from_host, flag));
    CHECK(cudaStreamSynchronize(a));
    EXPECT(*seen == 3);

    // A copy from pinned memory is read when its turn comes; one from pageable memory when called.
    Device<int> pinned_copy(1), pageable_copy(1);
    int *pinned, pageable = 10;
    CHECK(cudaMallocHost(&pinned, sizeof(int)));
    *pinned = 10;
    wait_for<<<1, 1, 0, a>>>(flag, 4, seen);
    CHECK(cudaMemcpyAsync(pinned_copy, pinned, sizeof(int), cudaMemcpyHostToDevice, a));
    CHECK(cudaMemcpyAsync(pageable_copy, &pageable, sizeof(int), cudaMemcpyHostToDevice, a));
    *pinned = pageable = 20;
    *static_cast<volatile int *>(flag) = 4;
    CHECK(cudaStreamSynchronize(a));
    EXPECT(pinned_copy.host()[0] == 20);
    EXPECT(pageable_copy.host()[0] == 10);

    // Events order streams: b's kernel is after a's, which waits.
    wait_for<<<1, 1, 0, a>>>(flag, 5, seen);
    CHECK(cudaEventRecord(done, a));
    CHECK(cudaStreamWaitEvent(b, done, 0));
    set<<<1, 1, 0, b>>>(flag, 6);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT(*static_cast<volatile int *>(flag) == 4);
    *static_cast<volatile int *>(flag) = 5;
    CHECK(cudaStreamSynchronize(b));
    EXPECT(*flag == 6 && *seen == 5);

    // A stream that is destroyed still does its work.
    wait_for<<<1, 1, 0, b>>>(flag, 7, seen);
    CHECK(cudaStreamDestroy(b));
    *static_cast<volatile int *>(flag) = 7;
    CHECK(cudaDeviceSynchronize());
    EXPECT(*seen == 7);
    CHECK(cudaStreamDestroy(a));
    return verdict();
}
