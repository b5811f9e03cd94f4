"""``python -m bench.compile``: wall time of ``gpucc compile --passes=mpache`` against nvcc.

Whole commands, as a user types them, one after the other in turn; ``ratio`` is nvcc's median wall
time over ours.  The CUDA sources are those of the corpus and the samples.  Checked: without passes
the machine code is nvcc's.  ``--slots`` measures several files at once, each on cores of its own.
"""

from __future__ import annotations

import argparse
import functools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.corpus.jobs import SAMPLES, SOURCES
from bench.report import machine, write
from bench.slots import measured
from gpucc.cubin import program_sections
from gpucc.toolchain import require, version

FLAGS = ["-std=c++17", "--extended-lambda", "--expt-relaxed-constexpr", "-w", "-O3"]
ARCH = "sm_90"


def timed(command: Sequence[str | Path]) -> float:
    """Run a command; return its wall time in seconds."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def measure(source: Path, runs: int) -> dict[str, Any]:
    """Return the case of one source file, compiled to an object."""
    nvcc = require("nvcc")
    gpucc = [sys.executable, "-m", "gpucc", "compile", source, f"--arch={ARCH}"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.o"
        ours = [*gpucc, "--passes=mpache", "-o", out, "--", *FLAGS]
        plain = [*gpucc, "-o", out, "--", *FLAGS]
        theirs = [nvcc, *FLAGS, f"-arch={ARCH}", "-c", source, "-o", out]
        times: dict[str, list[float]] = {"nvcc": [], "gpucc": [], "gpucc without passes": []}
        for _ in range(runs):
            times["nvcc"].append(timed(theirs))
            times["gpucc"].append(timed(ours))
            times["gpucc without passes"].append(timed(plain))
        a, b = Path(folder) / "a.cubin", Path(folder) / "b.cubin"
        subprocess.run([*gpucc, "-o", a, "--", *FLAGS], check=True, capture_output=True)
        subprocess.run([nvcc, *FLAGS, f"-arch={ARCH}", "-cubin", source, "-o", b], check=True)
        same = program_sections(a.read_bytes()) == program_sections(b.read_bytes())
    medians = {name: statistics.median(values) for name, values in times.items()}
    return {
        "case": source.name,
        "set": "main",
        "baseline_ms": round(medians["nvcc"] * 1e3),
        "ours_ms": round(medians["gpucc"] * 1e3),
        "ratio": round(medians["nvcc"] / medians["gpucc"], 3),
        "wall_over_nvcc": round(medians["gpucc"] / medians["nvcc"], 3),
        "baselines": {"gpucc without passes": round(medians["gpucc without passes"] * 1e3)},
        "checked": same,
    }


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m bench.compile", description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="runs of each, interleaved")
    parser.add_argument("--slots", type=int, default=1, help="files that are measured at once")
    arguments = parser.parse_args()
    names = ("language.cu", "math.cu", "parallel.cu", "loops.cu", "cub_block.cu")
    samples = ("saxpy.cu", "multitask.cu", "reduce.cu")
    sources = [SOURCES / name for name in names] + [SAMPLES / name for name in samples]
    cases: list[dict[str, Any]] = []
    one = functools.partial(measure, runs=arguments.runs)
    for _, case in measured(one, sources, arguments.slots):
        cases.append(case)
        print(json.dumps(case), flush=True)
    path = write(
        "compile",
        headline="nvcc",
        cases=sorted(cases, key=lambda case: case["case"]),
        machine=machine(nvcc=version(require("nvcc")) or "unknown"),
        runs=arguments.runs,
        slots=arguments.slots,
        worst_wall_over_nvcc=max(case["wall_over_nvcc"] for case in cases),
    )
    print(path)
    return 0 if all(case["checked"] for case in cases) else 1


if __name__ == "__main__":
    sys.exit(main())
