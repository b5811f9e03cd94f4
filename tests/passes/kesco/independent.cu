// Two launches that share nothing go to two queues; the third waits for the other queue.
//
// RUN: gpucc compile %s --arch=sm_80 --passes=kesco --explain -o %t 2>&1 | filecheck %s
// CHECK: changed: twice: queue [[A:[0-9]]] [kesco, work]
// CHECK: changed: thrice: queue {{[0-9]}} [kesco, work]
// CHECK: changed: sum: queue {{[0-9]}}; waits for
extern "C" __global__ void twice(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
extern "C" __global__ void thrice(const float *x, float *y) { y[threadIdx.x] = 3 * x[threadIdx.x]; }
extern "C" __global__ void sum(const float *x, const float *y, float *z) { z[threadIdx.x] = x[threadIdx.x] + y[threadIdx.x]; }
extern "C" void work() {
    float *a, *b, *c, *d, *e;
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096), cudaMalloc(&c, 4096), cudaMalloc(&d, 4096), cudaMalloc(&e, 4096);
    twice<<<1, 1024>>>(a, c);
    thrice<<<1, 1024>>>(b, d);
    sum<<<1, 1024>>>(c, d, e);
}
int main() { work(); }
