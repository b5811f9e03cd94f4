"""Programs that are made to mislead kesco: in every order that CUDA allows they give the same.

Each is the body of a function with three arrays of 16 ints on the GPU, ``a``, ``b`` and ``c``, and
an argument ``k`` that is 0 and then 1.  What is compared is all that the arrays in ``seen`` hold in
the end, and ``out``, and whether an exception came out.
"""

import pytest
from faking import PRELUDE, compile_kesco

TOP = (
    PRELUDE
    + r"""
#include <cstdlib>
#include <utility>
#include <vector>
#define ADD(p) op1<<<1, 16>>>(p, 16)
#define MIX(p, q, r) op2<<<1, 16>>>(p, q, r, 16)
#define TO_HOST(h, p) cudaMemcpy(h, p, 64, cudaMemcpyDeviceToHost)
#define TO_DEVICE(p, h) cudaMemcpy(p, h, 64, cudaMemcpyHostToDevice)
static int out;
static int *global_pointer;
static cudaStream_t user;
struct Pair { int *x, *y; };
struct Buffer {
    int *p;
    Buffer() { cudaMalloc(&p, 64); }
    ~Buffer() { cudaFree(p); }
    operator int *() { return p; }
};
struct UsesGpuAtTheEnd { ~UsesGpuAtTheEnd() { opaque(1); } };
struct LaunchesAtTheEnd { int *p; ~LaunchesAtTheEnd() { ADD(p); } };
struct OnStreamAtTheEnd {
    cudaStream_t stream;
    int *p;
    ~OnStreamAtTheEnd() { op1<<<1, 16, 0, stream>>>(p, 16); }
};
static int *allocated() { int *p; cudaMalloc(&p, 64); return p; }
static void allocate_anew(int *&p) { cudaMalloc(&p, 64); }
static void launch(int *x, int *y, int *z) { MIX(x, y, z); }
template <class F> static void twice(F f) { f(); f(); }
"""
)
SETUP = (
    "int *a, *b, *c; cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMalloc(&c, 64);"
    "cudaMemset(a, 1, 64); cudaMemset(b, 2, 64); cudaMemset(c, 3, 64);"
    "seen[0] = a; seen[1] = b; seen[2] = c;"
)

