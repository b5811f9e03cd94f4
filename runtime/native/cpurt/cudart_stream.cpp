// Streams, events, host functions, and waiting for them.
#include <algorithm>

#include "cudart_queue.h"

using namespace gpucc_cudart;

namespace {

constexpr unsigned kNonBlocking = 1;     // cudaStreamNonBlocking
constexpr unsigned kDisableTiming = 2;   // cudaEventDisableTiming
constexpr int kLeastPriority = 0, kGreatestPriority = -5;

cudaStream_t handle_of(Stream *stream) { return reinterpret_cast<cudaStream_t>(stream); }

cudaError_t make_stream(cudaStream_t *made, unsigned flags, int priority) {
    GPUCC_BEGIN;
    if (made == nullptr || flags > kNonBlocking) return note(cudaErrorInvalidValue);
    auto *stream = new Stream;
    stream->blocking = flags == 0;
    stream->flags = flags;
    stream->priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
    Queue &q = queue();
    const std::lock_guard<std::mutex> lock(q.mutex);
    stream->id = ++q.ids;
    q.streams.insert(stream);
    *made = handle_of(stream);
    return cudaSuccess;
}

}  // namespace

// --- streams --------------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaStreamCreate(cudaStream_t *made) { return make_stream(made, 0, 0); }
GPUCC_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *made, unsigned flags) {
    return make_stream(made, flags, 0);
}
GPUCC_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *made, unsigned flags, int priority) {
    return make_stream(made, flags, priority);
}

GPUCC_API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    GPUCC_BEGIN;
    if (reinterpret_cast<uintptr_t>(handle) <= 2) return note(cudaErrorInvalidResourceHandle);
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    Queue &q = queue();
    const std::lock_guard<std::mutex> lock(q.mutex);
    if (stream->last != nullptr && !stream->last->done) q.abandoned.push_back(stream->last);
    if (stream->capture != nullptr) stream->capture->invalid = true;
    q.streams.erase(stream);
    delete stream;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (stream->capture != nullptr) return note(refuse_in_capture(stream));
    for (const OpRef &op : frontier(stream)) wait(op);
    return note(finish_wait());
}

GPUCC_API cudaError_t cudaStreamQuery(cudaStream_t handle) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (stream->capture != nullptr) return note(refuse_in_capture(stream));
    if (!frontier(stream).empty()) return cudaErrorNotReady;
    return note(device_error());
}

