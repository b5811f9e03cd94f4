// The contract between kernels compiled for the CPU (gpucc/cpu) and the engine that runs them.
//
// A GPU thread is a fiber: a stack of its own and the registers of the processor.  A kernel is an
// ordinary function, called once for each thread; where PTX makes threads wait for each other
// (barriers, warp operations, matrix operations) it calls one of the functions below, which switch
// to other fibers of the block until the wait is over.  Every thread makes progress: a loop that
// may wait for another thread by looking at memory calls gpucc_cpu_yield, whatever else it calls.
//
// Two other forms run a warp as one, in step, for the speed of vectors.  A kernel that never waits is
// a `loop` over the threads of a block; one whose warps wait for each other at barriers is a
// coroutine, `start`: it gives way by returning, and the engine goes on with it when all have come.
//
// Blocks run in parallel on workers; all threads of a block stay on one worker, and no thread gives
// way but in the functions below.  A block whose threads only yield is suspended for others, which
// may be ones that have not begun: at most as many threads as 132 multiprocessors hold are under
// way at once.  Atomic operations and fences on memory that several blocks see must be those of the
// processor; on shared memory, and where the scope is the block, ordinary accesses do.
//
// A frame larger than 64 KiB must be probed page by page ("probe-stack" of LLVM), so that a stack
// that overflows meets its guard.  The control words of the floating-point units (MXCSR, FPCR)
// belong to the worker: code that changes them changes them back before it calls anything here.
//
// Addresses: in generated code an address in shared space is an offset from gpucc_block::shared;
// every other address, generic ones too, is an address of this process.
//
// `site` numbers the instruction within its module (from 0); gpucc_kernel::sites names its place.
#ifndef GPUCC_CPU_H
#define GPUCC_CPU_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

// --- what generated code reads; its offsets are known to gpucc/cpu/site.py and special.py ---------

typedef struct gpucc_launch {
    uint32_t grid[3];        //  0: blocks
    uint32_t block[3];       // 12: threads of a block
    uint32_t shared_bytes;   // 24: shared memory of a block, static and dynamic
    uint32_t dynamic_bytes;  // 28: the dynamic part, which is the last
    uint64_t grid_id;        // 32
    uint64_t workspace;      // 40: %envreg2:1, for grid-wide barriers; 0: not a cooperative launch
} gpucc_launch;

typedef struct gpucc_block {
    const gpucc_launch *launch;  //  0
    char *shared;                //  8: aligned to 1024 bytes
    uint32_t ctaid[3];           // 16
    uint32_t worker;             // 28: which worker runs it; %smid
} gpucc_block;

typedef struct gpucc_thread {
    gpucc_block *block;  //  0
    uint32_t tid[3];     //  8
    uint32_t linear;     // 20: x + block.x * (y + block.y * z); lane = linear % 32
} gpucc_thread;

// --- kernels and launches -------------------------------------------------------------------------

typedef void (*gpucc_kernel_function)(gpucc_thread *thread, const void *parameters);

// Runs threads begin to end - 1 of a block, in order of `linear`; NULL if threads may wait.  Called
// for a whole block, or in other orders than forward for one thread at a time.
typedef void (*gpucc_loop_function)(gpucc_block *block, const void *parameters, uint32_t begin,
                                    uint32_t end);

// Begins a warp (of linear number thread->linear, no tid) and runs it to its first gpucc_cpu_meet or
// its end.  Returns a handle: its first word is the function that goes on with it, called with the
// handle, or NULL when the warp has ended.
typedef void *(*gpucc_start_function)(gpucc_thread *thread, const void *parameters);

typedef struct gpucc_kernel {
    const char *name;
    gpucc_kernel_function thread;
    gpucc_loop_function loop;
    uint32_t static_shared;    // bytes
    uint32_t parameter_bytes;
    uint64_t stack_bytes;      // of a fiber; 0: the engine's default, 256 KiB
    const char *const *sites;  // place of each site: "kernel.ptx:12: bar.sync 0"; may be NULL
    uint32_t site_count;
    uint32_t lanes;            // threads that one call of `thread` runs, 1 (or 0) to 32; if more than
                               // one, fiber i is given linear = i and no tid
    gpucc_start_function start;
} gpucc_kernel;

