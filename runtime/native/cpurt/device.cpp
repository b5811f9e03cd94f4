// Small things that instructions do and that are too long to be written out in generated code.
#include <pthread.h>

#include "engine.h"

namespace gpucc_cpu {

namespace {

// The stack that the system gave to this thread of the process.
struct OwnStack {
    uintptr_t low = 0, high = 0;

    OwnStack() {
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
        void *bottom = nullptr;
        size_t size = 0;
        pthread_attr_getstack(&attributes, &bottom, &size);
        pthread_attr_destroy(&attributes);
        low = reinterpret_cast<uintptr_t>(bottom);
        high = low + size;
    }
    bool holds(uint64_t address) const { return low <= address && address < high; }
};

thread_local const OwnStack own_stack;

}  // namespace

}  // namespace gpucc_cpu

using namespace gpucc_cpu;

extern "C" {

uint32_t gpucc_cpu_fns(uint32_t mask, uint32_t base, int32_t offset) {
    if (offset == 0) return base < 32 && (mask >> base & 1u) ? base : kFull;
    const int64_t step = offset > 0 ? 1 : -1;
    int64_t left = offset > 0 ? offset : -static_cast<int64_t>(offset);
    for (int64_t place = base; place >= 0 && place < 32; place += step) {
        if ((mask >> place & 1u) && --left == 0) return static_cast<uint32_t>(place);
    }
    return kFull;
}

uint32_t gpucc_cpu_is_local(gpucc_thread *thread, uint64_t address) {
    const char here = 0;
    if (own_stack.holds(reinterpret_cast<uintptr_t>(&here))) return own_stack.holds(address);
    const Block *block = block_of(thread);
    if (block->launch->coroutines && address - reinterpret_cast<uintptr_t>(block->frames) <
                                         static_cast<uint64_t>(block->frame_room))
        return 1;
    const Stack *stack = reinterpret_cast<const Thread *>(thread)->stack;
    return reinterpret_cast<uintptr_t>(stack->bottom) <= address &&
           address < reinterpret_cast<uintptr_t>(stack->top);
}

}  // extern "C"
