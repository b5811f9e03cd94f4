"""``python -m bench.frontend``: time of gpucc's PTX front end against ptxas.

Ours: parse the module, run the analyses that mpache needs over every kernel, print the module.
Baseline: ``ptxas -O3`` on the same file for the architecture the file names.  The set is every
module of the corpus of at least 100 KB.  The two alternate, one after the other in one process;
``ratio`` is ptxas's time over ours, each the median of its runs.  For modules above 1 MB the growth
of the process's memory is measured too, in a process of its own.  ``--slots`` measures several
modules at once, each on cores of its own.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench.corpus.store import CACHE, CorpusModule, made, make
from bench.report import machine, write
from bench.slots import measured
from gpucc.analysis.reuse import memory_roles
from gpucc.frontend.parser import parse
from gpucc.toolchain import ptxas_for, version

SMALLEST = 100_000
MEMORY_FROM = 1_000_000
_SMALL = ".version 8.0\n.target sm_80\n.visible .entry k() { ret; }"


def ours(text: str) -> str:
    """Do what is timed; return the printed text."""
    module = parse(text)
    for kernel in module.kernels:
        memory_roles(kernel)
    return module.text


def measure(module: CorpusModule, runs: int) -> dict[str, Any]:
    """Return the case of one module."""
    text = module.text
    program = ptxas_for(text).path
    parsed = parse(text)
    arch = parsed.targets[0]
    flags = ["-g", "-O0"] if "debug" in parsed.targets else ["-O3"]
    statements = sum(len(function.statements) for function in parsed.functions)
    del parsed
    ours_s: list[float] = []
    ptxas_s: list[float] = []
    checked = True
    ours(_SMALL)  # the grammar is built once for a process
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.cubin"
        command = [program, *flags, f"-arch={arch}", "-c", CACHE / module.path, "-o", output]
        for _ in range(runs):
            start = time.perf_counter()
            checked &= ours(text) == text
            ours_s.append(time.perf_counter() - start)
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)  # with the file in the cache
            ptxas_s.append(time.perf_counter() - start)
    mine, theirs = statistics.median(ours_s), statistics.median(ptxas_s)
    return {
        "case": module.name,
        "set": "main",
        "bytes": module.bytes,
        "statements": statements,
        "baseline_ms": round(theirs * 1e3, 2),
        "ours_ms": round(mine * 1e3, 2),
        "ratio": round(theirs / mine, 3),
        "share_of_ptxas": round(mine / theirs, 4),
        "ptxas": version(program),
        "us_per_statement": round(mine / max(statements, 1) * 1e6, 2),
        "checked": checked,
        **({"memory_growth": _memory_growth(module)} if module.bytes >= MEMORY_FROM else {}),
    }


def _memory_growth(module: CorpusModule) -> float:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return round(pool.submit(memory_growth, CACHE / module.path).result(), 1)


def memory_growth(path: Path) -> float:
    """Return how many times its size a file makes the process grow; run it in a new process."""
    text = path.read_bytes().decode()
    ours(_SMALL)
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew (proc_pid_clear_refs(5))
    before = _kilobytes("VmRSS")
    printed = ours(text)
    return (_kilobytes("VmHWM") - before) * 1024 / len(printed)


def _kilobytes(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    raise RuntimeError(f"/proc/self/status has no {field}")


def _versions(cases: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(sorted({case["ptxas"] for case in cases}))


def main() -> int:
    """Run the benchmark; the exit status is 1 if a printed text differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.frontend", description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="runs of each, interleaved")
    parser.add_argument("--slots", type=int, default=1, help="modules that are measured at once")
    parser.add_argument("--run", action="store_true", help="take the corpus that is there")
    parser.add_argument("--limit", type=int, help="only this many modules, for a quick look")
    parser.add_argument("--smallest", type=int, default=SMALLEST, help="bytes")
    arguments = parser.parse_args()
    modules, failures = (made(), []) if arguments.run else make()
    if failures:
        print(f"{len(failures)} modules of the corpus could not be made", file=sys.stderr)
    chosen = [module for module in modules if module.bytes >= arguments.smallest]
    chosen.sort(key=lambda module: -module.bytes)
    one = functools.partial(measure, runs=arguments.runs)
    cases: list[dict[str, Any]] = []
    for _, case in measured(one, chosen[: arguments.limit], arguments.slots):
        cases.append(case)
        print(json.dumps(case), flush=True)
    if arguments.limit or arguments.smallest != SMALLEST:
        return 0
    shares = [case["share_of_ptxas"] for case in cases]
    path = write(
        "frontend",
        headline="ptxas",
        cases=sorted(cases, key=lambda case: case["case"]),
        machine=machine(ptxas=_versions(cases)),
        runs=arguments.runs,
        slots=arguments.slots,
        worst_share_of_ptxas=max(shares),
        largest_memory_growth=max(case.get("memory_growth", 0) for case in cases),
        largest_module_bytes=max(case["bytes"] for case in cases),
    )
    print(path, json.loads(path.read_text())["summary"], max(shares))
    return 0 if all(case["checked"] for case in cases) else 1


if __name__ == "__main__":
    sys.exit(main())
