"""What the tests of kesco share: programs against a CUDA runtime that is legal and unhelpful."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from gpucc.driver import Emit, compile_files
from gpucc.host import runtime_library
from gpucc.passmanager import Remark, parse_pipeline

_FAKE = Path(__file__).parents[1] / "native" / "fake_cudart.cpp"
PRELUDE = """
#include <cstdio>
#include <cstring>
extern "C" __global__ void op2(const int *a, const int *b, int *c, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = a[i] * 3 + b[i] + 1;
}
extern "C" __global__ void op1(int *a, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = a[i] * 5 + 1;
}
extern "C" int *seen[4];
extern "C" void opaque(int);
extern "C" void maybe_throw(int);
"""
"""Kernels that tests/native/fake_cudart.cpp has, and functions that it defines."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program made with kesco, and the remarks of making it."""

    path: Path
    remarks: tuple[Remark, ...]

    def changed(self, function: str = "") -> list[str]:
        """Return the messages of what was scheduled in functions whose name has ``function``."""
        return self._messages("changed", function)

    def refused(self, function: str = "") -> list[str]:
        """Return the messages of what was left alone."""
        return self._messages("refused", function)

    def _messages(self, kind: str, function: str) -> list[str]:
        return [r.message for r in self.remarks if r.kind == kind and function in r.where]

    def run(self, seed: int | str, **environment: str) -> str:
        """Run it on the fake runtime, and return what it printed."""
        done = subprocess.run(
            [self.path],
            env={"FAKE_SEED": str(seed), **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def agrees(self, seeds: range = range(6)) -> bool:
        """Return whether every order that the fake runtime tries gives what serial order gives."""
        wanted = self.run("serial")
        return all(self.run(seed) == wanted for seed in seeds)


def link(made: Path, library: Path) -> Path:
    """Link an object with the fake runtime and a libgpucc_rt; return the program."""
    program = library.with_name("program") if library.suffix == ".o" else made.with_suffix("")
    subprocess.run(["g++", "-w", "-no-pie", _FAKE, made, library, "-o", program], check=True)
    return program


def compile_kesco(source: str, folder: Path, *flags: str, links: bool = True) -> Program:
    """Compile with kesco and, unless only the remarks are wanted, link with the fake runtime."""
    path = folder / "program.cu"
    path.write_text(source)
    made = folder / "program.o"
    report = compile_files(
        [path],
        made,
        pipeline=parse_pipeline("kesco"),
        emit=Emit.OBJ,
        archs=["sm_90"],
        flags=flags,
    )
    remarks = tuple(found.remark for found in report.remarks)
    return Program(link(made, runtime_library()) if links else made, remarks)
