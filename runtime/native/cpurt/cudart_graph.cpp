// Graphs: captured from streams, or built node by node; an executable graph is a copy of one.
#include <algorithm>
#include <set>
#include <unordered_set>

#include "cudart_queue.h"

using namespace gpucc_cudart;

namespace {

// Which handles are graphs' and nodes', and which captures go on; all under one lock.
struct Graphs {
    std::mutex mutex;
    std::unordered_set<Graph *> graphs;
};
Graphs &graphs() {
    static auto *only = new Graphs;
    return *only;
}

struct Exec {
    struct Step {
        Task task;
        std::vector<size_t> after;
        const Node *node;
    };
    std::vector<Step> steps;
    unsigned long long flags;
    OpRef last;  // of its last launch, which the next one follows
};

Graph *new_graph() {
    auto *graph = new Graph;
    const std::lock_guard<std::mutex> lock(graphs().mutex);
    graphs().graphs.insert(graph);
    return graph;
}

Graph *graph_of(cudaGraph_t handle) {
    auto *graph = reinterpret_cast<Graph *>(handle);
    const std::lock_guard<std::mutex> lock(graphs().mutex);
    return graphs().graphs.count(graph) != 0 ? graph : nullptr;
}

Node *node_of(cudaGraphNode_t handle) { return reinterpret_cast<Node *>(handle); }
cudaGraphNode_t handle_of(const Node *node) {
    return reinterpret_cast<cudaGraphNode_t>(const_cast<Node *>(node));
}

Node *add(Graph *graph, Task task, std::vector<size_t> after) {
    auto node = std::make_unique<Node>();
    node->index = graph->nodes.size();
    node->task = std::move(task);
    node->after = std::move(after);
    node->graph = graph;
    graph->nodes.push_back(std::move(node));
    return graph->nodes.back().get();
}

cudaError_t add_node(cudaGraphNode_t *made, cudaGraph_t handle, const cudaGraphNode_t *before,
                     size_t count, Task task) {
    Graph *graph = graph_of(handle);
    if (graph == nullptr || made == nullptr || (count != 0 && before == nullptr))
        return note(cudaErrorInvalidValue);
    std::vector<size_t> after;
    for (size_t i = 0; i < count; ++i) {
        if (before[i] == nullptr || node_of(before[i])->graph != graph)
            return note(cudaErrorInvalidValue);
        after.push_back(node_of(before[i])->index);
    }
    *made = handle_of(add(graph, std::move(task), std::move(after)));
    return cudaSuccess;
}

// Nodes in an order in which each follows what it waits for; false if there is a circle.
bool in_order(const Graph &graph, std::vector<const Node *> *order) {
    std::vector<bool> done(graph.nodes.size());
    while (order->size() < graph.nodes.size()) {
        const size_t before = order->size();
        for (const auto &node : graph.nodes) {
            const auto is_done = [&](size_t index) { return done[index]; };
            if (done[node->index] || !std::all_of(node->after.begin(), node->after.end(), is_done))
                continue;
            done[node->index] = true;
            order->push_back(node.get());
        }
        if (order->size() == before) return false;
    }
    return true;
}

bool fill(Exec *exec, const Graph &graph) {
    std::vector<const Node *> order;
    if (!in_order(graph, &order)) return false;
    std::vector<size_t> place(graph.nodes.size());
    exec->steps.clear();
    for (const Node *node : order) {
        std::vector<size_t> after;
        for (const size_t index : node->after) after.push_back(place[index]);
        place[node->index] = exec->steps.size();
        exec->steps.push_back({node->task, std::move(after), node});
    }
    return true;
}

void end_capture(const std::shared_ptr<Capture> &capture) {
    if (capture->origin->blocking || capture->origin->legacy) --queue().captures;
    --queue().any_capture;
    for (Stream *stream : capture->streams) {
        stream->capture = nullptr;
        stream->tail.clear();
    }
}

}  // namespace

