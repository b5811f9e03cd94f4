// Launches: checks, and the pool of threads that help the calling one.
//
// The calling thread always works on its own launch, so that a small one ends before anyone else is
// awake, and launches of several threads all go on whatever the pool does.
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <system_error>

#include "engine.h"

namespace gpucc_cpu {

namespace {

struct Job {
    Launch *launch;
    uint32_t wanted;   // helpers that may still join
    uint32_t number;   // of the next one
    uint32_t helping;
    Job *next;
};

struct Pool {
    std::mutex mutex;
    std::condition_variable work, done;
    Job *jobs = nullptr;
    uint32_t helpers = 0;
    uint32_t asleep = 0;
    Worker *workers = nullptr;  // free ones
};

// Never destroyed: helpers may wait in it when the process ends.
Pool *pool = new Pool;

Worker *take_worker() {
    Worker *worker = pool->workers;
    if (worker == nullptr) return new Worker();
    pool->workers = worker->next;
    return worker;
}

void give_worker(Worker *worker) {
    worker->next = pool->workers;
    pool->workers = worker;
}

Job *job_that_wants_help() {
    for (Job *job = pool->jobs; job != nullptr; job = job->next)
        if (job->wanted != 0) return job;
    return nullptr;
}

void *help(void *) {
    std::unique_lock<std::mutex> lock(pool->mutex);
    for (;;) {
        Job *job = job_that_wants_help();
        if (job == nullptr) {
            ++pool->asleep;
            pool->work.wait(lock);
            --pool->asleep;
            continue;
        }
        --job->wanted;
        ++job->helping;
        const uint32_t number = job->number++;
        Worker *worker = take_worker();
        // One wakes the next, so that the launch itself wakes only one.
        if (job_that_wants_help() != nullptr && pool->asleep != 0) pool->work.notify_one();
        lock.unlock();
        work(job->launch, worker, number);
        lock.lock();
        give_worker(worker);
        if (--job->helping == 0) pool->done.notify_all();
    }
    return nullptr;
}

// With the lock held.  If the system gives no more threads, fewer must do.
void grow_pool(uint32_t helpers) {
    if (pool->helpers >= helpers) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
    while (pool->helpers < helpers) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, help, nullptr) != 0) break;
        pthread_detach(thread);
        ++pool->helpers;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// A child made by fork has the memory of the pool but none of its threads.
void before_fork() { pool->mutex.lock(); }
void after_fork_in_parent() { pool->mutex.unlock(); }
void after_fork_in_child() {
    Worker *workers = pool->workers;
    pool = new Pool;
    pool->workers = workers;
}

const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

uint32_t cores() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return static_cast<uint32_t>(CPU_COUNT(&set));
    return 1;
}

std::string shape(const uint32_t *values) {
    return std::to_string(values[0]) + "x" + std::to_string(values[1]) + "x" +
           std::to_string(values[2]);
}

// Why the launch is impossible; empty if it is not.
std::string refusal(const gpucc_kernel *kernel, const gpucc_launch *launch,
                    const gpucc_options *options) {
    const uint32_t *grid = launch->grid, *block = launch->block;
    if (kernel->thread == nullptr && kernel->loop == nullptr && kernel->start == nullptr)
        return "the kernel has no code";
    if (kernel->thread == nullptr && options->fibers) return "the kernel has no form for fibers";
    for (int i = 0; i < 3; ++i) {
        if (grid[i] == 0) return "the grid is " + shape(grid);
        if (block[i] == 0) return "the block is " + shape(block);
    }
    const uint64_t threads = uint64_t{block[0]} * block[1] * block[2];
    if (block[0] > kThreads || block[1] > kThreads || block[2] > 64 || threads > kThreads)
        return "the block is " + shape(block) + "; a block has at most 1024 threads, 64 along z";
    if (grid[0] > 0x7fffffffu || grid[1] > 65535 || grid[2] > 65535)
        return "the grid is " + shape(grid) + "; at most 2147483647x65535x65535 is possible";
    if (launch->shared_bytes < uint64_t{kernel->static_shared} + launch->dynamic_bytes)
        return std::to_string(launch->shared_bytes) + " bytes of shared memory; the kernel has " +
               std::to_string(kernel->static_shared) + " static and " +
               std::to_string(launch->dynamic_bytes) + " dynamic ones";
    if (options->order > GPUCC_PERMUTED) return "no order " + std::to_string(options->order);
    return "";
}

void run(Launch *launch) {
    const uint32_t helpers = launch->worker_count - 1;
    Job job{launch, helpers, 1, 0, nullptr};
    Worker *worker;
    {
        const std::lock_guard<std::mutex> lock(pool->mutex);
        worker = take_worker();
        if (helpers != 0) {
            grow_pool(helpers);
            job.next = pool->jobs;
            pool->jobs = &job;
            if (pool->asleep != 0) pool->work.notify_one();
        }
    }
    work(launch, worker, 0);
    std::unique_lock<std::mutex> lock(pool->mutex);
    give_worker(worker);
    if (helpers == 0) return;
    Job **link = &pool->jobs;
    while (*link != &job) link = &(*link)->next;
    *link = job.next;
    while (job.helping != 0) pool->done.wait(lock);
}

}  // namespace

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

int gpucc_cpu_launch(const gpucc_kernel *kernel, const gpucc_launch *geometry,
                     const void *parameters, const gpucc_options *options, char *message,
                     size_t message_bytes) {
    static std::atomic<uint64_t> serial{0};
    static const uint32_t core_count = cores();
    static const gpucc_options usual{};
    if (options == nullptr) options = &usual;

    Launch launch;
    launch.kernel = kernel;
    launch.geometry = *geometry;
    launch.message = refusal(kernel, geometry, options);
    if (!launch.message.empty()) {
        launch.status = GPUCC_REFUSED;
        launch.message = std::string(kernel->name ? kernel->name : "?") + ": " + launch.message;
    } else {
        launch.parameters = parameters;
        launch.order = options->order;
        launch.seed = options->seed;
        launch.blocks = uint64_t{geometry->grid[0]} * geometry->grid[1] * geometry->grid[2];
        launch.loop = kernel->loop != nullptr && options->fibers == 0;
        launch.coroutines = kernel->start != nullptr && options->fibers == 0;
        launch.lanes = launch.loop || kernel->lanes == 0 ? 1 : kernel->lanes;
        const uint32_t threads = geometry->block[0] * geometry->block[1] * geometry->block[2];
        launch.threads = (threads + launch.lanes - 1) / launch.lanes;
        launch.serial = ++serial;
        const uint32_t wanted = options->workers ? options->workers : core_count;
        launch.worker_count =
            launch.blocks < wanted ? static_cast<uint32_t>(launch.blocks) : wanted;
        run(&launch);
    }
    flush_output();
    if (message != nullptr && message_bytes != 0)
        snprintf(message, message_bytes, "%s", launch.message.c_str());
    return launch.status;
}
