// Gravity: positions tiled through shared memory as float4, leapfrog steps in two kernels.
#include "program.h"

constexpr int kBlock = 64;

__device__ float3 attract(float4 a, float4 b, float3 sum) {
    float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    float pull = b.w * inverse * inverse * inverse;
    return make_float3(sum.x + dx * pull, sum.y + dy * pull, sum.z + dz * pull);
}

__global__ void kick(const float4 *position, float4 *velocity, int n, float dt) {
    __shared__ float4 tile[kBlock];
    int i = blockIdx.x * kBlock + threadIdx.x;
    float4 mine = i < n ? position[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += kBlock) {
        int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < kBlock; ++k) sum = attract(mine, tile[k], sum);
        __syncthreads();
    }
    if (i < n) {
        velocity[i].x += sum.x * dt;
        velocity[i].y += sum.y * dt;
        velocity[i].z += sum.z * dt;
    }
}

__global__ void drift(float4 *position, const float4 *velocity, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    position[i].x += velocity[i].x * dt;
    position[i].y += velocity[i].y * dt;
    position[i].z += velocity[i].z * dt;
}

int main() {
    const int n = 300, steps = 5;
    const float dt = 0.01f;
    Random random;
    std::vector<float4> start(n);
    for (float4 &p : start)
        p = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform());
    std::vector<double> p(4 * n), v(3 * n);
    for (int i = 0; i < n; ++i) {
        const double at[] = {start[i].x, start[i].y, start[i].z, start[i].w};
        for (int k = 0; k < 4; ++k) p[4 * i + k] = at[k];
    }
    Device<float4> position(start), velocity(n);
    CHECK(cudaMemset(velocity, 0, n * sizeof(float4)));
    for (int s = 0; s < steps; ++s) {
        kick<<<(n + kBlock - 1) / kBlock, kBlock>>>(position, velocity, n, dt);
        drift<<<(n + 127) / 128, 128>>>(position, velocity, n, dt);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double d[3], r = 0.01;
                for (int k = 0; k < 3; ++k) {
                    d[k] = p[4 * j + k] - p[4 * i + k];
                    r += d[k] * d[k];
                }
                for (int k = 0; k < 3; ++k) v[3 * i + k] += d[k] * p[4 * j + 3] / (r * sqrt(r)) * dt;
            }
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < 3; ++k) p[4 * i + k] += v[3 * i + k] * dt;
    }
    std::vector<float4> got = position.host();
    for (int i = 0; i < n; ++i) {
        expect("x", i, got[i].x, p[4 * i], 1e-4);
        expect("y", i, got[i].y, p[4 * i + 1], 1e-4);
        expect("z", i, got[i].z, p[4 * i + 2], 1e-4);
    }
    return verdict();
}
