// CUB block collectives; VALUE and ITEMS choose the instance.
#include <cub/cub.cuh>
#ifndef VALUE
#define VALUE float
#endif
#ifndef ITEMS
#define ITEMS 8
#endif
constexpr int threads = 256;

__global__ void block_reduce(const VALUE *in, VALUE *out) {
    using Load = cub::BlockLoad<VALUE, threads, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Reduce = cub::BlockReduce<VALUE, threads>;
    __shared__ union { typename Load::TempStorage load; typename Reduce::TempStorage reduce; } temp;
    VALUE items[ITEMS];
    Load(temp.load).Load(in + blockIdx.x * threads * ITEMS, items);
    __syncthreads();
    VALUE sum = Reduce(temp.reduce).Sum(items);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void block_scan(VALUE *data) {
    using Scan = cub::BlockScan<VALUE, threads>;
    __shared__ typename Scan::TempStorage temp;
    VALUE items[ITEMS];
    for (int i = 0; i < ITEMS; ++i) items[i] = data[(blockIdx.x * threads + threadIdx.x) * ITEMS + i];
    Scan(temp).InclusiveSum(items, items);
    for (int i = 0; i < ITEMS; ++i) data[(blockIdx.x * threads + threadIdx.x) * ITEMS + i] = items[i];
}

__global__ void block_sort(VALUE *keys) {
    using Sort = cub::BlockRadixSort<VALUE, threads, ITEMS>;
    __shared__ typename Sort::TempStorage temp;
    VALUE items[ITEMS];
    for (int i = 0; i < ITEMS; ++i) items[i] = keys[threadIdx.x * ITEMS + i];
    Sort(temp).SortDescending(items);
    for (int i = 0; i < ITEMS; ++i) keys[threadIdx.x * ITEMS + i] = items[i];
}

__global__ void warp_merge(VALUE *keys) {
    using Merge = cub::WarpMergeSort<VALUE, 4, 32>;
    __shared__ typename Merge::TempStorage temp[threads / 32];
    VALUE items[4];
    for (int i = 0; i < 4; ++i) items[i] = keys[threadIdx.x * 4 + i];
    Merge(temp[threadIdx.x / 32]).Sort(items, [](VALUE a, VALUE b) { return a < b; });
    for (int i = 0; i < 4; ++i) keys[threadIdx.x * 4 + i] = items[i];
}
