"""What kesco schedules in real programs, and what it leaves alone."""

import pytest
from faking import PRELUDE, compile_kesco

from gpucc.host.names import readable

ALLOCATE = "int *a, *b; cudaMalloc(&a, 64); cudaMalloc(&b, 64);"
PAIR = "op1<<<1, 16>>>(a, 16); op1<<<1, 16>>>(b, 16);"

TOP = (
    PRELUDE
    + """
#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>
struct Holder { int *a, *b; };
struct Wrapped { int *p; int n; };
__managed__ int managed[16];
__global__ void wrapped(Wrapped w) { w.p[threadIdx.x] = w.n; }
namespace inner { template <class T> __global__ void fill(T *p) { p[threadIdx.x] = 1; } }
static __global__ void local(int *p) { p[threadIdx.x] = 2; }
__global__ void touch_managed(int *p) { managed[threadIdx.x] = p[threadIdx.x]; }
static cudaStream_t user;
static std::atomic<int> flag;
static void on_gpu(int *p) { op1<<<1, 16>>>(p, 16); }
static int launches_itself(int *p) { op1<<<1, 16>>>(p, 16); return 16; }
static void ping(int n);
static void pong(int n) { if (n) ping(n - 1); }
static void ping(int n) { pong(n); cudaDeviceSynchronize(); }
static void helper(int **p) { *p = *p + 0; }
"""
)

REFUSED = {
    "parameters": ("int *a, int *b", f"{PAIR}"),
    "members": ("Holder h", "int *a = h.a, *b = h.b; " + PAIR),
    "array_of_pointers": (
        "int i",
        "int *x[2]; cudaMalloc(&x[0], 64); cudaMalloc(&x[1], 64);"
        "op1<<<1, 16>>>(x[i], 16); op1<<<1, 16>>>(x[1 - i], 16);",
    ),
    "address_given_away": ("", f"{ALLOCATE} helper(&a); helper(&b); {PAIR}"),
    "captured_by_reference": (
        "",
        f"{ALLOCATE} auto change = [&] {{ std::swap(a, b); }}; change(); {PAIR}",
    ),
    "copied_as_bytes": ("", f"{ALLOCATE} std::memcpy(&a, &b, sizeof a); {PAIR}"),
    "in_a_union": (
        "",
        "union { int *p; long n; } u, v; cudaMalloc(&u.p, 64); cudaMalloc(&v.p, 64);"
        "op1<<<1, 16>>>(u.p, 16); op1<<<1, 16>>>(v.p, 16);",
    ),
    "from_a_choice": ("int i", f"{ALLOCATE} op1<<<1, 16>>>(i ? a : b, 16); op1<<<1, 16>>>(b, 16);"),
    "managed_memory": (
        "",
        "int *a, *b; cudaMallocManaged(&a, 64); cudaMallocManaged(&b, 64);" + PAIR,
    ),
    "managed_variable": (
        "",
        f"{ALLOCATE} touch_managed<<<1, 16>>>(a); touch_managed<<<1, 16>>>(b);",
    ),
    "struct_parameter": (
        "",
        f"{ALLOCATE} Wrapped v{{a, 1}}, w{{b, 2}}; wrapped<<<1, 16>>>(v); wrapped<<<1, 16>>>(w);",
    ),
    "user_stream_between": (
        "",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); op1<<<1, 16, 0, user>>>(b, 16); op1<<<1, 16>>>(b, 16);",
    ),
    "unknown_call_between": (
        "",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); opaque(1); op1<<<1, 16>>>(b, 16);",
    ),
    "call_through_function": (
        "const std::function<void()> &f",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); f(); op1<<<1, 16>>>(b, 16);",
    ),
    "call_through_pointer": (
        "void (*f)()",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); f(); op1<<<1, 16>>>(b, 16);",
    ),
    "callback": (
        "cudaHostFn_t f",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); cudaLaunchHostFunc(0, f, 0); op1<<<1, 16>>>(b, 16);",
    ),
    "atomic_between": (
        "",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); flag.store(1); op1<<<1, 16>>>(b, 16);",
    ),
    "assembly_between": (
        "",
        f'{ALLOCATE} op1<<<1, 16>>>(a, 16); asm volatile("nop"); op1<<<1, 16>>>(b, 16);',
    ),
    "recursion_between": (
        "",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); pong(2); op1<<<1, 16>>>(b, 16);",
    ),
    "argument_that_launches": (
        "",
        f"{ALLOCATE} op1<<<1, 16>>>(a, launches_itself(b)); op1<<<1, 16>>>(b, 16);",
    ),
    "one_variable_stream": (
        "cudaStream_t s",
        f"{ALLOCATE} op1<<<1, 16, 0, s>>>(a, 16); op1<<<1, 16, 0, s>>>(b, 16);",
    ),
    "copies_that_follow_each_other": (
        "",
        f"{ALLOCATE} int h[16]; cudaMemcpy(a, h, 64, cudaMemcpyHostToDevice);"
        "cudaMemcpy(b, h, 64, cudaMemcpyHostToDevice);"
        "cudaMemcpy(b, a, 64, cudaMemcpyDeviceToDevice);"
        "cudaMemcpy(h, b, 64, cudaMemcpyDeviceToHost);",
    ),
    "a_chain_between_copies": (
        "",
        f"{ALLOCATE} int h[16]; cudaMemcpy(a, h, 64, cudaMemcpyHostToDevice);"
        "cudaMemcpy(b, h, 64, cudaMemcpyHostToDevice);"
        "op2<<<1, 16>>>(a, b, a, 16); cudaMemcpy(h, a, 64, cudaMemcpyDeviceToHost);",
    ),
    "one_in_a_branch": (
        "int i",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); if (i) op1<<<1, 16>>>(b, 16); op1<<<1, 16>>>(b, 16);",
    ),
    "one_in_a_case": (
        "int i",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16);"
        "switch (i) { case 1: op1<<<1, 16>>>(b, 16); break; default: cudaMemset(b, 0, 64); }",
    ),
    "into_the_middle_of_a_loop": (
        "int i",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); if (i) goto middle;"
        "again: i++; middle: op1<<<1, 16>>>(b, 16); op2<<<1, 16>>>(a, b, a, 16);"
        "if (i < 5) goto again;",
    ),
}

