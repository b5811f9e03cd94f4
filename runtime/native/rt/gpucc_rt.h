// What the compiler and libgpucc_rt agree on: the schedule of one translation unit as a table.
//
// The host pass `kesco` renames calls to the functions below, and hands each the address of its own
// entry; gpucc/host/module.py writes the entries. All functions keep the error codes of the CUDA
// calls that they stand for.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

enum gpucc_site_flags : std::uint32_t {
    GPUCC_BEGINS = 1,     // first of its region: queues must wait for what the null stream has so far
    GPUCC_RECORD = 2,     // another entry waits for this one
    GPUCC_JOIN = 4,       // the null stream waits for this one, so whatever comes later is in order
    GPUCC_SYNC = 8,       // the host waits for this one, as the call it stands for does
    GPUCC_SYNC_ALL = 16,  // and for all before it, so that the program sees what went wrong in any
};

struct gpucc_site {
    const char *name;           // kernel or call, for the trace
    const std::int32_t *waits;  // entries (indices into the same table) on other queues
    std::int32_t index;         // of this entry in its table
    std::int32_t queue;
    std::int32_t wait_count;
    std::uint32_t flags;
};

// For __cudaPushCallConfiguration: the launch that follows goes to the entry's queue.
unsigned gpucc_rt_push(const gpucc_site *site, std::uint64_t grid_xy, std::uint32_t grid_z,
                       std::uint64_t block_xy, std::uint32_t block_z, std::size_t shared,
                       void *stream);

// For __cudaLaunchKernel (CUDA 13) and cudaLaunchKernel (CUDA 12) in the launch stubs; `launch` is the
// one that stood there. Handed over, because a reference from here would not make the linker take
// it out of a static cudart.
typedef int (*gpucc_launch)(const void *kernel, std::uint64_t grid_xy, std::uint32_t grid_z,
                            std::uint64_t block_xy, std::uint32_t block_z, void **args,
                            std::size_t shared, void *stream);
int gpucc_rt_launch(gpucc_launch launch, const void *kernel, std::uint64_t grid_xy,
                    std::uint32_t grid_z, std::uint64_t block_xy, std::uint32_t block_z,
                    void **args, std::size_t shared, void *stream);

// For cudaMemcpy and cudaMemset.
int gpucc_rt_memcpy(const gpucc_site *site, void *to, const void *from, std::size_t bytes, int kind);
int gpucc_rt_memset(const gpucc_site *site, void *to, int value, std::size_t bytes);
}
