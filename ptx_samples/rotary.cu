// rotary: rotary position embedding: pairs of a token's numbers turned by angles that its place
// gives.
//
// Shows: 8-byte loads of a stream beside a table of sines and cosines that all heads of a token read
// again.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}rotate
// CHECK: ld.global.nc.v2.f32
// CHECK: ld.global.nc.v2.f32
// CHECK: fma.rn.f32
// CHECK: st.global.v2.f32

#include "sample.h"

// Threads along x are pairs of a head; blocks along y are heads, along z tokens.
__global__ void rotate(int pairs, const float2 *__restrict__ turns, const float2 *__restrict__ in,
                       float2 *__restrict__ out) {
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= pairs)
        return;
    int i = (blockIdx.z * gridDim.y + blockIdx.y) * pairs + pair;
    float2 turn = turns[blockIdx.z * pairs + pair]; // cosine and sine
    float2 v = in[i];
    out[i] = make_float2(v.x * turn.x - v.y * turn.y, v.x * turn.y + v.y * turn.x);
}

int main() {
    const int tokens = 50, heads = 16, pairs = 64;
    Array<float2> turns(tokens * pairs), in(tokens * heads * pairs), out(tokens * heads * pairs);
    Random random;
    for (int i = 0; i < tokens * pairs; ++i) {
        double angle = i / pairs * std::pow(10000.0, -(i % pairs) / static_cast<double>(pairs));
        turns[i] = make_float2(static_cast<float>(std::cos(angle)),
                               static_cast<float>(std::sin(angle)));
    }
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = make_float2(random.uniform(), random.uniform());
    rotate<<<dim3(1, heads, tokens), 64>>>(pairs, turns, in, out);
    finish("rotate");
    Checker checker;
    for (int i = 0; i < tokens * heads * pairs; ++i) {
        float2 turn = turns[i / (heads * pairs) * pairs + i % pairs];
        double x = in[i].x, y = in[i].y;
        checker.equal("out.x", i, out[i].x, x * turn.x - y * turn.y, 1e-6);
        checker.equal("out.y", i, out[i].y, x * turn.y + y * turn.x, 1e-6);
    }
    return checker.verdict();
}