SCHEDULED = {
    "straight": ("", f"{ALLOCATE} {PAIR}"),
    "before_the_last_branch": (
        "int i",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16); if (i) op1<<<1, 16>>>(b, 16);",
    ),
    "in_a_loop_body": ("int n", f"{ALLOCATE} for (int i = 0; i < n; ++i) {{ {PAIR} }}"),
    "in_a_branch": ("int n", f"{ALLOCATE} if (n) {{ {PAIR} }}"),
    "in_a_case": ("int n", f"{ALLOCATE} switch (n) {{ case 3: {PAIR} break; default:; }}"),
    "in_a_try": ("int n", f"{ALLOCATE} try {{ {PAIR} maybe_throw(n); }} catch (int) {{}}"),
    "templates_and_static_kernels": (
        "",
        f"{ALLOCATE} inner::fill<int><<<1, 16>>>(a); local<<<1, 16>>>(b);",
    ),
    "copies_of_pointers": (
        "",
        f"{ALLOCATE} int *p = a, *q = b + 8; op1<<<1, 8>>>(p, 8); op1<<<1, 8>>>(q, 8);",
    ),
    "printing_between": (
        "",
        f'{ALLOCATE} op1<<<1, 16>>>(a, 16); std::printf("x"); op1<<<1, 16>>>(b, 16);',
    ),
    "vector_between": (
        "",
        f"{ALLOCATE} std::vector<int> v(16); op1<<<1, 16>>>(a, v.size()); v.push_back(1);"
        "op1<<<1, 16>>>(b, v.size());",
    ),
    "sort_between": (
        "std::vector<int> &v",
        f"{ALLOCATE} op1<<<1, 16>>>(a, 16);"
        "std::sort(v.begin(), v.end(), [](int x, int y) { return x > y; }); op1<<<1, 16>>>(b, 16);",
    ),
    "in_a_lambda": ("", f"auto work = [] {{ {ALLOCATE} {PAIR} }}; work();"),
}


def _functions(cases):
    return "".join(
        f"void case_{name}({parameters}) {{ {body} }}\n"
        for name, (parameters, body) in cases.items()
    )


@pytest.fixture(scope="module")
def remarks(tmp_path_factory):
    source = TOP + _functions(REFUSED) + _functions(SCHEDULED)
    return compile_kesco(source, tmp_path_factory.mktemp("cases"), links=False)


@pytest.mark.parametrize("name", REFUSED)
def test_is_left_alone(remarks, name):
    assert remarks.changed(f"case_{name}") == []
    assert remarks.refused(f"case_{name}")


