// A stable radix sort of keys with values, 4 bits at a time: histograms of blocks, a scan of them on
// the device by one block, and a scatter that ranks keys by ballots.
#include "program.h"

#include <algorithm>
#include <numeric>

constexpr int kBlock = 128, kRadix = 16;

__global__ void count(const unsigned *keys, int n, int shift, unsigned *counts) {
    __shared__ unsigned bins[kRadix];
    if (threadIdx.x < kRadix) bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) atomicAdd(&bins[keys[i] >> shift & (kRadix - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < kRadix) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan_counts(unsigned *counts, int n) {
    __shared__ unsigned sums[1024];
    int per = (n + blockDim.x - 1) / blockDim.x, begin = threadIdx.x * per;
    unsigned total = 0;
    for (int i = begin; i < min(begin + per, n); ++i) total += counts[i];
    sums[threadIdx.x] = total;
    __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        unsigned add = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += add;
        __syncthreads();
    }
    unsigned before = sums[threadIdx.x] - total;
    for (int i = begin; i < min(begin + per, n); ++i) {
        unsigned here = counts[i];
        counts[i] = before;
        before += here;
    }
}

__global__ void scatter(const unsigned *keys, const int *values, unsigned *keys_out, int *values_out,
                        int n, int shift, const unsigned *places) {
    __shared__ unsigned of_warp[kBlock / 32][kRadix];
    int i = blockIdx.x * kBlock + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned key = i < n ? keys[i] : 0;
    int digit = i < n ? key >> shift & (kRadix - 1) : kRadix;
    unsigned rank = 0;
    for (int d = 0; d < kRadix; ++d) {
        unsigned same = __ballot_sync(~0u, digit == d);
        if (digit == d) rank = __popc(same & ((1u << lane) - 1));
        if (lane == 0) of_warp[warp][d] = __popc(same);
    }
    __syncthreads();
    if (i >= n) return;
    for (int w = 0; w < warp; ++w) rank += of_warp[w][digit];
    unsigned place = places[digit * gridDim.x + blockIdx.x] + rank;
    keys_out[place] = key;
    values_out[place] = values[i];
}

int main() {
    const int n = 20011, blocks = (n + kBlock - 1) / kBlock;
    Random random;
    std::vector<unsigned> keys(n);
    std::vector<int> values(n), order(n);
    for (int i = 0; i < n; ++i) {
        keys[i] = random.next() % 5 ? random.next() * 2 : random.next() % 7;
        values[i] = order[i] = i;
    }
    Device<unsigned> a(keys), b(n), counts(blocks * kRadix);
    Device<int> va(values), vb(n);
    unsigned *from = a, *to = b;
    int *vfrom = va, *vto = vb;
    for (int shift = 0; shift < 32; shift += 4) {
        count<<<blocks, kBlock>>>(from, n, shift, counts);
        scan_counts<<<1, 1024>>>(counts, blocks * kRadix);
        scatter<<<blocks, kBlock>>>(from, vfrom, to, vto, n, shift, counts);
        std::swap(from, to);
        std::swap(vfrom, vto);
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<int> got = va.host();
    std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return keys[x] < keys[y]; });
    std::vector<unsigned> sorted = a.host();
    for (int i = 0; i < n; ++i) {
        expect("key", i, sorted[i], keys[order[i]]);
        expect("value", i, got[i], order[i]);
    }
    return verdict();
}
