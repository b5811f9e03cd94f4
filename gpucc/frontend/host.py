"""The host half as LLVM IR: which clang compiles it, and the commands that do.

nvcc compiles ``a.cudafe1.cpp`` to an object in one command.  With host passes it becomes three::

    clang++ … -S -emit-llvm -Xclang -disable-llvm-passes a.cudafe1.cpp -o a.ll
    (host passes: a.ll to a.gpucc.ll)
    clang++ … -c -x ir a.gpucc.ll -o a.o

The first leaves every optimisation to the second, so the passes see each call where the user wrote
it, and the final code has the user's own optimisation level.  Preprocessing must be the same
clang's, because ``.cudafe1.cpp`` is made from what the preprocessor chose for its compiler.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpucc import toolchain
from gpucc.errors import GpuccError, MissingToolError
from gpucc.frontend import nvcc_args
from gpucc.frontend.cuda import Stage


@dataclass(frozen=True, slots=True)
class HostRoute:
    """How the host half of a command is compiled.

    ``words`` is the nvcc command with ``-ccbin`` set to ``clang``.  ``other`` compiles what is not
    CUDA and links, where the clang should not: the user's own compiler.
    """

    words: tuple[str, ...]
    environment: Mapping[str, str]
    clang: str
    other: str | None


def route(words: Sequence[str], environ: Mapping[str, str], scratch: Path) -> HostRoute:
    """Choose the clang for an nvcc command: the user's ``-ccbin`` if it is one, else what is found.

    Raises :class:`MissingToolError` if there is no clang, and :class:`GpuccError` for flags that
    the clang found cannot honour.
    """
    arguments = nvcc_args.effective(words, environ)
    named = nvcc_args.last(arguments, "-ccbin") or environ.get("NVCC_CCBIN")
    own = _compiler(named) if named else None
    if own and toolchain.is_clang(Path(own)):
        return HostRoute(tuple(words), environ, own, None)
    clang = toolchain.find_clang()
    if clang is None:
        raise MissingToolError(
            "host passes need a clang, and none was found", hint="pip install 'gpucc[host]'"
        )
    other = own or shutil.which("g++")
    if other is None and not clang.links:
        raise MissingToolError("g++ was not found (links host code)", hint="apt install g++")
    _refuse_flags(arguments, clang)
    compiler = clang.program if not clang.arguments else clang.write_wrapper(scratch)
    return HostRoute(
        (
            *nvcc_args.without(words, "-ccbin"),
            *("-ccbin", str(compiler), "-allow-unsupported-compiler"),
        ),
        nvcc_args.environment_without(
            {name: value for name, value in environ.items() if name != "NVCC_CCBIN"}, "-ccbin"
        ),
        str(compiler),
        other,
    )


def _refuse_flags(arguments: Sequence[nvcc_args.Argument], clang: toolchain.HostClang) -> None:
    """Refuse what ends in an unreadable error of the linker's."""
    words = {part for a in arguments for word in a.words for part in re.split("[,=]", word)}
    if "-flto" in words:
        raise GpuccError(
            "host passes and -flto exclude each other: g++ cannot link what clang compiled for"
            " optimisation at link time"
        )
    if "-fopenmp" in words and not clang.links:
        raise GpuccError(
            "host code with -fopenmp cannot go through host passes with the ziglang wheel's clang,"
            " which has no OpenMP library",
            hint="apt install clang libomp-dev",
        )


def _compiler(named: str) -> str:
    """Return the program that ``-ccbin NAMED`` means: a folder means the g++ in it."""
    return os.path.join(named, "g++") if os.path.isdir(named) else shutil.which(named) or named


# --- the two commands -----------------------------------------------------------------------------

_LEVEL = re.compile(r"-O(\d|s|z|g|fast)?")
_DEBUG = re.compile(r"-g(?!0$)(\d|gdb\d?|dwarf.*|line-tables-only|line-directives-only|codeview)?")


def has_debug_info(stage: Stage) -> bool:
    """Tell whether the user asked for debug information in the object."""
    return any(_DEBUG.fullmatch(word) for word in stage.words)


def to_ir(stage: Stage, ir: str) -> tuple[str, ...]:
    """Return the command that compiles a host half to the LLVM IR file ``ir``.

    The IR is not optimised yet.  Without debug information of the user's it still has line numbers,
    by which remarks name places.
    """
    levels = [word for word in stage.words if _LEVEL.fullmatch(word)]
    words: list[str] = []
    for word in _with_output(stage, ir):
        words.extend(
            ("-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes") if word == "-c" else [word]
        )
    if not levels or levels[-1] == "-O0":
        words.append("-O1")  # -O0 would mark every function as one that nobody may optimise
    if not has_debug_info(stage):
        words.append("-gline-tables-only")
    return tuple(words)


def to_object(stage: Stage, source: str, ir: str) -> tuple[str, ...]:
    """Return the command that compiles ``ir`` to the object of ``stage``, as the user asked."""
    words = list(stage.words)
    at = words.index(source)
    words[at : at + 1] = ["-x", "ir", ir]
    language = words.index("-x")
    del words[language : language + 2]  # nvcc's "-x c++"
    return (*words, "-Wno-unused-command-line-argument")


def without_line_numbers(object_file: str) -> tuple[str, ...] | None:
    """Return the command that takes the line numbers of :func:`to_ir` out of an object again."""
    objcopy = shutil.which("objcopy")
    return (objcopy, "--strip-debug", object_file) if objcopy else None


def _with_output(stage: Stage, output: str) -> list[str]:
    words = list(stage.words)
    words[words.index("-o") + 1] = output
    return words