// A module of a CUDA program: what gpucc/cpu/program.py puts where nvcc's host code has its fatbin.
typedef struct gpucc_parameter {
    uint32_t offset, bytes;
} gpucc_parameter;

typedef struct gpucc_entry {
    gpucc_kernel kernel;
    const gpucc_parameter *parameters;
    uint32_t parameter_count;
    uint32_t most_threads;  // of a block: .maxntid, or 1024
} gpucc_entry;

typedef struct gpucc_variable {
    const char *name;
    void *address;
    uint64_t bytes;
} gpucc_variable;

#define GPUCC_MODULE_MAGIC 0x7570636363757067u  // "gpucccpu"
typedef struct gpucc_module {
    uint64_t magic;
    uint32_t entry_count;
    uint32_t variable_count;
    const gpucc_entry *entries;
    const gpucc_variable *variables;
} gpucc_module;

enum gpucc_order { GPUCC_FORWARD = 0, GPUCC_REVERSED = 1, GPUCC_PERMUTED = 2 };

typedef struct gpucc_options {
    uint32_t workers;  // 0: one for each core
    uint32_t order;    // gpucc_order: of blocks, of warps in a block, and of threads in a warp
    uint64_t seed;     // for GPUCC_PERMUTED
    uint32_t fibers;   // nonzero: never use the loop form
    uint32_t reserved;
} gpucc_options;

enum gpucc_status {
    GPUCC_OK = 0,
    GPUCC_TRAP = 1,
    GPUCC_DEADLOCK = 2,  // no thread of a block can go on
    GPUCC_REFUSED = 3,   // the launch itself is impossible: block too large, out of memory
    GPUCC_FAULT = 4,     // a warp operation that PTX leaves undefined and that was found out
    GPUCC_ASSERT = 5     // a failed assert
};

// Runs a whole grid and returns its gpucc_status.  `parameters` is a buffer in PTX's layout.
// What went wrong is written to `message` (cut to message_bytes, always terminated): for a
// deadlock, where the threads of the block stand and how many at each place.  After an error the
// other blocks end early.  The calling thread is one of the workers; several may launch at once.
int gpucc_cpu_launch(const gpucc_kernel *kernel, const gpucc_launch *launch,
                     const void *parameters, const gpucc_options *options, char *message,
                     size_t message_bytes);

// --- waits; called by generated code on a fiber ---------------------------------------------------

enum gpucc_barrier_kind {
    GPUCC_SYNC = 0,
    GPUCC_ARRIVE = 1,  // waits for the lanes of its warp only
    GPUCC_POPC = 2,    // as SYNC; the number of threads whose predicate holds
    GPUCC_AND = 3,     // as SYNC; whether the predicate holds for all, for any
    GPUCC_OR = 4
};
// Barrier `id` (0 to 15) of the block for `count` threads (0: all of the block that have not
// exited; a partial count is in whole warps).  Warps arrive, each when all of its lanes that have
// not exited have come.  Reductions mixed with other kinds, and different counts at once, are a
// GPUCC_FAULT.
uint32_t gpucc_cpu_barrier(gpucc_thread *thread, uint32_t id, uint32_t count, uint32_t kind,
                           uint32_t predicate, uint32_t site);

// In a coroutine: what it waits for when it next gives way, a barrier for the whole block.  The
// result of GPUCC_AND and GPUCC_OR is that of gpucc_cpu_met afterwards.
void gpucc_cpu_meet(gpucc_thread *thread, uint32_t id, uint32_t kind, uint32_t predicate,
                    uint32_t site);
uint32_t gpucc_cpu_met(gpucc_thread *thread);
// Memory for the coroutine of a warp, aligned to 128 bytes; the same number of bytes for all warps.
void *gpucc_cpu_frame(gpucc_thread *thread, uint64_t bytes);

