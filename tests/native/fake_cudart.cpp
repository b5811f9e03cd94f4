// The CUDA runtime as a test of ordering needs it: legal, and as unhelpful as it may be.
//
// "Device" memory is host memory. Every operation is a node that waits for the nodes CUDA says it
// waits for, and nothing runs until the host waits for something. Then only what that needs runs,
// after a few newer operations that nothing holds back. So a wait that is missing shows.
//
// FAKE_SEED=n chooses the order; FAKE_SEED=serial runs everything at once, in order of the program.
// FAKE_STREAMS=n and FAKE_EVENTS=n: so many can be made, then cudaErrorMemoryAllocation.
// FAKE_NOT_CONCURRENT=1: the host may not touch managed memory while a kernel runs.
// The kernel `fault` goes wrong, and whoever waits after it has run is told so. Allocations and copies
// beyond 1 GiB are refused.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

struct dim3 { unsigned x, y, z; };

namespace {

struct Node {
    std::function<void()> work;
    std::vector<Node *> after;
    bool done = false;
};
struct Stream { bool blocking = true; Node *last = nullptr; };
struct Event { Node *node = nullptr; };
struct Configuration { dim3 grid, block; std::size_t shared; void *stream; };

const std::string seed = std::getenv("FAKE_SEED") ? std::getenv("FAKE_SEED") : "0";
const bool serial = seed == "serial";
std::mt19937 chance(serial ? 0 : std::stoul(seed));
Stream null_stream;
std::vector<Stream *> streams{&null_stream};
std::vector<Node *> waiting;
std::map<const void *, std::string> kernels;
std::vector<Configuration> configurations;
thread_local int last_error = 0;

int limit(const char *name) {
    const char *text = std::getenv(name);
    return text ? std::atoi(text) : 1 << 30;
}
int streams_left = limit("FAKE_STREAMS"), events_left = limit("FAKE_EVENTS");

int fail(int status) { return last_error = status; }

constexpr std::size_t too_large = (1u << 30) + 1;
int fault = 0;  // of a kernel that has run; it stays

// What a call that has waited returns.
int waited() { return fault ? fail(fault) : 0; }

void run(Node *node) {
    if (node->done) return;
    std::vector<Node *> before = node->after;
    std::shuffle(before.begin(), before.end(), chance);
    for (Node *other : before) run(other);
    node->work();
    node->done = true;
}

void wait_for(Node *node) {
    if (!node) return;
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(), [](Node *n) { return n->done; }),
                  waiting.end());
    const auto ahead = seed == "0" ? 0 : chance() % 4;  // the newest first
    for (std::size_t i = 0; i < ahead && i < waiting.size(); ++i)
        run(waiting[waiting.size() - 1 - chance() % std::min<std::size_t>(waiting.size(), i + 2)]);
    run(node);
}

void wait_for_all() {
    for (std::size_t i = waiting.size(); i-- > 0;) wait_for(i < waiting.size() ? waiting[i] : nullptr);
    for (Stream *stream : streams)
        if (stream->last) run(stream->last);
}

Node *put(void *handle, std::function<void()> work, Node *also = nullptr) {
    Stream *stream = handle ? static_cast<Stream *>(handle) : &null_stream;
    Node *node = new Node{std::move(work), {}};
    if (stream == &null_stream) {
        for (Stream *other : streams)
            if (other->blocking && other->last) node->after.push_back(other->last);
    } else {
        if (stream->last) node->after.push_back(stream->last);
        if (stream->blocking && null_stream.last) node->after.push_back(null_stream.last);
    }
    if (also) node->after.push_back(also);
    stream->last = node;
    waiting.push_back(node);
    if (serial) run(node);
    return node;
}

