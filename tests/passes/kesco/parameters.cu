// Rejection: nothing says that two parameters do not point to the same array.
//
// RUN: gpucc compile %s --arch=sm_80 --passes=kesco --explain -o %t 2>&1 | filecheck %s
// CHECK-NOT: changed
// CHECK: refused: twice: its pointers cannot be traced
// CHECK: refused: twice: its pointers cannot be traced
extern "C" __global__ void twice(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
extern "C" void work(float *a, float *b, float *c) {
    twice<<<1, 1024>>>(a, b);
    twice<<<1, 1024>>>(c, a);
}
int main() { work(nullptr, nullptr, nullptr); }
