// Memory: allocations of all kinds are the process's own memory; what is kept of each is its kind.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "cudart.h"

namespace gpucc_cudart {

namespace {

constexpr size_t kAlign = 512;  // of a cudaMalloc, as on GPUs
constexpr size_t kPitch = 512;

struct Memory {
    std::mutex mutex;
    std::map<char *, Allocation> by_begin;
    size_t used = 0;
};

Memory &memory() {
    static auto *only = new Memory;  // never destroyed: streams may free memory when the process ends
    return *only;
}

size_t total_bytes() {
    static const size_t total = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) *
                                static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return total;
}

void add(char *begin, size_t bytes, Kind kind, unsigned flags, bool registered) {
    Memory &m = memory();
    const std::lock_guard<std::mutex> lock(m.mutex);
    m.by_begin[begin] = {begin, bytes, kind, flags, registered};
    if (kind == Kind::device || kind == Kind::managed) m.used += bytes;
}

cudaError_t allocate(void **made, size_t bytes, Kind kind, unsigned flags = 0) {
    if (made == nullptr) return cudaErrorInvalidValue;
    *made = nullptr;
    if (bytes == 0) return kind == Kind::managed ? cudaErrorInvalidValue : cudaSuccess;
    {
        const std::lock_guard<std::mutex> lock(memory().mutex);
        if (bytes > total_bytes() || memory().used > total_bytes() - bytes)
            return cudaErrorMemoryAllocation;
    }
    const size_t rounded = (bytes + kAlign - 1) / kAlign * kAlign;
    void *begin = aligned_alloc(kAlign, rounded);
    if (begin == nullptr) return cudaErrorMemoryAllocation;
    add(static_cast<char *>(begin), bytes, kind, flags, false);
    *made = begin;
    return cudaSuccess;
}

// Takes an allocation out of the table; false if none begins there that `fits`.
template <typename Fits>
bool take(void *begin, Fits fits) {
    Memory &m = memory();
    const std::lock_guard<std::mutex> lock(m.mutex);
    const auto found = m.by_begin.find(static_cast<char *>(begin));
    if (found == m.by_begin.end() || !fits(found->second)) return false;
    const Allocation &gone = found->second;
    if (gone.kind == Kind::device || gone.kind == Kind::managed) m.used -= gone.bytes;
    m.by_begin.erase(found);
    return true;
}

bool is_device(const Allocation &a) {
    return !a.registered && (a.kind == Kind::device || a.kind == Kind::managed);
}

}  // namespace

void add_variable(void *address, size_t bytes) {
    add(static_cast<char *>(address), bytes, Kind::variable, 0, true);
}

void add_managed(void *address, size_t bytes) {
    const std::lock_guard<std::mutex> lock(memory().mutex);
    memory().by_begin[static_cast<char *>(address)] = {static_cast<char *>(address), bytes,
                                                       Kind::managed, 1, true};
}

Allocation allocation_of(const void *address) {
    Memory &m = memory();
    const std::lock_guard<std::mutex> lock(m.mutex);
    auto *place = static_cast<char *>(const_cast<void *>(address));
    auto after = m.by_begin.upper_bound(place);
    if (after == m.by_begin.begin()) return {};
    const Allocation &found = (--after)->second;
    return place < found.begin + found.bytes ? found : Allocation{};
}

}  // namespace gpucc_cudart

using namespace gpucc_cudart;

// --- device and managed memory --------------------------------------------------------------------

GPUCC_API cudaError_t cudaMalloc(void **made, size_t bytes) {
    GPUCC_BEGIN;
    return note(allocate(made, bytes, Kind::device));
}

GPUCC_API cudaError_t cudaMallocManaged(void **made, size_t bytes, unsigned flags) {
    GPUCC_BEGIN;
    if (flags != 1 && flags != 2) return note(cudaErrorInvalidValue);
    return note(allocate(made, bytes, Kind::managed, flags));
}

GPUCC_API cudaError_t cudaMallocPitch(void **made, size_t *pitch, size_t width, size_t height) {
    GPUCC_BEGIN;
    if (pitch == nullptr) return note(cudaErrorInvalidValue);
    *pitch = (width + kPitch - 1) / kPitch * kPitch;
    return note(allocate(made, *pitch * height, Kind::device));
}

GPUCC_API cudaError_t cudaMalloc3D(cudaPitchedPtr *made, cudaExtent extent) {
    GPUCC_BEGIN;
    if (made == nullptr) return note(cudaErrorInvalidValue);
    made->pitch = (extent.width + kPitch - 1) / kPitch * kPitch;
    made->xsize = extent.width;
    made->ysize = extent.height;
    return note(allocate(&made->ptr, made->pitch * extent.height * extent.depth, Kind::device));
}

