// Monte Carlo: pi by counting, and an option's price by antithetic paths, with a counter-based
// generator (Philox) that the host repeats.
#include "program.h"

#include <cstdint>

struct Philox {
    uint32_t c[4];
    __host__ __device__ static void mul(uint32_t a, uint32_t b, uint32_t *high, uint32_t *low) {
        uint64_t p = (uint64_t)a * b;
        *high = p >> 32;
        *low = (uint32_t)p;
    }
    __host__ __device__ Philox(uint32_t counter, uint32_t key) {
        c[0] = counter, c[1] = 1, c[2] = 2, c[3] = 3;
        uint32_t k0 = key, k1 = 77;
        for (int i = 0; i < 10; ++i) {
            uint32_t h0, l0, h1, l1;
            mul(0xD2511F53u, c[0], &h0, &l0);
            mul(0xCD9E8D57u, c[2], &h1, &l1);
            c[0] = h1 ^ c[1] ^ k0, c[1] = l1, c[2] = h0 ^ c[3] ^ k1, c[3] = l0;
            k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
        }
    }
    __host__ __device__ float uniform(int i) const { return (c[i] >> 8) * 0x1p-24f + 0x1p-25f; }
};

__global__ void inside(unsigned n, unsigned long long *hits) {
    unsigned mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Philox r(i, 5);
        float x = r.uniform(0), y = r.uniform(1);
        mine += x * x + y * y < 1;
    }
    mine = __reduce_add_sync(~0u, mine);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, (unsigned long long)mine);
}

__global__ void price(unsigned n, float spot, float strike, float drift, float spread, double *sum) {
    double mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Philox r(i, 9);
        float normal = sqrtf(-2 * logf(r.uniform(0))) * cospif(2 * r.uniform(1));
        mine += fmaxf(spot * expf(drift + spread * normal) - strike, 0.0f);
        mine += fmaxf(spot * expf(drift - spread * normal) - strike, 0.0f);
    }
    atomicAdd(sum, mine);
}

int main() {
    const unsigned n = 100000;
    unsigned long long wanted = 0, got;
    double exact = 0;
    const float spot = 100, strike = 105, drift = 0.01f, spread = 0.2f;
    for (unsigned i = 0; i < n; ++i) {
        Philox r(i, 5), q(i, 9);
        float x = r.uniform(0), y = r.uniform(1);
        wanted += std::fmaf(x, x, y * y) < 1;
        double normal = sqrt(-2 * log((double)q.uniform(0))) * cos(2 * M_PI * q.uniform(1));
        exact += fmax(spot * exp(drift + spread * normal) - strike, 0.0);
        exact += fmax(spot * exp(drift - spread * normal) - strike, 0.0);
    }
    unsigned long long *hits;
    double *sum;
    CHECK(cudaMallocManaged(&hits, sizeof *hits));
    CHECK(cudaMallocManaged(&sum, sizeof *sum));
    *hits = 0;
    *sum = 0;
    inside<<<20, 128>>>(n, hits);
    price<<<20, 128>>>(n, spot, strike, drift, spread, sum);
    CHECK(cudaDeviceSynchronize());
    got = *hits;
    expect("hits", n, got, wanted, 1e-6);
    expect("pi", n, 4.0 * got / n, M_PI, 5e-3);
    expect("price", n, *sum / n, exact / n, 1e-5);
    CHECK(cudaFree(hits));
    CHECK(cudaFree(sum));
    return verdict();
}