SCHEDULED = {
    # Two names of one array.
    "another_name": "int *d = a; ADD(a); ADD(d); MIX(d, a, c);",
    "inside_an_array": "int *d = a + 4; op1<<<1, 12>>>(d, 12); ADD(a); op2<<<1, 4>>>(d, a, c, 4);",
    "one_of_two": "int *d = a; if (k) d = b; ADD(d); ADD(a); ADD(b); ADD(c);",
    "changes_meaning": "int *d; cudaMalloc(&d, 64); cudaMemset(d, 1, 64); int *e = d; d = a;"
    "ADD(e); ADD(d); ADD(a); MIX(e, d, c);",
    "pointer_to_a_choice": "int *d = k ? a : b; ADD(c); ADD(d); ADD(b); MIX(a, b, c);",
    "through_a_number": "unsigned long n = (unsigned long)a; int *d = (int *)n;"
    "ADD(d); ADD(a); ADD(b); MIX(d, b, c);",
    "stored_as_a_number": "int *d; *(long *)&d = (long)a; ADD(d); ADD(a); ADD(b); MIX(d, b, c);",
    "through_a_union": "union { int *p; double f; } u, v; u.p = a; v.f = u.f;"
    "ADD(v.p); ADD(a); ADD(b); MIX(v.p, b, c);",
    "through_a_global": "global_pointer = a; ADD(global_pointer); ADD(a); ADD(b); ADD(c);",
    "through_a_static": "static int *d; d = a; ADD(d); ADD(a); ADD(b); MIX(d, b, c);",
    "through_a_volatile": "int *volatile d = a; ADD(d); ADD(a); ADD(b); MIX(d, b, c);",
    "through_an_array": "int *x[3] = {a, b, c};"
    "for (int i = 0; i < 3; ++i) { MIX(x[i], x[(i + 1) % 3], x[(i + 2) % 3]); ADD(x[i]); }"
    "ADD(a); ADD(b);",
    # Memory that comes and goes.
    "freed_and_made_again": "ADD(a); ADD(b); seen[0] = b; cudaFree(a);"
    "int *d; cudaMalloc(&d, 64); cudaMemset(d, 0, 64); MIX(b, c, d); ADD(c); seen[0] = d;",
    "two_arrays_of_one_variable": "ADD(a); ADD(b); int *old = a; cudaMalloc(&a, 64);"
    "cudaMemset(a, 9, 64); MIX(old, b, a); ADD(old); seen[0] = a; seen[1] = old;",
    "allocation_that_fails": "int *d = a; out += cudaMalloc(&d, 2ul << 30) != 0;"
    "ADD(d ? d : b); ADD(a); ADD(b);",
    "allocated_elsewhere": "int *d = allocated(), *e = allocated(); cudaMemset(d, 1, 64);"
    "cudaMemset(e, 1, 64); ADD(a); ADD(b); ADD(d); ADD(e); MIX(d, e, c);",
    # Copies and memsets.
    "write_after_read": "MIX(a, b, c); cudaMemset(a, 7, 64); cudaMemset(b, 8, 64); MIX(b, a, a);",
    "halves_that_overlap": "cudaMemset(a, 7, 32); cudaMemset(a + 8, 3, 32); op1<<<1, 8>>>(a, 8);"
    "op1<<<1, 8>>>(a + 8, 8); cudaMemset(a + 4, 1, 32); ADD(b);",
    "host_data_is_used_at_once": "int h[16]; ADD(a); ADD(b); TO_HOST(h, a); h[0] += h[1];"
    "TO_DEVICE(a, h); MIX(a, b, c);",
    "device_copies_that_overlap": "ADD(b); cudaMemcpy(a + 4, b, 32, cudaMemcpyDeviceToDevice);"
    "cudaMemcpy(a, c, 16, cudaMemcpyDeviceToDevice);"
    "cudaMemcpy(a + 2, c, 16, cudaMemcpyDeviceToDevice); ADD(c);",
    "copies_of_unknown_kind": "int h[16]; ADD(a); ADD(b); cudaMemcpy(h, a, 64, cudaMemcpyDefault);"
    "cudaMemcpy(b, h, 64, cudaMemcpyDefault); MIX(a, b, c);",
    "copies_that_do_not_block": "static int h[16]; for (int &x : h) x = 4; ADD(b); ADD(c);"
    "cudaMemcpyAsync(a, h, 64, cudaMemcpyHostToDevice); ADD(a); ADD(c);",
    "waits_for_stream_0": "int h[16] = {}; ADD(a); ADD(b);"
    "cudaMemcpyAsync(h, b, 64, cudaMemcpyDeviceToHost, 0); cudaStreamSynchronize(0);"
    "out += h[5]; MIX(a, b, c);",
    # Work that is not in sight.
    "a_stream_of_its_own": "ADD(a); ADD(b); op2<<<1, 16, 0, user>>>(a, b, c, 16);"
    "ADD(a); ADD(b); ADD(c);",
    "helper_that_launches": "ADD(a); ADD(b); launch(a, b, c); ADD(a); ADD(b);",
    "unknown_functions": "ADD(a); ADD(b); opaque(0); opaque(1); ADD(a); ADD(b); opaque(2);"
    "MIX(a, b, c);",
    "argument_that_launches": "op1<<<1, 16>>>(a, (ADD(a), 16)); ADD(b); ADD(c); MIX(a, b, c);",
    # Ways out, and the way round.
    "returns_early": "ADD(a); ADD(b); if (k) return; MIX(a, b, c); ADD(a);",
    "returns_from_a_loop": "for (int i = 0; i < 4; ++i) {"
    "ADD(a); ADD(b); if (i == k + 1) return; MIX(a, b, c); }",
    "begins_the_next_round": "for (int i = 0; i < 4; ++i) {"
    "ADD(a); ADD(b); if (i % 2 == k) continue; MIX(a, b, c); } ADD(b); ADD(a);",
    "jumps_back": "int i = 0; again: ADD(a); ADD(b); if (++i < 3) goto again; MIX(a, b, c);",
    "behind_a_loop": "int i = 0; do { ADD(a); } while (++i < 3 + k); ADD(b); ADD(c);MIX(a, b, c);",
    "uses_the_gpu_when_destroyed": "{ UsesGpuAtTheEnd at_end; ADD(a); ADD(b); maybe_throw(k);"
    "MIX(a, b, c); } ADD(b);",
    "launches_when_destroyed": "{ LaunchesAtTheEnd at_end{a}; ADD(b); ADD(a); maybe_throw(k);"
    "MIX(a, b, c); } ADD(b); ADD(c);",
    "own_stream_when_destroyed": "{ OnStreamAtTheEnd at_end{user, a}; ADD(b); ADD(a);"
    "maybe_throw(k); } ADD(b); ADD(a);",
    "lambda_with_copies": "twice([=] { ADD(a); ADD(b); MIX(a, b, c); }); ADD(a); ADD(b);",
    # What goes wrong.
    "refused_launch_first": "op1<<<1, 2048>>>(a, 16); ADD(b); out += cudaGetLastError(); ADD(a);"
    "MIX(a, b, c);",
    "refused_launch_between": "ADD(a); op1<<<1, 2048>>>(b, 16); MIX(a, b, c); ADD(b);"
    "out += cudaPeekAtLastError(); out += cudaGetLastError();",
    # More of everything than there are queues.
    "many": "int *d, *e, *f; cudaMalloc(&d, 64); cudaMalloc(&e, 64); cudaMalloc(&f, 64);"
    "cudaMemset(d, 1, 64); cudaMemset(e, 1, 64); cudaMemset(f, 1, 64);"
    "for (int i = 0; i < 3; ++i) { ADD(a); ADD(b); ADD(c); ADD(d); ADD(e); ADD(f);"
    "MIX(a, b, d); MIX(c, d, e); MIX(e, f, a); } MIX(d, e, f); seen[3] = f;",
}
"""With something side by side, if only at the beginning."""

