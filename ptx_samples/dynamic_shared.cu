// dynamic_shared: a moving average whose window is known only at launch.
//
// Shows: extern shared memory, sized by the launch; neighbouring blocks read the same few elements
// at their common edge.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK: .extern .shared .align 16 .b8 window[];
// CHECK-LABEL: .entry {{.*}}moving_average
// CHECK: st.shared.f32
// CHECK: bar{{(rier)?}}.sync
// CHECK: ld.shared.f32
// CHECK: st.global.f32

#include "sample.h"

extern __shared__ float window[];

__global__ void moving_average(int n, int radius, const float *__restrict__ in,
                               float *__restrict__ out) {
    int first = blockIdx.x * blockDim.x - radius;
    for (int k = threadIdx.x; k < blockDim.x + 2 * radius; k += blockDim.x) {
        int i = first + k;
        window[k] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k)
        sum += window[threadIdx.x + k];
    out[i] = sum / (2 * radius + 1);
}

int main() {
    const int n = 70001, radius = 9, block = 128;
    Array<float> in(n), out(n);
    Random random;
    for (int i = 0; i < n; ++i)
        in[i] = random.uniform();
    moving_average<<<(n + block - 1) / block, block, (block + 2 * radius) * sizeof(float)>>>(
        n, radius, in, out);
    finish("moving_average");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = i - radius; k <= i + radius; ++k)
            sum += k >= 0 && k < n ? in[k] : 0.0f;
        checker.equal("out", i, out[i], sum / (2 * radius + 1), 1e-5);
    }
    return checker.verdict();
}
