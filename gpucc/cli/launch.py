"""``gpucc-launch COMPILER ARGUMENTS…``: a compiler launcher for build systems, as ccache is one.

Set ``CMAKE_CUDA_COMPILER_LAUNCHER=gpucc-launch`` and the passes in the environment variable
``GPUCC_PASSES``.  A command of nvcc's that compiles device code gets the passes; every other
command (links, version queries, preprocessing, other compilers) is executed as it stands, in this
process's place.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from gpucc import cli
from gpucc.errors import GpuccError

_NO_COMPILATION = frozenset(
    {
        *("-E", "--preprocess", "-M", "--generate-dependencies"),
        *("-MM", "--generate-nonsystem-dependencies", "-dlink", "--device-link"),
        *("--version", "-V", "--help", "-h", "--dryrun", "-dryrun"),
        *("--list-gpu-code", "-code-ls", "--list-gpu-arch", "-arch-ls"),
    }
)
"""nvcc's options for things that have nothing to do with passes."""

_CACHES = ("ccache", "sccache")
"""Compiler caches, left out before a compiler: they would not see that the passes changed."""


def main() -> None:
    """Run the command line that follows our own name."""
    cli.run_guarded(lambda: launch(sys.argv[1:], os.environ.get("GPUCC_PASSES", "")))


def launch(command: list[str], passes: str) -> int:
    """Run ``command`` with the pipeline ``passes`` in it; does not return if it has no use for it.

    Returns 0, or with ``nvcc --run`` the exit status of the program.
    Raises :class:`GpuccError` for what the user can mend.
    """
    if not command or command[0] in ("-h", "--help"):
        raise GpuccError(
            "gpucc-launch wants a compiler's command line",
            hint="GPUCC_PASSES=mpache gpucc-launch nvcc -c kernel.cu -o kernel.o",
        )
    if passes.strip() and Path(command[0]).name in _CACHES and len(command) > 1:
        command = command[1:]
    program = shutil.which(command[0])
    if program is None:
        raise GpuccError(f"{command[0]}: no such program")
    if not passes.strip() or not _compiles_cuda(command):
        os.execv(program, command)
    from gpucc.build import Settings, run_nvcc
    from gpucc.frontend import nvcc_args
    from gpucc.passmanager import parse_pipeline

    threads = nvcc_args.threads(nvcc_args.effective(command[1:], os.environ))
    # The build system fills the processors already; two is what one file can use.
    settings = Settings(workers=2 if threads is None else threads)
    report = run_nvcc(Path(program), command[1:], parse_pipeline(passes), settings)
    if report is None:
        os.execv(program, command)
    return report.status


def _compiles_cuda(command: list[str]) -> bool:
    """Tell whether the command is nvcc's and may compile something; nvcc knows for sure."""
    name = os.path.basename(os.path.realpath(shutil.which(command[0]) or command[0]))
    named = "nvcc" in (name, os.path.basename(command[0]))
    return named and not any(re.split("=", word)[0] in _NO_COMPILATION for word in command[1:])