GPUCC_API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t awaited, unsigned flags) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    Event *event = event_of(awaited);
    if (stream == nullptr || event == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (flags > 1) return note(cudaErrorInvalidValue);
    if (event->capture != nullptr) return note(join_capture(stream, event));
    if (stream->capture != nullptr) {
        if (is_done(event->op)) return cudaSuccess;
        stream->capture->invalid = true;
        return note(cudaErrorStreamCaptureIsolation);
    }
    if (event->op == nullptr) return cudaSuccess;
    std::vector<OpRef> before = frontier(stream);
    before.push_back(event->op);
    append(stream, submit_after(before, {}));
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) {
    GPUCC_BEGIN;
    const Stream *stream = stream_of(handle);
    if (stream == nullptr || flags == nullptr) return note(cudaErrorInvalidResourceHandle);
    *flags = stream->flags;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) {
    GPUCC_BEGIN;
    const Stream *stream = stream_of(handle);
    if (stream == nullptr || priority == nullptr) return note(cudaErrorInvalidResourceHandle);
    *priority = stream->priority;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) {
    GPUCC_BEGIN;
    const Stream *stream = stream_of(handle);
    if (stream == nullptr || id == nullptr) return note(cudaErrorInvalidResourceHandle);
    *id = stream->id;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device) {
    GPUCC_BEGIN;
    if (stream_of(handle) == nullptr || device == nullptr)
        return note(cudaErrorInvalidResourceHandle);
    *device = 0;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    GPUCC_BEGIN;
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = kGreatestPriority;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void *, size_t, unsigned) {
    GPUCC_BEGIN;
    return note(stream_of(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

// Hints on how to run.
GPUCC_API cudaError_t cudaStreamSetAttribute(cudaStream_t handle, int, const void *) {
    GPUCC_BEGIN;
    return note(stream_of(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

GPUCC_API cudaError_t cudaDeviceSynchronize() {
    GPUCC_BEGIN;
    if (queue().any_capture.load() != 0) return note(cudaErrorStreamCaptureUnsupported);
    wait_for_all();
    return note(finish_wait());
}
// Removed from CUDA 13, the same thing.
GPUCC_API cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

// --- host functions -------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (function == nullptr) return note(cudaErrorInvalidValue);
    return note(submit(stream, {NodeType::host, [=] {
                                    const InHostFunction mark;
                                    function(data);
                                }}));
}

GPUCC_API cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback,
                                            void *data, unsigned flags) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (callback == nullptr || flags != 0) return note(cudaErrorInvalidValue);
    if (stream->capture != nullptr) return note(refuse_in_capture(stream));
    Task task{NodeType::host,
              [=] {
                  const InHostFunction mark;
                  callback(handle, device_error(), data);
              },
              true};
    return note(submit(stream, std::move(task)));
}

// --- events ---------------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *made, unsigned flags) {
    GPUCC_BEGIN;
    if (made == nullptr || flags > 7) return note(cudaErrorInvalidValue);
    auto *event = new Event;
    event->flags = flags;
    Queue &q = queue();
    const std::lock_guard<std::mutex> lock(q.mutex);
    q.events.insert(event);
    *made = reinterpret_cast<cudaEvent_t>(event);
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaEventCreate(cudaEvent_t *made) {
    return cudaEventCreateWithFlags(made, 0);
}

GPUCC_API cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    GPUCC_BEGIN;
    Event *event = event_of(handle);
    if (event == nullptr) return note(cudaErrorInvalidResourceHandle);
    Queue &q = queue();
    const std::lock_guard<std::mutex> lock(q.mutex);
    q.events.erase(event);
    delete event;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle, cudaStream_t where, unsigned) {
    GPUCC_BEGIN;
    Event *event = event_of(handle);
    Stream *stream = stream_of(where);
    if (event == nullptr || stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (stream->capture != nullptr) {
        event->capture = stream->capture;
        event->nodes = stream->tail;
        return cudaSuccess;
    }
    event->capture = nullptr;
    return note(submit(stream, {NodeType::empty, {}, true}, &event->op));
}
GPUCC_API cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t where) {
    return cudaEventRecordWithFlags(handle, where, 0);
}

GPUCC_API cudaError_t cudaEventQuery(cudaEvent_t handle) {
    GPUCC_BEGIN;
    const Event *event = event_of(handle);
    if (event == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (event->capture != nullptr) return note(cudaErrorStreamCaptureUnsupported);
    if (!is_done(event->op)) return cudaErrorNotReady;
    return note(device_error());
}

GPUCC_API cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    GPUCC_BEGIN;
    const Event *event = event_of(handle);
    if (event == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (event->capture != nullptr) return note(cudaErrorStreamCaptureUnsupported);
    wait(event->op);
    return note(finish_wait());
}

GPUCC_API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
    GPUCC_BEGIN;
    const Event *begin = event_of(from), *end = event_of(to);
    if (milliseconds == nullptr) return note(cudaErrorInvalidValue);
    if (begin == nullptr || end == nullptr || begin->op == nullptr || end->op == nullptr ||
        ((begin->flags | end->flags) & kDisableTiming) != 0)
        return note(cudaErrorInvalidResourceHandle);
    if (!is_done(begin->op) || !is_done(end->op)) return note(cudaErrorNotReady);
    *milliseconds = static_cast<float>(
        (static_cast<double>(end->op->ended) - static_cast<double>(begin->op->ended)) * 1e-6);
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t from,
                                              cudaEvent_t to) {
    return cudaEventElapsedTime(milliseconds, from, to);
}
