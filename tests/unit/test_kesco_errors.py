"""Errors are seen where the program would have seen them, and our own are not seen at all."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from faking import PRELUDE, compile_kesco, link

import gpucc

TOP = (
    PRELUDE
    + """
#include <cstdlib>
#include <stdexcept>
extern "C" __global__ void fault(int *a) { a[threadIdx.x] = 1; }
#define SETUP int *a, *b, *c, h[16] = {}; \\
    cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMalloc(&c, 64); \\
    cudaMemset(a, 1, 64); cudaMemset(b, 2, 64); cudaMemset(c, 3, 64);
#define TO_HOST(p) cudaMemcpy(h, p, 64, cudaMemcpyDeviceToHost)
"""
)

FAULTS = {
    "asked_after_a_copy": (
        "fault<<<1, 16>>>(a); op1<<<1, 16>>>(b, 16); TO_HOST(b); int e = cudaPeekAtLastError();"
        "op1<<<1, 16>>>(c, 16); TO_HOST(b); TO_HOST(c); return e;"
    ),
    "asked_by_a_helper": (
        "fault<<<1, 16>>>(a); op1<<<1, 16>>>(b, 16); TO_HOST(b); int e = asked();"
        "op1<<<1, 16>>>(c, 16); TO_HOST(b); TO_HOST(c); return e;"
    ),
    "told_by_the_last_copy": (
        "fault<<<1, 16>>>(a); op1<<<1, 16>>>(b, 16); TO_HOST(b); return TO_HOST(c);"
    ),
    "asked_by_the_caller": "fault<<<1, 16>>>(a); op1<<<1, 16>>>(b, 16); TO_HOST(b); return 0;",
    "asked_after_leaving_early": (
        "fault<<<1, 16>>>(a); op1<<<1, 16>>>(b, 16); TO_HOST(b); if (h[0] != 12345) return 0;"
        "op1<<<1, 16>>>(c, 16); TO_HOST(c); TO_HOST(b); return 0;"
    ),
    "asked_after_an_exception": (
        "fault<<<1, 16>>>(a); op1<<<1, 16>>>(b, 16); TO_HOST(b); object_to(h[0]);"
        "op1<<<1, 16>>>(c, 16); TO_HOST(c); TO_HOST(b); return 0;"
    ),
}


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    text = TOP + (
        "static int asked() { return cudaGetLastError(); }\n"
        "static void object_to(int value) { if (value) throw value; }\n"
    )
    for name, body in FAULTS.items():
        text += f"static int case_{name}() {{ SETUP {body} }}\n"
    text += "int main() {\n    int (*const cases[])() = {"
    text += ", ".join(f"case_{name}" for name in FAULTS)
    text += """};
    int found = 0;
    try { found = cases[std::atoi(std::getenv("CASE"))](); } catch (int) {}
    std::printf("%d %d\\n", found, cudaGetLastError());
}
"""
    return compile_kesco(text, tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_seen_where_it_was(faults, name):
    assert any(": queue 1" in message for message in faults.changed(f"case_{name}"))
    case = str(list(FAULTS).index(name))
    wanted = faults.run("serial", CASE=case)
    assert "719" in wanted
    for seed in range(8):
        assert faults.run(seed, CASE=case) == wanted


CHECKED = {
    "not_at_all": "{};",
    "with_a_return": "if ({} != cudaSuccess) return;",
    "with_an_exit": "{{ cudaError_t e = {}; if (e != cudaSuccess) std::exit(1); }}",
    "with_a_return_from_a_scope": (
        'do {{ cudaError_t e = {}; if (e != cudaSuccess) {{ std::printf("no"); return; }} }}'
        "while (0);"
    ),
    "in_one_variable": 'error = {}; if (error != cudaSuccess) {{ std::printf("no"); return; }}',
    "where_it_went_well": 'if ({} == cudaSuccess) std::printf("ok"); else return;',
    "by_a_function_that_exits": "or_exit({}, __LINE__);",
    "by_a_function_that_throws": "or_throw({});",
}
"""How programs check a call; at a way out because of an error, nobody waits to see that one."""


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    text = TOP + (
        "static void or_exit(cudaError_t e, int line) {\n"
        '    if (e != cudaSuccess) { std::printf("%d", line); std::exit(1); }\n}\n'
        'static void or_throw(cudaError_t e) { if (e) throw std::runtime_error("no"); }\n'
    )
    for name, check in CHECKED.items():
        copies = [check.format(f"TO_HOST({p})") for p in "abc"]
        text += (
            f"void case_{name}() {{ SETUP cudaError_t error = cudaSuccess; (void)error;"
            f"op1<<<1, 16>>>(a, 16); op1<<<1, 16>>>(b, 16); op1<<<1, 16>>>(c, 16);"
            f"{' '.join(copies)} }}\n"
        )
    return compile_kesco(text, tmp_path_factory.mktemp("checked"), links=False)


@pytest.mark.parametrize("name", CHECKED)
def test_copies_that_are_checked_still_wait_for_their_own_queue(checked, name):
    copies = [m for m in checked.changed(f"case_{name}(") if m.startswith("cudaMemcpy")]
    assert [message.partition("; ")[2] for message in copies] == [
        "the host waits for this queue alone",
        "the host waits for this queue alone",
        "the host waits for all queues, so that errors show here",
    ]


ASKED = {
    "out_if_it_went_well": "if (TO_HOST(a) == cudaSuccess) return; TO_HOST(b);",
    "out_for_another_reason": "TO_HOST(a); if (h[0] == 7) return; TO_HOST(b);",
    "a_status_that_others_change": (
        "cudaError_t e = TO_HOST(a); change(&e); if (e != cudaSuccess) return; TO_HOST(b);"
    ),
    "a_status_of_something_else": (
        "int e = TO_HOST(a); if (h[0]) e = h[1]; if (e != 0) return; TO_HOST(b);"
    ),
    "an_exception_about_data": "TO_HOST(a); object_to(h[0]); TO_HOST(b);",
    "a_scope_left_for_another_reason": (
        "do { int was = h[0]; TO_HOST(a); if (was != h[0]) return; } while (0); TO_HOST(b);"
    ),
    "a_scope_left_for_one_of_two_reasons": (
        "do { cudaError_t e = TO_HOST(a); if (e != cudaSuccess) return; if (h[0]) return; }"
        "while (0); TO_HOST(b);"
    ),
    "a_query": "TO_HOST(a); if (cudaGetLastError() != cudaSuccess) return; TO_HOST(b);",
    "a_query_in_a_branch": "TO_HOST(a); if (h[0]) std::printf(ASK); TO_HOST(b);",
}
"""Between two copies, someone may look for errors who knows of none."""


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    text = TOP + (
        "static void object_to(int value) { if (value) throw value; }\n"
        "static void change(cudaError_t *e) { *e = cudaErrorUnknown; }\n"
        '#define ASK "%d", cudaPeekAtLastError()\n'
    )
    for name, body in ASKED.items():
        text += (
            f"void case_{name}() {{ SETUP op1<<<1, 16>>>(a, 16); op1<<<1, 16>>>(b, 16);"
            f"op1<<<1, 16>>>(c, 16); {body} }}\n"
        )
    return compile_kesco(text, tmp_path_factory.mktemp("asked"), links=False)


@pytest.mark.parametrize("name", ASKED)
def test_a_copy_waits_for_all_before_anyone_can_ask(asked, name):
    copies = [m for m in asked.changed(f"case_{name}(") if m.startswith("cudaMemcpy")]
    assert len(copies) == 2
    assert all("the host waits for all queues" in message for message in copies)


# --- errors of libgpucc_rt's own ------------------------------------------------------------------

PENDING = (
    TOP
    + """
