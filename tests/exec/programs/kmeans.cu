// k-means: centres in constant memory, copied there from the device each round; sums by atomics in
// shared memory, then in global memory.
#include "program.h"

constexpr int kClusters = 5, kDims = 3;
__constant__ float centres[kClusters * kDims];

__global__ void assign(const float *points, int n, int *cluster, float *sums, int *counts) {
    __shared__ float local[kClusters * kDims];
    __shared__ int local_counts[kClusters];
    for (int i = threadIdx.x; i < kClusters * kDims; i += blockDim.x) local[i] = 0;
    if (threadIdx.x < kClusters) local_counts[threadIdx.x] = 0;
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n) {
        int best = 0;
        float least = 1e30f;
        for (int c = 0; c < kClusters; ++c) {
            float far = 0;
            for (int d = 0; d < kDims; ++d) {
                float apart = points[d * n + p] - centres[c * kDims + d];
                far += apart * apart;
            }
            if (far < least) {
                least = far;
                best = c;
            }
        }
        cluster[p] = best;
        atomicAdd(&local_counts[best], 1);
        for (int d = 0; d < kDims; ++d) atomicAdd(&local[best * kDims + d], points[d * n + p]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kClusters * kDims; i += blockDim.x) atomicAdd(&sums[i], local[i]);
    if (threadIdx.x < kClusters) atomicAdd(&counts[threadIdx.x], local_counts[threadIdx.x]);
}

__global__ void move(float *sums, const int *counts) {
    int i = threadIdx.x;
    sums[i] /= counts[i / kDims] > 0 ? counts[i / kDims] : 1;
}

int main() {
    const int n = 6000;
    Random random;
    std::vector<float> points(kDims * n), start(kClusters * kDims);
    for (int p = 0; p < n; ++p)
        for (int d = 0; d < kDims; ++d)
            points[d * n + p] = 10.0f * ((p % kClusters * (d + 2)) % 7) + random.uniform();
    for (int c = 0; c < kClusters; ++c)
        for (int d = 0; d < kDims; ++d) start[c * kDims + d] = points[d * n + c];
    CHECK(cudaMemcpyToSymbol(centres, start.data(), start.size() * 4));
    Device<float> d_points(points), sums(kClusters * kDims);
    Device<int> cluster(n), counts(kClusters);
    for (int round = 0; round < 4; ++round) {
        CHECK(cudaMemsetAsync(sums, 0, kClusters * kDims * 4));
        CHECK(cudaMemsetAsync(counts, 0, kClusters * 4));
        assign<<<(n + 191) / 192, 192>>>(d_points, n, cluster, sums, counts);
        move<<<1, kClusters * kDims>>>(sums, counts);
        CHECK(cudaMemcpyToSymbolAsync(centres, sums, kClusters * kDims * 4, 0, cudaMemcpyDeviceToDevice));
    }
    std::vector<int> got = cluster.host();
    for (int p = 0; p < n; ++p) expect("cluster", p, got[p], p % kClusters);
    std::vector<float> found(kClusters * kDims);
    CHECK(cudaMemcpyFromSymbol(found.data(), centres, found.size() * 4));
    for (int c = 0; c < kClusters; ++c)
        for (int d = 0; d < kDims; ++d) {
            double sum = 0;
            for (int p = c; p < n; p += kClusters) sum += points[d * n + p];
            expect("centre", c, found[c * kDims + d], sum / (n / kClusters), 1e-4);
        }
    return verdict();
}