std::function<void()> kernel(const std::string &name, void **args) {
    auto pointer = [&](int i) { return *static_cast<unsigned **>(args[i]); };  // they wrap
    auto number = [&](int i) { return *static_cast<int *>(args[i]); };
    if (name == "op2")
        return [a = pointer(0), b = pointer(1), c = pointer(2), n = number(3)] {
            for (int i = 0; i < n; ++i) c[i] = a[i] * 3 + b[i] + 1;
        };
    if (name.find("op1") != std::string::npos)
        return [a = pointer(0), n = number(1)] {
            for (int i = 0; i < n; ++i) a[i] = a[i] * 5 + 1;
        };
    if (name == "fault") return [] { fault = 719; };  // cudaErrorLaunchFailure
    std::fprintf(stderr, "fake_cudart: no kernel %s\n", name.c_str());
    std::exit(3);
}

}  // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *) { static void *handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **, const void *host, char *, const char *name, int, void *, void *,
                            void *, void *, int *) {
    kernels[host] = name;
}
int __cudaGetKernel(const void **kernel, const void *host) { *kernel = host; return 0; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void *stream) {
    configurations.push_back({grid, block, shared, stream});
    return 0;
}
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared, void **stream) {
    const Configuration top = configurations.back();
    configurations.pop_back();
    *grid = top.grid, *block = top.block, *shared = top.shared, *stream = top.stream;
    return 0;
}
int __cudaLaunchKernel(const void *host, dim3, dim3 block, void **args, std::size_t, void *stream) {
    if (block.x > 1024) return fail(9);  // cudaErrorInvalidConfiguration
    put(stream, kernel(kernels.at(host), args));
    return 0;
}
int cudaMalloc(void **pointer, std::size_t bytes) {
    if (bytes >= too_large) return fail(2);  // cudaErrorMemoryAllocation
    *pointer = std::malloc(bytes);
    std::memset(*pointer, 0x5A, bytes);
    return 0;
}
int cudaFree(void *pointer) { wait_for_all(); std::free(pointer); return waited(); }
int cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, int, void *stream) {
    if (bytes >= too_large) return fail(1);  // cudaErrorInvalidValue
    put(stream, [=] { std::memmove(to, from, bytes); });
    return 0;
}
int cudaMemcpy(void *to, const void *from, std::size_t bytes, int kind) {
    if (bytes >= too_large) return fail(1);
    Node *node = put(nullptr, [=] { std::memmove(to, from, bytes); });
    if (kind == 3) return 0;
    wait_for(node);
    return waited();
}
int cudaMemsetAsync(void *to, int value, std::size_t bytes, void *stream) {
    put(stream, [=] { std::memset(to, value, bytes); });
    return 0;
}
int cudaMemset(void *to, int value, std::size_t bytes) {
    return cudaMemsetAsync(to, value, bytes, nullptr);
}
int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
    if (streams_left-- <= 0) return fail(2);
    streams.push_back(new Stream{(flags & 1) == 0});
    *stream = streams.back();
    return 0;
}
int cudaStreamCreate(void **stream) { return cudaStreamCreateWithFlags(stream, 0); }
int cudaStreamSynchronize(void *stream) {
    wait_for(stream ? static_cast<Stream *>(stream)->last : put(nullptr, [] {}));
    return waited();
}
int cudaEventCreateWithFlags(void **event, unsigned) {
    if (events_left-- <= 0) return fail(2);
    *event = new Event;
    return 0;
}
int cudaEventRecord(void *event, void *stream) {
    static_cast<Event *>(event)->node = put(stream, [] {});
    return 0;
}
int cudaStreamWaitEvent(void *stream, void *event, unsigned) {
    put(stream, [] {}, static_cast<Event *>(event)->node);
    return 0;
}
int cudaDeviceSynchronize() { wait_for_all(); return waited(); }
int cudaGetDevice(int *device) { *device = 0; return 0; }
int cudaSetDevice(int) { return 0; }
int cudaDeviceGetAttribute(int *value, int, int) {
    *value = std::getenv("FAKE_NOT_CONCURRENT") == nullptr;
    return 0;
}
int cudaGetLastError() { const int error = last_error; last_error = 0; return error; }
int cudaPeekAtLastError() { return last_error; }
const char *cudaGetErrorString(int) { return "an error"; }

int *seen[4];
// What the compiler cannot look into: it uses the null stream.
void opaque(int which) { cudaMemset(seen[which], which + 7, 16); }
void maybe_throw(int wanted) { if (wanted & 1) throw wanted; }
}