static void work() {
    SETUP
    op1<<<1, 16>>>(a, 16);
    op1<<<1, 16>>>(b, 16);
    op2<<<1, 16>>>(a, b, c, 16);
    op2<<<1, 16>>>(c, b, a, 16);
    TO_HOST(a);
    std::printf("%d ", h[3]);
}
int main() {
    op1<<<1, 2048>>>(nullptr, 0);
    work();
    std::printf("%d ", cudaGetLastError());
    work();
    std::printf("%d\\n", cudaGetLastError());
}
"""
)


@pytest.fixture(scope="module")
def pending(tmp_path_factory):
    return compile_kesco(PENDING, tmp_path_factory.mktemp("pending"))


@pytest.mark.parametrize("limit", ["FAKE_STREAMS", "FAKE_EVENTS"])
@pytest.mark.parametrize("count", ["0", "1", "2", "99"])
def test_an_error_that_the_program_has_not_asked_for_yet_is_kept(pending, limit, count):
    wanted = pending.run("serial")
    assert wanted.split()[1::2] == ["9", "0"]
    assert {pending.run(seed, **{limit: count}) for seed in range(4)} == {wanted}


def test_queues_are_used_while_an_error_is_pending(pending, tmp_path):
    trace = tmp_path / "trace.jsonl"
    pending.run("1", GPUCC_RT_TRACE=str(trace))
    places = [line.partition('"ran_on": "')[2].partition('"')[0] for line in trace.open()]
    assert set(places) == {"queue"}


# --- what the host waits for ----------------------------------------------------------------------

REFUSED_COPY = (
    TOP
    + """
