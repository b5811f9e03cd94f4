// The few functions of the CUDA runtime that libgpucc_rt calls.
//
// Declared here, so that building needs no CUDA toolkit, and resolved when the program is linked:
// whatever cudart the program has (static or shared) is the one whose streams and events we make.
// Names and types as in cuda_runtime_api.h; opaque handles are void pointers.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
unsigned __cudaPushCallConfiguration(std::uint64_t grid_xy, std::uint32_t grid_z,
                                     std::uint64_t block_xy, std::uint32_t block_z,
                                     std::size_t shared, void *stream);
int cudaGetDevice(int *device);
int cudaSetDevice(int device);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaGetLastError();
int cudaPeekAtLastError();
int cudaStreamCreateWithFlags(void **stream, unsigned flags);
int cudaStreamSynchronize(void *stream);
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags);
int cudaEventCreateWithFlags(void **event, unsigned flags);
int cudaEventRecord(void *event, void *stream);
int cudaMemcpy(void *to, const void *from, std::size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, int kind, void *stream);
int cudaMemset(void *to, int value, std::size_t bytes);
int cudaMemsetAsync(void *to, int value, std::size_t bytes, void *stream);
}

constexpr int cuda_success = 0;
constexpr unsigned stream_non_blocking = 1;   // cudaStreamNonBlocking
constexpr unsigned event_disable_timing = 2;  // cudaEventDisableTiming
constexpr int concurrent_managed_access = 89;  // cudaDevAttrConcurrentManagedAccess
constexpr void *null_stream = nullptr;
