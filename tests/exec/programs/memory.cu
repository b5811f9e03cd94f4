// Memory of all kinds: attributes of pointers, managed and pinned memory, pools, 2D and 3D copies,
// symbols, offsets, fills.
#include "program.h"

__device__ int table[8] = {1, 2, 3, 4};
__constant__ double factor = 2.5;
__managed__ int shared_counter = 5;
__device__ int *target;

__global__ void use(double *out) {
    int i = threadIdx.x;
    out[i] = table[i] * factor;
    if (target) target[i] = table[i];
    atomicAdd(&shared_counter, 1);
}

int type_of(const void *pointer) {
    cudaPointerAttributes about;
    CHECK(cudaPointerGetAttributes(&about, pointer));
    return about.type;
}

int main() {
    Device<double> out(8);
    int on_stack, *managed, *pinned, *mapped;
    CHECK(cudaMallocManaged(&managed, 64));
    CHECK(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped));
    EXPECT(type_of(out + 3) == cudaMemoryTypeDevice);
    EXPECT(type_of(managed + 15) == cudaMemoryTypeManaged);
    EXPECT(type_of(managed + 16) == cudaMemoryTypeUnregistered);
    EXPECT(type_of(pinned) == cudaMemoryTypeHost);
    EXPECT(type_of(&on_stack) == cudaMemoryTypeUnregistered);
    CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0));

    // Symbols: their address, size, parts of them.
    void *address;
    size_t bytes;
    CHECK(cudaGetSymbolAddress(&address, table));
    CHECK(cudaGetSymbolSize(&bytes, table));
    EXPECT(bytes == 32 && type_of(address) == cudaMemoryTypeDevice);
    int more[2] = {50, 60}, back[8];
    CHECK(cudaMemcpyToSymbol(table, more, sizeof more, 16));
    CHECK(cudaMemcpyToSymbol(target, &mapped, sizeof mapped));
    CHECK(cudaMemcpyFromSymbol(back, table, sizeof back));
    EXPECT(back[1] == 2 && back[4] == 50 && back[5] == 60 && back[6] == 0);
    double three = 3;
    use<<<1, 8>>>(out);
    CHECK(cudaMemcpyToSymbol(factor, &three, sizeof three));
    CHECK(cudaDeviceSynchronize());
    EXPECT(shared_counter == 13 && pinned[4] == 50);
    EXPECT(out.host()[5] == 150);
    shared_counter = 0;
    use<<<1, 8>>>(out);
    CHECK(cudaDeviceSynchronize());
    EXPECT(shared_counter == 8);
    EXPECT(out.host()[5] == 180);

    // 2D and 3D: only what is inside changes.
    std::vector<int> plane(12 * 6, -1), cube(4 * 3 * 2);
    for (size_t i = 0; i < cube.size(); ++i) cube[i] = i;
    Device<int> d(cube.size());
    CHECK(cudaMemcpy(d, cube.data(), cube.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy2D(&plane[13], 48, d, 16, 12, 4, cudaMemcpyDeviceToHost));
    EXPECT(plane[13] == 0 && plane[15] == 2 && plane[16] == -1 && plane[25] == 4 && plane[51] == 14);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, make_cudaExtent(16, 3, 2)));
    CHECK(cudaMemset3D(box, 0, make_cudaExtent(16, 3, 2)));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(cube.data(), 16, 4, 3);
    copy.dstPtr = box;
    copy.dstPos = make_cudaPos(4, 1, 0);
    copy.extent = make_cudaExtent(8, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    std::vector<int> got(24);
    CHECK(cudaMemcpy2D(got.data(), 16, box.ptr, box.pitch, 16, 6, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 0 && got[5] == 0 && got[6] == 1 && got[9] == 4 && got[17] == 12 && got[22] == 17);
    CHECK(cudaFree(box.ptr));

    // Memory in the order of a stream.
    cudaStream_t stream;
    cudaMemPool_t pool;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long keep = ~0ull, kept = 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
    EXPECT(kept == keep);
    unsigned char *ordered, bytes_back[4];
    CHECK(cudaMallocAsync(&ordered, 1000, stream));
    CHECK(cudaMemsetAsync(ordered, 0xab, 1000, stream));
    CHECK(cudaMemcpyAsync(bytes_back, ordered + 996, 4, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(ordered, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(bytes_back[3] == 0xab);
    EXPECT(type_of(ordered) == cudaMemoryTypeUnregistered);
    CHECK(cudaMemPrefetchAsync(managed, 64, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, stream));
    CHECK(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, 0}));
    size_t unused, total;
    CHECK(cudaMemGetInfo(&unused, &total));
    EXPECT(unused < total);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    return verdict();
}