static void work() {
    SETUP
    int refused = 0;
    for (int i = 0; i < 3; ++i) {
        op1<<<1, 16>>>(a, 16);
        op1<<<1, 16>>>(b, 16);
        refused += cudaMemcpy(h, a, 2ul << 30, cudaMemcpyDeviceToHost) != cudaSuccess;
        op2<<<1, 16>>>(a, b, c, 16);
        TO_HOST(c);
        std::printf("%d ", h[3]);
    }
    std::printf("%d refused\\n", refused);
}
int main() { work(); }
"""
)

MANAGED = (
    TOP
    + """
static void work() {
    SETUP
    op1<<<1, 16>>>(a, 16);
    op1<<<1, 16>>>(b, 16);
    TO_HOST(b);
    std::printf("%d ", a[3]);  // stands for managed memory, which the host finds as it is
    TO_HOST(c);
    std::printf("%d\\n", h[3]);
}
int main() { work(); }
"""
)


def _with_runtime(program, folder, old, new):
    """Link a program with a libgpucc_rt in which one thing is changed."""
    rt = Path(gpucc.__file__).parents[1] / "runtime" / "native" / "rt"
    text = (rt / "gpucc_rt.cpp").read_text()
    assert old in text
    (folder / "changed.cpp").write_text(text.replace(old, new))
    library = folder / "changed.o"
    compiler = ["g++", "-std=c++17", "-w", f"-I{rt}", "-c"]
    subprocess.run([*compiler, folder / "changed.cpp", "-o", library], check=True)
    return replace(program, path=link(program.path.with_suffix(".o"), library))


def test_a_refused_copy_still_waits(tmp_path):
    """What follows a blocking copy counts on the host's wait, whether bytes were moved or not."""
    program = compile_kesco(REFUSED_COPY, tmp_path)
    assert "3 refused" in program.run("serial")
    assert program.agrees(range(12))
    old = "if (site->flags & GPUCC_SYNC) {"
    new = "if (status == cuda_success && site->flags & GPUCC_SYNC) {"
    assert not _with_runtime(program, tmp_path, old, new).agrees(range(12))


def test_without_concurrent_managed_access_each_copy_waits_for_all(tmp_path):
    program = compile_kesco(MANAGED, tmp_path)
    wanted = program.run("serial")
    assert any(program.run(seed) != wanted for seed in range(4))
    assert {program.run(seed, FAKE_NOT_CONCURRENT="1") for seed in range(8)} == {wanted}
