// libgpucc_rt: executes the schedules that kesco compiled into a program.
//
// Queues are non-blocking streams, so the null stream does not order them: a region's first entry
// makes every queue wait for the null stream's work so far, and entries with GPUCC_JOIN make the
// null stream wait for them. Between the two, entries wait for each other's events, one event for
// each entry. State belongs to the calling thread and the current device. If streams or events
// cannot be made, every entry runs on the null stream, which is the program's own order.
//
// The last error is the program's: that a stream or an event could not be made is not to be seen in it.

#include "gpucc_rt.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

#include "cuda_api.h"

namespace {

constexpr int max_queues = 32;
constexpr int no_thread = -1;  // no status of CUDA's

// An event of one entry, and the execution of its region in which it was last recorded.
struct Event {
    void *handle = nullptr;
    std::uint64_t pass = 0;
};

// One set of streams and events of a device, used by one thread at a time.
struct Queues {
    std::array<void *, max_queues> streams{};
    std::unordered_map<const gpucc_site *, Event> events;
    std::uint64_t pass = 0;       // counts executions of regions
    void *begin = nullptr;        // the null stream's work when the region began
    std::uint32_t caught_up = 0;  // queues that have waited for `begin`
    bool usable = true;           // false for good once something could not be made
    bool waits_for_all = false;   // at each copy that blocks the host
};

// Sets that threads have left behind, by device; a new thread takes one over.
class Pool {
  public:
    Queues *take(int device) {
        std::lock_guard lock(mutex_);
        auto &free = free_[device];
        if (free.empty()) return new Queues;
        Queues *found = free.back();
        free.pop_back();
        return found;
    }
    void give(int device, Queues *queues) {
        std::lock_guard lock(mutex_);
        free_[device].push_back(queues);
    }

  private:
    std::mutex mutex_;
    std::unordered_map<int, std::vector<Queues *>> free_;
};

Pool &pool() {
    static Pool *instance = new Pool;  // never destroyed: threads may end after main has
    return *instance;
}

// What a thread has at hand. It is trivially destroyed, so that destructors which run after those of
// the thread's other variables (of static objects, above all) still find it.
struct ThreadState {
    std::unordered_map<int, Queues *> *by_device = nullptr;
    const gpucc_site *pending = nullptr;  // pushed, and not launched yet
    void *pending_stream = nullptr;       // where to
    bool ends = false;                    // ThreadEnd has run
};

thread_local ThreadState thread_state;

// Gives the queues of a thread back when it ends.
struct ThreadEnd {
    ~ThreadEnd() {
        if (thread_state.by_device)
            for (auto &[device, queues] : *thread_state.by_device) pool().give(device, queues);
        delete thread_state.by_device;
        thread_state.by_device = nullptr;
        thread_state.ends = true;
    }
};

Queues *queues_here() {
    int device = 0;
    if (cudaGetDevice(&device) != cuda_success) return nullptr;
    if (!thread_state.by_device) {
        if (thread_state.ends) return nullptr;  // nobody would give them back
        thread_local ThreadEnd at_end;
        thread_state.by_device = new std::unordered_map<int, Queues *>;
    }
    Queues *&queues = (*thread_state.by_device)[device];
    if (!queues) {
        queues = pool().take(device);
        // Where the host may not touch managed memory while any kernel runs, it may rely on copies.
        int concurrent = 0;
        queues->waits_for_all = cudaDeviceGetAttribute(&concurrent, concurrent_managed_access,
                                                       device) != cuda_success ||
                                !concurrent;
    }
    return queues;
}

Queues *usable_queues_here() {
    Queues *queues = queues_here();
    return queues && queues->usable ? queues : nullptr;
}

void trace(const gpucc_site *site, const char *where) {
    static std::FILE *file = [] {
        const char *path = std::getenv("GPUCC_RT_TRACE");
        return path && *path ? std::fopen(path, "w") : nullptr;
    }();
    static std::mutex mutex;
    if (!file) return;
    std::lock_guard lock(mutex);
    std::fprintf(file, "{\"site\": %d, \"name\": \"%s\", \"queue\": %d, \"ran_on\": \"%s\", \"waits\": [",
                 site->index, site->name, site->queue, where);
    for (int i = 0; i < site->wait_count; ++i)
        std::fprintf(file, "%s%d", i ? ", " : "", site->waits[i]);
    std::fprintf(file, "], \"joins\": %s}\n", site->flags & GPUCC_JOIN ? "true" : "false");
    std::fflush(file);
}

// Waits for everything that this thread has put on queues so far. Returns what went wrong first.
int synchronize(const Queues *queues) {
    int status = cuda_success;
    for (void *stream : queues->streams) {
        if (!stream) continue;
        const int found = cudaStreamSynchronize(stream);
        if (status == cuda_success) status = found;
    }
    return status;
}

// Gives a set of queues up, in the middle of a region: what comes next on the null stream is behind
// everything on them.
void give_up(Queues *queues) {
    synchronize(queues);
    queues->usable = false;
}

// Calls `create` without leaving a trace in the calling thread's last error.
template <class Create> int without_trace(Create create) {
    if (cudaPeekAtLastError() == cuda_success) {
        const int status = create();
        if (status != cuda_success) cudaGetLastError();
        return status;
    }
    // A failure would replace the program's error. In another thread it does not.
    int device = 0, status = cudaGetDevice(&device);
    if (status != cuda_success) return status;
    try {
        std::thread([&] {
            status = cudaSetDevice(device);
            if (status == cuda_success) status = create();
        }).join();
    } catch (const std::system_error &) {
        return no_thread;
    }
    return status;
}

// Makes a stream or an event with `create` unless it is there; if it cannot be, gives the queues up.
template <class Create> bool make(Queues *queues, void *&handle, Create create) {
    if (handle || without_trace([&] { return create(&handle); }) == cuda_success) return true;
    handle = nullptr;
    give_up(queues);
    return false;
}

bool make_stream(Queues *queues, void *&stream) {
    return make(queues, stream, [](void **made) {
        return cudaStreamCreateWithFlags(made, stream_non_blocking);
    });
}

bool make_event(Queues *queues, void *&event) {
    return make(queues, event, [](void **made) {
        return cudaEventCreateWithFlags(made, event_disable_timing);
    });
}

// Returns the stream for an entry, ordered behind what it depends on; the null stream if anything
// is off.
void *enter(const gpucc_site *site) {
    Queues *queues = usable_queues_here();
    if (!queues || site->queue < 0 || site->queue >= max_queues) return null_stream;
    void *&stream = queues->streams[site->queue];
    if (!make_stream(queues, stream)) return null_stream;
    bool ordered = true;
    if (site->flags & GPUCC_BEGINS) {
        if (!make_event(queues, queues->begin)) return null_stream;
        ordered = cudaEventRecord(queues->begin, null_stream) == cuda_success;
        queues->caught_up = 0;
        ++queues->pass;
    }
    const std::uint32_t bit = 1u << site->queue;
    if (ordered && !(queues->caught_up & bit)) {
        ordered = cudaStreamWaitEvent(stream, queues->begin, 0) == cuda_success;
        queues->caught_up |= bit;
    }
    const gpucc_site *table = site - site->index;
    for (int i = 0; i < site->wait_count && ordered; ++i) {
        const Event &event = queues->events[table + site->waits[i]];
        if (event.pass == queues->pass)
            ordered = cudaStreamWaitEvent(stream, event.handle, 0) == cuda_success;
        else
            synchronize(queues);  // that entry did not run this time: its launch was refused
    }
    if (!ordered) {
        give_up(queues);
        return null_stream;
    }
    return stream;
}

// Called when an entry's work has been put on `stream`.
void leave(const gpucc_site *site, void *stream) {
    trace(site, stream == null_stream ? "null stream" : "queue");
    if (stream == null_stream || !(site->flags & (GPUCC_RECORD | GPUCC_JOIN))) return;
    Queues *queues = usable_queues_here();
    if (!queues) return;
    Event &event = queues->events[site];
    if (!make_event(queues, event.handle)) return;
    bool ordered = cudaEventRecord(event.handle, stream) == cuda_success;
    event.pass = queues->pass;
    if (ordered && (site->flags & GPUCC_JOIN))
        ordered = cudaStreamWaitEvent(null_stream, event.handle, 0) == cuda_success;
    if (!ordered) give_up(queues);
}

// Waits as the blocking call does that an entry stands for. Returns what went wrong.
int wait_for_copy(const gpucc_site *site, void *stream) {
    const Queues *queues = queues_here();
    if (!queues || !(queues->waits_for_all || site->flags & GPUCC_SYNC_ALL))
        return cudaStreamSynchronize(stream);
    return synchronize(queues);
}

}  // namespace