namespace gpucc_cudart {

cudaError_t capture_task(Stream *stream, Task task) {
    Capture &capture = *stream->capture;
    if (capture.invalid) return cudaErrorStreamCaptureInvalidated;
    const Node *node = add(capture.graph, std::move(task), stream->tail);
    stream->tail = {node->index};
    return cudaSuccess;
}

cudaError_t join_capture(Stream *stream, Event *event) {
    const std::shared_ptr<Capture> capture = event->capture;
    if (stream->legacy) return cudaErrorStreamCaptureImplicit;
    if (stream->capture == nullptr) {
        stream->capture = capture;
        stream->tail.clear();
        capture->streams.push_back(stream);
    } else if (stream->capture != capture) {
        stream->capture->invalid = capture->invalid = true;
        return cudaErrorStreamCaptureMerge;
    }
    for (const size_t node : event->nodes)
        if (std::find(stream->tail.begin(), stream->tail.end(), node) == stream->tail.end())
            stream->tail.push_back(node);
    return cudaSuccess;
}

cudaError_t refuse_in_capture(Stream *stream) {
    stream->capture->invalid = true;
    return cudaErrorStreamCaptureUnsupported;
}

}  // namespace gpucc_cudart

// --- captures -------------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaStreamBeginCapture(cudaStream_t handle, int mode) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (mode < 0 || mode > 2) return note(cudaErrorInvalidValue);
    if (stream->legacy) return note(cudaErrorStreamCaptureUnsupported);
    if (stream->capture != nullptr) return note(cudaErrorIllegalState);
    auto capture = std::make_shared<Capture>();
    capture->graph = new_graph();
    capture->origin = stream;
    capture->streams.push_back(stream);
    stream->tail.clear();
    if (stream->blocking) ++queue().captures;
    ++queue().any_capture;
    stream->capture = std::move(capture);
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphDestroy(cudaGraph_t handle);

GPUCC_API cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *made) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (made == nullptr) return note(cudaErrorInvalidValue);
    *made = nullptr;
    const std::shared_ptr<Capture> capture = stream->capture;
    if (capture == nullptr) return note(cudaErrorIllegalState);
    if (capture->origin != stream) return note(cudaErrorStreamCaptureUnmatched);
    // Every other stream must have come back: each of its last nodes is followed by another.
    std::set<size_t> followed(stream->tail.begin(), stream->tail.end());
    for (const auto &node : capture->graph->nodes)
        followed.insert(node->after.begin(), node->after.end());
    bool joined = true;
    for (const Stream *other : capture->streams)
        for (const size_t node : other->tail) joined = joined && followed.count(node) != 0;
    end_capture(capture);
    if (capture->invalid || !joined) {
        cudaGraphDestroy(reinterpret_cast<cudaGraph_t>(capture->graph));
        return note(capture->invalid ? cudaErrorStreamCaptureInvalidated
                                     : cudaErrorStreamCaptureUnjoined);
    }
    *made = reinterpret_cast<cudaGraph_t>(capture->graph);
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaStreamIsCapturing(cudaStream_t handle, int *status) {
    GPUCC_BEGIN;
    const Stream *stream = stream_of(handle);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (status == nullptr) return note(cudaErrorInvalidValue);
    if (stream->legacy && queue().captures.load() != 0) return note(cudaErrorStreamCaptureImplicit);
    *status = stream->capture == nullptr ? 0 : stream->capture->invalid ? 2 : 1;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode) {
    thread_local int current = 0;
    if (mode == nullptr) return note(cudaErrorInvalidValue);
    std::swap(*mode, current);
    return cudaSuccess;
}

// --- graphs ---------------------------------------------------------------------------------------

