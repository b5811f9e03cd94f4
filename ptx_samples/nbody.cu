// nbody: the acceleration of each body by all others, through tiles of bodies in shared memory.
//
// Shows: an array of float4 that every block reads whole, one tile at a time, and much arithmetic
// between; rsqrt.approx.
//
// RUN: gpucc compile %s --arch=sm_80 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}accelerate
// CHECK: ld.global.nc.v4.f32
// CHECK: st.shared.v4.f32
// CHECK: ld.shared.v4.f32
// CHECK: rsqrt.approx
// CHECK: st.global.v4.f32

#include "sample.h"

constexpr int TILE = 128;

__global__ void accelerate(int n, const float4 *__restrict__ bodies, float4 *__restrict__ result) {
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float ax = 0, ay = 0, az = 0;
    for (int start = 0; start < n; start += TILE) {
        int other = start + threadIdx.x;
        tile[threadIdx.x] = other < n ? bodies[other] : make_float4(0, 0, 0, 0); // no mass: no pull
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-2f);
            float pull = tile[k].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    if (i < n)
        result[i] = make_float4(ax, ay, az, 0);
}

int main() {
    const int n = 1000;
    Array<float4> bodies(n), result(n);
    Random random;
    for (int i = 0; i < n; ++i)
        bodies[i] = make_float4(random.uniform(), random.uniform(), random.uniform(),
                                random.uniform());
    accelerate<<<(n + TILE - 1) / TILE, TILE>>>(n, bodies, result);
    finish("accelerate");
    Checker checker;
    for (int i = 0; i < n; ++i) {
        double ax = 0, az = 0;
        for (int k = 0; k < n; ++k) {
            double dx = bodies[k].x - bodies[i].x, dy = bodies[k].y - bodies[i].y;
            double dz = bodies[k].z - bodies[i].z;
            double pull = bodies[k].w / std::pow(dx * dx + dy * dy + dz * dz + 1e-2, 1.5);
            ax += dx * pull;
            az += dz * pull;
        }
        checker.equal("ax", i, result[i].x, ax, 1e-3);
        checker.equal("az", i, result[i].z, az, 1e-3);
    }
    return checker.verdict();
}
