// Operations: what waits for what, and the threads that run them.
//
// A stream is its last operation: the next one waits for that.  An operation of the legacy default
// stream waits for the last of every blocking stream too, and what follows it in those waits for it.
// An operation that waits for nothing more is given to a thread; there is a new one whenever none is
// free, for what runs may wait for the host or for another stream.
#include "cudart_queue.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "engine.h"

namespace gpucc_cudart {

namespace {

struct Printed {
    std::mutex mutex;
    std::string text;
};
Printed &printed() {
    static auto *only = new Printed;
    return *only;
}
void keep_printed(const std::string &text) {
    const std::lock_guard<std::mutex> lock(printed().mutex);
    printed().text += text;
}

thread_local int per_thread_default = 0;

// Runs an operation; returns one that was waiting for it alone, to be run next.  The lock is held
// before and after, as in all below that do not take it.
OpRef run_ready(std::unique_lock<std::mutex> &lock, const OpRef &op);

void *serve(void *) {
    Queue &q = queue();
    std::unique_lock<std::mutex> lock(q.mutex);
    for (;;) {
        while (q.ready.empty()) {
            ++q.idle;
            q.work.wait(lock);
            --q.idle;
        }
        OpRef op = q.ready.front();
        q.ready.pop_front();
        while (op != nullptr) op = run_ready(lock, op);
    }
    return nullptr;
}

void add_thread() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
    pthread_t thread;
    if (pthread_create(&thread, nullptr, serve, nullptr) == 0) {
        pthread_detach(thread);
    } else {
        fprintf(stderr, "gpucc: no more threads: streams may wait for each other\n");
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void make_ready(const OpRef &op) {
    Queue &q = queue();
    q.ready.push_back(op);
    if (q.idle >= q.ready.size())
        q.work.notify_one();
    else
        add_thread();
}

OpRef run_ready(std::unique_lock<std::mutex> &lock, const OpRef &op) {
    Queue &q = queue();
    lock.unlock();
    if (op->work && (op->always || device_error() == cudaSuccess)) op->work();
    op->work = nullptr;
    const uint64_t time = now();
    lock.lock();
    op->ended = time;
    op->done = true;
    OpRef mine;
    for (const OpRef &next : op->next) {
        if (--next->waiting != 0) continue;
        if (mine == nullptr)
            mine = next;
        else
            make_ready(next);
    }
    op->next.clear();
    if (q.waiters != 0) q.done.notify_all();
    return mine;
}

void follow(const OpRef &op, const OpRef &before) {
    if (before == nullptr || before->done) return;
    before->next.push_back(op);
    ++op->waiting;
}

}  // namespace

Queue &queue() {
    static Queue *only = [] {
        auto *made = new Queue;  // never destroyed: threads may work when the process ends
        made->legacy.legacy = true;
        made->legacy.id = 1;
        gpucc_cpu::output_sink = keep_printed;
        return made;
    }();
    return *only;
}

uint64_t now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
}

PerThreadDefault::PerThreadDefault() { ++per_thread_default; }
PerThreadDefault::~PerThreadDefault() { --per_thread_default; }

Stream *stream_of(cudaStream_t handle) {
    Queue &q = queue();
    const auto number = reinterpret_cast<uintptr_t>(handle);
    if (number == 2 || (number == 0 && per_thread_default != 0)) {
        thread_local Stream *own = nullptr;
        if (own == nullptr) {
            own = new Stream;
            const std::lock_guard<std::mutex> lock(q.mutex);
            own->id = ++q.ids;
            q.streams.insert(own);
        }
        return own;
    }
    if (number <= 1) return &q.legacy;
    auto *stream = reinterpret_cast<Stream *>(handle);
    const std::lock_guard<std::mutex> lock(q.mutex);
    return q.streams.count(stream) != 0 ? stream : nullptr;
}

Event *event_of(cudaEvent_t handle) {
    Queue &q = queue();
    const std::lock_guard<std::mutex> lock(q.mutex);
    auto *event = reinterpret_cast<Event *>(handle);
    return q.events.count(event) != 0 ? event : nullptr;
}

std::vector<OpRef> before_next(const Stream *stream) {
    Queue &q = queue();
    std::vector<OpRef> found;
    const auto add = [&](const OpRef &op) {
        if (op != nullptr && !op->done) found.push_back(op);
    };
    add(stream->last);
    if (stream->legacy) {
        for (const Stream *other : q.streams)
            if (other->blocking) add(other->last);
        for (const OpRef &op : q.abandoned) add(op);
    } else if (stream->blocking) {
        add(q.legacy.last);
    }
    return found;
}

std::vector<OpRef> frontier(Stream *stream) {
    const std::lock_guard<std::mutex> lock(queue().mutex);
    return before_next(stream);
}

cudaError_t submit(Stream *stream, Task task, OpRef *op) {
    Queue &q = queue();
    if (stream->capture != nullptr) return capture_task(stream, std::move(task));
    // It would have to wait for the streams that are captured.
    if (stream->legacy && q.captures.load() != 0) return cudaErrorStreamCaptureImplicit;
    auto made = std::make_shared<Op>();
    made->work = std::move(task.work);
    made->always = task.always;
    const std::lock_guard<std::mutex> lock(q.mutex);
    for (const OpRef &before : before_next(stream)) follow(made, before);
    stream->last = made;
    if (made->waiting == 0) make_ready(made);
    if (op != nullptr) *op = made;
    return cudaSuccess;
}

OpRef submit_after(const std::vector<OpRef> &before, Task task) {
    auto made = std::make_shared<Op>();
    made->work = std::move(task.work);
    made->always = task.always;
    const std::lock_guard<std::mutex> lock(queue().mutex);
    for (const OpRef &op : before) follow(made, op);
    if (made->waiting == 0) make_ready(made);
    return made;
}

void append(Stream *stream, const OpRef &op) {
    const std::lock_guard<std::mutex> lock(queue().mutex);
    stream->last = op;
}

bool is_done(const OpRef &op) {
    const std::lock_guard<std::mutex> lock(queue().mutex);
    return op == nullptr || op->done;
}

void wait(const OpRef &op) {
    if (op == nullptr) return;
    Queue &q = queue();
    std::unique_lock<std::mutex> lock(q.mutex);
    ++q.waiters;
    while (!op->done) q.done.wait(lock);
    --q.waiters;
}

void wait_for_all(double seconds) {
    Queue &q = queue();
    std::unique_lock<std::mutex> lock(q.mutex);
    std::vector<OpRef> all = q.abandoned;
    all.push_back(q.legacy.last);
    for (const Stream *stream : q.streams) all.push_back(stream->last);
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6));
    ++q.waiters;
    for (const OpRef &op : all) {
        while (op != nullptr && !op->done) {
            if (seconds < 0)
                q.done.wait(lock);
            else if (q.done.wait_until(lock, end) == std::cv_status::timeout)
                break;
        }
    }
    --q.waiters;
    const auto ended = [](const OpRef &op) { return op->done; };
    q.abandoned.erase(std::remove_if(q.abandoned.begin(), q.abandoned.end(), ended),
                      q.abandoned.end());
}

void write_printed() {
    std::string text;
    {
        const std::lock_guard<std::mutex> lock(printed().mutex);
        text.swap(printed().text);
    }
    if (text.empty()) return;
    fwrite(text.data(), 1, text.size(), stdout);
    fflush(stdout);
}

cudaError_t finish_wait() {
    write_printed();
    return device_error();
}

}  // namespace gpucc_cudart
