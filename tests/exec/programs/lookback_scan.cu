// A prefix sum in one pass: blocks take numbers from a counter, publish their sums, and look back at
// those before them, which may still be running.
#include "program.h"

constexpr int kBlock = 128, kItems = 4;
constexpr unsigned long long kSum = 1ull << 62, kTotal = 2ull << 62, kValue = kSum - 1;

__device__ unsigned next_block;

__global__ void scan(const unsigned *in, unsigned *out, int n, volatile unsigned long long *state) {
    __shared__ unsigned block, before, of_warp[kBlock / 32];
    if (threadIdx.x == 0) block = atomicAdd(&next_block, 1u);
    __syncthreads();
    unsigned item[kItems], sum = 0;
    int base = block * kBlock * kItems + threadIdx.x * kItems, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int k = 0; k < kItems; ++k) {
        item[k] = sum;
        sum += base + k < n ? in[base + k] : 0;
    }
    unsigned inclusive = sum;
    for (int step = 1; step < 32; step *= 2) {
        unsigned other = __shfl_up_sync(~0u, inclusive, step);
        if (lane >= step) inclusive += other;
    }
    if (lane == 31) of_warp[warp] = inclusive;
    __syncthreads();
    unsigned prefix = inclusive - sum, total = 0;
    for (int w = 0; w < kBlock / 32; ++w) {
        if (w < warp) prefix += of_warp[w];
        total += of_warp[w];
    }
    if (threadIdx.x == 0) {
        state[block] = (block ? kSum : kTotal) | total;
        unsigned sum_before = 0;
        for (int b = (int)block - 1; b >= 0;) {
            unsigned long long seen = state[b];
            if (seen == 0) continue;
            sum_before += (unsigned)(seen & kValue);
            if (seen & kTotal) break;
            --b;
        }
        state[block] = kTotal | (sum_before + total);
        before = sum_before;
    }
    __syncthreads();
    for (int k = 0; k < kItems; ++k)
        if (base + k < n) out[base + k] = before + prefix + item[k];
}

int main() {
    const int n = 60001, blocks = (n + kBlock * kItems - 1) / (kBlock * kItems);
    Random random;
    std::vector<unsigned> values(n);
    for (unsigned &value : values) value = random.next() % 1000;
    Device<unsigned> in(values), out(n);
    Device<unsigned long long> state(blocks);
    for (int round = 0; round < 2; ++round) {
        unsigned zero = 0;
        CHECK(cudaMemcpyToSymbol(next_block, &zero, sizeof zero));
        CHECK(cudaMemset(state, 0, blocks * 8));
        scan<<<blocks, kBlock>>>(in, out, n, state);
    }
    std::vector<unsigned> got = out.host();
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
        expect("scan", i, got[i], sum);
        sum += values[i];
    }
    return verdict();
}
