// transpose: a matrix turned through a tile in shared memory, so that reads and writes both run
// along rows.
//
// Shows: a padded shared tile (33 columns, no bank conflicts); each element is read once and
// written once.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}transpose
// CHECK: .shared .align 4 .b8 {{.*}}tile[4224];
// CHECK: ld.global.nc.f32
// CHECK: st.shared.f32
// CHECK: bar{{(rier)?}}.sync
// CHECK: ld.shared.f32
// CHECK: st.global.f32

#include "sample.h"

constexpr int TILE = 32;
constexpr int ROWS = 8; // rows that a block handles at a time

__global__ void transpose(int width, int height, const float *__restrict__ in,
                          float *__restrict__ out) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        if (x < width && y + row < height)
            tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += ROWS)
        if (x < height && y + row < width)
            out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
}

int main() {
    const int width = 333, height = 190;
    Array<float> in(width * height), out(width * height);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<float>(i);
    dim3 block(TILE, ROWS), grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    transpose<<<grid, block>>>(width, height, in, out);
    finish("transpose");
    Checker checker;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            checker.equal("out", x * height + y, out[x * height + y], in[y * width + x]);
    return checker.verdict();
}