LEFT_ALONE = {
    "an_array_each_round": "int *last = a; for (int i = 0; i < 4; ++i) {"
    "int *d; cudaMalloc(&d, 64); cudaMemset(d, i, 64); MIX(last, d, c); ADD(d); ADD(last);"
    "last = d; } seen[0] = last;",
    "pointers_rotate": "ADD(a); for (int i = 0; i < 5; ++i) {"
    "MIX(a, b, c); ADD(b); int *t = a; a = b; b = c; c = t; }",
    "pointers_are_swapped": "for (int i = 0; i < 5; ++i) {MIX(a, b, c); ADD(b); std::swap(a, c); }",
    "changed_through_a_pointer": "int **p = k ? &a : &b; *p = c; ADD(a); ADD(b); ADD(c);",
    "changed_by_reference": "int *d = a; allocate_anew(a); allocate_anew(b); cudaMemset(a, 4, 64);"
    "cudaMemset(b, 4, 64); seen[1] = b; ADD(d); ADD(a); ADD(b); MIX(d, a, c);",
    "members_are_swapped": "int *x, *y; cudaMalloc(&x, 64); Pair p{a, b}; std::swap(p.x, p.y);"
    "ADD(p.x); ADD(p.y); MIX(p.x, p.y, c); (void)y;",
    "members_are_copied_as_bytes": "Pair p{a, b}, q; std::memcpy(&q, &p, sizeof p);"
    "ADD(q.x); ADD(p.x); ADD(q.y); ADD(p.y);",
    "a_vector_of_pointers": "std::vector<int *> v{a, b, c}; for (int *p : v) ADD(p);"
    "MIX(v[0], v[1], v[2]); ADD(v[0]);",
    "owners": "Buffer x, y; cudaMemset(x, 1, 64); cudaMemset(y, 2, 64); ADD(x); ADD(y);"
    "int h[16]; TO_HOST(h, x); out += h[3]; TO_HOST(h, y); out += h[3];",
    "lambda_with_references": "twice([&] { ADD(a); ADD(b); MIX(a, b, c); });",
}
"""Nothing beyond the memsets of the beginning is placed."""

CASES = SCHEDULED | LEFT_ALONE


def _program():
    text = TOP
    for name, body in CASES.items():
        text += f"static void case_{name}(int k) {{ {SETUP} {body} }}\n"
    text += "int main() {\n    cudaStreamCreate(&user);\n"
    for name in CASES:
        text += f"""    for (int k = 0; k < 2; ++k) {{
        out = 0;
        for (int *&p : seen) p = nullptr;
        const char *how = "returned";
        try {{ case_{name}(k); }} catch (int) {{ how = "threw"; }}
        std::printf("{name} %s %d:", how, out);
        for (int *p : seen) {{
            int h[16] = {{}};
            if (p) TO_HOST(h, p);
            for (int v : h) std::printf(" %d", v);
        }}
        std::printf("\\n");
    }}
"""
    return text + "}\n"


def _lines(text):
    """Return what a run printed, by case."""
    found = {name: [] for name in CASES}
    for line in text.splitlines():
        found[line.partition(" ")[0]].append(line)
    return found


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def made(request, tmp_path_factory):
    program = compile_kesco(_program(), tmp_path_factory.mktemp("adversarial"), request.param)
    return program, _lines(program.run("serial")), [_lines(program.run(s)) for s in range(24)]


@pytest.mark.parametrize("name", CASES)
def test_gives_what_it_gave(made, name):
    program, wanted, runs = made
    assert len(wanted[name]) == 2
    for seed, found in enumerate(runs):
        assert found[name] == wanted[name], (seed, program.changed(f"case_{name}("))


@pytest.mark.parametrize("name", CASES)
def test_is_scheduled_or_left_alone(made, name):
    launches = [m for m in made[0].changed(f"case_{name}(") if m.startswith("op")]
    assert bool(launches) is (name in SCHEDULED)


def test_a_rule_without_write_after_read_is_noticed(tmp_path, monkeypatch):
    """These programs depend on the rule, so the test above can fail."""
    monkeypatch.setattr(
        "gpucc.host.schedule.conflict",
        lambda first, second: bool(first.writes & (second.reads | second.writes)),
    )
    program = compile_kesco(_program(), tmp_path)
    wanted = _lines(program.run("serial"))
    differing = {
        name
        for seed in range(24)
        for name, lines in _lines(program.run(seed)).items()
        if lines != wanted[name]
    }
    assert "write_after_read" in differing
