// Stacks, and the switch between fibers in assembly.
#include "fiber.h"

#include <stdlib.h>
#include <sys/mman.h>

#include <new>

#if defined(__x86_64__)
// What a call keeps: rbx, rbp, r12 to r15.  The control words of the floating-point units stay as
// they are: generated code does not change them across a wait.
asm(R"(
    .text
    .p2align 4
    .globl gpucc_fiber_switch
    .hidden gpucc_fiber_switch
    .type gpucc_fiber_switch, @function
gpucc_fiber_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size gpucc_fiber_switch, . - gpucc_fiber_switch

    .p2align 4
    .globl gpucc_fiber_start
    .hidden gpucc_fiber_start
    .type gpucc_fiber_start, @function
gpucc_fiber_start:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    movq %rdx, %rdi
    xorl %ebp, %ebp
    pushq $0
    jmp *%rcx
    .size gpucc_fiber_start, . - gpucc_fiber_start

    .p2align 4
    .globl gpucc_fiber_jump
    .hidden gpucc_fiber_jump
    .type gpucc_fiber_jump, @function
gpucc_fiber_jump:
    movq %rdi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size gpucc_fiber_jump, . - gpucc_fiber_jump

    .p2align 4
    .globl gpucc_fiber_restart
    .hidden gpucc_fiber_restart
    .type gpucc_fiber_restart, @function
gpucc_fiber_restart:
    movq %rdi, %rsp
    movq %rsi, %rdi
    xorl %ebp, %ebp
    pushq $0
    jmp *%rdx
    .size gpucc_fiber_restart, . - gpucc_fiber_restart
)");
#elif defined(__aarch64__)
// What a call keeps: x19 to x30 and d8 to d15.
#define GPUCC_SAVE                 \
    "    sub sp, sp, #160\n"       \
    "    stp x19, x20, [sp, #0]\n" \
    "    stp x21, x22, [sp, #16]\n" \
    "    stp x23, x24, [sp, #32]\n" \
    "    stp x25, x26, [sp, #48]\n" \
    "    stp x27, x28, [sp, #64]\n" \
    "    stp x29, x30, [sp, #80]\n" \
    "    stp d8, d9, [sp, #96]\n"  \
    "    stp d10, d11, [sp, #112]\n" \
    "    stp d12, d13, [sp, #128]\n" \
    "    stp d14, d15, [sp, #144]\n" \
    "    mov x9, sp\n"             \
    "    str x9, [x0]\n"
#define GPUCC_RESTORE              \
    "    ldp x19, x20, [sp, #0]\n" \
    "    ldp x21, x22, [sp, #16]\n" \
    "    ldp x23, x24, [sp, #32]\n" \
    "    ldp x25, x26, [sp, #48]\n" \
    "    ldp x27, x28, [sp, #64]\n" \
    "    ldp x29, x30, [sp, #80]\n" \
    "    ldp d8, d9, [sp, #96]\n"  \
    "    ldp d10, d11, [sp, #112]\n" \
    "    ldp d12, d13, [sp, #128]\n" \
    "    ldp d14, d15, [sp, #144]\n" \
    "    add sp, sp, #160\n"       \
    "    ret\n"
#define GPUCC_FUNCTION(name)                \
    "    .p2align 4\n"                      \
    "    .globl " name "\n"                 \
    "    .hidden " name "\n"                \
    "    .type " name ", %function\n" name ":\n"
asm("    .text\n"
    GPUCC_FUNCTION("gpucc_fiber_switch") GPUCC_SAVE
    "    mov sp, x1\n" GPUCC_RESTORE
    GPUCC_FUNCTION("gpucc_fiber_start") GPUCC_SAVE
    "    mov sp, x1\n"
    "    mov x0, x2\n"
    "    mov x29, xzr\n"
    "    mov x30, xzr\n"
    "    br x3\n"
    GPUCC_FUNCTION("gpucc_fiber_jump")
    "    mov sp, x0\n" GPUCC_RESTORE
    GPUCC_FUNCTION("gpucc_fiber_restart")
    "    mov sp, x0\n"
    "    mov x0, x1\n"
    "    mov x29, xzr\n"
    "    mov x30, xzr\n"
    "    br x2\n");
#endif

namespace gpucc_cpu {

namespace {

constexpr size_t kPage = 65536;        // a multiple of every page size in use
constexpr size_t kGuard = kPage;       // wide, so that a large frame does not step over it
constexpr size_t kSlabStacks = 32;     // a warp's
// What is kept for the next launch: stacks up to this size, and so many of them.
constexpr size_t kKeptBytes = size_t{1} << 20;
constexpr size_t kKeptStacks = 4096;

// Since Linux 6.13: guards that do not split the mapping, of which a process may have only 65530.
constexpr int kGuardInstall = 102;

bool protect(char *memory) {
    static bool has_guards = true;  // a race between workers only costs another refused call
    if (has_guards && madvise(memory, kGuard, kGuardInstall) == 0) return true;
    has_guards = false;
    return mprotect(memory, kGuard, PROT_NONE) == 0;
}

}  // namespace

void Stacks::enlarge(size_t bytes) {
    bytes = (bytes + kPage - 1) / kPage * kPage;
    if (bytes <= bytes_) return;
    drop();
    bytes_ = bytes;
}

void Stacks::trim() {
    if (bytes_ <= kKeptBytes && slab_count_ * kSlabStacks <= kKeptStacks) return;
    drop();
    bytes_ = 0;
}

void Stacks::drop() {
#if defined(__SANITIZE_THREAD__)
    for (Stack *stack = free_; stack != nullptr; stack = stack->next)
        __tsan_destroy_fiber(stack->tsan);
#endif
    for (size_t i = 0; i < slab_count_; ++i) munmap(slabs_[i].memory, slabs_[i].bytes);
    slab_count_ = 0;
    free_ = nullptr;
}

bool Stacks::grow() {
    if (slab_count_ == slab_room_) {
        const size_t room = slab_room_ ? 2 * slab_room_ : 32;
        void *larger = realloc(slabs_, room * sizeof(Slab));
        if (larger == nullptr) return false;
        slabs_ = static_cast<Slab *>(larger);
        slab_room_ = room;
    }
    const size_t each = kGuard + bytes_;
    void *mapped = mmap(nullptr, each * kSlabStacks, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return false;
    char *memory = static_cast<char *>(mapped);
    // Huge pages would give each stack 2 MiB of real memory.
    madvise(mapped, each * kSlabStacks, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < kSlabStacks; ++i) {
        if (!protect(memory + i * each)) {
            munmap(mapped, each * kSlabStacks);
            return false;
        }
    }
    slabs_[slab_count_++] = {memory, each * kSlabStacks};
    for (size_t i = kSlabStacks; i-- > 0;) {
        char *end = memory + (i + 1) * each;
        // Were all tops at one offset within a page, they would share a few sets of the cache.
        Stack *stack = new (end - i % 16 * 256 - 128) Stack();
        static_assert(sizeof(Stack) <= 128, "the room below a stack's end");
        stack->bottom = memory + i * each + kGuard;
        stack->top = reinterpret_cast<char *>(stack);
#if defined(__SANITIZE_THREAD__)
        stack->tsan = __tsan_create_fiber(0);
#endif
        give(stack);
    }
    return true;
}

}  // namespace gpucc_cpu
