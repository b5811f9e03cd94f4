// The part of cooperative groups that the samples use, for clang; see cuda_runtime.h beside it.
//
// The grid's barrier works on the workspace that a cooperative launch passes in two environment
// registers, as that of NVIDIA's header does: a counter of arrivals, whose top bit changes each
// time that all blocks have come.

#pragma once

#include "cuda_runtime.h"

#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))

namespace cooperative_groups {

struct grid_group {
    __device__ void sync() const {
        constexpr unsigned TURN = 0x80000000u;
        unsigned low, high;
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        unsigned *arrived =
            reinterpret_cast<unsigned *>(static_cast<unsigned long long>(high) << 32 | low) + 1;
        __barrier_sync(0);
        if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
            unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
            bool first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
            __threadfence();
            unsigned before = atomicAdd(arrived, first ? TURN - (blocks - 1) : 1);
            while (((before ^ *static_cast<volatile unsigned *>(arrived)) & TURN) == 0)
                ;
            __threadfence();
        }
        __barrier_sync(0);
    }
};

struct cluster_group {
    __device__ void sync() const {
        __nvvm_barrier_cluster_arrive();
        __nvvm_barrier_cluster_wait();
    }
    __device__ unsigned block_rank() const { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
    template <typename T> __device__ T *map_shared_rank(T *pointer, int block) const {
        return static_cast<T *>(__nvvm_mapa(pointer, block));
    }
};

inline __device__ grid_group this_grid() { return {}; }
inline __device__ cluster_group this_cluster() { return {}; }

} // namespace cooperative_groups
