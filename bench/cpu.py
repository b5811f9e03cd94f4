"""``python -m bench.cpu``: kernels on the CPU target against PoCL, on the same cores.

Each kernel is one text, which is CUDA C++ for us and OpenCL C for PoCL (macros tell them apart).
The two alternate; ``ratio`` is PoCL's time over ours, each the median of its runs, a run being one
launch with the wait for its end.  Results are compared first.  Besides: a kernel in Numba's
simulator, and the time of ``gpucc run`` on a small kernel, cold and from the cache.

Needs Debian's ``pocl-opencl-icd`` and PyPI's ``pyopencl``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.report import ROOT, machine, write
from gpucc import toolchain
from gpucc.cpu.engine import CpuModule, load
from gpucc.cpu.frame import kernel_offsets
from gpucc.frontend.parser import parse
from gpucc.native import native_library

SOURCE = ROOT / "bench" / "cpu_kernels.cl"
CUDA = """
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define LOCAL __shared__
#define BARRIER __syncthreads()
#define LX threadIdx.x
#define LY threadIdx.y
#define GX (blockIdx.x * blockDim.x + threadIdx.x)
#define GY (blockIdx.y * blockDim.y + threadIdx.y)
#define WX blockIdx.x
#define WY blockIdx.y
#define ADD(place, value) atomicAdd(place, value)
"""
OPENCL = """
#define KERNEL kernel void
#define GLOBAL global
#define LOCAL local
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define LX get_local_id(0)
#define LY get_local_id(1)
#define GX get_global_id(0)
#define GY get_global_id(1)
#define WX get_group_id(0)
#define WY get_group_id(1)
#define ADD(place, value) atomic_add(place, value)
#define expf exp
#define logf log
#define sqrtf sqrt
#define fabsf fabs
#define rsqrtf rsqrt
"""

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Case:
    """A kernel, its launch (threads in all, threads of a block) and how to make its arguments."""

    name: str
    threads: tuple[int, ...]
    block: tuple[int, ...]
    arguments: Callable[[np.random.Generator], list[Any]]
    tolerance: float = 0.0


def _floats(*shape: int) -> Callable[[np.random.Generator], Array]:
    return lambda random: random.random(shape, np.float32)


def _case(
    name: str,
    threads: tuple[int, ...],
    block: tuple[int, ...],
    *arguments: Any,
    tolerance: float = 0.0,
) -> Case:
    def make(random: np.random.Generator) -> list[Any]:
        return [a(random) if callable(a) else a for a in arguments]

    return Case(name, threads, block, make, tolerance)


def _zeros(count: int, kind: str = "f4") -> Callable[[np.random.Generator], Array]:
    return lambda _: np.zeros(count, kind)


def _rows(count: int, each: int) -> Callable[[np.random.Generator], Array]:
    def make(random: np.random.Generator) -> Array:
        lengths = random.integers(0, 2 * each, count)
        return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)

    return make


def _integers(count: int, below: int) -> Callable[[np.random.Generator], Array]:
    return lambda random: random.integers(0, below, count, dtype=np.int32)


N = 1 << 22
INT, FLOAT = np.int32, np.float32
CASES = (
    _case("saxpy", (N,), (256,), INT(N), FLOAT(2), _floats(N), _floats(N)),
    _case("black_scholes", (1 << 20,), (256,), INT(1 << 20), _floats(1 << 20), _zeros(1 << 20),
          tolerance=1e-4),
    _case("stencil", (2048, 1024), (32, 8), INT(2048), INT(1024), _floats(1024, 2048),
          _zeros(1024 * 2048), tolerance=1e-6),
    _case("transpose", (2048, 2048), (16, 16), INT(2048), _floats(2048, 2048), _zeros(2048 * 2048)),
    _case("matmul", (512, 512), (16, 16), INT(512), _floats(512, 512), _floats(512, 512),
          _zeros(512 * 512), tolerance=1e-4),
    _case("matmul_naive", (512, 512), (16, 16), INT(512), _floats(512, 512), _floats(512, 512),
          _zeros(512 * 512), tolerance=1e-4),
    _case("reduce", (N,), (256,), INT(N), _floats(N), _zeros(N // 256), tolerance=1e-4),
    _case("scan", (N,), (256,), INT(N), _integers(N, 9), _zeros(N, "i4")),
    _case("histogram", (N // 16,), (256,), INT(N), _integers(N, 256), _zeros(256, "i4")),
    _case("nbody", (4096,), (128,), INT(4096), _floats(4096 * 4), _zeros(4096 * 4), tolerance=1e-2),
    _case("mandelbrot", (1024, 512), (32, 8), INT(1024), INT(512), INT(200),
          _zeros(1024 * 512, "i4")),
    _case("spmv", (1 << 17,), (128,), INT(1 << 17), _rows(1 << 17, 16),
          _integers(1 << 22, 1 << 17), _floats(1 << 22), _floats(1 << 17), _zeros(1 << 17),
          tolerance=1e-4),
    _case("convolution", (1 << 20,), (256,), INT(1 << 20), _floats((1 << 20) + 64), _floats(64),
          _zeros(1 << 20), tolerance=1e-4),
)  # fmt: skip


class Ours:
    """The kernels compiled by nvcc to PTX and by us for this machine."""

    def __init__(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source, output = Path(folder) / "kernels.cu", Path(folder) / "kernels.ptx"
            source.write_text(CUDA + SOURCE.read_text())
            nvcc = toolchain.require("nvcc")
            command = [nvcc, "-ptx", "-arch=sm_80", "-w", source, "-o", output]
            subprocess.run(command, check=True)
            text = output.read_text()
        self._kernels = {kernel.name: kernel for kernel in parse(text).kernels}
        self._module: CpuModule = load(text)

    def runner(self, case: Case, arguments: Sequence[Any]) -> Callable[[], None]:
        """Return what launches the kernel once and waits."""
        offsets = kernel_offsets(self._kernels[case.name])
        kernel = self._module[case.name]
        buffer = bytearray(kernel.about.parameter_bytes)
        for offset, value in zip(offsets.values(), arguments, strict=True):
            data = value.tobytes() if value.ndim == 0 else value.ctypes.data.to_bytes(8, "little")
            buffer[offset : offset + len(data)] = data
        grid = tuple(t // b for t, b in zip(case.threads, case.block, strict=True))
        parameters = bytes(buffer)
        return lambda: kernel.launch(grid, case.block, parameters)


class Pocl:
    """The kernels compiled by PoCL, which works on the arrays where they are."""

    def __init__(self) -> None:
        self._cl: Any = importlib.import_module("pyopencl")
        platforms = [p for p in self._cl.get_platforms() if "Portable" in p.name]
        if not platforms:
            raise SystemExit("PoCL is not installed: apt install pocl-opencl-icd")
        self._context = self._cl.Context(platforms[0].get_devices())
        self._queue = self._cl.CommandQueue(self._context)
        options = ["-cl-std=CL1.2", "-cl-mad-enable"]
        self._program = self._cl.Program(self._context, OPENCL + SOURCE.read_text()).build(options)
        self.version = str(platforms[0].version)

    def runner(
        self, case: Case, arguments: Sequence[Any]
    ) -> tuple[Callable[[], None], Callable[[], list[Array]]]:
        """Return what launches the kernel once and waits, and what reads the arrays back."""
        cl, queue = self._cl, self._queue
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        given = [
            value if value.ndim == 0 else cl.Buffer(self._context, flags, hostbuf=value)
            for value in arguments
        ]
        kernel = getattr(self._program, case.name)
        kernel.set_args(*given)

        def launch() -> None:
            cl.enqueue_nd_range_kernel(queue, kernel, case.threads, case.block)
            queue.finish()

        def read() -> list[Array]:
            arrays = [value.copy() for value in arguments if value.ndim]
            buffers = [g for g, value in zip(given, arguments, strict=True) if value.ndim]
            for array, buffer in zip(arrays, buffers, strict=True):
                cl.enqueue_copy(queue, array, buffer)
            return arrays

        return launch, read


def _arrays(values: Iterable[Any]) -> list[Array]:
    return [np.asarray(value) for value in values]


def _agree(case: Case, mine: Array, theirs: Array) -> bool:
    if case.name == "mandelbrot":  # chaotic at the border
        return int(np.count_nonzero(np.not_equal(mine, theirs))) < 0.01 * mine.size
    scale = np.maximum(np.abs(theirs), 1)
    return bool(np.all(np.abs(mine - theirs) <= case.tolerance * scale))


def measure(case: Case, ours: Ours, pocl: Pocl, runs: int) -> dict[str, Any]:
    """Return the case of one kernel."""
    arguments = _arrays(case.arguments(np.random.default_rng(0)))
    mine = [value.copy() for value in arguments]
    ours_run = ours.runner(case, mine)
    pocl_run, pocl_read = pocl.runner(case, arguments)
    ours_run()
    pocl_run()
    arrays = [value for value in mine if value.ndim]
    checked = all(_agree(case, a, b) for a, b in zip(arrays, pocl_read(), strict=True))
    ours_s: list[float] = []
    pocl_s: list[float] = []
    for _ in range(runs):
        for run, times in ((ours_run, ours_s), (pocl_run, pocl_s)):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
    a, b = statistics.median(ours_s), statistics.median(pocl_s)
    return {
        "case": case.name,
        "set": "main",
        "baseline_ms": round(b * 1e3, 4),
        "ours_ms": round(a * 1e3, 4),
        "ratio": round(b / a, 3),
        "checked": checked,
    }


_SIMULATED = """
import time
import numpy as np
from numba import cuda
@cuda.jit
def saxpy(n, a, x, y):
    i = cuda.grid(1)
    if i < n:
        y[i] += a * x[i]
