// A histogram of a text in managed memory: bins of each warp in dynamic shared memory, cooperative
// groups over tiles; a callback when it is done, and equalities checked on the host.
#include "program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <string>

namespace cg = cooperative_groups;

__global__ void count(const unsigned char *text, int n, unsigned *bins, unsigned *vowels) {
    extern __shared__ unsigned local[];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    unsigned *mine = local + 256 * (threadIdx.x / 32);
    for (int i = threadIdx.x; i < 256 * (blockDim.x / 32); i += blockDim.x) local[i] = 0;
    block.sync();
    unsigned here = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned char c = text[i];
        atomicAdd(&mine[c], 1u);
        here += c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
    }
    here = cg::reduce(tile, here, cg::plus<unsigned>());
    if (tile.thread_rank() == 0) atomicAdd(vowels, here);
    block.sync();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < blockDim.x / 32; ++w) sum += local[256 * w + i];
        if (sum) atomicAdd(&bins[i], sum);
    }
}

bool told = false;
void CUDART_CB tell(cudaStream_t, cudaError_t status, void *data) {
    told = status == cudaSuccess && *static_cast<int *>(data) == 7;
}

int main() {
    const int n = 50000;
    unsigned char *text;
    unsigned *bins;
    CHECK(cudaMallocManaged(&text, n));
    CHECK(cudaMallocManaged(&bins, 257 * sizeof(unsigned)));
    Random random;
    std::vector<unsigned> wanted(257);
    for (int i = 0; i < n; ++i) {
        text[i] = 'a' + random.next() % 26;
        ++wanted[text[i]];
        wanted[256] += std::string("aeiou").find(text[i]) != std::string::npos;
    }
    for (int i = 0; i < 257; ++i) bins[i] = 0;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int seven = 7;
    count<<<10, 128, 4 * 1024, stream>>>(text, n, bins, bins + 256);
    CHECK(cudaStreamAddCallback(stream, tell, &seven, 0));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(told);
    for (int i = 0; i < 257; ++i) expect("bin", i, bins[i], wanted[i]);
    CHECK(cudaFree(text));
    CHECK(cudaFree(bins));
    return verdict();
}