// Waits for the device first, as NVIDIA's does.
GPUCC_API cudaError_t cudaFree(void *begin) {
    GPUCC_BEGIN;
    if (begin == nullptr) return cudaSuccess;
    if (allocation_of(begin).begin != begin) return note(cudaErrorInvalidValue);
    wait_for_all();
    if (!take(begin, is_device)) return note(cudaErrorInvalidValue);
    free(begin);
    return note(finish_wait());
}

GPUCC_API cudaError_t cudaMemGetInfo(size_t *unused, size_t *total) {
    GPUCC_BEGIN;
    if (unused == nullptr || total == nullptr) return note(cudaErrorInvalidValue);
    const std::lock_guard<std::mutex> lock(memory().mutex);
    *total = total_bytes();
    *unused = total_bytes() - memory().used;
    return cudaSuccess;
}

// --- host memory ----------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaHostAlloc(void **made, size_t bytes, unsigned flags) {
    GPUCC_BEGIN;
    if (flags > 7) return note(cudaErrorInvalidValue);
    return note(allocate(made, bytes, Kind::host, flags));
}
GPUCC_API cudaError_t cudaMallocHost(void **made, size_t bytes) {
    return cudaHostAlloc(made, bytes, 0);
}

GPUCC_API cudaError_t cudaFreeHost(void *begin) {
    GPUCC_BEGIN;
    if (begin == nullptr) return cudaSuccess;
    const Allocation found = allocation_of(begin);
    if (found.begin != begin || found.kind != Kind::host || found.registered)
        return note(cudaErrorInvalidValue);
    wait_for_all();
    take(begin, [](const Allocation &) { return true; });
    free(begin);
    return note(finish_wait());
}

