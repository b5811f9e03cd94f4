// Kernels in the form that gpucc/cpu gives them, for tests/unit/test_cpu_*.py.
// Each takes a pointer to its parameters: 64-bit numbers and pointers.  Longer than 500 lines because
// one file is built with the engine for all of its tests.
#include <atomic>
#include <cstdint>
#include <cstring>

#include "gpucc_cpu.h"

namespace {

using Thread = gpucc_thread;

uint64_t number(const void *parameters, int i) {
    return static_cast<const uint64_t *>(parameters)[i];
}

template <typename Type>
Type *pointer(const void *parameters, int i) {
    return reinterpret_cast<Type *>(number(parameters, i));
}

uint32_t lane_of(const Thread *thread) { return thread->linear % 32; }
uint32_t threads_of(const Thread *thread) {
    const uint32_t *block = thread->block->launch->block;
    return block[0] * block[1] * block[2];
}
uint64_t block_index(const gpucc_block *block) {
    const uint32_t *grid = block->launch->grid;
    return block->ctaid[0] + uint64_t{grid[0]} * (block->ctaid[1] + uint64_t{grid[1]} * block->ctaid[2]);
}

template <typename Type>
Type add(Type *at, Type value) {
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
template <typename Type>
Type load(const Type *at) {
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}
template <typename Type>
void store(Type *at, Type value) {
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

void sync(Thread *thread, uint32_t site = 0) { gpucc_cpu_barrier(thread, 0, 0, GPUCC_SYNC, 0, site); }

uint64_t sum_recursively(Thread *thread, uint64_t depth) {
    volatile char room[64];
    room[depth % 64] = static_cast<char>(depth);
    if (depth == 0) return 0;
    if (depth % 100 == 0) sync(thread);
    const uint64_t rest = sum_recursively(thread, depth - 1);
    return depth + rest + static_cast<uint64_t>(room[depth % 64] != static_cast<char>(depth));
}

}  // namespace

#define KERNEL(name) \
    extern "C" void name([[maybe_unused]] Thread *thread, [[maybe_unused]] const void *p)
#define LOOP(name) \
    extern "C" void name([[maybe_unused]] gpucc_block *block, const void *p, uint32_t begin, \
                         uint32_t end)

// --- order and shape ------------------------------------------------------------------------------

// 0: counter; 1: uint64 log[]: block << 10 | linear, in the order of execution.
KERNEL(note_order) {
    pointer<uint64_t>(p, 1)[add(pointer<uint64_t>(p, 0), uint64_t{1})] =
        block_index(thread->block) << 10 | thread->linear;
}
LOOP(note_order_loop) {
    for (uint32_t t = begin; t < end; ++t)
        pointer<uint64_t>(p, 1)[add(pointer<uint64_t>(p, 0), uint64_t{1})] = block_index(block) << 10 | t;
}
// 0: counter; 1: log; 2: barriers.  Between two barriers the log is in the order of threads.
KERNEL(note_order_between_barriers) {
    for (uint64_t i = 0; i < number(p, 2); ++i) {
        pointer<uint64_t>(p, 1)[add(pointer<uint64_t>(p, 0), uint64_t{1})] = i << 10 | thread->linear;
        gpucc_cpu_shfl(thread, GPUCC_BFLY, 0, 1, 31, ~0u, 0);
        gpucc_cpu_warpsync(thread, ~0u, 0);
        sync(thread);
    }
}
// 0: uint32 out[grid][threads][7]: ctaid, tid, linear.
KERNEL(note_position) {
    uint32_t *out = pointer<uint32_t>(p, 0) +
                    7 * (block_index(thread->block) * threads_of(thread) + thread->linear);
    memcpy(out, thread->block->ctaid, 12);
    memcpy(out + 3, thread->tid, 12);
    out[6] = thread->linear;
}
// 0: uint64 count of threads.
LOOP(count_loop) { add(pointer<uint64_t>(p, 0), uint64_t{end} - begin); }
KERNEL(count_thread) { add(pointer<uint64_t>(p, 0), uint64_t{1}); }

// --- barriers ---------------------------------------------------------------------------------------

// 0: uint32 in[grid][threads]; 1: uint32 out[grid]; sums in shared memory.
KERNEL(block_sum) {
    uint32_t *shared = reinterpret_cast<uint32_t *>(thread->block->shared);
    const uint32_t n = threads_of(thread), t = thread->linear;
    const uint64_t b = block_index(thread->block);
    shared[t] = pointer<uint32_t>(p, 0)[b * n + t];
    for (uint32_t stride = 1; stride < n; stride *= 2) {
        sync(thread);
        if (t % (2 * stride) == 0 && t + stride < n) shared[t] += shared[t + stride];
    }
    sync(thread);
    if (t == 0) pointer<uint32_t>(p, 1)[b] = shared[0];
}
// 0: stays; 1: barriers; 2: uint32 out[threads].  Threads from `stays` on exit at once, by turns
// through gpucc_cpu_exit and by returning.
KERNEL(exit_early) {
    if (thread->linear >= number(p, 0)) {
        if (thread->linear % 2) gpucc_cpu_exit(thread);
        return;
    }
    uint32_t *counter = reinterpret_cast<uint32_t *>(thread->block->shared);
    if (thread->linear == 0) *counter = 0;
    for (uint64_t i = 0; i < number(p, 1); ++i) {
        sync(thread);
        ++*counter;
        sync(thread);
        pointer<uint32_t>(p, 2)[thread->linear] += *counter;
    }
}
// Threads exit one after the other while the others are at the barrier.
KERNEL(exit_late) {
    for (uint32_t i = 0; i < thread->linear; ++i) sync(thread);
    add(pointer<uint32_t>(p, 0), 1u);
}
// 0: uint32 predicates[threads]; 1: uint32 out[3][threads]; 2: count of threads (0: all).
KERNEL(reduce_at_barrier) {
    const uint32_t t = thread->linear, n = threads_of(thread);
    const uint32_t count = static_cast<uint32_t>(number(p, 2));
    const uint32_t id = count ? 1 + t / count : 0;
    uint32_t *out = pointer<uint32_t>(p, 1);
    const uint32_t predicate = pointer<uint32_t>(p, 0)[t];
    for (uint32_t round = 0; round < 3; ++round) {
        out[t] = gpucc_cpu_barrier(thread, id, count, GPUCC_POPC, predicate, 0);
        out[n + t] = gpucc_cpu_barrier(thread, id, count, GPUCC_AND, predicate, 1);
        out[2 * n + t] = gpucc_cpu_barrier(thread, id, count, GPUCC_OR, predicate, 2);
    }
}
// 0: producer warps; 1: consumer warps; 2: slots; 3: rounds; 4: uint64 mistakes; 5: seed.
// Producers fill a slot and arrive at `full`; consumers read it and arrive at `empty`.
KERNEL(producer_consumer) {
    const uint32_t producers = static_cast<uint32_t>(number(p, 0));
    const uint32_t consumers = static_cast<uint32_t>(number(p, 1));
    const uint32_t slots = static_cast<uint32_t>(number(p, 2));
    const uint32_t rounds = static_cast<uint32_t>(number(p, 3));
    const uint32_t all = 32 * (producers + consumers);
    const uint32_t w = thread->linear / 32;
    volatile uint32_t *data = reinterpret_cast<volatile uint32_t *>(thread->block->shared);
    uint32_t random = static_cast<uint32_t>(number(p, 5)) + thread->linear;
    for (uint32_t i = 0; i < rounds; ++i) {
        const uint32_t slot = i % slots, full = slot, empty = 8 + slot;
        random = random * 1664525u + 1013904223u;
        if (random >> 30 == 0) gpucc_cpu_yield(thread);
        if (w < producers) {
            if (i >= slots) gpucc_cpu_barrier(thread, empty, all, GPUCC_SYNC, 0, 0);
            data[slot * 1024 + thread->linear] = i * 7 + thread->linear;
            gpucc_cpu_barrier(thread, full, all, GPUCC_ARRIVE, 0, 1);
        } else {
            gpucc_cpu_barrier(thread, full, all, GPUCC_SYNC, 0, 2);
            for (uint32_t t = 0; t < 32 * producers; ++t)
                if (data[slot * 1024 + t] != i * 7 + t) add(pointer<uint64_t>(p, 4), uint64_t{1});
            if (i + slots < rounds) gpucc_cpu_barrier(thread, empty, all, GPUCC_ARRIVE, 0, 3);
        }
    }
}
// Warps 0 and 1 complete a barrier at which half of warp 2 has come; warps 2 and 3 complete it again
// when the gate is open.  0: uint32 gate; 1: uint32 mistakes
KERNEL(half_a_warp_at_a_barrier) {
    uint32_t *gate = pointer<uint32_t>(p, 0);
    const uint32_t t = thread->linear;
    const bool second = t >= 64;
    if (t >= 80)
        while (!load(gate)) gpucc_cpu_yield(thread);
    const uint32_t holding = gpucc_cpu_barrier(thread, 1, 64, GPUCC_POPC, 1, 0);
    if (holding != 64 || (second && !load(gate))) add(pointer<uint32_t>(p, 1), 1u);
    if (t == 0) {
        for (int i = 0; i < 100; ++i) gpucc_cpu_yield(thread);
        store(gate, 1u);
    }
}
// The halves of each warp come to one barrier by different instructions.
KERNEL(diverged_barrier) {
    uint32_t *counter = reinterpret_cast<uint32_t *>(thread->block->shared);
    if (thread->linear == 0) *counter = 0;
    sync(thread);
    ++*counter;
    if (lane_of(thread) < 16)
        sync(thread, 1);
    else
        sync(thread, 2);
    pointer<uint32_t>(p, 0)[thread->linear] = *counter;
}

// --- warp operations --------------------------------------------------------------------------------

// 0: mode; 1: control; 2: uint32 lanes[32]; 3: uint32 values[32]; 4: uint64 out[32]; 5: uint32 members
KERNEL(shuffle) {
    const uint32_t l = lane_of(thread), members = static_cast<uint32_t>(number(p, 5));
    if (!(members >> l & 1)) return;
    pointer<uint64_t>(p, 4)[l] = gpucc_cpu_shfl(
        thread, static_cast<uint32_t>(number(p, 0)), pointer<uint32_t>(p, 3)[l],
        pointer<uint32_t>(p, 2)[l], static_cast<uint32_t>(number(p, 1)), members, 0);
}
// 0: uint64 values[32]; 1: uint64 out[32]; 2: uint32 members[32]; 3: operation; 4: its kind
KERNEL(warp_operation) {
    const uint32_t l = lane_of(thread), members = pointer<uint32_t>(p, 2)[l];
    const uint64_t value = pointer<uint64_t>(p, 0)[l];
    const uint32_t kind = static_cast<uint32_t>(number(p, 4));
    uint64_t &out = pointer<uint64_t>(p, 1)[l];
    switch (number(p, 3)) {
        case 0: out = gpucc_cpu_vote(thread, kind, static_cast<uint32_t>(value), members, 0); break;
        case 1: out = gpucc_cpu_match(thread, kind, value, members, 0); break;
        case 2: out = gpucc_cpu_redux(thread, kind, static_cast<uint32_t>(value), members, 0); break;
        case 3: out = gpucc_cpu_elect(thread, members, 0); break;
        case 4: out = gpucc_cpu_activemask(thread, 0); break;
        default: gpucc_cpu_warpsync(thread, members, 0);
    }
}
// Even and odd lanes do different operations at once; then both the same at different places.
// 0: uint32 out[2][threads]
KERNEL(disjoint_subsets) {
    const uint32_t l = lane_of(thread), t = thread->linear, n = threads_of(thread);
    uint32_t *out = pointer<uint32_t>(p, 0);
    if (l % 2) {
        for (uint32_t i = 0; i < 5; ++i)
            out[t] = gpucc_cpu_redux(thread, GPUCC_REDUX_ADD, l, 0xaaaaaaaau, 0);
        out[n + t] = gpucc_cpu_vote(thread, GPUCC_BALLOT, l > 10, 0xaaaaaaaau, 1);
    } else {
        out[t] = static_cast<uint32_t>(gpucc_cpu_shfl(thread, GPUCC_IDX, l, 4, 31, 0x55555555u, 2));
        out[n + t] = gpucc_cpu_vote(thread, GPUCC_BALLOT, l > 10, 0x55555555u, 3);
    }
}
// Lane l leaves the loop after l rounds; inside, activemask and a ballot without members.
// 0: uint32 out[2][32][33]: masks of each lane and round; the last: after the loop.
KERNEL(shrinking_loop) {
    const uint32_t l = lane_of(thread);
    uint32_t *out = pointer<uint32_t>(p, 0);
    for (uint32_t i = 0; i < l; ++i) {
        out[33 * l + i] = gpucc_cpu_activemask(thread, 0);
        out[33 * (32 + l) + i] = gpucc_cpu_vote(thread, GPUCC_BALLOT, 1, 0, 1);
    }
    out[33 * l + 32] = gpucc_cpu_activemask(thread, 2);
}
// Lanes exit while others wait for them.  0: uint32 out[32]
KERNEL(exit_before_vote) {
    const uint32_t l = lane_of(thread);
    if (l % 3 == 0) return;
    if (l % 3 == 1) {
        pointer<uint32_t>(p, 0)[l] = gpucc_cpu_vote(thread, GPUCC_BALLOT, 1, ~0u, 0);
        return;
    }
    gpucc_cpu_yield(thread);
    gpucc_cpu_exit(thread);
}
// Lane 0 asks for the mask while all others spin until it has it.  0: uint32 flag
KERNEL(activemask_among_spinners) {
    uint32_t *flag = pointer<uint32_t>(p, 0);
    if (lane_of(thread) == 0)
        store(flag, gpucc_cpu_activemask(thread, 0));
    else
        while (load(flag) == 0) gpucc_cpu_yield(thread);
}

// --- progress ---------------------------------------------------------------------------------------

// 0: uint32 lock; 1: uint64 counter (not atomic); 2: rounds
KERNEL(spin_lock) {
    uint32_t *lock = pointer<uint32_t>(p, 0);
    for (uint64_t i = 0; i < number(p, 2); ++i) {
        for (;;) {
            uint32_t expected = 0;
            if (__atomic_compare_exchange_n(lock, &expected, 1u, false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST))
                break;
            gpucc_cpu_yield(thread);
        }
        volatile uint64_t *counter = pointer<uint64_t>(p, 1);
        const uint64_t before = *counter;
        gpucc_cpu_yield(thread);  // others run inside the critical section
        gpucc_cpu_yield(thread);
        *counter = before + 1;
        store(lock, 0u);
    }
}
// Each block waits for the next one, the last for none.  0: uint32 done[grid]
KERNEL(wait_for_next_block) {
    const uint64_t b = block_index(thread->block);
    uint32_t *done = pointer<uint32_t>(p, 0);
    if (b + 1 < thread->block->launch->grid[0])
        while (!load(&done[b + 1])) gpucc_cpu_yield(thread);
    sync(thread);
    if (thread->linear == 0) store(&done[b], 1u);
}
// The same with a loop around barriers, which does not yield; or around barriers and yields.
// 0: done; 1: yields
KERNEL(wait_for_next_block_at_barriers) {
    const uint64_t b = block_index(thread->block);
    uint32_t *done = pointer<uint32_t>(p, 0);
    if (b + 1 < thread->block->launch->grid[0]) {
        for (;;) {
            const uint32_t seen = thread->linear == 0 && load(&done[b + 1]);
            if (gpucc_cpu_barrier(thread, 0, 0, GPUCC_OR, seen, 0)) break;
            if (number(p, 1)) gpucc_cpu_yield(thread);
        }
    }
    sync(thread);
    if (thread->linear == 0) store(&done[b], 1u);
}
// 0: uint32 counter; 1: rounds: a barrier of the grid.  2: uint64 mistakes
KERNEL(grid_barrier) {
    uint32_t *counter = pointer<uint32_t>(p, 0);
    const uint32_t blocks = thread->block->launch->grid[0];
    for (uint32_t i = 1; i <= number(p, 1); ++i) {
        sync(thread);
        if (thread->linear == 0) {
            add(counter, 1u);
            while (load(counter) < i * blocks) gpucc_cpu_yield(thread);
            if (load(counter) > (i + 1) * blocks) add(pointer<uint64_t>(p, 2), uint64_t{1});
        }
        sync(thread);
    }
}
// Decoupled look-back: an inclusive scan of uint32, one element for each thread.
// 0: in; 1: out; 2: uint64 state[grid] (flag << 32 | value); 3: uint32 ticket
KERNEL(look_back_scan) {
    uint32_t *shared = reinterpret_cast<uint32_t *>(thread->block->shared);
    const uint32_t n = threads_of(thread), t = thread->linear;
    uint64_t *state = pointer<uint64_t>(p, 2);
    if (t == 0) shared[n] = add(pointer<uint32_t>(p, 3), 1u);
    sync(thread);
    const uint32_t b = shared[n];
    uint32_t value = pointer<uint32_t>(p, 0)[b * n + t];
    shared[t] = value;
    for (uint32_t by = 1; by < n; by *= 2) {
        sync(thread);
        const uint32_t other = t >= by ? shared[t - by] : 0;
        sync(thread);
        shared[t] = value += other;
    }
    sync(thread);
    if (t == 0) {
        const uint32_t total = shared[n - 1];
        store(&state[b], (b == 0 ? uint64_t{2} : uint64_t{1}) << 32 | total);
        uint32_t before = 0;
        for (int64_t i = int64_t{b} - 1; i >= 0;) {
            const uint64_t seen = load(&state[i]);
            if (seen >> 32 == 0) {
                gpucc_cpu_yield(thread);
                continue;
            }
            before += static_cast<uint32_t>(seen);
            if (seen >> 32 == 2) break;
            --i;
        }
        store(&state[b], uint64_t{2} << 32 | (before + total));
        shared[n + 1] = before;
    }
    sync(thread);
    pointer<uint32_t>(p, 1)[b * n + t] = value + shared[n + 1];
}

// --- failures ---------------------------------------------------------------------------------------

// Three threads wait at site 0, one at site 1, the others exit.
KERNEL(deadlock) {
    const uint32_t t = thread->linear;
    if (t < 3) gpucc_cpu_barrier(thread, 0, 64, GPUCC_SYNC, 0, 0);
    else if (t == 5) gpucc_cpu_shfl(thread, GPUCC_IDX, 0, 0, 31, 0x21, 1);
}
// 0: which block deadlocks; the others spin until it has (for ever).
KERNEL(deadlock_among_spinners) {
    if (block_index(thread->block) == number(p, 0))
        gpucc_cpu_barrier(thread, 1, 64, GPUCC_SYNC, 0, 0);
    for (;;) gpucc_cpu_yield(thread);
}
KERNEL(wrong_mask) { gpucc_cpu_shfl(thread, GPUCC_IDX, 0, 0, 31, 0xfffffffeu, 1); }
// 0: kind of warp 0; 1: count of warp 0; 2: kind of warp 1; 3: count of warp 1; 4: barrier
KERNEL(two_barriers) {
    const int w = thread->linear < 32 ? 0 : 2;
    gpucc_cpu_barrier(thread, static_cast<uint32_t>(number(p, 4)),
                      static_cast<uint32_t>(number(p, w + 1)), static_cast<uint32_t>(number(p, w)),
                      1, static_cast<uint32_t>(w / 2));
}
KERNEL(trap_in_thread) {
    if (thread->linear == number(p, 0) && block_index(thread->block) == number(p, 1))
        gpucc_cpu_trap(thread, 0);
    if (number(p, 2)) sync(thread);
}
KERNEL(assert_in_thread) {
    if (thread->linear == 1) gpucc_cpu_assertfail(thread, "x > 0", "kernel.cu", 7, "void f()");
}
// 0: depth; 1: uint64 out[threads]
KERNEL(recursion) { pointer<uint64_t>(p, 1)[thread->linear] = sum_recursively(thread, number(p, 0)); }

// --- matrices ---------------------------------------------------------------------------------------

// 0: gpucc_mma; 1-4: registers of a, b, c, d; 5-8: how many of each a lane has; 9: lanes
KERNEL(multiply) {
    const uint32_t l = lane_of(thread);
    uint32_t a[16], b[16], c[16], d[16];
    if (l >= number(p, 9)) return;
    memcpy(a, pointer<uint32_t>(p, 1) + l * number(p, 5), 4 * number(p, 5));
    memcpy(b, pointer<uint32_t>(p, 2) + l * number(p, 6), 4 * number(p, 6));
    memcpy(c, pointer<uint32_t>(p, 3) + l * number(p, 7), 4 * number(p, 7));
    gpucc_cpu_mma(thread, pointer<gpucc_mma>(p, 0), a, b, c, d, 0);
    memcpy(pointer<uint32_t>(p, 4) + l * number(p, 8), d, 4 * number(p, 8));
}
// 0: uint16 memory[8 * count][8]; 1: count; 2: transposed; 3: uint32 registers[32][count]; 4: store?
// 5: bytes to add to each address
KERNEL(move_rows) {
    const uint32_t l = lane_of(thread), count = static_cast<uint32_t>(number(p, 1));
    char *row = pointer<char>(p, 0) + 16 * (l % (8 * count)) + number(p, 5);
    uint32_t *registers = pointer<uint32_t>(p, 3) + l * count;
    if (number(p, 4))
        gpucc_cpu_stmatrix(thread, count, static_cast<uint32_t>(number(p, 2)), row, registers, 0);
    else
        gpucc_cpu_ldmatrix(thread, count, static_cast<uint32_t>(number(p, 2)), row, registers, 0);
}
KERNEL(transpose) {
    uint32_t *value = pointer<uint32_t>(p, 0) + lane_of(thread);
    *value = gpucc_cpu_movmatrix(thread, *value, 0);
}

// --- mbarriers, printf, clocks ------------------------------------------------------------------------

// Each round all threads write, arrive, wait and read their neighbour's.  0: rounds; 1: mistakes;
// 2: wait by parity
KERNEL(mbarrier_rounds) {
    uint64_t *barrier = reinterpret_cast<uint64_t *>(thread->block->shared);
    volatile uint32_t *data = reinterpret_cast<volatile uint32_t *>(barrier + 1);
    const uint32_t n = threads_of(thread), t = thread->linear;
    if (t == 0) gpucc_cpu_mbarrier_init(thread, barrier, n);
    sync(thread);
    for (uint32_t i = 0; i < number(p, 0); ++i) {
        data[i % 2 * n + t] = i + t;
        const uint64_t state = gpucc_cpu_mbarrier_arrive(thread, barrier, 1, 0);
        const bool parity = number(p, 2);
        while (!gpucc_cpu_mbarrier_test(thread, barrier, parity ? i & 1 : state, parity)) {
        }
        if (data[i % 2 * n + (t + 1) % n] != i + (t + 1) % n) add(pointer<uint64_t>(p, 1), uint64_t{1});
    }
}
// One thread walks through counts and phases.  0: uint64 out[]
KERNEL(mbarrier_counts) {
    uint64_t *barrier = reinterpret_cast<uint64_t *>(thread->block->shared);
    uint64_t *out = pointer<uint64_t>(p, 0);
    gpucc_cpu_mbarrier_init(thread, barrier, 3);
    *out++ = gpucc_cpu_mbarrier_test(thread, barrier, 1, 1);  // the phase before is over
    *out++ = gpucc_cpu_mbarrier_test(thread, barrier, 0, 1);
    const uint64_t state = gpucc_cpu_mbarrier_arrive(thread, barrier, 2, 0);
    *out++ = gpucc_cpu_mbarrier_pending(state);
    *out++ = gpucc_cpu_mbarrier_test(thread, barrier, state, 0);
    *out++ = gpucc_cpu_mbarrier_pending(gpucc_cpu_mbarrier_arrive(thread, barrier, 1, 1));
    *out++ = gpucc_cpu_mbarrier_test(thread, barrier, state, 0);
    // From here on two are expected.
    *out++ = gpucc_cpu_mbarrier_pending(gpucc_cpu_mbarrier_arrive(thread, barrier, 2, 0));
    *out++ = gpucc_cpu_mbarrier_test(thread, barrier, 1, 1);
    *out++ = gpucc_cpu_mbarrier_test(thread, barrier, 0, 1);
    gpucc_cpu_mbarrier_inval(thread, barrier);
    if (number(p, 1)) gpucc_cpu_mbarrier_arrive(thread, barrier, 1, 0);
}
// 0: format; 1: arguments; 2: int32 result
KERNEL(print) {
    *pointer<int32_t>(p, 2) = gpucc_cpu_vprintf(pointer<char>(p, 0), pointer<void>(p, 1));
}
// 0: which; 1: uint64 in[]; 2: uint32 out[]; 3: how many.  Bits in, bits out.
extern "C" {
float __extendhfsf2(float);
float __truncsfhf2(float);
float __truncdfhf2(double);
float __truncsfbf2(float);
float __truncdfbf2(double);
}
KERNEL(convert) {
    for (uint64_t i = 0; i < number(p, 3); ++i) {
        float narrow, result = 0;
        double wide;
        memcpy(&narrow, pointer<uint64_t>(p, 1) + i, 4);
        memcpy(&wide, pointer<uint64_t>(p, 1) + i, 8);
        switch (number(p, 0)) {
            case 0: result = __extendhfsf2(narrow); break;
            case 1: result = __truncsfhf2(narrow); break;
            case 2: result = __truncdfhf2(wide); break;
            case 3: result = __truncsfbf2(narrow); break;
            default: result = __truncdfbf2(wide);
        }
        memcpy(pointer<uint32_t>(p, 2) + i, &result, 4);
    }
}
// 0: uint64 out[]: clocks
KERNEL(clocks) {
    for (int i = 0; i < 100; ++i)
        pointer<uint64_t>(p, 0)[(block_index(thread->block) * threads_of(thread) + thread->linear) * 100 + i] =
            gpucc_cpu_clock();
}
// 0: uint32 out[grid]: a sum over shared memory of the launch's size
KERNEL(fill_shared) {
    const uint32_t bytes = thread->block->launch->shared_bytes;
    char *shared = thread->block->shared;
    for (uint32_t i = thread->linear; i < bytes; i += threads_of(thread)) shared[i] = 1;
    sync(thread);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < bytes; ++i) sum += static_cast<uint32_t>(shared[i]);
    if (reinterpret_cast<uintptr_t>(shared) % 1024 != 0) sum = 0;
    pointer<uint32_t>(p, 0)[block_index(thread->block)] = sum;
}
