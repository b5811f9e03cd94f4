"""One kernel, one meaning: a warp at a time, a fiber for each thread, and in every order."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from gpucc import toolchain
from gpucc.cpu.engine import CpuError, CpuModule, Options, Order, load

HERE = Path(__file__).parent
SOURCE = (HERE / "forms.cu").read_text()
KERNELS = re.findall(r"^KERNEL\((\w+)\)", SOURCE, re.MULTILINE)
SHAPES = [(64,), (50,), (33, 3), (16, 16), (1,)]
N = 1000

NEED_FIBERS = {"barrier_with_votes", "warp_matches", "calls", "meetings_on_both_sides"}
"""Of these no warp can run as one: a count at a barrier, ``match``, a function, meetings."""


@pytest.fixture(scope="module")
def ptx(tmp_path_factory) -> str:
    output = tmp_path_factory.mktemp("forms") / "forms.ptx"
    nvcc = toolchain.require("nvcc")
    subprocess.run([nvcc, "-ptx", "-arch=sm_80", HERE / "forms.cu", "-o", output], check=True)
    return output.read_text()


@pytest.fixture(scope="module")
def fast(ptx) -> CpuModule:
    return load(ptx)


@pytest.fixture(scope="module")
def right(ptx) -> CpuModule:
    return load(ptx, loops=False)


def result(module: CpuModule, name: str, shape, options=None):
    numbers = np.random.default_rng(1).integers(0, 1000, N, dtype=np.int32)
    out = np.full(N + 64, -99, np.int32)
    threads = int(np.prod(shape))
    blocks = min(-(-N // threads), 2 if name == "grid_stride" else 1 << 20)
    parameters = N.to_bytes(8, "little") + numbers.ctypes.data.to_bytes(8, "little")
    parameters += out.ctypes.data.to_bytes(8, "little")
    module[name].launch((blocks,), shape, parameters, shared_bytes=4 * threads, options=options)
    return out


def test_every_kernel_has_the_form_it_can_have(fast, right):
    assert {name for name in KERNELS if fast[name].about.lanes == 1} == NEED_FIBERS
    assert all(right[name].about.lanes == 1 for name in KERNELS)
    assert fast["straight"].about.loops
    assert not fast["block_sum"].about.loops


@pytest.mark.parametrize("name", KERNELS)
def test_all_forms_and_orders_agree(fast, right, name):
    for shape in SHAPES:
        expected = result(right, name, shape)
        assert (expected != -99).any(), shape
        for module in (fast, right):
            for options in (
                Options(),
                Options(workers=1, order=Order.REVERSED),
                Options(order=Order.PERMUTED, seed=7),
            ):
                found = result(module, name, shape, options)
                assert np.array_equal(found, expected), (shape, options, module is fast)


def test_some_meanings(fast):
    numbers = np.random.default_rng(1).integers(0, 1000, N, dtype=np.int32)
    index = np.arange(N)
    assert np.array_equal(result(fast, "straight", (64,))[:N], numbers * 3 + index)
    nested = np.where(
        numbers % 2,
        np.where(numbers % 3, numbers * 5, numbers - 7),
        np.where(numbers % 5, numbers + 11, -numbers),
    )
    assert np.array_equal(result(fast, "nested_branches", (50,))[:N], nested)
    last = numbers % 23
    expected = np.where(last > 0, (last - 1) * 2, -1) * 100 + last
    assert np.array_equal(result(fast, "value_from_the_last_round", (33, 3))[:N], expected)
    sums = result(fast, "block_sum", (64,))[:N]
    padded = np.concatenate([numbers, np.zeros(24, np.int32)]).reshape(-1, 64)
    assert np.array_equal(sums[::64], 2 * padded.sum(1))
    matrix = np.arange(N) // 99
    assert np.array_equal(
        result(fast, "two_dimensions", (33, 3))[:N],
        index % 33 + 100 * (index // 33 % 3) + 10000 * matrix + numbers,
    )


def test_a_warp_operation_that_waits_for_threads_elsewhere_is_an_error_where_a_warp_runs_as_one():
    text = """
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry k(.param .u64 out) {
        .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        setp.lt.u32 %p1, %r1, 16;
        @%p1 bra A;
        bra B;
    A:  vote.sync.ballot.b32 %r2, %p1, -1;
    B:  @!%p1 vote.sync.ballot.b32 %r2, %p1, -1;
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.u32 [%rd3], %r2;
        ret;
    }
    """
    out = np.zeros(32, np.uint32)
    parameters = out.ctypes.data.to_bytes(8, "little")
    load(text, loops=False)["k"].launch((1,), (32,), parameters)
    assert set(out) == {0xFFFF}
    with pytest.raises(Exception, match="vote"):
        load(text)["k"].launch((1,), (32,), parameters)


MEETINGS = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {{
    .reg .pred %p<4>; .reg .b32 %r<9>;
    mov.u32 %r1, %warpid;
    setp.eq.u32 %p1, %r1, 1;
    setp.ne.u32 %p2, %r1, 99;
    @%p1 bra A;
    {first}
    bra B;
A:  {second}
B:  bar.sync 3;
    ret;
}}
"""


def test_warps_at_different_barriers_are_a_deadlock_whose_threads_are_told():
    kernel = load(MEETINGS.format(first="bar.sync 1;", second="bar.sync 2;"))["k"]
    assert kernel.about.resumes
    with pytest.raises(CpuError, match="deadlock in block") as caught:
        kernel.launch((1,), (80,), bytes(8))
    said = str(caught.value)
    assert "48 threads wait at <ptx>:11: bar.sync 1 (threads 0-31, 64-79)" in said
    assert "32 threads wait at <ptx>:13: bar.sync 2 (threads 32-63)" in said


def test_warps_that_use_a_barrier_differently_are_an_error():
    text = MEETINGS.format(first="bar.sync 1;", second="bar.red.and.pred %p3, 1, %p2;")
    with pytest.raises(CpuError, match=r"barrier 1 is used by sync and by red\.and at once"):
        load(text)["k"].launch((1,), (64,), bytes(8))


def test_warps_that_have_ended_are_not_waited_for():
    text = MEETINGS.format(first="bar.sync 1;", second="ret;")
    load(text)["k"].launch((3,), (128,), bytes(8))


WAITS_FOR_A_LATER_BLOCK = """
__global__ void k(volatile int *out) {
    __shared__ int seen;
    for (;;) {
        if (threadIdx.x == 0) seen = out[0];
        __syncthreads();
        if (blockIdx.x == 1) { out[0] = 5; break; }
        if (seen) break;
        __syncthreads();
    }
    out[1 + blockIdx.x] = 9;
}
"""


def test_a_block_that_waits_for_a_later_one_around_a_barrier_ends(tmp_path):
    (tmp_path / "k.cu").write_text(WAITS_FOR_A_LATER_BLOCK)
    words = [toolchain.require("nvcc"), "-ptx", "-arch=sm_80", "k.cu"]
    subprocess.run(words, check=True, cwd=tmp_path)
    module = load((tmp_path / "k.ptx").read_text())
    (name,) = module.kernels
    out = np.zeros(3, np.int32)
    parameters = out.ctypes.data.to_bytes(8, "little")
    module[name].launch((2,), (64,), parameters, options=Options(workers=1))
    assert list(out) == [5, 9, 9]
