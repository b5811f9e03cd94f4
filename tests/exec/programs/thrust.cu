// Algorithms of Thrust over device vectors, as programs use them: sort by key, scan, reduce with a
// functor, unique, through iterators; they ask the runtime for much before they launch.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>

#include "program.h"

struct Square {
    __host__ __device__ long long operator()(int x) const { return (long long)x * x; }
};

int main() {
    const int n = 5000;
    Random random;
    thrust::host_vector<int> keys(n), values(n);
    std::vector<std::pair<int, int>> wanted(n);
    for (int i = 0; i < n; ++i) {
        keys[i] = random.next() % 700;
        values[i] = i;
        wanted[i] = {keys[i], i};
    }
    thrust::device_vector<int> k = keys, v = values, sums(n);
    long long squares = thrust::transform_reduce(k.begin(), k.end(), Square(), 0ll, thrust::plus<long long>());
    thrust::exclusive_scan(k.begin(), k.end(), sums.begin());
    thrust::stable_sort_by_key(k.begin(), k.end(), v.begin());
    thrust::host_vector<int> got_k = k, got_v = v, got_sums = sums;
    size_t different = thrust::unique(k.begin(), k.end()) - k.begin();
    long long exact = 0;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        expect("scan", i, got_sums[i], sum);
        sum += keys[i];
        exact += Square()(keys[i]);
    }
    expect("squares", n, squares, exact);
    std::stable_sort(wanted.begin(), wanted.end(), [](auto &a, auto &b) { return a.first < b.first; });
    size_t count = 0;
    for (int i = 0; i < n; ++i) {
        expect("key", i, got_k[i], wanted[i].first);
        expect("value", i, got_v[i], wanted[i].second);
        count += i == 0 || wanted[i].first != wanted[i - 1].first;
    }
    expect("different", 0, different, count);
    return verdict();
}
