// CUB device-wide algorithms: large modules with every tuning policy.
#include <cub/cub.cuh>
#ifndef CORPUS_VALUE
#define CORPUS_VALUE float
#endif
cudaError_t everything(void *temp, size_t bytes, CORPUS_VALUE *a, CORPUS_VALUE *b, int *counts, int n) {
    cub::DeviceReduce::Sum(temp, bytes, a, b, n);
    cub::DeviceReduce::ArgMin(temp, bytes, a, b, (long long *)counts, n);
    cub::DeviceScan::InclusiveSum(temp, bytes, a, b, n);
#ifdef SORT
    cub::DeviceRadixSort::SortKeys(temp, bytes, a, b, n);
    cub::DeviceRadixSort::SortPairsDescending(temp, bytes, a, b, counts, counts, n);
#endif
    cub::DeviceRunLengthEncode::Encode(temp, bytes, a, b, counts, counts, n);
    return cub::DeviceHistogram::HistogramEven(temp, bytes, a, counts, 65, CORPUS_VALUE(0), CORPUS_VALUE(1), n);
}
