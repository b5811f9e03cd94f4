// Copies and fills.
//
// Whether a call returns before its work is done is as the CUDA documentation has it ("API
// synchronization behavior"): copies between device memory do, those that touch pageable host memory
// do not, except that the source of an asynchronous copy to the device is read before it returns.
#include <cstring>
#include <string>
#include <vector>

#include "cudart.h"

using namespace gpucc_cudart;

namespace {

// A block of rows: `height` rows of `width` bytes, `depth` times.
struct Region {
    char *begin;
    size_t pitch;  // bytes from row to row
    size_t slice;  // bytes from one plane of rows to the next
};
struct Extent {
    size_t width, height, depth;
    bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

enum class Side { pageable, host, device, managed };

size_t reach(const Region &r, const Extent &e) {
    return (e.depth - 1) * r.slice + (e.height - 1) * r.pitch + e.width;
}

// What kind of memory a region lies in; false if it is not all there.
bool side_of(const Region &r, const Extent &e, Side *side) {
    const Allocation found = allocation_of(r.begin);
    *side = Side::pageable;
    if (found.bytes == 0) return r.begin != nullptr;
    if (found.kind == Kind::device || found.kind == Kind::variable) *side = Side::device;
    if (found.kind == Kind::managed) *side = Side::managed;
    if (found.kind == Kind::host) *side = Side::host;
    return reach(r, e) <= static_cast<size_t>(found.begin + found.bytes - r.begin);
}

void copy_rows(const Region &to, const Region &from, const Extent &e) {
    for (size_t z = 0; z < e.depth; ++z) {
        char *row_to = to.begin + z * to.slice;
        const char *row_from = from.begin + z * from.slice;
        if (to.pitch == e.width && from.pitch == e.width) {
            memmove(row_to, row_from, e.width * e.height);
            continue;
        }
        for (size_t y = 0; y < e.height; ++y)
            memmove(row_to + y * to.pitch, row_from + y * from.pitch, e.width);
    }
}

struct Sides {
    Side to, from;
};

// Checks a copy's direction and places.
cudaError_t check(const Region &to, const Region &from, const Extent &e, int kind, Sides *sides) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!side_of(to, e, &sides->to) || !side_of(from, e, &sides->from))
        return cudaErrorInvalidValue;
    if (kind == cudaMemcpyDefault) return cudaSuccess;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const Side wrong_to = to_device ? Side::pageable : Side::device;
    const Side wrong_from = from_device ? Side::pageable : Side::device;
    if (sides->to == wrong_to || sides->from == wrong_from) return cudaErrorInvalidValue;
    return cudaSuccess;
}

bool on_host(Side side) { return side == Side::pageable || side == Side::host; }

cudaError_t copy(const Region &to, const Region &from, const Extent &e, int kind,
                 cudaStream_t handle, bool asynchronous) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (e.empty()) return cudaSuccess;
    if (e.width > to.pitch || e.width > from.pitch) return note(cudaErrorInvalidPitchValue);
    Sides sides;
    if (const cudaError_t error = check(to, from, e, kind, &sides)) return note(error);
    const bool captured = stream->capture != nullptr;
    if (captured && !asynchronous) return note(refuse_in_capture(stream));

    const bool staged = asynchronous && !captured && sides.from == Side::pageable;
    Task task{NodeType::memcpy, {}};
    if (staged) {
        auto kept = std::make_shared<std::vector<char>>(e.width * e.height * e.depth);
        const Region copy_of{kept->data(), e.width, e.width * e.height};
        copy_rows(copy_of, from, e);
        task.work = [=] { copy_rows(to, {kept->data(), e.width, e.width * e.height}, e); };
    } else {
        task.work = [=] { copy_rows(to, from, e); };
    }
    OpRef op;
    if (const cudaError_t error = submit(stream, std::move(task), &op)) return note(error);
    if (captured) return cudaSuccess;
    const bool waits = asynchronous ? sides.to == Side::pageable
                                    : on_host(sides.to) || on_host(sides.from);
    if (!waits) return cudaSuccess;
    wait(op);
    return note(finish_wait());
}

cudaError_t copy(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream,
                 bool asynchronous) {
    const Region a{static_cast<char *>(to), bytes, bytes};
    const Region b{static_cast<char *>(const_cast<void *>(from)), bytes, bytes};
    return copy(a, b, {bytes, 1, 1}, kind, stream, asynchronous);
}

cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                    size_t height, int kind, cudaStream_t stream, bool asynchronous) {
    const Region a{static_cast<char *>(to), to_pitch, to_pitch * height};
    const Region b{static_cast<char *>(const_cast<void *>(from)), from_pitch, from_pitch * height};
    return copy(a, b, {width, height, 1}, kind, stream, asynchronous);
}

Region region_of(const cudaPitchedPtr &p, const cudaPos &at) {
    const size_t slice = p.pitch * p.ysize;
    return {static_cast<char *>(p.ptr) + at.z * slice + at.y * p.pitch + at.x, p.pitch, slice};
}

cudaError_t copy_3d(const cudaMemcpy3DParms *p, cudaStream_t stream, bool asynchronous) {
    if (p == nullptr) return note(cudaErrorInvalidValue);
    if (p->srcArray != nullptr || p->dstArray != nullptr) return note(cudaErrorNotSupported);
    const Extent extent{p->extent.width, p->extent.height, p->extent.depth};
    return copy(region_of(p->dstPtr, p->dstPos), region_of(p->srcPtr, p->srcPos), extent, p->kind,
                stream, asynchronous);
}

// Fills with `bytes` of `value`: 1, 2 or 4.
void fill_rows(const Region &to, const Extent &e, uint32_t value, size_t bytes) {
    for (size_t z = 0; z < e.depth; ++z)
        for (size_t y = 0; y < e.height; ++y) {
            char *row = to.begin + z * to.slice + y * to.pitch;
            if (bytes == 1) {
                memset(row, static_cast<int>(value), e.width);
                continue;
            }
            for (size_t x = 0; x + bytes <= e.width; x += bytes) memcpy(row + x, &value, bytes);
        }
}

cudaError_t fill(const Region &to, const Extent &e, int value, cudaStream_t handle,
                 bool asynchronous) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (e.empty()) return cudaSuccess;
    if (e.width > to.pitch) return note(cudaErrorInvalidPitchValue);
    Side side;
    if (!side_of(to, e, &side) || side == Side::pageable) return note(cudaErrorInvalidValue);
    if (stream->capture != nullptr && !asynchronous) return note(refuse_in_capture(stream));
    const Work work = [=] { fill_rows(to, e, static_cast<uint32_t>(value), 1); };
    OpRef op;
    if (const cudaError_t error = submit(stream, {NodeType::memset, work}, &op)) return note(error);
    if (asynchronous || side != Side::host) return cudaSuccess;
    wait(op);
    return note(finish_wait());
}

cudaError_t fill(void *to, int value, size_t bytes, cudaStream_t stream, bool asynchronous) {
    return fill({static_cast<char *>(to), bytes, bytes}, {bytes, 1, 1}, value, stream,
                asynchronous);
}

cudaError_t fill_2d(void *to, size_t pitch, int value, size_t width, size_t height,
                    cudaStream_t stream, bool asynchronous) {
    return fill({static_cast<char *>(to), pitch, pitch * height}, {width, height, 1}, value, stream,
                asynchronous);
}

cudaError_t fill_3d(const cudaPitchedPtr &to, int value, const cudaExtent &e, cudaStream_t stream,
                    bool asynchronous) {
    return fill(region_of(to, {}), {e.width, e.height, e.depth}, value, stream, asynchronous);
}

// The place of a device variable that a copy of `bytes` at `offset` touches.
cudaError_t place_in(const void *symbol, size_t bytes, size_t offset, char **place) {
    Variable variable;
    if (!variable_of(symbol, &variable)) return cudaErrorInvalidSymbol;
    if (offset > variable.bytes || bytes > variable.bytes - offset) return cudaErrorInvalidValue;
    *place = variable.address + offset;
    return cudaSuccess;
}

cudaError_t copy_to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                           int kind, cudaStream_t stream, bool asynchronous) {
    GPUCC_BEGIN;
    char *place;
    if (const cudaError_t error = place_in(symbol, bytes, offset, &place)) return note(error);
    return copy(place, from, bytes, kind, stream, asynchronous);
}

cudaError_t copy_from_symbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                             cudaStream_t stream, bool asynchronous) {
    GPUCC_BEGIN;
    char *place;
    if (const cudaError_t error = place_in(symbol, bytes, offset, &place)) return note(error);
    return copy(to, place, bytes, kind, stream, asynchronous);
}

}  // namespace

GPUCC_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    return copy(to, from, bytes, kind, nullptr, false);
}
GPUCC_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    return copy(to, from, bytes, kind, stream, true);
}

