// Rejection: copies on queues of their own gain nothing, since the host waits for each.
//
// RUN: gpucc compile %s --arch=sm_80 --passes=kesco --explain -o %t 2>&1 | filecheck %s
// CHECK-NOT: changed
// CHECK: refused: cudaMemcpy: stays in order, all of its region depend on each other or come after a copy that the host waits for
// CHECK: refused: cudaMemcpy: stays in order
// CHECK: refused: sum(float const*, float*): stays in order
// CHECK: refused: cudaMemcpy: stays in order
__global__ void sum(const float *x, float *y) { y[threadIdx.x] += x[threadIdx.x]; }
int main() {
    float *a, *b, h[1024] = {};
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
    cudaMemcpy(a, h, 4096, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, 4096, cudaMemcpyHostToDevice);
    sum<<<1, 1024>>>(a, b);
    cudaMemcpy(h, b, 4096, cudaMemcpyDeviceToHost);
}
