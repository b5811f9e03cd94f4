// Barriers of the block.
//
// As on the device, warps arrive, not threads: a thread first waits for all lanes of its warp that
// have not exited, whichever of the barrier's instructions they come by; then its warp has arrived.
// After bar.arrive it goes on from there.
#include <string>

#include "engine.h"

namespace gpucc_cpu {

namespace {

// A loop around a barrier may wait for another block: after so many, others run.
constexpr uint32_t kTurnCompletions = 1024;

uint32_t warps_of(uint32_t threads) { return (threads + kWarp - 1) / kWarp; }

uint32_t neutral(uint32_t kind) { return kind == GPUCC_AND; }

// Lets other blocks run before threads of this one do.
void end_turn(Block *block) {
    for (uint32_t left = block->ready_warps; left != 0; left &= left - 1) {
        Warp &warp = block->warps[lowest(left)];
        warp.yielded |= warp.ready;
        warp.ready = 0;
    }
    block->yielded_warps |= block->ready_warps;
    block->ready_warps = 0;
    block->turn_rounds = kTurnRounds;
}

void complete(Block *block, uint32_t id) {
    Barrier &barrier = block->barriers[id];
    const bool reduces = barrier.kind >= GPUCC_POPC;
    const uint32_t warps = warps_of(block->launch->threads);
    uint32_t come = 0;
    for (uint32_t w = 0; w < warps; ++w) {
        // Lanes of a warp that has not come as a whole wait on: the count was for fewer warps.
        const uint32_t lanes = barrier.waiting[w] & ~barrier.come[w];
        come |= barrier.come[w];
        if (lanes == 0) continue;
        barrier.waiting[w] &= ~lanes;
        release(block, w, lanes);
        if (reduces)
            for (uint32_t left = lanes; left != 0; left &= left - 1)
                block->threads[w * kWarp + lowest(left)].value = barrier.value;
    }
    if (++block->completions % kTurnCompletions == 0) end_turn(block);
    barrier.arrived = barrier.warps = 0;
    barrier.value = neutral(barrier.kind);
    if (come == 0) block->active_barriers &= ~(1u << id);
}

bool is_complete(const Block *block, const Barrier &barrier) {
    if (barrier.whole) return (barrier.warps | block->exited_warps) == kFull;
    return barrier.arrived >= barrier.needed;
}

// All lanes of a warp have come.
void arrive(Block *block, uint32_t id, uint32_t w) {
    Barrier &barrier = block->barriers[id];
    const uint32_t goes_on = barrier.come[w] & ~barrier.waiting[w];
    if (barrier.kind >= GPUCC_POPC) {
        for (uint32_t left = barrier.come[w]; left != 0; left &= left - 1) {
            const uint32_t predicate =
                static_cast<uint32_t>(block->threads[w * kWarp + lowest(left)].value);
            if (barrier.kind == GPUCC_POPC)
                barrier.value += predicate;
            else if (barrier.kind == GPUCC_AND)
                barrier.value &= predicate;
            else
                barrier.value |= predicate;
        }
    }
    barrier.come[w] = 0;
    barrier.warps |= 1u << w;
    ++barrier.arrived;
    if (goes_on != 0) release(block, w, goes_on);
    if (is_complete(block, barrier)) complete(block, id);
}

// Ends the launch if this use of a barrier does not go together with what is under way at it.
[[gnu::cold, gnu::noinline]] void check_use(gpucc_thread *thread, uint32_t id, uint32_t threads,
                                            uint32_t kind, uint32_t site) {
    static const char *const names[] = {"sync", "arrive", "red.popc", "red.and", "red.or"};
    const Launch *launch = block_of(thread)->launch;
    const std::string name = "barrier " + std::to_string(id);
    if (id >= kBarriers) fail(thread, GPUCC_FAULT, "no " + name + " at " + place(launch, site));
    if (threads % kWarp != 0 && threads != launch->threads)
        fail(thread, GPUCC_FAULT,
             name + " for " + std::to_string(threads) + " threads, not a multiple of 32, at " +
                 place(launch, site));
    const Barrier &barrier = block_of(thread)->barriers[id];
    if (!(block_of(thread)->active_barriers >> id & 1)) return;
    const std::string places =
        " at once (" + place(launch, barrier.site) + ", then " + place(launch, site) + ")";
    // sync and arrive go together; a reduction only with itself.
    if (barrier.kind != kind && (barrier.kind >= GPUCC_POPC || kind >= GPUCC_POPC))
        fail(thread, GPUCC_FAULT,
             name + " is used by " + names[barrier.kind] + " and by " + names[kind] + places);
    const uint32_t needed = warps_of(threads ? threads : launch->threads);
    if (barrier.needed != needed)
        fail(thread, GPUCC_FAULT,
             name + " is used for " + std::to_string(barrier.needed * kWarp) + " and for " +
                 std::to_string(needed * kWarp) + " threads" + places);
}

}  // namespace

void check_meeting(gpucc_thread *first, gpucc_thread *second) {
    const auto wait = [](gpucc_thread *thread) { return thread_of(thread)->spins; };
    const uint32_t id = wait(first) & 0xff;
    if (id != (wait(second) & 0xff) || wait(first) == wait(second)) return;
    Block *block = block_of(first);
    block->active_barriers |= 1u << id;
    Barrier &barrier = block->barriers[id];
    barrier.kind = wait(first) >> 8;
    barrier.needed = warps_of(block->launch->threads);
    barrier.site = thread_of(first)->site;
    check_use(second, id, 0, wait(second) >> 8, thread_of(second)->site);
}

void barriers_after_exit(Block *block, uint32_t w) {
    for (uint32_t left = block->active_barriers; left != 0; left &= left - 1) {
        const uint32_t id = lowest(left);
        Barrier &barrier = block->barriers[id];
        if (barrier.come[w] != 0 && barrier.come[w] == block->warps[w].alive)
            arrive(block, id, w);
        else if (barrier.whole && barrier.warps != 0 && is_complete(block, barrier))
            complete(block, id);
    }
}

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

uint32_t gpucc_cpu_barrier(gpucc_thread *base, uint32_t id, uint32_t threads, uint32_t kind,
                           uint32_t predicate, uint32_t site) {
    Thread *thread = thread_of(base);
    Block *block = block_of(base);
    const uint32_t w = base->linear / kWarp;
    const uint32_t bit = 1u << base->linear % kWarp;
    const uint32_t whole = threads == 0;
    const uint32_t needed = warps_of(whole ? block->launch->threads : threads);
    if (__builtin_expect(id >= kBarriers || threads % kWarp != 0, 0))
        check_use(base, id, threads, kind, site);
    Barrier &barrier = block->barriers[id];
    if (!(block->active_barriers >> id & 1)) {
        block->active_barriers |= 1u << id;
        barrier.kind = kind;
        barrier.whole = whole;
        barrier.needed = needed;
        barrier.value = neutral(kind);
        barrier.site = site;
    } else {
        if (__builtin_expect(barrier.kind != kind || barrier.needed != needed, 0))
            check_use(base, id, threads, kind, site);
        barrier.whole |= whole;
    }
    barrier.come[w] |= bit;
    if (kind != GPUCC_ARRIVE) barrier.waiting[w] |= bit;
    thread->site = site;
    thread->value = predicate != 0;
    mark_progress(block, block->warps[w]);
    if (barrier.come[w] == block->warps[w].alive) arrive(block, id, w);
    give_way(block, thread);
    return static_cast<uint32_t>(thread->value);
}
