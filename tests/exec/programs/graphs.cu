// Graphs: captured from one stream and from two, launched again with other data, updated, built node
// by node; what a capture does not allow.
#include "program.h"

__global__ void add(int *x, int value, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += value;
}
__global__ void sum(const int *a, const int *b, int *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int calls = 0;
void count(void *by) { calls += *static_cast<int *>(by); }

int main() {
    const int n = 1000;
    Device<int> a(n), b(n), c(n);
    CHECK(cudaMemset(a, 0, n * 4));
    CHECK(cudaMemset(b, 0, n * 4));
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&fork));
    CHECK(cudaEventCreate(&join));
    int one = 1;

    auto capture = [&](int value, cudaGraph_t *graph) {
        CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        CHECK(cudaEventRecord(fork, s));
        CHECK(cudaStreamWaitEvent(t, fork, 0));
        add<<<10, 100, 0, s>>>(a, value, n);
        add<<<10, 100, 0, t>>>(b, 2 * value, n);
        CHECK(cudaEventRecord(join, t));
        CHECK(cudaStreamWaitEvent(s, join, 0));
        sum<<<10, 100, 0, s>>>(a, b, c, n);
        CHECK(cudaLaunchHostFunc(s, count, &one));
        CHECK(cudaStreamEndCapture(s, graph));
    };
    cudaGraph_t graph, other;
    cudaGraphExec_t exec;
    capture(1, &graph);
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT(nodes == 4);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaStreamSynchronize(s));
    EXPECT(calls == 0 && a.host()[5] == 0);
    for (int i = 0; i < 5; ++i) CHECK(cudaGraphLaunch(exec, i % 2 ? s : t));
    CHECK(cudaDeviceSynchronize());
    EXPECT(calls == 5);
    EXPECT(c.host()[n - 1] == 15);

    capture(100, &other);
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphExecUpdate(exec, other, &info));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    EXPECT(c.host()[0] == 315);
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(other));
    CHECK(cudaGraphExecDestroy(exec));

    // Node by node: fill, then a kernel, then a copy to the host.
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t fill, kernel, copy;
    cudaMemsetParams set{};
    set.dst = a;
    set.value = 7;
    set.elementSize = 4;
    set.width = n;
    set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
    int *pointer = a, value = 3, length = n;
    void *arguments[] = {&pointer, &value, &length};
    cudaKernelNodeParams launch{};
    launch.func = reinterpret_cast<void *>(add);
    launch.gridDim = dim3(10);
    launch.blockDim = dim3(100);
    launch.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
    std::vector<int> got(n);
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, got.data(), a, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaDeviceSynchronize());
    EXPECT(got[0] == 10 && got[n - 1] == 10);
    value = 5;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    EXPECT(got[17] == 12);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    // A capture may not be waited for, and one that was spoilt gives no graph.
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(s, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    EXPECT(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, s));
    CHECK(cudaStreamWaitEvent(t, fork, 0));
    add<<<1, 1, 0, t>>>(a, 1, 1);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaErrorStreamCaptureUnjoined);
    EXPECT(cudaStreamEndCapture(s, &graph) != cudaSuccess);
    EXPECT(cudaGetLastError() != cudaSuccess);
    add<<<1, 1, 0, s>>>(a, 1, 1);
    CHECK(cudaDeviceSynchronize());
    return verdict();
}