REASONS = {
    "one_variable_stream": ["op1: its stream is not the constant 0"] * 2,
    "argument_that_launches": [
        "op1: computing its arguments may use the GPU",
        "op1: stays in order",
    ],
    "copies_that_follow_each_other": [
        "cudaMemcpy: stays in order, nothing can run beside it (a copy that the host waits for "
        "comes first) up to the end of the function's GPU work"
    ]
    * 4,
    "unknown_call_between": [
        "op1: stays in order, nothing else stands beside it up to opaque at",
        "op1: stays in order, nothing else stands beside it up to the end of the function",
    ],
    "managed_variable": ["touch_managed(int*): the kernel uses memory that no parameter points to"]
    * 2,
}


@pytest.mark.parametrize("name", REASONS)
def test_says_why(remarks, name):
    messages = remarks.refused(f"case_{name}")
    for message, reason in zip(messages, REASONS[name], strict=True):
        assert message.startswith(reason)


LAUNCHES = """
extern __global__ void elsewhere(int *);
void case_by_pointer(void (*kernel)(int *, int)) { int *a; cudaMalloc(&a, 64);
    kernel<<<1, 16>>>(a, 16); op1<<<1, 16>>>(a, 16); }
void case_of_another_file() { int *a; cudaMalloc(&a, 64);
    elsewhere<<<1, 16>>>(a); op1<<<1, 16>>>(a, 16); }
void case_nested(int *n) { int *a, *b; cudaMalloc(&a, 64); cudaMalloc(&b, 64);
    op1<<<1, 16>>>(a, (op1<<<1, 16>>>(b, 16), 16)); op1<<<1, 16>>>(b, 16); }
void case_of_each_thread() { int *a; cudaMalloc(&a, 64);
    op1<<<1, 16, 0, cudaStreamPerThread>>>(a, 16); op1<<<1, 16, 0, 0>>>(a, 16); }
"""


def test_every_launch_gets_a_remark(tmp_path):
    made = compile_kesco(TOP + LAUNCHES, tmp_path, "-rdc=true", links=False)
    assert made.changed("case_") == []
    unknown = "a launch: which kernel it starts is not known in this file"
    for name in ("by_pointer", "of_another_file"):
        first, second = made.refused(f"case_{name}")
        assert first == unknown
        assert second.startswith("op1: stays in order")
    nested = made.refused("case_nested")
    assert [message.partition(" ")[0] for message in nested] == ["op1:"] * 3
    assert "computing its arguments" in nested[0]
    assert "its stream is not the constant 0" in made.refused("case_of_each_thread")[0]


def test_names_are_the_ones_that_were_written(remarks):
    """Kernels, calls and functions read as in C++."""
    template, static = remarks.changed("case_templates_and_static_kernels()")
    assert template.startswith("void inner::fill<int>(int*): queue 0")
    assert static.startswith("local(int*): queue 1")
    assert readable("_ZN3App4workEv") == "App::work()"
    assert readable('@"_Z6squarePfi"') == "square(float*, int)"
    for plain in ("op1", "main", "_Z", "_Zsomething", ""):
        assert readable(plain) == plain


@pytest.mark.parametrize("name", SCHEDULED)
def test_is_scheduled(remarks, name):
    queues = [message for message in remarks.changed(f"case_{name}") if ": queue " in message]
    assert len(queues) == 2
    assert "queue 0" in queues[0]
    assert "queue 1" in queues[1]


@pytest.mark.parametrize("flags", [["-O0"], ["-O2"], ["-G", "-g"], ["-lineinfo"], ["-rdc=true"]])
def test_with_flags(tmp_path, flags):
    source = TOP + _functions({"straight": SCHEDULED["straight"]})
    made = compile_kesco(source, tmp_path, *flags, links=False)
    assert len(made.changed("case_straight")) == 2
    assert all(remark.source for remark in made.remarks)


def test_default_stream_per_thread(tmp_path):
    """Where each thread has a default stream of its own, the flag is seen and refused."""
    source = TOP + _functions({"straight": SCHEDULED["straight"]})
    made = compile_kesco(source, tmp_path, "--default-stream", "per-thread", links=False)
    assert made.changed() == []
    assert "each thread's own" in made.refused()[0]


