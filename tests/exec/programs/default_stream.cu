// The default stream: legacy, it waits for blocking streams and they wait for it, and those that are
// non-blocking do not; compiled with per-thread default streams, threads do not wait for each other.
#include "program.h"

#include <chrono>
#include <thread>

__global__ void wait_for(volatile int *flag, int value) {
    while (*flag != value) {
    }
}
__global__ void add(int *sum, int value) { *sum = *sum * 10 + value; }

int *flag, *sum;

void release(int value) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    *static_cast<volatile int *>(flag) = value;
}

int main() {
    CHECK(cudaMallocHost(&flag, sizeof(int)));
    CHECK(cudaMallocHost(&sum, sizeof(int)));
    *flag = *sum = 0;
    cudaStream_t a, b, free;
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    // Another thread's default stream is held up; ours is not.
    std::thread other([] {
        wait_for<<<1, 1>>>(flag, 1);
        CHECK(cudaStreamSynchronize(nullptr));
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    add<<<1, 1>>>(sum, 1);
    CHECK(cudaStreamSynchronize(nullptr));
    EXPECT(*sum == 1);
    *static_cast<volatile int *>(flag) = 1;
    other.join();
    // It does not wait for blocking streams either; the legacy stream waits for both.
    wait_for<<<1, 1, 0, a>>>(flag, 2);
    add<<<1, 1>>>(sum, 2);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    EXPECT(*sum == 12);
    add<<<1, 1, 0, cudaStreamLegacy>>>(sum, 3);
    EXPECT(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
    release(2);
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
    EXPECT(*sum == 123);
#else
    // a waits; the default stream waits for a; b waits for the default stream.
    wait_for<<<1, 1, 0, a>>>(flag, 1);
    add<<<1, 1, 0, a>>>(sum, 1);
    add<<<1, 1>>>(sum, 2);
    add<<<1, 1, 0, b>>>(sum, 3);
    EXPECT(cudaStreamQuery(b) == cudaErrorNotReady);
    EXPECT(cudaStreamQuery(nullptr) == cudaErrorNotReady);
    EXPECT(cudaStreamQuery(free) == cudaSuccess);
    // The non-blocking stream goes on meanwhile.
    int *apart;
    CHECK(cudaMallocHost(&apart, sizeof(int)));
    *apart = 0;
    add<<<1, 1, 0, free>>>(apart, 7);
    CHECK(cudaStreamSynchronize(free));
    EXPECT(*apart == 7 && *sum == 0);
    release(1);
    CHECK(cudaStreamSynchronize(b));
    EXPECT(*sum == 123);
    // A synchronous copy is in the default stream.
    int value = 0;
    wait_for<<<1, 1, 0, a>>>(flag, 2);
    add<<<1, 1, 0, a>>>(sum, 4);
    std::thread later(release, 2);
    CHECK(cudaMemcpy(&value, sum, sizeof(int), cudaMemcpyDefault));
    EXPECT(value == 1234);
    later.join();
    // The default stream as cudaStreamPerThread is blocking, too.
    wait_for<<<1, 1>>>(flag, 3);
    add<<<1, 1, 0, cudaStreamPerThread>>>(sum, 5);
    EXPECT(cudaStreamQuery(cudaStreamPerThread) == cudaErrorNotReady);
    release(3);
    CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    EXPECT(*sum == 12345);
#endif
    return verdict();
}
