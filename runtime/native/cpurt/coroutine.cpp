// Warps that are coroutines: each runs up to a barrier and gives way by returning; when all that have
// not ended have come to it, all go on.  No registers are kept but what lives across the barrier.
#include <sys/mman.h>

#include "engine.h"

namespace gpucc_cpu {

namespace {

// A loop around a barrier may wait for another block: after so many, others run.
constexpr uint32_t kTurnCompletions = 1024;
constexpr size_t kFrameAlignment = 128;

using GoOn = void (*)(void *);

// The function that goes on with a coroutine; nullptr when it has ended.  (LLVM's "switched-resume
// lowering" puts it first; for one pointer its "fastcc" is C's convention.)
GoOn next_step(void *handle) { return *static_cast<GoOn *>(handle); }

// Takes the next warp out of a mask, in the order of the launch.
uint32_t take(uint32_t &warps, Block *block) {
    const uint32_t order = block->launch->order;
    const uint32_t w = order == GPUCC_FORWARD    ? lowest(warps)
                       : order == GPUCC_REVERSED ? highest(warps)
                                                 : any_bit(warps, block->random);
    warps &= ~(1u << w);
    return w;
}

void run_until_wait(Block *block, uint32_t w) {
    Warp &all = block->warps[0];  // of which the warps of the block are the lanes
    Thread &thread = block->threads[w];
    const uint32_t bit = 1u << w;
    if (all.fresh & bit) {
        all.fresh &= ~bit;
        thread.stands = block->launch->kernel->start(&thread.base, block->launch->parameters);
    } else {
        next_step(thread.stands)(thread.stands);
    }
    if (next_step(thread.stands) != nullptr) return;
    all.alive &= ~bit;
    --block->live;
}

// Ends the barrier at which all warps that are left wait; false: they wait at different ones.
bool complete(Block *block) {
    const uint32_t alive = block->warps[0].alive;
    Thread &first = block->threads[lowest(alive)];
    uint32_t every = 1, some = 0;
    for (uint32_t left = alive; left != 0; left &= left - 1) {
        Thread &thread = block->threads[lowest(left)];
        if (thread.spins != first.spins) {
            check_meeting(&first.base, &thread.base);
            return false;
        }
        every &= static_cast<uint32_t>(thread.value);
        some |= static_cast<uint32_t>(thread.value);
    }
    const uint32_t kind = first.spins >> 8;
    if (kind == GPUCC_SYNC) return true;
    for (uint32_t left = alive; left != 0; left &= left - 1)
        block->threads[lowest(left)].value = kind == GPUCC_AND ? every : some;
    return true;
}

}  // namespace

void run_warps(Block *block) {
    for (;;) {
        for (uint32_t left = block->warps[0].alive; left != 0;)
            run_until_wait(block, take(left, block));
        if (block->live == 0 || !complete(block)) return;
        if (++block->completions % kTurnCompletions == 0) {
            block->has_turn_over = block->progressed = true;
            return;
        }
    }
}

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

void gpucc_cpu_meet(gpucc_thread *base, uint32_t id, uint32_t kind, uint32_t predicate,
                    uint32_t site) {
    Thread *thread = thread_of(base);
    if (id >= kBarriers)
        fail(base, GPUCC_FAULT,
             "no barrier " + std::to_string(id) + " at " + place(block_of(base)->launch, site));
    thread->site = site;
    thread->spins = kind << 8 | id;
    thread->value = predicate != 0;
}

uint32_t gpucc_cpu_met(gpucc_thread *thread) {
    return static_cast<uint32_t>(thread_of(thread)->value);
}

void *gpucc_cpu_frame(gpucc_thread *base, uint64_t bytes) {
    Block *block = block_of(base);
    size_t step = (bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
    if (step % 1024 == 0) step += kFrameAlignment;  // not all on the same lines of the cache
    const size_t wanted = step * block->launch->threads;
    if (block->frame_room < wanted) {  // at the first warp: no frame is in use yet
        void *memory = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) fail(base, GPUCC_REFUSED, "out of memory for the warps of a block");
        if (block->frame_room != 0) munmap(block->frames, block->frame_room);
        block->frames = static_cast<char *>(memory);
        block->frame_room = wanted;
    }
    return block->frames + step * base->linear;
}
