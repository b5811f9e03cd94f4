// The queue of operations: what cudart_queue.cpp shares with streams and events.
#ifndef GPUCC_CUDART_QUEUE_H
#define GPUCC_CUDART_QUEUE_H

#include <atomic>
#include <condition_variable>
#include <deque>
#include <unordered_set>

#include "cudart.h"

namespace gpucc_cudart {

struct Queue {
    std::mutex mutex;
    std::condition_variable work, done;
    std::deque<OpRef> ready;
    size_t idle = 0;     // threads that wait for work
    size_t waiters = 0;  // that wait for an operation to end
    Stream legacy;
    std::unordered_set<Stream *> streams;  // all others
    std::unordered_set<Event *> events;
    std::vector<OpRef> abandoned;  // last operations of destroyed blocking streams, and others
    uint64_t ids = 2;
    std::atomic<int> captures{0};     // that blocking streams began
    std::atomic<int> any_capture{0};  // all that are going on
};

Queue &queue();

// With the lock of the queue held: what the next operation of a stream waits for.
std::vector<OpRef> before_next(const Stream *stream);

// Prints what kernels have printed.
void write_printed();

}  // namespace gpucc_cudart

#endif
