// Prefix sums of any length: a scan of each block in shared memory without bank conflicts, the sums
// of blocks scanned by the same kernels recursively, and added.
#include "program.h"

constexpr int kBlock = 256, kItems = 2 * kBlock;
#define PAD(i) ((i) + ((i) >> 5))

__global__ void scan_blocks(const int *in, int *out, int *sums, int n) {
    extern __shared__ int kept[];
    int base = blockIdx.x * kItems, t = threadIdx.x;
    kept[PAD(t)] = base + t < n ? in[base + t] : 0;
    kept[PAD(t + kBlock)] = base + t + kBlock < n ? in[base + t + kBlock] : 0;
    int offset = 1;
    for (int d = kBlock; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            kept[PAD(b)] += kept[PAD(a)];
        }
    }
    if (t == 0) {
        if (sums) sums[blockIdx.x] = kept[PAD(kItems - 1)];
        kept[PAD(kItems - 1)] = 0;
    }
    for (int d = 1; d < kItems; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int left = kept[PAD(a)];
            kept[PAD(a)] = kept[PAD(b)];
            kept[PAD(b)] += left;
        }
    }
    __syncthreads();
    if (base + t < n) out[base + t] = kept[PAD(t)];
    if (base + t + kBlock < n) out[base + t + kBlock] = kept[PAD(t + kBlock)];
}

__global__ void add_sums(int *out, const int *sums, int n) {
    int i = blockIdx.x * kItems + threadIdx.x;
    for (int k = 0; k < 2; ++k, i += kBlock)
        if (i < n) out[i] += sums[blockIdx.x];
}

void scan(const int *in, int *out, int n) {
    int blocks = (n + kItems - 1) / kItems;
    size_t shared = PAD(kItems) * sizeof(int) + sizeof(int);
    if (blocks == 1) {
        scan_blocks<<<1, kBlock, shared>>>(in, out, nullptr, n);
        return;
    }
    Device<int> sums(blocks), before(blocks);
    scan_blocks<<<blocks, kBlock, shared>>>(in, out, sums, n);
    scan(sums, before, blocks);
    add_sums<<<blocks, kBlock>>>(out, before, n);
}

int main() {
    for (int n : {1, 511, 512, 513, 300007}) {
        Random random;
        std::vector<int> values(n);
        for (int &value : values) value = static_cast<int>(random.next() % 100) - 20;
        Device<int> in(values), out(n);
        scan(in, out, n);
        CHECK(cudaGetLastError());
        std::vector<int> got = out.host();
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            expect("scan", i, got[i], sum);
            sum += values[i];
        }
    }
    return verdict();
}
