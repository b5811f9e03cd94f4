// What the engine's files share: threads, warps, barriers and blocks, and how a thread gives way.
//
// Which threads can run is kept as masks: of lanes for each warp, of warps for the block.  A thread
// runs until it waits; it then chooses the next one itself (`pick`) and switches to it directly.
// Only when no thread of the block can run does a fiber go back to its worker.
//
// In the orders forward and reversed the first thread in order is chosen always, also after a
// barrier: what happens between two barriers happens in order of the threads, however many warp
// operations lie between.
#ifndef GPUCC_CPU_ENGINE_H
#define GPUCC_CPU_ENGINE_H

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "fiber.h"
#include "gpucc_cpu.h"

namespace gpucc_cpu {

constexpr uint32_t kWarp = 32;
constexpr uint32_t kWarps = 32;  // of the largest block
constexpr uint32_t kThreads = kWarp * kWarps;
constexpr uint32_t kBarriers = 16;
// Rounds before lanes that only yield no longer hold up an operation without members.
constexpr uint32_t kLooseRounds = 16;
// Rounds of any kind after which a block lets others run.
constexpr uint32_t kTurnRounds = 64;
constexpr uint32_t kFull = 0xffffffffu;

struct Block;
struct Worker;

// A thread of a block; `base` is what generated code sees of it.
struct alignas(64) Thread {
    gpucc_thread base;
    void *stands;    // where its fiber goes on, or its coroutine; nothing if `fresh` has its bit
    Stack *stack;    // nullptr before its beginning and after its end
    uint64_t value;  // the result of what it waits for
    void *operands;  // of the operation that it waits at
    uint32_t site;   // where it waits
    uint32_t spins;  // how often it yielded; of a coroutine: gpucc_barrier_kind << 8 | barrier
};
static_assert(sizeof(Thread) == 64, "one line of the cache");

enum class Kind : uint32_t {
    shfl,
    match,
    activemask,
    elect,
    warpsync,
    mma,
    ldmatrix,
    stmatrix,
    movmatrix,
    vote = 16,   // + gpucc_vote
    redux = 32,  // + operation
};

// Lanes that wait for each other at a warp operation.
struct Group {
    Kind kind;
    uint32_t members;  // 0: those that have come when nothing else can go on
    uint32_t arrived;
    uint32_t site;     // the place of all of them if members is 0, else of the first
};

struct alignas(32) Warp {
    uint32_t ready;    // lanes that can run
    uint32_t yielded;  // lanes that can run in the next round
    uint32_t alive;    // lanes that have not exited
    uint32_t fresh;    // lanes that have not begun
    uint32_t rounds;   // since anything but yields happened here
    uint32_t group_count;
};

struct Barrier {
    uint32_t kind;      // of the first arrival
    uint32_t whole;     // whether it is for all of the block, else for `needed` warps
    uint32_t needed;
    uint32_t arrived;   // warps
    uint32_t warps;     // which warps, as a mask
    uint32_t value;     // of a reduction
    uint32_t site;      // of the first arrival
    uint32_t come[kWarps];     // lanes that have come, of warps that have not come as a whole
    uint32_t waiting[kWarps];  // lanes to restart when it completes
};

struct Launch {
    const gpucc_kernel *kernel;
    gpucc_launch geometry;
    const void *parameters;
    uint32_t order;
    uint64_t seed;
    uint64_t blocks;
    uint32_t lanes;    // threads of the kernel that a fiber runs
    uint32_t threads;  // of a block: fibers, or calls of the loop form's body
    uint32_t worker_count;
    bool loop;
    bool coroutines;
    uint64_t serial;   // never the same for two launches

    std::atomic<uint64_t> next{0};      // place in the order of blocks
    std::atomic<uint64_t> suspended{0};  // threads of blocks that wait for others
    std::atomic<bool> stop{false};

    std::mutex mutex;  // of the two below
    int status = GPUCC_OK;
    std::string message;
};

// A block that runs or stands suspended.  Reused for other blocks.
struct Block {
    gpucc_block base;
    Launch *launch;
    Worker *worker;
    Block *next;  // in the worker's list

    uint32_t ready_warps;    // with ready lanes
    uint32_t yielded_warps;
    uint32_t loose_warps;    // with a group without members
    uint32_t exited_warps;
    uint32_t current_warp;   // order permuted: the warp that runs
    uint32_t active_barriers;
    uint32_t live;           // threads that have not exited
    uint32_t idle_rounds;    // rounds on end in which all threads only yielded
    uint32_t turn_rounds;    // rounds since the worker came to it
    uint32_t completions;    // of barriers
    bool progress;           // since the last round began: something other than yields
    bool progressed;         // since the worker came to it
    bool has_turn_over;      // why it went back to the worker
    uint64_t random;
    uint64_t index;          // linear, of the grid
    uint64_t prepared;       // serial of the launch whose threads lie here
    size_t shared_room;
    char *frames;            // of coroutines
    size_t frame_room;

