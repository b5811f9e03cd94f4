// mma: half-precision matrices on the tensor cores, each warp one 16x8 tile of the result.
//
// Shows: mma.sync.m16n8k16 with its fragments loaded straight from global memory, where pairs of
// halves lie 8 rows apart.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}matmul
// CHECK: ld.global.nc.{{[bu]}}32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{{.*}}}, {{{.*}}}, {{{.*}}}, {{{.*}}};
// CHECK: st.global{{(.v2)?}}.f32

#include "sample.h"

#include <cuda_fp16.h>

// d += a*b. Lane l holds of a the rows l/4 and l/4 + 8, of b the column l/4, of d as of a; in each,
// the pairs 2*(l%4) and, along the depth of 16, 8 further.
__device__ void multiply_add(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// c = a*b with a in rows and b in columns: both run along the depth.
__global__ void matmul(int columns, int depth, const __half *__restrict__ a,
                       const __half *__restrict__ b, float *__restrict__ c) {
    int row = blockIdx.y * 16 + threadIdx.x / 4;
    int column = blockIdx.x * 8 + threadIdx.x / 4;
    int pair = threadIdx.x % 4 * 2;
    auto load = [](const __half *from) { return *reinterpret_cast<const unsigned *>(from); };
    const __half *upper = a + row * depth + pair;
    const __half *lower = upper + 8 * depth;
    const __half *right = b + column * depth + pair;
    float d[4] = {};
    for (int k = 0; k < depth; k += 16) {
        unsigned of_a[4] = {load(upper + k), load(lower + k), load(upper + k + 8),
                            load(lower + k + 8)};
        unsigned of_b[2] = {load(right + k), load(right + k + 8)};
        multiply_add(d, of_a, of_b);
    }
    float *out = c + row * columns + blockIdx.x * 8 + pair;
    out[0] = d[0];
    out[1] = d[1];
    out[8 * columns] = d[2];
    out[8 * columns + 1] = d[3];
}

int main() {
    const int rows = 64, columns = 72, depth = 96;
    Array<__half> a(rows * depth), b(columns * depth);
    Array<float> c(rows * columns);
    Random random;
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = __float2half(random.uniform());
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = __float2half(random.uniform());
    matmul<<<dim3(columns / 8, rows / 16), 32>>>(columns, depth, a, b, c);
    finish("matmul");
    Checker checker;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            double wanted = 0;
            for (int k = 0; k < depth; ++k)
                wanted += static_cast<double>(__half2float(a[row * depth + k])) *
                          __half2float(b[column * depth + k]);
            checker.equal("c", row * columns + column, c[row * columns + column], wanted, 1e-5);
        }
    return checker.verdict();
}
