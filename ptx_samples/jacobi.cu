// jacobi: heat on a plate until nothing changes much; the largest change comes back by an atomic.
//
// Shows: a kernel launched again and again with its two arrays swapped, so that nothing is ever
// read for the last time but at the end; atomicMax on the bits of a float that is not negative.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}step
// CHECK: ld.global.f32
// CHECK: st.global.f32
// CHECK: {{atom|red}}.global.max.s32

#include "sample.h"

#include <cstring>

__global__ void step(int side, const float *now, float *next, int *change_bits) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float change = 0;
    if (x > 0 && x < side - 1 && y > 0 && y < side - 1) {
        int i = y * side + x;
        float mean = 0.25f * (now[i - 1] + now[i + 1] + now[i - side] + now[i + side]);
        change = fabsf(mean - now[i]);
        next[i] = mean;
    }
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        change = fmaxf(change, __shfl_xor_sync(~0u, change, offset));
    if (threadIdx.x == 0)
        atomicMax(change_bits, __float_as_int(change));
}

int main() {
    const int side = 32;
    Array<float> a(side * side), b(side * side);
    Array<int> change_bits(1);
    // The solution x + 2y is harmonic, so its own mean: the edge decides the inside.
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            bool edge = x == 0 || x == side - 1 || y == 0 || y == side - 1;
            a[y * side + x] = b[y * side + x] = edge ? (x + 2.0f * y) / side : 0.0f;
        }
    float *now = a, *next = b;
    float change = 1;
    int steps = 0;
    for (; change > 1e-6f && steps < 20000; ++steps) {
        change_bits[0] = 0;
        step<<<dim3(1, 4), dim3(32, 8)>>>(side, now, next, change_bits);
        finish("step");
        std::memcpy(&change, &change_bits[0], sizeof change);
        float *other = now;
        now = next;
        next = other;
    }
    Checker checker;
    checker.equal("converged", 0, steps < 20000, 1);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            checker.equal("plate", y * side + x, now[y * side + x], (x + 2.0 * y) / side, 1e-3);
    return checker.verdict();
}