    Warp warps[kWarps];
    Barrier barriers[kBarriers];
    Group groups[kWarps][kWarp];  // of each warp, the first group_count
    Thread threads[kThreads + 1];  // give_way looks at the one after the last
};

struct Worker {
    void *stands;  // its own stack, while a fiber runs
    Stacks stacks;
    Block *spare;  // blocks to reuse
    Worker *next;  // in the list of free workers
    uint64_t visits;  // to suspended blocks, since a block began or ended
    bool progressed;  // something other than yields happened in one of them
#if defined(__SANITIZE_THREAD__)
    void *tsan;
#endif
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom;
    size_t bytes;
#endif
};

inline Block *block_of(gpucc_thread *thread) { return reinterpret_cast<Block *>(thread->block); }
inline Thread *thread_of(gpucc_thread *thread) { return reinterpret_cast<Thread *>(thread); }
inline uint32_t lowest(uint32_t mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }
inline uint32_t highest(uint32_t mask) { return 31u - static_cast<uint32_t>(__builtin_clz(mask)); }
inline uint32_t count(uint32_t mask) { return static_cast<uint32_t>(__builtin_popcount(mask)); }

inline uint64_t mix(uint64_t x) {  // splitmix64's
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// One of the bits of a mask that has some.
inline uint32_t any_bit(uint32_t mask, uint64_t &random) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const uint32_t turn = static_cast<uint32_t>(random >> 33) & 31;
    const uint32_t turned = turn ? mask >> turn | mask << (32 - turn) : mask;
    const uint32_t bit = random >> 63 ? lowest(turned) : highest(turned);
    return (bit + turn) & 31;
}

// --- scheduling (schedule.cpp) --------------------------------------------------------------------

// Does what is left when no thread is ready: warp operations without members, a new round of those
// that yielded.  Returns the next thread, or nullptr if the worker must decide.
Thread *pick_late(Block *block);

// The next thread to run, taken out of the masks; nullptr: go back to the worker.
inline Thread *pick(Block *block) {
    const uint32_t warps = block->ready_warps;
    if (warps == 0) return pick_late(block);
    uint32_t w, lane;
    const uint32_t order = block->launch->order;
    if (__builtin_expect(order == GPUCC_FORWARD, 1)) {
        w = lowest(warps);
        lane = lowest(block->warps[w].ready);
    } else if (order == GPUCC_REVERSED) {
        w = highest(warps);
        lane = highest(block->warps[w].ready);
    } else {
        w = block->current_warp;
        if (!(warps >> w & 1)) w = block->current_warp = any_bit(warps, block->random);
        lane = any_bit(block->warps[w].ready, block->random);
    }
    Warp &warp = block->warps[w];
    warp.ready &= ~(1u << lane);
    if (warp.ready == 0) block->ready_warps = warps & ~(1u << w);
    return &block->threads[w * kWarp + lane];
}

// Whether the thread has not begun.
inline bool is_fresh(const Block *block, const Thread *thread) {
    const uint32_t linear = thread->base.linear;
    return block->warps[linear / kWarp].fresh >> linear % kWarp & 1;
}
// The same; and it counts as begun from now on.
inline bool take_fresh(Block *block, Thread *thread) {
    if (!is_fresh(block, thread)) return false;
    block->warps[thread->base.linear / kWarp].fresh &= ~(1u << thread->base.linear % kWarp);
    thread->spins = 0;
    return true;
}

// Goes to `next`, or to the worker if there is none; *save is where this fiber goes on.
void go_from(void **save, Block *block, Thread *next);

// Gives way to another thread; the thread itself is in some mask or group already.
inline void give_way(Block *block, Thread *thread) {
    Thread *next = pick(block);
    if (next == thread) return;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (__builtin_expect(next != nullptr && !is_fresh(block, next), 1)) {
        // The stacks of a block do not fit into the first cache: bring the one after the next.
        const char *after = static_cast<const char *>(next[1].stands);
        __builtin_prefetch(next + 2);
        __builtin_prefetch(after);
        __builtin_prefetch(after + 64);
        return fiber_switch(&thread->stands, next->stands);
    }
#endif
    go_from(&thread->stands, block, next);
}

// Goes back to the worker for good; the block is not resumed.
[[noreturn]] void leave_block(Block *block);

// Something other than a yield happens in the warp.
inline void mark_progress(Block *block, Warp &warp) {
    block->progress = true;
    warp.rounds = 0;
}

// What the lanes waited for has happened.
inline void release(Block *block, uint32_t w, uint32_t lanes) {
    Warp &warp = block->warps[w];
    mark_progress(block, warp);
    warp.ready |= lanes;
    block->ready_warps |= 1u << w;
}

// Runs the blocks of a launch that are left, with others doing the same.
void work(Launch *launch, Worker *worker, uint32_t number);

// --- failing (report.cpp) -------------------------------------------------------------------------

// Notes what went wrong, if nothing did before, and makes the launch end early.
void note_failure(Launch *launch, int status, std::string message);
// The same with the thread's place; and ends its block.
[[noreturn]] void fail(gpucc_thread *thread, int status, const std::string &message);
// "kernel.ptx:12: bar.sync 0"
std::string place(const Launch *launch, uint32_t site);
std::string describe_deadlock(const Block *block);

// Takes what kernels print, from any thread; nullptr: it goes to stdout (print.cpp).
extern void (*output_sink)(const std::string &text);
// Writes out what kernels printed to stdout, if they did.
void flush_output();

// --- coroutines (coroutine.cpp) -------------------------------------------------------------------

// Runs the warps of a block, all in turn up to where they wait, until they have ended or others are
// to run (has_turn_over).  Called on a fiber.
void run_warps(Block *block);

// --- waits of others (barrier.cpp, warp.cpp, matrix.cpp) --------------------------------------------

// Ends the launch if warps that wait for each other do so in ways that do not go together.
void check_meeting(gpucc_thread *first, gpucc_thread *second);
// A lane has exited: completes what waited for it.
void barriers_after_exit(Block *block, uint32_t w);
void groups_after_exit(Block *block, uint32_t w);
// Completes one group of each warp that has only groups without members left to run.
bool settle_loose_groups(Block *block);
// Waits for the other lanes; the result is in thread->value.
void collective(gpucc_thread *thread, Kind kind, uint32_t members, uint32_t site, void *operands);
// The matrix operation `kind` for the 32 lanes of a warp, whose operands are all there.
void complete_matrix(Kind kind, Thread *lanes);

}  // namespace gpucc_cpu

#endif
