// A checked copy waits for its own queue if another follows; at the last, and before a query, the host
// waits for everything.
//
// RUN: gpucc compile %s --arch=sm_80 --passes=kesco --explain -o %t 2>&1 | filecheck %s
// CHECK: changed: twice(float*): queue 0
// CHECK: changed: twice(float*): queue 1
// CHECK: changed: twice(float*): queue 2
// CHECK: changed: cudaMemcpy: queue 0; the host waits for this queue alone
// CHECK: changed: cudaMemcpy: queue 1; the host waits for all queues, so that errors show here
// CHECK: changed: cudaMemcpy: queue 2; the host waits for all queues, so that errors show here
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) return e; } while (0)
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main() {
    float *a, *b, *c, h[1024] = {};
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096), cudaMalloc(&c, 4096);
    twice<<<1, 1024>>>(a);
    twice<<<1, 1024>>>(b);
    twice<<<1, 1024>>>(c);
    CHECK(cudaMemcpy(h, a, 4096, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h, b, 4096, cudaMemcpyDeviceToHost));
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, c, 4096, cudaMemcpyDeviceToHost));
}
