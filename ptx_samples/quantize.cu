// quantize: floats to 8-bit integers with one scale for each row, four elements for each thread.
//
// Shows: 16-byte loads and 4-byte stores of the same elements, conversions that round and saturate,
// a scale that a whole block shares.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}quantize
// CHECK: ld.global.nc.v4.f32
// CHECK: cvt.rni
// CHECK: st.global.v4.{{[us]}}8

#include "sample.h"

__global__ void quantize(int vectors, const float *__restrict__ scale,
                         const float4 *__restrict__ in, char4 *__restrict__ out) {
    int vector = blockIdx.x * blockDim.x + threadIdx.x;
    if (vector >= vectors)
        return;
    float by = scale[blockIdx.y];
    int i = blockIdx.y * vectors + vector;
    float4 v = in[i];
    auto round = [by](float x) {
        float scaled = fminf(fmaxf(x * by, -127.0f), 127.0f);
        return static_cast<signed char>(static_cast<int>(rintf(scaled)));
    };
    out[i] = make_char4(round(v.x), round(v.y), round(v.z), round(v.w));
}

int main() {
    const int rows = 63, vectors = 300, columns = 4 * vectors;
    Array<float> scale(rows), in(rows * columns);
    Array<signed char> out(rows * columns);
    Random random;
    for (int row = 0; row < rows; ++row)
        scale[row] = 100 + 50 * random.uniform();
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = 2 * random.uniform() - 1;
    quantize<<<dim3((vectors + 127) / 128, rows), 128>>>(
        vectors, scale, reinterpret_cast<float4 *>(in.data()), reinterpret_cast<char4 *>(out.data()));
    finish("quantize");
    Checker checker;
    for (int i = 0; i < rows * columns; ++i) {
        float scaled = in[i] * scale[i / columns];
        scaled = scaled < -127 ? -127 : scaled > 127 ? 127 : scaled;
        checker.equal("out", i, out[i], std::rint(scaled));
    }
    return checker.verdict();
}
