// The CUDA runtime on the CPU (cudart_*.cpp): what its files share.
//
// Programs that nvcc's front end compiled call these functions as they call NVIDIA's; names and
// layouts are those of the headers of CUDA 12 and 13.  There is one device.  A call that is not here
// fails when the program is linked.
//
// Work is a graph of operations (Op), each run by a thread of its own as soon as what it waits for
// is done, so streams go on independently of each other and of the host (cudart_queue.cpp).
#ifndef GPUCC_CUDART_H
#define GPUCC_CUDART_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "cudart_abi.h"
#include "gpucc_cpu.h"

#define GPUCC_API extern "C" __attribute__((visibility("default")))

namespace gpucc_cudart {

// --- errors (cudart_errors.cpp) -------------------------------------------------------------------

// Notes an error for cudaGetLastError and returns it; success leaves what was noted before.
cudaError_t note(cudaError_t error);
// The error that made the device unusable, or success.
cudaError_t device_error();
void set_device_error(cudaError_t error);
void clear_device_error();
// What a call must return without doing anything: the device's error, or that a host function of a
// stream may not call the runtime.
cudaError_t blocked();
// While it lives, the thread runs a host function of a stream.
struct InHostFunction {
    InHostFunction();
    ~InHostFunction();
};

#define GPUCC_BEGIN \
    if (const cudaError_t blocked_ = gpucc_cudart::blocked()) return gpucc_cudart::note(blocked_)

// --- operations and streams (cudart_queue.cpp) ----------------------------------------------------

using Work = std::function<void()>;

struct Op {
    Work work;              // may be empty
    bool always = false;    // runs also when the device has failed
    uint32_t waiting = 0;   // for how many others
    bool done = false;
    uint64_t ended = 0;     // nanoseconds
    std::vector<std::shared_ptr<Op>> next;  // those that wait for it
};
using OpRef = std::shared_ptr<Op>;

struct Graph;
struct Capture;

enum class NodeType { kernel = 0, memcpy = 1, memset = 2, host = 3, empty = 5 };

// What is done to a stream: an operation, or in a capture a node.
struct Task {
    NodeType type = NodeType::empty;
    Work work;
    bool always = false;
};

struct Stream {
    bool blocking = true;  // orders itself with the legacy default stream
    bool legacy = false;
    int priority = 0;
    unsigned flags = 0;
    uint64_t id = 0;
    OpRef last;
    std::shared_ptr<Capture> capture;
    std::vector<size_t> tail;  // in a capture: the nodes that the next one follows
};

struct Event {
    unsigned flags = 0;
    OpRef op;
    std::shared_ptr<Capture> capture;  // recorded in a capture: by whom, and what it stands for
    std::vector<size_t> nodes;
};

// Whether in this thread the stream 0 is the thread's own; see cudart_variants.cpp.
struct PerThreadDefault {
    PerThreadDefault();
    ~PerThreadDefault();
};

// The stream that a handle means; nullptr if there is none.
Stream *stream_of(cudaStream_t handle);
Event *event_of(cudaEvent_t handle);

// Adds a task to a stream, or to its capture.  `op` receives the operation (nothing in a capture).
cudaError_t submit(Stream *stream, Task task, OpRef *op = nullptr);
// Adds an operation that follows `before`; the lock of the queue is not held.
OpRef submit_after(const std::vector<OpRef> &before, Task task);
// Makes `op` the last operation of a stream, which then waits for it.
void append(Stream *stream, const OpRef &op);
// A point of the stream that the next operations follow: everything that they would wait for.
std::vector<OpRef> frontier(Stream *stream);
bool is_done(const OpRef &op);
void wait(const OpRef &op);
// Waits for everything; at most `seconds` if that is not negative.
void wait_for_all(double seconds = -1);
// After a wait: prints what kernels have printed, and returns the device's error.
cudaError_t finish_wait();
uint64_t now();  // nanoseconds

// --- captures and graphs (cudart_graph.cpp) -------------------------------------------------------

struct Node {
    size_t index = 0;
    Task task;
    std::vector<size_t> after;
    Graph *graph = nullptr;
};

struct Graph {
    std::vector<std::unique_ptr<Node>> nodes;
};

struct Capture {
    Graph *graph = nullptr;
    Stream *origin = nullptr;
    bool invalid = false;
    std::vector<Stream *> streams;
};

// Adds a node behind the stream's tail.
cudaError_t capture_task(Stream *stream, Task task);
// Makes what the stream does from now on follow an event that was recorded in a capture.
cudaError_t join_capture(Stream *stream, Event *event);
// The error for a call that a capture does not allow; invalidates the capture.
cudaError_t refuse_in_capture(Stream *stream);

// Tasks of nodes (cudart_copy.cpp).
cudaError_t make_copy(void *to, const void *from, size_t bytes, int kind, Task *task);
cudaError_t make_copy_3d(const cudaMemcpy3DParms &parameters, Task *task);
cudaError_t make_fill(const cudaMemsetParams &parameters, Task *task);

// --- memory (cudart_memory.cpp) -------------------------------------------------------------------

enum class Kind { device, managed, host, variable };

struct Allocation {
    char *begin;
    size_t bytes;
    Kind kind;
    unsigned flags;
    bool registered;  // host memory of the program's own
};

void add_variable(void *address, size_t bytes);
// The same of a __managed__ variable.
void add_managed(void *address, size_t bytes);
// What an address lies in; `bytes` 0 if it is not known.
Allocation allocation_of(const void *address);

// --- kernels and variables (cudart_launch.cpp) ----------------------------------------------------

struct Function {
    const gpucc_entry *entry;
    int most_dynamic;  // bytes of dynamic shared memory, by cudaFuncSetAttribute; -1: not set
    int carveout;
};

struct Variable {
    char *address;
    size_t bytes;
};

// nullptr if the pointer is no kernel.
Function *function_of(const void *host);
bool variable_of(const void *host, Variable *variable);
// The CUDART_VERSION of the headers that the program was compiled with.
int headers_version();
// Makes the task of a launch; or the error.
cudaError_t make_launch(Function *function, const dim3 &grid, const dim3 &block, void **arguments,
                        size_t shared, bool cooperative, Task *task);
// Blocks that a multiprocessor holds.
int resident_blocks(const Function *function, int threads, size_t dynamic);

int value_of_limit(int limit);

}  // namespace gpucc_cudart

#endif
