// Rejection: every launch reads what the one before wrote, so one stream is right.
//
// RUN: gpucc compile %s --arch=sm_80 --passes=kesco --explain -o %t 2>&1 | filecheck %s
// CHECK-NOT: changed
// CHECK: refused: twice: stays in order, nothing can run beside it
extern "C" __global__ void twice(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
int main() {
    float *a, *b;
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
    twice<<<1, 1024>>>(a, b);
    twice<<<1, 1024>>>(b, a);
    twice<<<1, 1024>>>(a, b);
}