GPUCC_API cudaError_t cudaGraphCreate(cudaGraph_t *made, unsigned flags) {
    GPUCC_BEGIN;
    if (made == nullptr || flags != 0) return note(cudaErrorInvalidValue);
    *made = reinterpret_cast<cudaGraph_t>(new_graph());
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
    auto *graph = reinterpret_cast<Graph *>(handle);
    const std::lock_guard<std::mutex> lock(graphs().mutex);
    if (graphs().graphs.erase(graph) == 0) return note(cudaErrorInvalidValue);
    delete graph;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphClone(cudaGraph_t *made, cudaGraph_t handle) {
    GPUCC_BEGIN;
    const Graph *graph = graph_of(handle);
    if (graph == nullptr || made == nullptr) return note(cudaErrorInvalidValue);
    Graph *copy = new_graph();
    for (const auto &node : graph->nodes) add(copy, node->task, node->after);
    *made = reinterpret_cast<cudaGraph_t>(copy);
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                            const cudaGraphNode_t *before, size_t count) {
    GPUCC_BEGIN;
    return add_node(made, graph, before, count, {});
}

namespace {

cudaError_t task_of(const cudaKernelNodeParams *p, Task *task) {
    if (p == nullptr || p->extra != nullptr) return cudaErrorInvalidValue;
    Function *function = function_of(p->func);
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    return make_launch(function, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, false,
                       task);
}

Exec *exec_of(cudaGraphExec_t handle) { return reinterpret_cast<Exec *>(handle); }

cudaError_t replace_task(cudaGraphExec_t handle, cudaGraphNode_t node, Task task) {
    if (handle == nullptr) return note(cudaErrorInvalidValue);
    for (Exec::Step &step : exec_of(handle)->steps)
        if (step.node == node_of(node) && step.task.type == task.type) {
            step.task = std::move(task);
            return cudaSuccess;
        }
    return note(cudaErrorInvalidValue);
}

}  // namespace

GPUCC_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count,
                                             const cudaKernelNodeParams *parameters) {
    GPUCC_BEGIN;
    Task task;
    if (const cudaError_t error = task_of(parameters, &task)) return note(error);
    return add_node(made, graph, before, count, std::move(task));
}

GPUCC_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                           const cudaGraphNode_t *before, size_t count,
                                           const cudaHostNodeParams *parameters) {
    GPUCC_BEGIN;
    if (parameters == nullptr || parameters->fn == nullptr) return note(cudaErrorInvalidValue);
    const cudaHostNodeParams p = *parameters;
    return add_node(made, graph, before, count, {NodeType::host, [p] {
                                                     const InHostFunction mark;
                                                     p.fn(p.userData);
                                                 }});
}

GPUCC_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count,
                                             const cudaMemcpy3DParms *parameters) {
    GPUCC_BEGIN;
    Task task;
    if (parameters == nullptr) return note(cudaErrorInvalidValue);
    if (const cudaError_t error = make_copy_3d(*parameters, &task)) return note(error);
    return add_node(made, graph, before, count, std::move(task));
}

GPUCC_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *made, cudaGraph_t graph,
                                               const cudaGraphNode_t *before, size_t count,
                                               void *to, const void *from, size_t bytes,
                                               cudaMemcpyKind kind) {
    GPUCC_BEGIN;
    Task task;
    if (const cudaError_t error = make_copy(to, from, bytes, kind, &task)) return note(error);
    return add_node(made, graph, before, count, std::move(task));
}

GPUCC_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *made, cudaGraph_t graph,
                                             const cudaGraphNode_t *before, size_t count,
                                             const cudaMemsetParams *parameters) {
    GPUCC_BEGIN;
    Task task;
    if (parameters == nullptr) return note(cudaErrorInvalidValue);
    if (const cudaError_t error = make_fill(*parameters, &task)) return note(error);
    return add_node(made, graph, before, count, std::move(task));
}

// CUDA 13 has data about the edges before the count; only edges without are supported.
GPUCC_API cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, uintptr_t fourth,
                                               size_t fifth) {
    GPUCC_BEGIN;
    const Graph *graph = graph_of(handle);
    const bool newer = headers_version() >= 13000;
    if (newer && fourth != 0) return note(cudaErrorNotSupported);
    const size_t count = newer ? fifth : fourth;
    if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
        return note(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; ++i) {
        if (node_of(from[i])->graph != graph || node_of(to[i])->graph != graph)
            return note(cudaErrorInvalidValue);
        node_of(to[i])->after.push_back(node_of(from[i])->index);
    }
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count) {
    GPUCC_BEGIN;
    const Graph *graph = graph_of(handle);
    if (graph == nullptr || count == nullptr) return note(cudaErrorInvalidValue);
    if (nodes != nullptr)
        for (size_t i = 0; i < *count; ++i)
            nodes[i] = i < graph->nodes.size() ? handle_of(graph->nodes[i].get()) : nullptr;
    *count = nodes == nullptr ? graph->nodes.size() : std::min(*count, graph->nodes.size());
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, int *type) {
    GPUCC_BEGIN;
    if (node == nullptr || type == nullptr) return note(cudaErrorInvalidValue);
    *type = static_cast<int>(node_of(node)->task.type);
    return cudaSuccess;
}