GPUCC_API cudaError_t cudaHostRegister(void *begin, size_t bytes, unsigned flags) {
    GPUCC_BEGIN;
    if (begin == nullptr || bytes == 0 || flags > 15) return note(cudaErrorInvalidValue);
    if (allocation_of(begin).bytes != 0) return note(cudaErrorHostMemoryAlreadyRegistered);
    add(static_cast<char *>(begin), bytes, Kind::host, flags, true);
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaHostUnregister(void *begin) {
    GPUCC_BEGIN;
    const auto fits = [](const Allocation &a) { return a.kind == Kind::host && a.registered; };
    return note(take(begin, fits) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

GPUCC_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    GPUCC_BEGIN;
    if (device == nullptr || flags != 0 || allocation_of(host).bytes == 0)
        return note(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
    GPUCC_BEGIN;
    const Allocation found = allocation_of(host);
    if (flags == nullptr || found.bytes == 0 || found.kind != Kind::host)
        return note(cudaErrorInvalidValue);
    *flags = found.flags;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                               const void *pointer) {
    GPUCC_BEGIN;
    if (attributes == nullptr) return note(cudaErrorInvalidValue);
    const Allocation found = allocation_of(pointer);
    auto *place = const_cast<void *>(pointer);
    if (found.bytes == 0) {
        attributes->type = 0;
        attributes->device = -2;  // cudaInvalidDeviceId
        attributes->devicePointer = nullptr;
        attributes->hostPointer = place;
        return cudaSuccess;
    }
    attributes->type = found.kind == Kind::host ? 1 : found.kind == Kind::managed ? 3 : 2;
    attributes->device = 0;
    attributes->devicePointer = place;
    attributes->hostPointer = attributes->type == 2 ? nullptr : place;
    return cudaSuccess;
}

// --- hints: managed memory is where it is ---------------------------------------------------------

// CUDA 13: (pointer, bytes, advice, location); CUDA 12: the location is the number of a device.
GPUCC_API cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int, cudaMemLocation) {
    GPUCC_BEGIN;
    const Allocation found = allocation_of(pointer);
    const bool fits = found.kind == Kind::managed &&
                      bytes <= static_cast<size_t>(found.begin + found.bytes -
                                                   static_cast<const char *>(pointer));
    return note(found.bytes != 0 && fits ? cudaSuccess : cudaErrorInvalidValue);
}
GPUCC_API cudaError_t cudaMemAdvise_v2(const void *pointer, size_t bytes, int advice,
                                       cudaMemLocation location) {
    return cudaMemAdvise(pointer, bytes, advice, location);
}

namespace {

cudaError_t prefetch(const void *pointer, size_t bytes, cudaStream_t handle) {
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    const cudaError_t error = cudaMemAdvise(pointer, bytes, 1, {});
    return error != cudaSuccess ? error : note(submit(stream, {}));
}

}  // namespace

GPUCC_API cudaError_t cudaMemPrefetchAsync_v2(const void *pointer, size_t bytes, cudaMemLocation,
                                              unsigned, cudaStream_t stream) {
    GPUCC_BEGIN;
    return prefetch(pointer, bytes, stream);
}
// CUDA 12 has (pointer, bytes, device, stream) under the name of CUDA 13's
// (pointer, bytes, location, flags, stream); the first three come in the same registers.
GPUCC_API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                           cudaMemLocation location, uintptr_t fourth,
                                           cudaStream_t fifth) {
    GPUCC_BEGIN;
    (void)location;
    const bool newer = headers_version() >= 13000;
    return prefetch(pointer, bytes, newer ? fifth : reinterpret_cast<cudaStream_t>(fourth));
}

// --- allocation in the order of a stream ----------------------------------------------------------

namespace {

struct Pool {
    uint64_t attributes[16] = {};
};
Pool *default_pool() {
    static auto *only = new Pool;
    return only;
}
Pool *current_pool = nullptr;
cudaMemPool_t handle_of(Pool *pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

}  // namespace

// The memory is there at once; only its end waits for the stream.
GPUCC_API cudaError_t cudaMallocAsync(void **made, size_t bytes, cudaStream_t handle) {
    GPUCC_BEGIN;
    const Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (stream->capture != nullptr) return note(cudaErrorNotSupported);
    return note(allocate(made, bytes, Kind::device));
}
GPUCC_API cudaError_t cudaMallocFromPoolAsync(void **made, size_t bytes, cudaMemPool_t pool,
                                              cudaStream_t stream) {
    if (pool == nullptr) return note(cudaErrorInvalidValue);
    return cudaMallocAsync(made, bytes, stream);
}

GPUCC_API cudaError_t cudaFreeAsync(void *begin, cudaStream_t handle) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (stream->capture != nullptr) return note(cudaErrorNotSupported);
    if (begin == nullptr) return cudaSuccess;
    const Allocation found = allocation_of(begin);
    if (found.begin != begin || !is_device(found)) return note(cudaErrorInvalidValue);
    return note(submit(stream, {NodeType::empty,
                                [begin] {
                                    if (take(begin, is_device)) free(begin);
                                },
                                true}));
}

GPUCC_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    GPUCC_BEGIN;
    if (pool == nullptr) return note(cudaErrorInvalidValue);
    if (device != 0) return note(cudaErrorInvalidDevice);
    *pool = handle_of(default_pool());
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    const cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);
    if (error == cudaSuccess && current_pool != nullptr) *pool = handle_of(current_pool);
    return error;
}
GPUCC_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    GPUCC_BEGIN;
    if (device != 0) return note(cudaErrorInvalidDevice);
    if (pool == nullptr) return note(cudaErrorInvalidValue);
    current_pool = reinterpret_cast<Pool *>(pool);
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const void *properties) {
    GPUCC_BEGIN;
    if (pool == nullptr || properties == nullptr) return note(cudaErrorInvalidValue);
    *pool = handle_of(new Pool);
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
    GPUCC_BEGIN;
    auto *pool = reinterpret_cast<Pool *>(handle);
    if (pool == nullptr || pool == default_pool()) return note(cudaErrorInvalidValue);
    if (current_pool == pool) current_pool = nullptr;
    delete pool;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    GPUCC_BEGIN;
    return note(pool != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

namespace {

constexpr int kReleaseThreshold = 4;  // cudaMemPoolAttrReleaseThreshold; 64 bits from there on

}  // namespace

GPUCC_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, int attribute, void *value) {
    GPUCC_BEGIN;
    auto *pool = reinterpret_cast<Pool *>(handle);
    if (pool == nullptr || value == nullptr || attribute < 1 || attribute > 8)
        return note(cudaErrorInvalidValue);
    memcpy(&pool->attributes[attribute], value, attribute >= kReleaseThreshold ? 8 : 4);
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, int attribute, void *value) {
    GPUCC_BEGIN;
    auto *pool = reinterpret_cast<Pool *>(handle);
    if (pool == nullptr || value == nullptr || attribute < 1 || attribute > 8)
        return note(cudaErrorInvalidValue);
    memcpy(value, &pool->attributes[attribute], attribute >= kReleaseThreshold ? 8 : 4);
    return cudaSuccess;
}
