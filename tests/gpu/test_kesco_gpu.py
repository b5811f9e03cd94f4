"""kesco on a GPU: what other streams see of a region is what CUDA promises for the default stream.

The kernels take about ten milliseconds, so that whoever does not wait for them is too early.
"""

import json
import os
import subprocess

import pytest

from gpucc.driver import compile_files
from gpucc.passmanager import Pipeline, parse_pipeline
from gpucc.runtime import NoGpuError, device

pytestmark = pytest.mark.gpu

SOURCE = r"""
#include <cstdio>
#include <cstdlib>
#include <thread>

__global__ void slow(int *p, int value) {
    const long long start = clock64();
    while (clock64() - start < 15000000) {}
    p[threadIdx.x] = value;
}
__global__ void slow_add(int *p, int value) {
    const long long start = clock64();
    while (clock64() - start < 15000000) {}
    p[threadIdx.x] += value;
}
__global__ void sum(const int *a, const int *b, int *c) {
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void wild(int *p) { p[1ll << 40] = 1; }

#define SETUP int *a, *b, *c, h[32] = {}; \
    cudaMalloc(&a, 128); cudaMalloc(&b, 128); cudaMalloc(&c, 128); \
    cudaMemset(a, 0, 128); cudaMemset(b, 0, 128); cudaMemset(c, 0, 128); \
    cudaDeviceSynchronize();
#define TO_HOST(p) cudaMemcpy(h, p, 128, cudaMemcpyDeviceToHost)

static cudaStream_t blocking, non_blocking;
static int *kept[3];

static int sum_on(cudaStream_t stream, int *a, int *b, int *c) {
    int h[32] = {};
    sum<<<1, 32, 0, stream>>>(a, b, c);
    cudaMemcpyAsync(h, c, sizeof h, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    return h[31];
}

static void region() {
    SETUP
    kept[0] = a; kept[1] = b; kept[2] = c;
    slow<<<1, 32>>>(a, 1);
    slow<<<1, 32>>>(b, 2);
}

static int blocking_stream_in_the_same_function() {
    SETUP
    slow<<<1, 32>>>(a, 1);
    slow<<<1, 32>>>(b, 2);
    sum<<<1, 32, 0, blocking>>>(a, b, c);
    TO_HOST(c);
    return h[31];
}
static int blocking_stream_of_the_caller() {
    region();
    return sum_on(blocking, kept[0], kept[1], kept[2]);
}
static int blocking_stream_of_another_thread() {
    region();
    int found = 0;
    std::thread([&] { found = sum_on(blocking, kept[0], kept[1], kept[2]); }).join();
    return found;
}
static int non_blocking_stream_behind_an_event() {
    region();
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event, 0);
    cudaStreamWaitEvent(non_blocking, event, 0);
    return sum_on(non_blocking, kept[0], kept[1], kept[2]);
}
static int non_blocking_stream_after_synchronisation() {
    region();
    cudaStreamSynchronize(0);
    return sum_on(non_blocking, kept[0], kept[1], kept[2]);
}
static int region_behind_a_blocking_stream() {
    SETUP
    slow<<<1, 32, 0, blocking>>>(a, 3);
    slow_add<<<1, 32>>>(b, 1);
    sum<<<1, 32>>>(a, a, c);
    TO_HOST(c);
    return h[31];
}
static int region_between_blocking_streams() {
    SETUP
    slow<<<1, 32, 0, blocking>>>(a, 3);
    slow_add<<<1, 32>>>(a, 4);
    slow_add<<<1, 32>>>(b, 5);
    return sum_on(blocking, a, b, c);
}
static int error_behind_a_copy() {
    SETUP
    wild<<<1, 1>>>(a);
    slow<<<1, 32>>>(b, 2);
    TO_HOST(b);
    const int found = cudaPeekAtLastError();
    sum<<<1, 32>>>(b, b, c);
    TO_HOST(c);
    return found;
}
static int error_told_by_the_last_copy() {
    SETUP
    wild<<<1, 1>>>(a);
    slow<<<1, 32>>>(b, 2);
    TO_HOST(b);
    return TO_HOST(c);
}

int main(int, char **argv) {
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&non_blocking, cudaStreamNonBlocking);
    int (*const cases[])() = {CASES};
    std::printf("%d\n", cases[std::atoi(argv[1])]());
}
"""

ILLEGAL_ADDRESS = "700"
WANTED = {
    "blocking_stream_in_the_same_function": "3",
    "blocking_stream_of_the_caller": "3",
    "blocking_stream_of_another_thread": "3",
    "non_blocking_stream_behind_an_event": "3",
    "non_blocking_stream_after_synchronisation": "3",
    "region_behind_a_blocking_stream": "6",
    "region_between_blocking_streams": "12",
    "error_behind_a_copy": ILLEGAL_ADDRESS,
    "error_told_by_the_last_copy": ILLEGAL_ADDRESS,
}
"""What each case prints.

A non-blocking stream is not ordered with the default one by itself: that is not asked for.
"""


def build(folder, pipeline):
    """Compile the program; return its path and the functions in which something is placed."""
    source = folder / "streams.cu"
    source.write_text(SOURCE.replace("CASES", ", ".join(WANTED)))
    program = folder / "streams"
    report = compile_files([source], program, pipeline=pipeline)
    placed = {r.remark.where for r in report.remarks if r.remark.kind == "changed"}
    return program, placed


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    try:
        device.ensure_context()
    except NoGpuError as error:
        pytest.skip(error.message)
    ours, placed = build(tmp_path_factory.mktemp("kesco"), parse_pipeline("kesco"))
    theirs, _ = build(tmp_path_factory.mktemp("nvcc"), Pipeline(()))
    return ours, theirs, placed


def _run(program, case, **environment):
    done = subprocess.run(
        [program, str(case)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("case", range(len(WANTED)), ids=list(WANTED))
def test_other_streams_see_what_they_always_saw(programs, tmp_path, case):
    ours, theirs, placed = programs
    name, wanted = list(WANTED.items())[case]
    assert any(name in where or where.startswith("region(") for where in placed)
    trace = tmp_path / "trace.jsonl"
    found = {_run(ours, case, GPUCC_RT_TRACE=str(trace)) for _ in range(5)}
    assert (_run(theirs, case), found) == (wanted, {wanted})
    if wanted != ILLEGAL_ADDRESS:  # after which nothing can be put on queues
        entries = [json.loads(line) for line in trace.read_text().splitlines()]
        assert {entry["ran_on"] for entry in entries} == {"queue"}
        assert len({entry["queue"] for entry in entries}) > 1