// --- executable graphs ----------------------------------------------------------------------------

GPUCC_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t handle,
                                                    unsigned long long flags) {
    GPUCC_BEGIN;
    const Graph *graph = graph_of(handle);
    if (made == nullptr || graph == nullptr) return note(cudaErrorInvalidValue);
    auto exec = std::make_unique<Exec>();
    exec->flags = flags;
    if (!fill(exec.get(), *graph)) return note(cudaErrorInvalidValue);
    *made = reinterpret_cast<cudaGraphExec_t>(exec.release());
    return cudaSuccess;
}
GPUCC_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph,
                                           unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(made, graph, flags);
}

GPUCC_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
    if (handle == nullptr) return note(cudaErrorInvalidValue);
    delete exec_of(handle);
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long *flags) {
    if (handle == nullptr || flags == nullptr) return note(cudaErrorInvalidValue);
    *flags = exec_of(handle)->flags;
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       const cudaKernelNodeParams *parameters) {
    GPUCC_BEGIN;
    Task task;
    if (const cudaError_t error = task_of(parameters, &task)) return note(error);
    return replace_task(exec, node, std::move(task));
}

GPUCC_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                   const cudaKernelNodeParams *parameters) {
    GPUCC_BEGIN;
    Task task;
    if (node == nullptr || node_of(node)->task.type != NodeType::kernel)
        return note(cudaErrorInvalidValue);
    if (const cudaError_t error = task_of(parameters, &task)) return note(error);
    node_of(node)->task = std::move(task);
    return cudaSuccess;
}

namespace {

struct UpdateResult {  // cudaGraphExecUpdateResultInfo
    int result;
    cudaGraphNode_t node, from;
};
constexpr int kTopologyChanged = 2;
constexpr cudaError_t kUpdateFailure = 910;  // cudaErrorGraphExecUpdateFailure

}  // namespace

GPUCC_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graph,
                                          UpdateResult *result) {
    GPUCC_BEGIN;
    const Graph *from = graph_of(graph);
    if (handle == nullptr || from == nullptr) return note(cudaErrorInvalidValue);
    Exec made;
    const Exec &old = *exec_of(handle);
    bool same = fill(&made, *from) && made.steps.size() == old.steps.size();
    for (size_t i = 0; same && i < made.steps.size(); ++i) {
        same = made.steps[i].task.type == old.steps[i].task.type &&
               made.steps[i].after == old.steps[i].after;
        made.steps[i].node = old.steps[i].node;
    }
    if (result != nullptr) *result = {same ? 0 : kTopologyChanged, nullptr, nullptr};
    if (!same) return note(kUpdateFailure);
    exec_of(handle)->steps = std::move(made.steps);
    return cudaSuccess;
}

GPUCC_API cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
    GPUCC_BEGIN;
    if (handle == nullptr) return note(cudaErrorInvalidValue);
    return note(stream_of(stream) != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

GPUCC_API cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t where) {
    GPUCC_BEGIN;
    Stream *stream = stream_of(where);
    if (stream == nullptr) return note(cudaErrorInvalidResourceHandle);
    if (handle == nullptr) return note(cudaErrorInvalidValue);
    Exec &exec = *exec_of(handle);
    if (stream->capture != nullptr) return note(cudaErrorNotSupported);
    // One operation before and one behind all, so that the stream's order holds for the whole.
    std::vector<OpRef> first = frontier(stream);
    if (exec.last != nullptr) first.push_back(exec.last);
    const OpRef begin = submit_after(first, {});
    std::vector<OpRef> made{begin};
    for (const Exec::Step &step : exec.steps) {
        std::vector<OpRef> before{begin};
        for (const size_t at : step.after) before.push_back(made[at + 1]);
        made.push_back(submit_after(before, step.task));
    }
    exec.last = submit_after(made, {});
    append(stream, exec.last);
    return cudaSuccess;
}
