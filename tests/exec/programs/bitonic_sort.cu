// A bitonic sort of structures: strides beyond a block by one kernel each, the rest in shared memory.
#include "program.h"

#include <algorithm>

struct Item {
    float key;
    int tag;
};
constexpr int kBlock = 256;

__device__ void order(Item &a, Item &b, bool ascending) {
    if ((a.key > b.key) == ascending) {
        Item kept = a;
        a = b;
        b = kept;
    }
}

__global__ void step(Item *items, int stride, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = 2 * stride * (i / stride) + i % stride;
    order(items[a], items[a + stride], (a & size) == 0);
}

__global__ void finish(Item *items, int size, int first) {
    __shared__ Item kept[2 * kBlock];
    int base = blockIdx.x * 2 * kBlock;
    kept[threadIdx.x] = items[base + threadIdx.x];
    kept[threadIdx.x + kBlock] = items[base + threadIdx.x + kBlock];
    for (int whole = first ? 2 : size; whole <= size; whole *= 2)
        for (int stride = min(whole / 2, kBlock); stride > 0; stride /= 2) {
            __syncthreads();
            int i = threadIdx.x, a = 2 * stride * (i / stride) + i % stride;
            order(kept[a], kept[a + stride], ((base + a) & whole) == 0);
        }
    __syncthreads();
    items[base + threadIdx.x] = kept[threadIdx.x];
    items[base + threadIdx.x + kBlock] = kept[threadIdx.x + kBlock];
}

int main() {
    const int n = 1 << 14;
    Random random;
    std::vector<Item> items(n);
    for (int i = 0; i < n; ++i) items[i] = {random.uniform(), i};
    std::vector<float> keys(n);
    for (int i = 0; i < n; ++i) keys[i] = items[i].key;
    Device<Item> device(items);
    finish<<<n / (2 * kBlock), kBlock>>>(device, 2 * kBlock, 1);
    for (int size = 4 * kBlock; size <= n; size *= 2) {
        for (int stride = size / 2; stride > kBlock; stride /= 2)
            step<<<n / (2 * kBlock), kBlock>>>(device, stride, size);
        finish<<<n / (2 * kBlock), kBlock>>>(device, size, 0);
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<Item> got = device.host();
    std::sort(keys.begin(), keys.end());
    for (int i = 0; i < n; ++i) {
        expect("key", i, got[i].key, keys[i]);
        expect("its tag", i, items[got[i].tag].key, got[i].key);
    }
    return verdict();
}
