"""Programs made with kesco give what serial execution gives, in every order CUDA allows."""

import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from faking import PRELUDE, compile_kesco, link
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import gpucc

FUNCTIONS = 60


def _statements(chance: random.Random, depth: int, count: int) -> list[str]:
    """Return statements over device arrays p0…p3 (16 ints) and host arrays h[0]…h[3]."""
    lines: list[str] = []
    for _ in range(count):
        x, y, z = (f"p{chance.randrange(4)}" for _ in range(3))
        h, g = (f"h[{chance.randrange(4)}]" for _ in range(2))
        cell, number = chance.randrange(16), chance.randrange(100)
        plain = [
            f"op2<<<1, 16>>>({x}, {y}, {z}, 16);",
            f"op2<<<1, 16>>>({x}, {y}, {z}, 16);",
            f"op1<<<1, 16>>>({x}, 16);",
            f"op1<<<1, 8>>>({x} + 8, 8);",
            f"cudaMemset({x}, {number}, 64);",
            f"CHECK(cudaMemcpy({x}, {h}, 64, cudaMemcpyHostToDevice));",
            f"CHECK(cudaMemcpy({h}, {x}, 64, cudaMemcpyDeviceToHost));",
            f"CHECK(cudaMemcpy({x}, {y}, 64, cudaMemcpyDeviceToDevice));",
            f"{h}[{cell}] += {g}[{(cell + 1) % 16}] * 3;",
            "CHECK(cudaGetLastError());",
            f"if ({h}[{cell}] % 4 == 1) return {number};",
            f"{{ int *q = {x}; op1<<<1, 16>>>(q, 16); q = {y}; op2<<<1, 16>>>(q, {z}, q, 16); }}",
            f"{{ int *t = {x}; {x} = {y}; {y} = t; }}",
        ]
        rare = [
            f"opaque({chance.randrange(4)});",
            f"maybe_throw({h}[{cell}] == 5);",
            f"op1<<<1, 16, 0, user>>>({x}, 16);",
            "cudaDeviceSynchronize();",
        ]
        if depth and chance.random() < 0.15:
            inner = "\n".join(_statements(chance, depth - 1, chance.randrange(1, 5)))
            lines.append(
                chance.choice(
                    [
                        f"if ({h}[{cell}] % 2) {{\n{inner}\n}}",
                        f"for (int k = 0; k < 3; ++k) {{\n{inner}\n"
                        f"if ({h}[{cell}] == k) break;\n}}",
                        f"try {{\n{inner}\nmaybe_throw({h}[{cell}]);\n}} "
                        f"catch (int e) {{ {h}[0] += e; }}",
                        f"switch ({h}[{cell}] % 3) {{ case 0: {{\n{inner}\n}} default:; }}",
                    ]
                )
            )
        lines.append(chance.choice(plain if chance.random() < 0.93 else rare))
    return lines


def _source(seed: int) -> str:
    chance = random.Random(seed)
    text = PRELUDE + (
        "#define CHECK(x) do { if ((x) != cudaSuccess) return 1; } while (0)\n"
        "static cudaStream_t user;\n"
    )
    for number in range(FUNCTIONS):
        body = "\n".join(_statements(chance, 2, chance.randrange(4, 20)))
        allocations = "\n".join(
            f"int *p{i}; CHECK(cudaMalloc(&p{i}, 64)); seen[{i}] = p{i};\n"
            f"CHECK(cudaMemcpy(p{i}, h[{i}], 64, cudaMemcpyHostToDevice));"
            for i in range(4)
        )
        text += f"static int f{number}(int (*h)[16]) {{\n{allocations}\n{body}\nreturn 0;\n}}\n"
    calls = ", ".join(f"f{number}" for number in range(FUNCTIONS))
    return text + (
        f"static int (*const every[])(int (*)[16]) = {{{calls}}};\n"
        "int main() {\n"
        "    cudaStreamCreate(&user);\n"
        "    int number = 0;\n"
        "    for (auto f : every) {\n"
        "        int h[4][16], out[16], status;\n"
        "        for (int i = 0; i < 64; ++i) h[i / 16][i % 16] = i * 7 + number;\n"
        "        try { status = f(h); } catch (int e) { status = 1000 + e; }\n"
        '        std::printf("f%d returned %d:", number++, status);\n'
        "        for (int *p : seen) {\n"
        "            cudaMemcpy(out, p, 64, cudaMemcpyDeviceToHost);\n"
        '            for (int v : out) std::printf(" %d", v);\n'
        "        }\n"
        '        for (auto &row : h) for (int v : row) std::printf(" %d", v);\n'
        '        std::printf("\\n");\n'
        "    }\n"
        "}\n"
    )


@settings(
    max_examples=1,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.integers(0, 2**32))
