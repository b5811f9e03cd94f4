// Life on a torus: two generations captured into a graph and launched many times; a count of the
// living by ballots into managed memory.
#include "program.h"

__managed__ unsigned alive;

__global__ void generation(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int around = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k)
        if (k != 4) around += in[(y + k / 3 - 1 + h) % h * w + (x + k % 3 - 1 + w) % w];
    out[y * w + x] = around == 3 || (around == 2 && in[y * w + x]);
}
__global__ void census(const unsigned char *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned living = __ballot_sync(~0u, i < n && in[i]);
    if (threadIdx.x % 32 == 0 && living) atomicAdd(&alive, __popc(living));
}

int main() {
    const int w = 61, h = 50, n = w * h, rounds = 12;
    Random random;
    std::vector<unsigned char> cells(n), next(n);
    for (auto &cell : cells) cell = random.next() % 3 == 0;
    Device<unsigned char> a(cells), b(n);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
    generation<<<grid, block, 0, stream>>>(a, b, w, h);
    generation<<<grid, block, 0, stream>>>(b, a, w, h);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    alive = 0;
    for (int i = 0; i < rounds; ++i) CHECK(cudaGraphLaunch(exec, stream));
    census<<<(n + 127) / 128, 128, 0, stream>>>(a, n);
    CHECK(cudaStreamSynchronize(stream));
    unsigned wanted = 0;
    for (int i = 0; i < 2 * rounds; ++i) {
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                int around = 0;
                for (int k = 0; k < 9; ++k)
                    if (k != 4) around += cells[(y + k / 3 - 1 + h) % h * w + (x + k % 3 - 1 + w) % w];
                next[y * w + x] = around == 3 || (around == 2 && cells[y * w + x]);
            }
        cells.swap(next);
    }
    for (auto cell : cells) wanted += cell;
    std::vector<unsigned char> got = a.host();
    for (int i = 0; i < n; ++i) expect("cell", i, got[i], cells[i]);
    expect("alive", 0, alive, wanted);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    return verdict();
}