extern "C" {

unsigned gpucc_rt_push(const gpucc_site *site, std::uint64_t grid_xy, std::uint32_t grid_z,
                       std::uint64_t block_xy, std::uint32_t block_z, std::size_t shared,
                       void *stream) {
    if (stream == null_stream) {
        stream = enter(site);
        thread_state.pending = site;
        thread_state.pending_stream = stream;
    }
    const unsigned status =
        __cudaPushCallConfiguration(grid_xy, grid_z, block_xy, block_z, shared, stream);
    if (status != cuda_success && thread_state.pending) {  // the launch will not follow
        thread_state.pending = nullptr;
        if (Queues *queues = queues_here()) synchronize(queues);  // whoever waits for it need not
    }
    return status;
}

int gpucc_rt_launch(gpucc_launch launch, const void *kernel, std::uint64_t grid_xy,
                    std::uint32_t grid_z, std::uint64_t block_xy, std::uint32_t block_z,
                    void **args, std::size_t shared, void *stream) {
    const gpucc_site *site = thread_state.pending;
    const bool follows = site && stream == thread_state.pending_stream;
    if (follows) thread_state.pending = nullptr;
    const int status = launch(kernel, grid_xy, grid_z, block_xy, block_z, args, shared, stream);
    if (follows) leave(site, stream);
    return status;
}

int gpucc_rt_memcpy(const gpucc_site *site, void *to, const void *from, std::size_t bytes, int kind) {
    void *stream = enter(site);
    if (stream == null_stream) {
        leave(site, stream);
        return cudaMemcpy(to, from, bytes, kind);
    }
    int status = cudaMemcpyAsync(to, from, bytes, kind, stream);
    leave(site, stream);
    if (site->flags & GPUCC_SYNC) {  // a refused copy too: the schedule counts on the host's wait
        const int waited = wait_for_copy(site, stream);
        if (status == cuda_success) status = waited;
    }
    return status;
}

int gpucc_rt_memset(const gpucc_site *site, void *to, int value, std::size_t bytes) {
    void *stream = enter(site);
    const int status = stream == null_stream ? cudaMemset(to, value, bytes)
                                             : cudaMemsetAsync(to, value, bytes, stream);
    leave(site, stream);
    return status;
}
}
