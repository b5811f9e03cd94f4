// mbarrier objects without transactions.
//
// Bits 0-19: arrivals that the phase still waits for; 20-39: arrivals that a phase expects; 40-62:
// the phase.  All threads that use one are on one worker, so nothing here is atomic.
#include <string>

#include "engine.h"

namespace gpucc_cpu {

namespace {

constexpr uint64_t kCount = (1u << 20) - 1;
constexpr int kExpected = 20;
constexpr int kPhase = 40;
constexpr uint64_t kPhases = (1u << 23) - 1;

uint64_t phase_of(uint64_t state) { return state >> kPhase & kPhases; }
uint64_t expected_of(uint64_t state) { return state >> kExpected & kCount; }

void check(gpucc_thread *thread, uint64_t state) {
    // A phase that waits for nothing is over at once, so the count is never 0 unless all dropped.
    if (expected_of(state) == 0 && (state & kCount) == 0 && phase_of(state) == 0)
        fail(thread, GPUCC_FAULT, "an mbarrier is used that was not initialised");
}

}  // namespace

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

void gpucc_cpu_mbarrier_init(gpucc_thread *thread, uint64_t *barrier, uint32_t count) {
    if (count < 1 || count > kCount)
        fail(thread, GPUCC_FAULT,
             "mbarrier.init with count " + std::to_string(count) + ", not 1 to 1048575");
    *barrier = static_cast<uint64_t>(count) << kExpected | count;
}

void gpucc_cpu_mbarrier_inval(gpucc_thread *thread, uint64_t *barrier) {
    check(thread, *barrier);
    *barrier = 0;
}

uint64_t gpucc_cpu_mbarrier_arrive(gpucc_thread *thread, uint64_t *barrier, uint32_t count,
                                   uint32_t drop) {
    const uint64_t before = *barrier;
    check(thread, before);
    const uint64_t pending = before & kCount;
    if (count < 1 || count > pending)
        fail(thread, GPUCC_FAULT,
             std::to_string(count) + " arrivals at an mbarrier that waits for " +
                 std::to_string(pending));
    uint64_t expected = expected_of(before);
    if (drop) expected -= count <= expected ? count : expected;
    uint64_t left = pending - count, phase = phase_of(before);
    if (left == 0) {
        left = expected;
        phase = (phase + 1) & kPhases;
        block_of(thread)->progress = true;
    }
    *barrier = phase << kPhase | expected << kExpected | left;
    return before;
}

uint32_t gpucc_cpu_mbarrier_test(gpucc_thread *thread, const uint64_t *barrier, uint64_t state,
                                 uint32_t by_parity) {
    const auto over = [=] {
        const uint64_t phase = phase_of(*const_cast<const volatile uint64_t *>(barrier));
        return by_parity ? (phase & 1) != (state & 1) : phase != phase_of(state);
    };
    check(thread, *barrier);
    if (over()) return 1;
    gpucc_cpu_yield(thread);
    return over();
}

uint32_t gpucc_cpu_mbarrier_pending(uint64_t state) {
    return static_cast<uint32_t>(state & kCount);
}