// Warp operations.  `members` is the mask of lanes that take part: the operation happens when all of
// them that have not exited wait at the same kind of operation with the same mask.  0 stands for an
// operation without .sync: those lanes take part that have come to the same site when no lane of the
// warp can go on otherwise (but by yielding over and over); of several sites the lowest is first.
// A lane that is not in its own mask is a GPUCC_FAULT.
enum gpucc_shuffle { GPUCC_UP = 0, GPUCC_DOWN = 1, GPUCC_BFLY = 2, GPUCC_IDX = 3 };
// Low 32 bits: the value, 0 from a lane that takes no part; bit 32: whether the source lane was in
// range.
uint64_t gpucc_cpu_shfl(gpucc_thread *thread, uint32_t mode, uint32_t value, uint32_t lane,
                        uint32_t control, uint32_t members, uint32_t site);
enum gpucc_vote { GPUCC_ALL = 0, GPUCC_ANY = 1, GPUCC_UNI = 2, GPUCC_BALLOT = 3 };
uint32_t gpucc_cpu_vote(gpucc_thread *thread, uint32_t kind, uint32_t predicate, uint32_t members,
                        uint32_t site);
enum gpucc_match { GPUCC_MATCH_ANY = 0, GPUCC_MATCH_ALL = 1 };
// Low 32 bits: the mask; bit 32: the predicate of match.all.
uint64_t gpucc_cpu_match(gpucc_thread *thread, uint32_t kind, uint64_t value, uint32_t members,
                         uint32_t site);
enum gpucc_redux {
    GPUCC_REDUX_ADD = 0,  // u32 and s32 alike
    GPUCC_REDUX_AND = 1,
    GPUCC_REDUX_OR = 2,
    GPUCC_REDUX_XOR = 3,
    GPUCC_REDUX_MIN_U32 = 4,
    GPUCC_REDUX_MAX_U32 = 5,
    GPUCC_REDUX_MIN_S32 = 6,
    GPUCC_REDUX_MAX_S32 = 7,
    GPUCC_REDUX_MIN_F32 = 8,  // | 16: .abs, | 32: .NaN
    GPUCC_REDUX_MAX_F32 = 9
};
uint32_t gpucc_cpu_redux(gpucc_thread *thread, uint32_t operation, uint32_t value, uint32_t members,
                         uint32_t site);
uint32_t gpucc_cpu_activemask(gpucc_thread *thread, uint32_t site);
// Low 32 bits: the elected lane; bit 32: whether it is this one.  The lowest member is elected.
uint64_t gpucc_cpu_elect(gpucc_thread *thread, uint32_t members, uint32_t site);
void gpucc_cpu_warpsync(gpucc_thread *thread, uint32_t members, uint32_t site);

// --- matrices (matrix.cpp); fragments are arrays of 32-bit registers as PTX lays them out ---------
//
// An f64 takes two registers, the low half first.  All 32 lanes must take part.

enum gpucc_element {
    GPUCC_F16 = 0, GPUCC_BF16 = 1, GPUCC_TF32 = 2, GPUCC_F32 = 3, GPUCC_F64 = 4,
    GPUCC_S8 = 5, GPUCC_U8 = 6, GPUCC_S4 = 7, GPUCC_U4 = 8, GPUCC_B1 = 9, GPUCC_S32 = 10,
    GPUCC_E4M3 = 11, GPUCC_E5M2 = 12
};
typedef struct gpucc_mma {
    uint32_t m, n, k;
    uint32_t a, b, c, d;  // gpucc_element
    uint32_t flags;       // 1: .satfinite; 2: .xor.popc, 4: .and.popc (of b1)
                          // 8: a by columns, 16: b by rows (m8n8k4 of f16 only)
} gpucc_mma;
// mma.sync: d = a * b + c, for a of m x k by rows and b of k x n by columns.  Sums are in order of k:
// in f32, rounded to f16 at the end; in f64, fused; exact for integers, wrapped or saturated at the
// end.  `d` may be one of the others.
void gpucc_cpu_mma(gpucc_thread *thread, const gpucc_mma *shape, const uint32_t *a,
                   const uint32_t *b, const uint32_t *c, uint32_t *d, uint32_t site);
