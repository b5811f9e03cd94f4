// Rejection: a stream in a variable may be one of the user's own, and ends what stands before it.
//
// RUN: gpucc compile %s --arch=sm_80 --passes=kesco --explain -o %t 2>&1 | filecheck %s
// CHECK: changed: twice(float*): queue 0 [kesco, work(CUstream_st*)]
// CHECK: changed: twice(float*): queue 1 [kesco, work(CUstream_st*)]
// CHECK: refused: twice(float*): its stream is not the constant 0
// CHECK: refused: twice(float*): its stream is not the constant 0
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
void work(cudaStream_t stream) {
    float *a, *b;
    cudaMalloc(&a, 4096), cudaMalloc(&b, 4096);
    twice<<<1, 1024>>>(a);
    twice<<<1, 1024, 0, 0>>>(b);
    twice<<<1, 1024, 0, stream>>>(a);
    twice<<<1, 1024, 0, stream>>>(b);
}
int main() { work(0); }
