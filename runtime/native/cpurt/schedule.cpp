// Runs blocks: a worker's loop, and what happens when a thread waits, yields or ends.
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include <cstring>
#include <new>

#include "engine.h"

namespace gpucc_cpu {

namespace {

// Rounds on end in which all threads only yield after which a block lets others run.
constexpr uint32_t kIdleRounds = 4;
// Visits to suspended blocks before one more block is begun: those in which nothing happens are
// short; if something happens, for each of the blocks.  That many blocks then stand suspended as
// wait for each other, and not many more.
constexpr uint64_t kIdleVisits = 256;
constexpr uint64_t kBusyVisits = 8;
// A yield gives way every so often: loops that seldom wait are cheap.
constexpr uint32_t kSpins = 4;
// Threads that may stand suspended: as many as 132 multiprocessors hold.
constexpr uint64_t kResidentThreads = uint64_t{132} * 2048;
constexpr size_t kDefaultStack = 256 * 1024;

// --- switches, as the sanitizers want to see them ----------------------------------------------------

#if defined(__SANITIZE_THREAD__)
void tell_tsan(void *fiber) { __tsan_switch_to_fiber(fiber, 0); }
#else
#define tell_tsan(fiber) ((void)0)
#endif

#if defined(__SANITIZE_ADDRESS__)
void asan_leave(void **fake, const Stack *to, const Worker *worker) {
    if (to != nullptr)
        __sanitizer_start_switch_fiber(fake, to->bottom, static_cast<size_t>(to->top - to->bottom));
    else
        __sanitizer_start_switch_fiber(fake, worker->bottom, worker->bytes);
}
void asan_enter(void *fake) { __sanitizer_finish_switch_fiber(fake, nullptr, nullptr); }
#else
#define asan_leave(fake, to, worker) ((void)(fake), (void)(to), (void)(worker))
#define asan_enter(fake) ((void)(fake))
#endif

// --- the end of a thread ----------------------------------------------------------------------------

void end_thread(Block *block, Thread *thread) {
    const uint32_t w = thread->base.linear / kWarp;
    Warp &warp = block->warps[w];
    warp.alive &= ~(1u << thread->base.linear % kWarp);
    --block->live;
    mark_progress(block, warp);
    if (warp.alive == 0) block->exited_warps |= 1u << w;
    if (warp.group_count != 0) groups_after_exit(block, w);
    if (block->active_barriers != 0) barriers_after_exit(block, w);
}

// Leaves for good the stack of a thread that has ended.
[[noreturn]] void leave_stack(Block *block, Stack *stack, Thread *next) {
    Worker *worker = block->worker;
    worker->stacks.give(stack);  // nothing takes it before the jump leaves it
    tell_tsan(next ? next->stack->tsan : worker->tsan);
    asan_leave(nullptr, next ? next->stack : nullptr, worker);
    fiber_jump(next ? next->stands : worker->stands);
}

// Runs threads one after the other on this stack, while they end without waiting.
[[noreturn]] void run_threads(Stack *stack) {
    Thread *thread = stack->thread;
    Block *block = block_of(&thread->base);
    const gpucc_kernel *kernel = block->launch->kernel;
    const void *parameters = block->launch->parameters;
    for (;;) {
        kernel->thread(&thread->base, parameters);
        end_thread(block, thread);
        thread->stack = nullptr;
        Thread *next = pick(block);
        if (next != nullptr && take_fresh(block, next)) {
            stack->thread = thread = next;
            next->stack = stack;
            continue;
        }
        leave_stack(block, stack, next);
    }
}

// Goes on with a block of coroutines.
void run_coroutines(Stack *stack) {
    asan_enter(nullptr);
    Block *block = block_of(&stack->thread->base);
    run_warps(block);
    leave_block(block);
}

void run_fiber(Stack *stack) {
    asan_enter(nullptr);
    run_threads(stack);
}

// After gpucc_cpu_exit: as run_threads after the kernel has returned.
void run_fiber_after_exit(Stack *stack) {
    Thread *thread = stack->thread;
    Block *block = block_of(&thread->base);
    end_thread(block, thread);
    thread->stack = nullptr;
    Thread *next = pick(block);
    if (next != nullptr && take_fresh(block, next)) {
        stack->thread = next;
        next->stack = stack;
        run_threads(stack);
    }
    leave_stack(block, stack, next);
}

}  // namespace

void leave_block(Block *block) {
    tell_tsan(block->worker->tsan);
    asan_leave(nullptr, nullptr, block->worker);
    fiber_jump(block->worker->stands);
}

void go_from(void **save, Block *block, Thread *next) {
    Worker *worker = block->worker;
    void *fake = nullptr;
    if (next == nullptr) {
        tell_tsan(worker->tsan);
        asan_leave(&fake, nullptr, worker);
        fiber_switch(save, worker->stands);
    } else if (take_fresh(block, next)) {
        Stack *stack = worker->stacks.take();
        if (stack == nullptr) {
            note_failure(block->launch, GPUCC_REFUSED, "out of memory for stacks");
            if (save == &worker->stands) return;
            leave_block(block);
        }
        stack->thread = next;
        next->stack = stack;
        tell_tsan(stack->tsan);
        asan_leave(&fake, stack, worker);
        fiber_start(save, stack, run_fiber);
    } else {
        tell_tsan(next->stack->tsan);
        asan_leave(&fake, next->stack, worker);
        fiber_switch(save, next->stands);
    }
    asan_enter(fake);
}

Thread *pick_late(Block *block) {
    if (block->loose_warps != 0 && settle_loose_groups(block)) return pick(block);
    const uint32_t warps = block->yielded_warps;
    if (warps == 0) return nullptr;  // all have ended, or none can go on
    for (uint32_t left = warps; left != 0; left &= left - 1) {
        Warp &warp = block->warps[lowest(left)];
        warp.ready = warp.yielded;
        warp.yielded = 0;
        ++warp.rounds;
    }
    block->yielded_warps = 0;
    block->ready_warps = warps;
    ++block->turn_rounds;
    if (block->progress) {
        block->progress = false;
        block->progressed = true;
        block->idle_rounds = 0;
    } else {
        ++block->idle_rounds;
    }
    if (block->idle_rounds >= kIdleRounds || block->turn_rounds >= kTurnRounds) {
        block->has_turn_over = true;
        return nullptr;
    }
    return pick(block);
}

// --- blocks -----------------------------------------------------------------------------------------

namespace {

// The place of the i-th block in the order of the launch.
uint64_t ordered(const Launch *launch, uint64_t i) {
    if (launch->order == GPUCC_FORWARD) return i;
    if (launch->order == GPUCC_REVERSED) return launch->blocks - 1 - i;
    // A Feistel network over the next even power of two, walked until it hits a block.
    uint32_t half = 1;
    while (half < 32 && uint64_t{1} << 2 * half < launch->blocks) ++half;
    const uint64_t mask = (uint64_t{1} << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < 4; ++round) {
            const uint64_t mixed = left ^ (mix(right ^ mix(launch->seed + round)) & mask);
            left = right;
            right = mixed;
        }
        i = left << half | right;
    } while (i >= launch->blocks);
    return i;
}

void set_position(Block *block, uint64_t index) {
    const uint32_t *grid = block->launch->geometry.grid;
    block->index = index;
    block->base.ctaid[0] = static_cast<uint32_t>(index % grid[0]);
    index /= grid[0];
    block->base.ctaid[1] = static_cast<uint32_t>(index % grid[1]);
    block->base.ctaid[2] = static_cast<uint32_t>(index / grid[1]);
}

uint32_t lanes_of(const Launch *launch, uint32_t w) {
    const uint32_t left = launch->threads - w * kWarp;
    return left >= kWarp ? kFull : (1u << left) - 1;
}

// Makes a block of this launch out of a spare one; nullptr if there is no memory.
Block *take_block(Launch *launch, Worker *worker, uint32_t number) {
    Block *block = worker->spare;
    if (block != nullptr) {
        worker->spare = block->next;
    } else {
        void *memory = mmap(nullptr, sizeof(Block), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return nullptr;
        block = new (memory) Block;  // all zeros, as mmap gives it
    }
    if (block->prepared == launch->serial) return block;

    const size_t shared = launch->geometry.shared_bytes;
    if (block->shared_room < shared) {
        const size_t room = (shared + 65535) / 65536 * 65536;
        void *memory = mmap(nullptr, room, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            block->next = worker->spare;
            worker->spare = block;
            return nullptr;
        }
        if (block->shared_room != 0) munmap(block->base.shared, block->shared_room);
        block->base.shared = static_cast<char *>(memory);
        block->shared_room = room;
    }
    block->launch = launch;
    block->worker = worker;
    block->base.launch = &launch->geometry;
    block->base.worker = number;
    block->prepared = launch->serial;
    if (launch->loop) return block;
    if (launch->lanes > 1) {
        for (uint32_t i = 0; i < launch->threads; ++i) {
            block->threads[i].base.block = &block->base;
            block->threads[i].base.linear = i;
        }
        return block;
    }
    const uint32_t *shape = launch->geometry.block;
    uint32_t linear = 0;
    for (uint32_t z = 0; z < shape[2]; ++z)
        for (uint32_t y = 0; y < shape[1]; ++y)
            for (uint32_t x = 0; x < shape[0]; ++x, ++linear) {
                gpucc_thread &thread = block->threads[linear].base;
                thread.block = &block->base;
                thread.tid[0] = x;
                thread.tid[1] = y;
                thread.tid[2] = z;
                thread.linear = linear;
            }
    return block;
}

void give_block(Worker *worker, Block *block) {
    block->next = worker->spare;
    worker->spare = block;
}

void begin(Block *block, uint64_t index) {
    const Launch *launch = block->launch;
    set_position(block, index);
    const uint32_t warps = (launch->threads + kWarp - 1) / kWarp;
    for (uint32_t w = 0; w < warps; ++w) {
        Warp &warp = block->warps[w];
        warp.ready = warp.alive = warp.fresh = lanes_of(launch, w);
        warp.yielded = warp.rounds = warp.group_count = 0;
    }
    const uint32_t all = warps == kWarps ? kFull : (1u << warps) - 1;
    block->ready_warps = all;
    block->exited_warps = ~all;
    block->yielded_warps = block->loose_warps = 0;
    for (uint32_t left = block->active_barriers; left != 0; left &= left - 1)
        memset(&block->barriers[lowest(left)], 0, sizeof(Barrier));  // of a block that failed
    block->active_barriers = 0;
    block->live = launch->threads;
    block->idle_rounds = block->completions = 0;
    block->progress = true;
    if (launch->order == GPUCC_PERMUTED) {
        block->random = mix(launch->seed ^ mix(index));
        block->current_warp = any_bit(all, block->random);
    }
}

// Gives back the stacks of a block that does not go on.
void abandon(Block *block) {
    for (uint32_t i = 0; i < block->launch->threads; ++i) {
        Thread &thread = block->threads[i];
        if (thread.stack == nullptr) continue;
        block->worker->stacks.give(thread.stack);
        thread.stack = nullptr;
    }
}

enum class Outcome { ended, suspended, stopped };

Outcome resume(Block *block) {
    Worker *worker = block->worker;
    Launch *launch = block->launch;
    block->has_turn_over = block->progressed = false;
    block->turn_rounds = 0;
    if (launch->coroutines) {
        Stack *stack = worker->stacks.take();
        if (stack == nullptr) {
            note_failure(launch, GPUCC_REFUSED, "out of memory for stacks");
            return Outcome::stopped;
        }
        stack->thread = block->threads;
        for (uint32_t i = 0; i < launch->threads; ++i) block->threads[i].stack = stack;
        void *fake = nullptr;
        tell_tsan(stack->tsan);
        asan_leave(&fake, stack, worker);
        fiber_start(&worker->stands, stack, run_coroutines);
        asan_enter(fake);
        worker->stacks.give(stack);
        for (uint32_t i = 0; i < launch->threads; ++i) block->threads[i].stack = nullptr;
    } else {
        Thread *next = pick(block);
        if (next != nullptr) go_from(&worker->stands, block, next);
    }
    if (launch->stop.load(std::memory_order_relaxed)) return Outcome::stopped;
    if (block->live == 0) return Outcome::ended;
    if (block->has_turn_over) {
        worker->progressed |= block->progressed;
        return Outcome::suspended;
    }
    note_failure(launch, GPUCC_DEADLOCK, describe_deadlock(block));
    return Outcome::stopped;
}

// Blocks that a worker takes at once: enough that taking them costs nothing, so few that the workers
// end together.
uint64_t chunk_of(const Launch *launch) {
    const uint64_t chunk = launch->blocks / (uint64_t{16} * launch->worker_count);
    return chunk < 1 ? 1 : chunk > 64 ? 64 : chunk;
}

void work_in_loops(Launch *launch, Worker *worker, uint32_t number) {
    Block *block = take_block(launch, worker, number);
    if (block == nullptr) {
        note_failure(launch, GPUCC_REFUSED, "out of memory for shared memory");
        return;
    }
    const uint64_t chunk = chunk_of(launch);
    const gpucc_loop_function loop = launch->kernel->loop;
    const uint32_t threads = launch->threads;
    while (!launch->stop.load(std::memory_order_relaxed)) {
        const uint64_t first = launch->next.fetch_add(chunk, std::memory_order_relaxed);
        if (first >= launch->blocks) break;
        uint64_t left = launch->blocks - first;
        if (left > chunk) left = chunk;
        for (uint64_t i = first; i < first + left; ++i) {
            set_position(block, ordered(launch, i));
            if (launch->order == GPUCC_FORWARD) {
                loop(&block->base, launch->parameters, 0, threads);
            } else if (launch->order == GPUCC_REVERSED) {
                for (uint32_t t = threads; t-- > 0;)
                    loop(&block->base, launch->parameters, t, t + 1);
            } else {
                uint64_t random = mix(launch->seed ^ mix(block->index));
                const uint32_t warps = (threads + kWarp - 1) / kWarp;
                for (uint32_t w_left = warps == kWarps ? kFull : (1u << warps) - 1; w_left;) {
                    const uint32_t w = any_bit(w_left, random);
                    w_left &= ~(1u << w);
                    for (uint32_t lanes = lanes_of(launch, w); lanes;) {
                        const uint32_t lane = any_bit(lanes, random);
                        lanes &= ~(1u << lane);
                        const uint32_t t = w * kWarp + lane;
                        loop(&block->base, launch->parameters, t, t + 1);
                    }
                }
            }
        }
    }
    give_block(worker, block);
}

void work_in_fibers(Launch *launch, Worker *worker, uint32_t number) {
    const size_t wanted = launch->kernel->stack_bytes ? launch->kernel->stack_bytes : kDefaultStack;
    worker->stacks.enlarge(wanted);
    worker->visits = 0;
    worker->progressed = false;
    Block *last = nullptr;  // of a ring of suspended blocks; last->next is the next to visit
    uint64_t suspended = 0;
    const uint64_t chunk = launch->coroutines ? chunk_of(launch) : 1;
    uint64_t first = 0, end = 0;  // blocks that are this worker's to begin
    bool more = true;             // blocks that have not begun
    while (!launch->stop.load(std::memory_order_relaxed)) {
        Block *block = nullptr;
        bool fresh = false;
        if (more && (last == nullptr ||
                     worker->visits >= (worker->progressed ? kBusyVisits * suspended : kIdleVisits))) {
            uint64_t i = launch->blocks;
            if (last == nullptr || launch->suspended.load(std::memory_order_relaxed) +
                                           launch->threads <= kResidentThreads) {
                if (first == end) {
                    first = launch->next.fetch_add(chunk, std::memory_order_relaxed);
                    end = first + chunk < launch->blocks ? first + chunk : launch->blocks;
                }
                more = first < end;
                if (more) i = first++;
            }
            if (i < launch->blocks) {
                block = take_block(launch, worker, number);
                if (block == nullptr) {
                    note_failure(launch, GPUCC_REFUSED, "out of memory for a block");
                    break;
                }
                begin(block, ordered(launch, i));
                worker->visits = 0;
                worker->progressed = false;
                fresh = true;
            } else if (last == nullptr) {
                break;
            }
        } else if (last == nullptr) {
            break;
        }
        if (block == nullptr) {
            block = last->next;
            // Others may hold what all of these wait for.
            if (++worker->visits > kIdleVisits && worker->visits % suspended == 0) sched_yield();
        }
        switch (resume(block)) {
            case Outcome::suspended:
                if (fresh)
                    launch->suspended.fetch_add(launch->threads, std::memory_order_relaxed);
                if (!fresh) {
                    last = block;
                } else if (last == nullptr) {
                    block->next = block;
                    last = block;
                    ++suspended;
                } else {  // behind all others
                    block->next = last->next;
                    last->next = block;
                    last = block;
                    ++suspended;
                }
                continue;
            case Outcome::ended:
                if (!fresh)
                    launch->suspended.fetch_sub(launch->threads, std::memory_order_relaxed);
                break;
            case Outcome::stopped:
                abandon(block);
                break;
        }
        if (!fresh) {
            if (last == block)
                last = nullptr;
            else
                last->next = block->next;
            --suspended;
        }
        worker->visits = 0;
        worker->progressed = false;
        give_block(worker, block);
    }
    while (last != nullptr) {
        Block *block = last->next;
        if (block == last)
            last = nullptr;
        else
            last->next = block->next;
        abandon(block);
        give_block(worker, block);
    }
    worker->stacks.trim();
}

}  // namespace

void work(Launch *launch, Worker *worker, uint32_t number) {
#if defined(__SANITIZE_THREAD__)
    worker->tsan = __tsan_get_current_fiber();
#endif
#if defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    void *bottom;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &worker->bytes);
    pthread_attr_destroy(&attributes);
    worker->bottom = bottom;
#endif
    if (launch->loop)
        work_in_loops(launch, worker, number);
    else
        work_in_fibers(launch, worker, number);
}

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

void gpucc_cpu_yield(gpucc_thread *base) {
    Thread *thread = thread_of(base);
    Block *block = block_of(base);
    if (++thread->spins % kSpins != 0 && block->launch->order != GPUCC_PERMUTED) return;
    const uint32_t w = base->linear / kWarp;
    block->warps[w].yielded |= 1u << base->linear % kWarp;
    block->yielded_warps |= 1u << w;
    give_way(block, thread);
}

void gpucc_cpu_exit(gpucc_thread *thread) {
    fiber_restart(thread_of(thread)->stack, run_fiber_after_exit);
}
