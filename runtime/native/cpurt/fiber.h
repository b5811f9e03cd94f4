// Fibers: stacks with guard pages, and the switch between them.
//
// fiber_switch stores the registers that a call must keep on the stack that it leaves and takes them
// from the stack that it enters.  It is a function, not inline code, so that the processor predicts
// its return: fibers that wait at one place return to one address.
#ifndef GPUCC_CPU_FIBER_H
#define GPUCC_CPU_FIBER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#define GPUCC_FIBER_UCONTEXT 1
#include <ucontext.h>
#endif

namespace gpucc_cpu {

struct Thread;

// A stack, and the thread whose fiber it is.  It lies at the end of its own memory.
struct Stack {
    Stack *next;     // in a list of free ones
    Thread *thread;
    char *bottom;    // the lowest byte that may be used; guard pages lie below it
    char *top;
#if defined(__SANITIZE_THREAD__)
    void *tsan;
#endif
};

using FiberEntry = void (*)(Stack *);

#ifdef GPUCC_FIBER_UCONTEXT

struct SavedContext {
    ucontext_t context;
};

inline void fiber_entry_halves(unsigned entry_high, unsigned entry_low, unsigned stack_high,
                               unsigned stack_low) {
    const auto join = [](unsigned high, unsigned low) {
        return static_cast<uintptr_t>(static_cast<uint64_t>(high) << 32 | low);
    };
    reinterpret_cast<FiberEntry>(join(entry_high, entry_low))(
        reinterpret_cast<Stack *>(join(stack_high, stack_low)));
}

inline void fiber_switch(void **save, void *to) {
    SavedContext here;
    *save = &here;
    swapcontext(&here.context, &static_cast<SavedContext *>(to)->context);
}

inline void fiber_make(ucontext_t *fresh, Stack *stack, FiberEntry entry) {
    getcontext(fresh);
    fresh->uc_link = nullptr;
    fresh->uc_stack.ss_sp = stack->bottom;
    fresh->uc_stack.ss_size = static_cast<size_t>(stack->top - stack->bottom);
    const uint64_t function = reinterpret_cast<uintptr_t>(entry);
    const uint64_t argument = reinterpret_cast<uintptr_t>(stack);
    makecontext(fresh, reinterpret_cast<void (*)()>(fiber_entry_halves), 4,
                static_cast<unsigned>(function >> 32), static_cast<unsigned>(function),
                static_cast<unsigned>(argument >> 32), static_cast<unsigned>(argument));
}

inline void fiber_start(void **save, Stack *stack, FiberEntry entry) {
    SavedContext here;
    ucontext_t fresh;
    *save = &here;
    fiber_make(&fresh, stack, entry);
    swapcontext(&here.context, &fresh);
}

[[noreturn]] inline void fiber_jump(void *to) {
    setcontext(&static_cast<SavedContext *>(to)->context);
    __builtin_unreachable();
}

[[noreturn]] inline void fiber_restart(Stack *stack, FiberEntry entry) {
    ucontext_t fresh;
    fiber_make(&fresh, stack, entry);
    setcontext(&fresh);
    __builtin_unreachable();
}

#else

extern "C" {
void gpucc_fiber_switch(void **save, void *to);
void gpucc_fiber_start(void **save, void *top, void *argument, void (*entry)(void *));
[[noreturn]] void gpucc_fiber_jump(void *to);
[[noreturn]] void gpucc_fiber_restart(void *top, void *argument, void (*entry)(void *));
}

// Leaves this fiber, storing where it stands in *save, and goes on at `to`.
inline void fiber_switch(void **save, void *to) { gpucc_fiber_switch(save, to); }

// Leaves this fiber and calls entry(stack) on a fresh stack.
inline void fiber_start(void **save, Stack *stack, FiberEntry entry) {
    gpucc_fiber_start(save, stack->top, stack, reinterpret_cast<void (*)(void *)>(entry));
}

// Leaves this fiber for good.
[[noreturn]] inline void fiber_jump(void *to) { gpucc_fiber_jump(to); }

// Drops everything on this stack, which is `stack`, and calls entry(stack) on it.
[[noreturn]] inline void fiber_restart(Stack *stack, FiberEntry entry) {
    gpucc_fiber_restart(stack->top, stack, reinterpret_cast<void (*)(void *)>(entry));
}

#endif

// Stacks of one size for one worker; not for several threads at once.
class Stacks {
  public:
    // A free stack of at least `bytes`, or nullptr if there is no memory.
    Stack *take() {
        if (free_ == nullptr && !grow()) return nullptr;
        Stack *stack = free_;
        free_ = stack->next;
        return stack;
    }
    void give(Stack *stack) {
        stack->next = free_;
        free_ = stack;
    }
    // Makes what take() returns large enough; all stacks must have been given back.
    void enlarge(size_t bytes);
    // Gives memory back to the system if it may be much; all stacks must have been given back.
    void trim();

  private:
    bool grow();
    void drop();

    Stack *free_ = nullptr;
    size_t bytes_ = 0;
    struct Slab {
        char *memory;
        size_t bytes;
    };
    Slab *slabs_ = nullptr;
    size_t slab_count_ = 0;
    size_t slab_room_ = 0;
};

}  // namespace gpucc_cpu

#endif