// ldmatrix and stmatrix of `count` (1, 2, 4) 8x8 matrices of 16 bits; `row` is this lane's pointer.
void gpucc_cpu_ldmatrix(gpucc_thread *thread, uint32_t count, uint32_t transposed, const void *row,
                        uint32_t *registers, uint32_t site);
void gpucc_cpu_stmatrix(gpucc_thread *thread, uint32_t count, uint32_t transposed, void *row,
                        const uint32_t *registers, uint32_t site);
uint32_t gpucc_cpu_movmatrix(gpucc_thread *thread, uint32_t value, uint32_t site);

// --- transaction-free mbarriers, in 64 bits of shared memory (mbarrier.cpp) -----------------------

void gpucc_cpu_mbarrier_init(gpucc_thread *thread, uint64_t *barrier, uint32_t count);
void gpucc_cpu_mbarrier_inval(gpucc_thread *thread, uint64_t *barrier);
// Arrives `count` times and returns the state before; drop: expected arrivals fall by `count` too.
uint64_t gpucc_cpu_mbarrier_arrive(gpucc_thread *thread, uint64_t *barrier, uint32_t count,
                                   uint32_t drop);
// Whether the phase of `state` (or of parity `state`) is over; yields before it says no.
uint32_t gpucc_cpu_mbarrier_test(gpucc_thread *thread, const uint64_t *barrier, uint64_t state,
                                 uint32_t by_parity);
uint32_t gpucc_cpu_mbarrier_pending(uint64_t state);

// --- arithmetic of doubles that is not rounded to nearest (arithmetic.cpp) ------------------------

// As gpucc/cpu/floating.py numbers them.
enum gpucc_rounding { GPUCC_RN = 0, GPUCC_RZ = 1, GPUCC_RM = 2, GPUCC_RP = 3 };
double gpucc_cpu_add_f64(double a, double b, uint32_t rounding);
double gpucc_cpu_mul_f64(double a, double b, uint32_t rounding);
double gpucc_cpu_div_f64(double a, double b, uint32_t rounding);
double gpucc_cpu_sqrt_f64(double a, uint32_t rounding);
double gpucc_cpu_fma_f64(double a, double b, double c, uint32_t rounding);

// --- others ---------------------------------------------------------------------------------------

void gpucc_cpu_yield(gpucc_thread *thread);
// Whether an address lies on the thread's stack, which is where local memory is; in the loop form,
// on the worker's.
uint32_t gpucc_cpu_is_local(gpucc_thread *thread, uint64_t address);
// Ends the thread (exit).  Not called in the loop form, nor are the functions above and the two below.
__attribute__((noreturn)) void gpucc_cpu_exit(gpucc_thread *thread);
__attribute__((noreturn)) void gpucc_cpu_trap(gpucc_thread *thread, uint32_t site);
__attribute__((noreturn)) void gpucc_cpu_assertfail(gpucc_thread *thread, const char *message,
                                                    const char *file, uint32_t line,
                                                    const char *function);
// Device printf: `arguments` is the packed buffer that nvcc makes (each aligned to its size).
// Whole calls do not mix; returns what vprintf returns on the device.  Written to C's stdout, which
// is flushed when the launch ends.
int32_t gpucc_cpu_vprintf(const char *format, const void *arguments);
// fns: the position of the bit of `mask` that is `offset` set bits on from `base` (PTX ISA
// 9.7.1.18), upwards or downwards by its sign; all ones if there is none.
uint32_t gpucc_cpu_fns(uint32_t mask, uint32_t base, int32_t offset);
uint64_t gpucc_cpu_clock(void);        // nanoseconds since the process began, never the same twice
uint64_t gpucc_cpu_globaltimer(void);  // nanoseconds since 1970

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
