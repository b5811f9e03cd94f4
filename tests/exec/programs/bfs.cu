// Breadth-first search, level by level: queues filled with atomics, one append for each warp, until
// the host reads back an empty one.
#include "program.h"

#include <queue>

__global__ void expand(const int *begin, const int *edges, int *distance, const int *queue,
                       int length, int *next, int *next_length, int level) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length) return;
    int node = queue[i];
    for (int e = begin[node]; e < begin[node + 1]; ++e) {
        int other = edges[e];
        if (atomicCAS(&distance[other], -1, level) != -1) continue;
        unsigned active = __activemask();
        int leader = __ffs(active) - 1, lane = threadIdx.x % 32, place = 0;
        if (lane == leader) place = atomicAdd(next_length, __popc(active));
        place = __shfl_sync(active, place, leader);
        next[place + __popc(active & ((1u << lane) - 1))] = other;
    }
}

int main() {
    const int n = 5000;
    Random random;
    std::vector<std::vector<int>> graph(n);
    for (int i = 1; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            int j = k ? random.next() % n : random.next() % i;
            graph[i].push_back(j);
            graph[j].push_back(i);
        }
    std::vector<int> begin(n + 1), edges;
    for (int i = 0; i < n; ++i) {
        begin[i] = edges.size();
        edges.insert(edges.end(), graph[i].begin(), graph[i].end());
    }
    begin[n] = edges.size();
    std::vector<int> wanted(n, -1);
    std::queue<int> open({0});
    wanted[0] = 0;
    for (; !open.empty(); open.pop())
        for (int other : graph[open.front()])
            if (wanted[other] < 0) {
                wanted[other] = wanted[open.front()] + 1;
                open.push(other);
            }
    std::vector<int> distance(n, -1), first(n);
    distance[0] = 0;
    Device<int> d_begin(begin), d_edges(edges), d_distance(distance), a(first), b(n), count(1);
    int length = 1;
    int *queue = a, *next = b;
    for (int level = 1; length > 0; ++level) {
        CHECK(cudaMemset(count, 0, sizeof(int)));
        expand<<<(length + 63) / 64, 64>>>(d_begin, d_edges, d_distance, queue, length, next, count, level);
        CHECK(cudaMemcpy(&length, count, sizeof(int), cudaMemcpyDeviceToHost));
        std::swap(queue, next);
    }
    std::vector<int> got = d_distance.host();
    for (int i = 0; i < n; ++i) expect("distance", i, got[i], wanted[i]);
    return verdict();
}
