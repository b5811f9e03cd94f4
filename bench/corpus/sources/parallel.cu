// Warp operations, atomics with scopes, cooperative groups, asynchronous copies, WMMA, textures.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <mma.h>
namespace cg = cooperative_groups;
__global__ void warps(unsigned *x) {
    unsigned v = x[threadIdx.x], mask = __activemask();
    v += __shfl_xor_sync(~0u, v, 16) + __shfl_up_sync(~0u, v, 1) + __ballot_sync(mask, v & 1) + __any_sync(mask, v);
#if __CUDA_ARCH__ >= 800
    v += __reduce_add_sync(~0u, v) + __match_any_sync(~0u, v);
#endif
    x[threadIdx.x] = v;
}
__global__ void atomics(int *x, double *d, unsigned long long *u, float2 *f) {
    atomicAdd(x, 1); atomicAdd(d, 1.0); atomicCAS(u, 1ull, 2ull); atomicMax_system(x + 1, 5); atomicExch_block(x + 2, 6);
    cuda::atomic_ref<int, cuda::thread_scope_device> a(x[3]);
    a.fetch_add(2, cuda::memory_order_acq_rel); a.store(4, cuda::memory_order_release); x[4] = a.load(cuda::memory_order_acquire);
    __threadfence(); __threadfence_system(); __threadfence_block();
#if __CUDA_ARCH__ >= 900
    atomicAdd(f, make_float2(1, 2));
#endif
}
__global__ void groups(float *x) {
    auto block = cg::this_thread_block(); auto tile = cg::tiled_partition<16>(block);
    float v = cg::reduce(tile, x[block.thread_rank()], cg::plus<float>());
    cg::this_grid().sync();
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) x[0] = v;
}
__global__ void copies(const float *in, float *out) {
    __shared__ float stage[2][256];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block(); auto pipe = cuda::make_pipeline(block, &state);
    for (int i = 0; i < 8; ++i) {
        pipe.producer_acquire(); cuda::memcpy_async(block, stage[i & 1], in + i * 256, sizeof(float) * 256, pipe); pipe.producer_commit();
        pipe.consumer_wait(); out[i * 256 + threadIdx.x] = stage[i & 1][255 - threadIdx.x]; pipe.consumer_release();
    }
}
__global__ void matrices(const half *a, const half *b, float *c) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> fa; fragment<matrix_b, 16, 16, 16, half, col_major> fb; fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.0f);
    for (int k = 0; k < 4; ++k) { load_matrix_sync(fa, a + 16 * k, 64); load_matrix_sync(fb, b + 16 * k, 64); mma_sync(fc, fa, fb, fc); }
    store_matrix_sync(c, fc, 16, mem_row_major);
}
__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *out) {
    out[threadIdx.x] = tex2D<float4>(t, threadIdx.x + 0.5f, 0.5f); out[threadIdx.x].x += tex3D<float>(t, 1, 2, 3) + tex2DLod<float>(t, 1, 2, 3);
    int v; surf2Dread(&v, s, 4 * threadIdx.x, 0); surf2Dwrite(v + 1, s, 4 * threadIdx.x, 1);
}