GPUCC_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                   size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, nullptr, false);
}
GPUCC_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                        size_t from_pitch, size_t width, size_t height,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, true);
}

GPUCC_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
    return copy_3d(parameters, nullptr, false);
}
GPUCC_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t stream) {
    return copy_3d(parameters, stream, true);
}

GPUCC_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                          int from_device, size_t bytes, cudaStream_t stream) {
    GPUCC_BEGIN;
    if (to_device != 0 || from_device != 0) return note(cudaErrorInvalidDevice);
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream, true);
}
GPUCC_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                     size_t bytes) {
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}

GPUCC_API cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    return fill(to, value, bytes, nullptr, false);
}
GPUCC_API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    return fill(to, value, bytes, stream, true);
}
GPUCC_API cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    return fill_2d(to, pitch, value, width, height, nullptr, false);
}
GPUCC_API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                        size_t height, cudaStream_t stream) {
    return fill_2d(to, pitch, value, width, height, stream, true);
}
GPUCC_API cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return fill_3d(to, value, extent, nullptr, false);
}
GPUCC_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                        cudaStream_t stream) {
    return fill_3d(to, value, extent, stream, true);
}

// --- device variables -----------------------------------------------------------------------------

GPUCC_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                                         size_t offset, cudaMemcpyKind kind) {
    return copy_to_symbol(symbol, from, bytes, offset, kind, nullptr, false);
}
GPUCC_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                              size_t offset, cudaMemcpyKind kind,
                                              cudaStream_t stream) {
    return copy_to_symbol(symbol, from, bytes, offset, kind, stream, true);
}
GPUCC_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
    return copy_from_symbol(to, symbol, bytes, offset, kind, nullptr, false);
}
GPUCC_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes,
                                                size_t offset, cudaMemcpyKind kind,
                                                cudaStream_t stream) {
    return copy_from_symbol(to, symbol, bytes, offset, kind, stream, true);
}

GPUCC_API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
    GPUCC_BEGIN;
    Variable variable;
    if (address == nullptr) return note(cudaErrorInvalidValue);
    if (!variable_of(symbol, &variable)) return note(cudaErrorInvalidSymbol);
    *address = variable.address;
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    GPUCC_BEGIN;
    Variable variable;
    if (bytes == nullptr) return note(cudaErrorInvalidValue);
    if (!variable_of(symbol, &variable)) return note(cudaErrorInvalidSymbol);
    *bytes = variable.bytes;
    return cudaSuccess;
}

// --- nodes of graphs (cudart_graph.cpp) -----------------------------------------------------------

namespace gpucc_cudart {

cudaError_t make_copy(void *to, const void *from, size_t bytes, int kind, Task *task) {
    const Region a{static_cast<char *>(to), bytes, bytes};
    const Region b{static_cast<char *>(const_cast<void *>(from)), bytes, bytes};
    const Extent e{bytes, 1, 1};
    Sides sides;
    if (bytes != 0)
        if (const cudaError_t error = check(a, b, e, kind, &sides)) return error;
    *task = {NodeType::memcpy, [=] {
                 if (!e.empty()) copy_rows(a, b, e);
             }};
    return cudaSuccess;
}

cudaError_t make_copy_3d(const cudaMemcpy3DParms &p, Task *task) {
    if (p.srcArray != nullptr || p.dstArray != nullptr) return cudaErrorNotSupported;
    const Extent e{p.extent.width, p.extent.height, p.extent.depth};
    const Region to = region_of(p.dstPtr, p.dstPos), from = region_of(p.srcPtr, p.srcPos);
    Sides sides;
    if (e.empty()) return cudaErrorInvalidValue;
    if (const cudaError_t error = check(to, from, e, p.kind, &sides)) return error;
    *task = {NodeType::memcpy, [=] { copy_rows(to, from, e); }};
    return cudaSuccess;
}

cudaError_t make_fill(const cudaMemsetParams &p, Task *task) {
    if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
        return cudaErrorInvalidValue;
    const Extent e{p.width * p.elementSize, p.height, 1};
    const Region to{static_cast<char *>(p.dst), p.height > 1 ? p.pitch : e.width, 0};
    Side side;
    if (e.empty() || e.width > to.pitch || !side_of(to, e, &side) || side == Side::pageable)
        return cudaErrorInvalidValue;
    const uint32_t value = p.value;
    const size_t bytes = p.elementSize;
    *task = {NodeType::memset, [=] { fill_rows(to, e, value, bytes); }};
    return cudaSuccess;
}

}  // namespace gpucc_cudart
