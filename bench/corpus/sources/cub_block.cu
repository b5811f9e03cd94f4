// CUB block collectives; CORPUS_VALUE and CORPUS_ITEMS choose the instance.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#ifndef CORPUS_VALUE
#define CORPUS_VALUE float
#endif
#ifndef CORPUS_ITEMS
#define CORPUS_ITEMS 8
#endif
constexpr int threads = 256;

__global__ void block_reduce(const CORPUS_VALUE *in, CORPUS_VALUE *out) {
    using Load = cub::BlockLoad<CORPUS_VALUE, threads, CORPUS_ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Reduce = cub::BlockReduce<CORPUS_VALUE, threads>;
    __shared__ union { typename Load::TempStorage load; typename Reduce::TempStorage reduce; } temp;
    CORPUS_VALUE items[CORPUS_ITEMS];
    Load(temp.load).Load(in + blockIdx.x * threads * CORPUS_ITEMS, items);
    __syncthreads();
    CORPUS_VALUE sum = Reduce(temp.reduce).Sum(items);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void block_scan(CORPUS_VALUE *data) {
    using Scan = cub::BlockScan<CORPUS_VALUE, threads>;
    __shared__ typename Scan::TempStorage temp;
    CORPUS_VALUE items[CORPUS_ITEMS];
    for (int i = 0; i < CORPUS_ITEMS; ++i) items[i] = data[(blockIdx.x * threads + threadIdx.x) * CORPUS_ITEMS + i];
    Scan(temp).InclusiveSum(items, items);
    for (int i = 0; i < CORPUS_ITEMS; ++i) data[(blockIdx.x * threads + threadIdx.x) * CORPUS_ITEMS + i] = items[i];
}

__global__ void block_sort(CORPUS_VALUE *keys) {
    using Sort = cub::BlockRadixSort<CORPUS_VALUE, threads, CORPUS_ITEMS>;
    __shared__ typename Sort::TempStorage temp;
    CORPUS_VALUE items[CORPUS_ITEMS];
    for (int i = 0; i < CORPUS_ITEMS; ++i) items[i] = keys[threadIdx.x * CORPUS_ITEMS + i];
    Sort(temp).SortDescending(items);
    for (int i = 0; i < CORPUS_ITEMS; ++i) keys[threadIdx.x * CORPUS_ITEMS + i] = items[i];
}

__global__ void warp_merge(CORPUS_VALUE *keys) {
    using Merge = cub::WarpMergeSort<CORPUS_VALUE, 4, 32>;
    __shared__ typename Merge::TempStorage temp[threads / 32];
    CORPUS_VALUE items[4];
    for (int i = 0; i < 4; ++i) items[i] = keys[threadIdx.x * 4 + i];
    Merge(temp[threadIdx.x / 32]).Sort(items, [](CORPUS_VALUE a, CORPUS_VALUE b) { return a < b; });
    for (int i = 0; i < 4; ++i) keys[threadIdx.x * 4 + i] = items[i];
}
