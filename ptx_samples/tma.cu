// tma: Hopper's copy engine brings a tile into shared memory and takes the result back.
//
// Shows: cp.async.bulk.tensor in both directions, a barrier in memory that counts bytes, a tensor
// map as a parameter (.param of 128 bytes); the edges need no test, the copy engine cuts them off.
//
// RUN: gpucc compile %s --arch=sm_90 -o %t.ptx && filecheck %s --input-file=%t.ptx
// CHECK-LABEL: .entry {{.*}}brighten
// CHECK: .param .align {{64|128}} .b8 {{.*}}_param_0[128]
// CHECK: mbarrier.init.shared.b64
// CHECK: mbarrier.arrive.expect_tx.shared
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// CHECK: mbarrier.try_wait.parity.shared
// CHECK: cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
// CHECK: cp.async.bulk.wait_group.read 0;

#include "sample.h"

#include <cuda.h>

constexpr int WIDTH = 64;
constexpr int HEIGHT = 16;

__device__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ void wait_for(unsigned barrier, unsigned phase) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(barrier),
                 "r"(phase)
                 : "memory");
}

__global__ void brighten(const __grid_constant__ CUtensorMap in,
                         const __grid_constant__ CUtensorMap out, float by) {
    __shared__ __align__(128) float tile[HEIGHT][WIDTH];
    __shared__ __align__(8) unsigned long long arrived;
    unsigned barrier = shared_address(&arrived);
    int x = blockIdx.x * WIDTH, y = blockIdx.y * HEIGHT;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier),
                     "r"(static_cast<unsigned>(sizeof tile))
                     : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                         shared_address(tile)),
                     "l"(&in), "r"(x), "r"(y), "r"(barrier)
                     : "memory");
    }
    __syncthreads();
    wait_for(barrier, 0);
    for (int i = threadIdx.x; i < HEIGHT * WIDTH; i += blockDim.x)
        tile[i / WIDTH][i % WIDTH] += by;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
                     " [%0, {%1, %2}], [%3];" ::"l"(&out),
                     "r"(x), "r"(y), "r"(shared_address(tile))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

// Describe `height` rows of `width` floats, of which tiles are copied.
CUtensorMap tensor_map(float *data, cuuint64_t width, cuuint64_t height) {
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                           cudaEnableDefault, &found),
          "cuTensorMapEncodeTiled");
    const cuuint64_t sizes[] = {width, height}, pitches[] = {width * sizeof(float)};
    const cuuint32_t box[] = {WIDTH, HEIGHT}, steps[] = {1, 1};
    CUtensorMap map;
    auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
    if (encode == nullptr ||
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, sizes, pitches, box, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        check(cudaErrorNotSupported, "a tensor map");
    return map;
}

int main() {
    const int width = 300, height = 130;
    Array<float> in(width * height), out(width * height);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<float>(i);
    dim3 grid((width + WIDTH - 1) / WIDTH, (height + HEIGHT - 1) / HEIGHT);
    brighten<<<grid, 128>>>(tensor_map(in, width, height), tensor_map(out, width, height), 0.5f);
    finish("brighten");
    Checker checker;
    for (std::size_t i = 0; i < in.size(); ++i)
        checker.equal("out", i, out[i], in[i] + 0.5);
    return checker.verdict();
}