ORDERS = (
    PRELUDE
    + """
#define SETUP int *a, *b, *c; cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMalloc(&c, 64); \\
    cudaMemset(a, 1, 64); cudaMemset(b, 2, 64); cudaMemset(c, 3, 64); \\
    seen[0] = a; seen[1] = b; seen[2] = c;
static cudaStream_t blocking;
static void blocking_streams(int *out) {  // the null stream and blocking streams order each other
    SETUP
    op1<<<1, 16, 0, blocking>>>(a, 16);
    op1<<<1, 16>>>(a, 16);
    op1<<<1, 16>>>(b, 16);
    op2<<<1, 16, 0, blocking>>>(a, b, c, 16);
    cudaMemcpyAsync(out, c, 64, cudaMemcpyDeviceToHost, blocking);
    cudaStreamSynchronize(blocking);
}
static void write_after_read(int *out) {  // a write after a read in the round before
    SETUP
    for (int i = 0; i < 4; ++i) {
        op2<<<1, 16>>>(a, b, c, 16);
        op1<<<1, 16>>>(b, 16);
        op2<<<1, 16>>>(b, c, a, 16);
    }
    cudaMemcpy(out, a, 64, cudaMemcpyDeviceToHost);
}
static void freeing(int *out) {  // freeing waits for the last reader
    SETUP
    op1<<<1, 16>>>(c, 16);
    op2<<<1, 16>>>(a, a, b, 16);
    cudaFree(a);
    cudaMemcpy(out, b, 64, cudaMemcpyDeviceToHost);
}
static void host_data(int *out) {  // host data of a copy may change as soon as the call returns
    SETUP
    int h[16];
    for (int i = 0; i < 16; ++i) h[i] = i;
    cudaMemcpy(a, h, 64, cudaMemcpyHostToDevice);
    for (int &x : h) x = -1;
    cudaMemcpy(b, h, 64, cudaMemcpyHostToDevice);
    op2<<<1, 16>>>(a, b, c, 16);
    cudaMemcpy(out, c, 64, cudaMemcpyDeviceToHost);
}
static int ways_out(int *out, int early) {  // whatever the way out, the caller finds it in order
    SETUP
    op1<<<1, 16>>>(a, 16);
    op1<<<1, 16>>>(b, 16);
    if (early == 1) return 1;
    maybe_throw(early == 2);
    op2<<<1, 16>>>(a, b, c, 16);
    return 0;
}
int main() {
    cudaStreamCreate(&blocking);
    int out[16] = {};
    auto show = [&](const char *name) { for (int x : out) std::printf("%s %d\\n", name, x); };
    blocking_streams(out); show("blocking_streams");
    write_after_read(out); show("write_after_read");
    freeing(out); show("freeing");
    host_data(out); show("host_data");
    for (int early = 0; early < 3; ++early) {
        try { ways_out(out, early); } catch (int) {}
        for (int *p : seen) {
            if (!p) continue;
            cudaMemcpy(out, p, 64, cudaMemcpyDeviceToHost);
            show("ways_out");
        }
    }
}
"""
)


@pytest.fixture(scope="module")
def orders(tmp_path_factory):
    return compile_kesco(ORDERS, tmp_path_factory.mktemp("orders"))


@pytest.mark.parametrize(
    "function",
    [
        "blocking_streams",
        "write_after_read",
        "freeing",
        "host_data",
        "ways_out",
    ],
)
def test_what_schedulers_get_wrong_most_easily(orders, function):
    assert any(": queue 1" in message for message in orders.changed(function))

    def only(text):
        return [line for line in text.splitlines() if line.startswith(f"{function} ")]

    wanted = only(orders.run("serial"))
    assert len(wanted) >= 16
    for seed in range(6):
        assert only(orders.run(seed)) == wanted


def test_pointers_that_are_swapped_all_over(tmp_path):
    """What twelve pointers hold is found without following every path between them."""
    names = [f"p{i}" for i in range(12)]
    body = "".join(f"int *{p}; cudaMalloc(&{p}, 64);" for p in names)
    body += "".join(
        f"{{ int *t = {p}; {p} = {q}; {q} = t; }}" for p in names for q in names if p < q
    )
    body += "".join(f"op1<<<1, 16>>>({p}, 16);" for p in names)
    made = compile_kesco(TOP + f"void case_swaps() {{ {body} }}", tmp_path, links=False)
    assert made.changed("case_swaps") == []
    assert len(made.refused("case_swaps")) == 12