def test_random_programs_mean_the_same(tmp_path, seed):
    source = _source(seed)
    program = compile_kesco(source, tmp_path)
    assert len(program.changed()) > FUNCTIONS  # the test is of something
    wanted = program.run("serial").splitlines()
    for order in range(8):
        for number, (line, found) in enumerate(
            zip(wanted, program.run(order).splitlines(), strict=True)
        ):
            function = source.partition(f"int f{number}(")[2].partition("\nstatic")[0]
            assert line == found, f"order {order}: f{number}({function}"


CHAINS = (
    PRELUDE
    + """
static int work(int rounds) {
    int *a, *b, *c, *d, out[16] = {};
    cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMalloc(&c, 64); cudaMalloc(&d, 64);
    seen[0] = a;
    seen[1] = b;
    for (int i = 0; i < rounds; ++i) {
        opaque(1);
        opaque(0);
        cudaMemset(a, 1 + i, 64);
        cudaMemset(b, 2 + i, 32);
        op1<<<1, 16>>>(a, 16);
        op1<<<1, LAUNCH>>>(b, 16);
        op2<<<1, 16>>>(a, b, c, 16);
        op2<<<1, 16>>>(b, a, d, 16);
        op2<<<1, 16>>>(c, d, a, 16);
    }
    cudaMemcpy(out, a, 64, cudaMemcpyDeviceToHost);
    return out[3] % 100000;
}
int main() {
    int first = work(3);
    std::printf("%d %d, last error %d\\n", first, work(2), cudaGetLastError());
}
"""
)


@pytest.fixture(scope="module")
def chains(tmp_path_factory):
    return compile_kesco(CHAINS.replace("LAUNCH", "16"), tmp_path_factory.mktemp("chains"))


def test_a_program_of_chains_agrees(chains):
    assert any("queue 1" in message for message in chains.changed("work"))
    assert chains.agrees()


@pytest.mark.parametrize("limit", ["FAKE_STREAMS", "FAKE_EVENTS"])
@pytest.mark.parametrize("count", ["0", "1", "2", "3"])
def test_without_streams_or_events_it_runs_in_order_and_leaves_no_error(chains, limit, count):
    assert chains.run("1", **{limit: count}) == chains.run("serial")


def test_a_refused_launch_leaves_its_error_and_the_rest_in_order(tmp_path):
    program = compile_kesco(CHAINS.replace("LAUNCH", "2048"), tmp_path)
    assert "last error 9" in program.run("serial")
    assert program.agrees()


_FAULTS = {
    "no wait for an event": "cudaStreamWaitEvent(stream, event.handle, 0)",
    "no join": "cudaStreamWaitEvent(null_stream, event.handle, 0)",
    "no wait for what the null stream had": "cudaStreamWaitEvent(stream, queues->begin, 0)",
}


@pytest.mark.parametrize("fault", _FAULTS)
def test_a_broken_runtime_is_noticed(chains, tmp_path, fault):
    """The fake runtime shows each kind of missing order, so the tests above can fail."""
    rt = Path(gpucc.__file__).parents[1] / "runtime" / "native" / "rt"
    text = (rt / "gpucc_rt.cpp").read_text()
    assert _FAULTS[fault] in text
    (tmp_path / "broken.cpp").write_text(text.replace(_FAULTS[fault], "cuda_success"))
    library = tmp_path / "broken.o"
    subprocess.run(
        ["g++", "-std=c++17", "-w", f"-I{rt}", "-c", tmp_path / "broken.cpp", "-o", library],
        check=True,
    )
    assert not replace(chains, path=link(chains.path.with_suffix(".o"), library)).agrees()


def test_trace_tells_queues_waits_and_joins(chains, tmp_path):
    trace = tmp_path / "trace.jsonl"
    chains.run("0", GPUCC_RT_TRACE=str(trace))
    entries = [json.loads(line) for line in trace.read_text().splitlines()]
    assert len(entries) == 5 * 7
    assert {entry["ran_on"] for entry in entries} == {"queue"}
    assert any(entry["waits"] for entry in entries)
    assert any(entry["joins"] for entry in entries)


STATIC_OBJECT = (
    CHAINS.rpartition("int main()")[0]
    + """
struct App { ~App() { std::printf("%d\\n", work(2)); } } app;
int main() { std::printf("%d\\n", work(3)); }
"""
)


def test_a_region_in_the_destructor_of_a_static_object(tmp_path):
    """It runs after the destructors of the main thread's variables."""
    program = compile_kesco(STATIC_OBJECT.replace("LAUNCH", "16"), tmp_path)
    rt = Path(gpucc.__file__).parents[1] / "runtime" / "native" / "rt" / "gpucc_rt.cpp"
    fake = Path(__file__).parents[1] / "native" / "fake_cudart.cpp"
    whole = tmp_path / "checked"
    build = ["g++", "-std=c++17", "-w", "-no-pie", "-fsanitize=address", "-o", whole]
    subprocess.run([*build, fake, tmp_path / "program.o", rt], check=True)
    wanted = program.run("serial")
    assert len(wanted.split()) == 2
    made = replace(program, path=whole)
    assert {made.run(seed, ASAN_OPTIONS="detect_leaks=0") for seed in range(4)} == {wanted}
