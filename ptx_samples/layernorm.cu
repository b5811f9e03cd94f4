// layernorm: each row less its mean, over its deviation, scaled and shifted; one warp for a row.
//
// Shows: a row in registers between two passes, so it is read once; gain and shift are the same
// for all rows and are read by every block.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}layernorm
// CHECK: ld.global.nc.v4.f32
// CHECK: shfl.sync.bfly.b32
// CHECK: rsqrt.approx
// CHECK: st.global.v4.f32

#include "sample.h"

constexpr int COLUMNS = 512;
constexpr int STEPS = COLUMNS / 4 / 32; // vectors of four that each lane holds

__device__ float over_warp(float value) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(~0u, value, offset);
    return value;
}

__global__ void layernorm(int rows, const float4 *__restrict__ in, const float4 *__restrict__ gain,
                          const float4 *__restrict__ shift, float4 *__restrict__ out) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    float4 v[STEPS];
    float sum = 0;
    for (int k = 0; k < STEPS; ++k) {
        v[k] = in[row * (COLUMNS / 4) + k * warpSize + threadIdx.x];
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    float mean = over_warp(sum) / COLUMNS;
    float squares = 0;
    for (int k = 0; k < STEPS; ++k) {
        v[k] = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
        squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    float scale = rsqrtf(over_warp(squares) / COLUMNS + 1e-5f);
    for (int k = 0; k < STEPS; ++k) {
        float4 g = gain[k * warpSize + threadIdx.x];
        float4 s = shift[k * warpSize + threadIdx.x];
        out[row * (COLUMNS / 4) + k * warpSize + threadIdx.x] =
            make_float4(v[k].x * scale * g.x + s.x, v[k].y * scale * g.y + s.y,
                        v[k].z * scale * g.z + s.z, v[k].w * scale * g.w + s.w);
    }
}

int main() {
    const int rows = 777;
    Array<float> in(rows * COLUMNS), gain(COLUMNS), shift(COLUMNS), out(rows * COLUMNS);
    Random random;
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = random.uniform();
    for (int i = 0; i < COLUMNS; ++i) {
        gain[i] = random.uniform();
        shift[i] = random.uniform();
    }
    layernorm<<<(rows + 3) / 4, dim3(32, 4)>>>(
        rows, reinterpret_cast<float4 *>(in.data()), reinterpret_cast<float4 *>(gain.data()),
        reinterpret_cast<float4 *>(shift.data()), reinterpret_cast<float4 *>(out.data()));
    finish("layernorm");
    Checker checker;
    for (int row = 0; row < rows; ++row) {
        double mean = 0, squares = 0;
        for (int i = 0; i < COLUMNS; ++i)
            mean += in[row * COLUMNS + i] / static_cast<double>(COLUMNS);
        for (int i = 0; i < COLUMNS; ++i) {
            double off = in[row * COLUMNS + i] - mean;
            squares += off * off / COLUMNS;
        }
        for (int i = 0; i < COLUMNS; ++i) {
            double off = in[row * COLUMNS + i] - mean;
            double wanted = off / std::sqrt(squares + 1e-5) * gain[i] + shift[i];
            checker.equal("out", row * COLUMNS + i, out[row * COLUMNS + i], wanted, 1e-4);
        }
    }
    return checker.verdict();
}