n = 4096
x, y = np.ones(n, np.float32), np.ones(n, np.float32)
start = time.perf_counter()
saxpy[n // 256, 256](n, 2.0, x, y)
print((time.perf_counter() - start) / n)
"""


def simulator_seconds() -> float:
    """Return the time of a thread of saxpy in Numba's simulator."""
    done = subprocess.run(
        [sys.executable, "-c", _SIMULATED],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def command_seconds(runs: int) -> dict[str, float]:
    """Return the wall time of ``gpucc run`` on a small PTX kernel: first, and from the cache."""
    words = [
        *(sys.executable, "-m", "gpucc", "run", ROOT / "ptx_samples" / "saxpy.ptx"),
        *("--grid", "4", "--block", "256", "--arg", "i32=1024", "--arg", "f32=2"),
        *("--arg", "f32[1024]=rand", "--arg", "f32[1024]=ones", "--target=cpu", "--repeat=0"),
    ]
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            # The engine is there, as in an installation; compiled kernels are not.
            engine = native_library("libgpucc_cpu.so").parent
            if engine.parent.name == "gpucc":
                shutil.copytree(engine, Path(folder) / "gpucc" / engine.name)
            environment = {**os.environ, "XDG_CACHE_HOME": folder}
            for times in (cold, warm):
                start = time.perf_counter()
                subprocess.run(words, check=True, capture_output=True, env=environment)
                times.append(time.perf_counter() - start)
    return {"cold_s": statistics.median(cold), "cached_s": statistics.median(warm)}


def main() -> int:
    """Run the benchmark; fails if a result was wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.cpu", description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="runs of each, interleaved")
    arguments = parser.parse_args()
    ours, pocl = Ours(), Pocl()
    cases: list[dict[str, Any]] = []
    for case in CASES:
        cases.append(measure(case, ours, pocl, arguments.runs))
        print(cases[-1], flush=True)
    simulated = simulator_seconds()
    saxpy = next(case for case in cases if case["case"] == "saxpy")
    path = write(
        "cpu",
        headline=f"PoCL ({pocl.version})",
        cases=cases,
        machine=machine(cores=str(len(os.sched_getaffinity(0)))),
        over_numba_simulator=round(simulated / (saxpy["ours_ms"] / 1e3 / N)),
        command=command_seconds(arguments.runs),
    )
    print(path)
    return 0 if all(case["checked"] for case in cases) else 1


if __name__ == "__main__":
    sys.exit(main())
