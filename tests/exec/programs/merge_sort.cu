// A merge sort by merge paths: each thread finds by bisection where its part of two runs begins.
#include "program.h"

#include <algorithm>

template <typename T, typename Less>
__global__ void merge(const T *in, T *out, int n, int run, Less less) {
    const int per = 8;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * per;
    if (first >= n) return;
    int pair = first / (2 * run) * 2 * run;
    const T *a = in + pair, *b = in + min(pair + run, n);
    int na = min(run, n - pair), nb = max(0, min(run, n - pair - run)), diagonal = first - pair;
    int low = max(0, diagonal - nb), high = min(diagonal, na);
    while (low < high) {
        int middle = (low + high) / 2;
        if (less(b[diagonal - middle - 1], a[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < per && i + j < na + nb; ++k) {
        bool from_b = i >= na || (j < nb && less(b[j], a[i]));
        out[first + k] = from_b ? b[j++] : a[i++];
    }
}

struct ByLast {
    __host__ __device__ bool operator()(short2 x, short2 y) const { return x.x < y.x; }
};

int main() {
    const int n = 10007;
    Random random;
    std::vector<short2> values(n);
    for (int i = 0; i < n; ++i) values[i] = make_short2(random.next() % 100 - 50, i);
    // Runs of 8 are sorted on the host; the kernel's parts are as long.
    for (int i = 0; i < n; i += 8)
        std::stable_sort(values.begin() + i, values.begin() + std::min(i + 8, n), ByLast());
    Device<short2> a(values), b(n);
    short2 *from = a, *to = b;
    for (int run = 8; run < n; run *= 2) {
        merge<<<(n + 1023) / 1024, 128>>>(from, to, n, run, ByLast());
        std::swap(from, to);
    }
    std::vector<short2> got(n);
    CHECK(cudaMemcpy(got.data(), from, n * sizeof(short2), cudaMemcpyDefault));
    std::stable_sort(values.begin(), values.end(), ByLast());
    for (int i = 0; i < n; ++i) {
        expect("key", i, got[i].x, values[i].x);
        expect("stable", i, got[i].y, values[i].y);
    }
    return verdict();
}
