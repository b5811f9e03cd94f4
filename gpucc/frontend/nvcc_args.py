"""Reads an nvcc command line as far as gpucc must understand it.

nvcc itself turns its options into stages (:mod:`gpucc.frontend.cuda`); what is read here is only
what no stage shows: which architectures were asked for, which phase, how a dependency file is to
look.  Spelling follows ``nvcc --help``: a long name has two dashes, a short one has one, and both
take a value either as the next word or after ``=``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpucc.errors import GpuccError

_VALUE_OPTIONS = {
    # short name: long name, as `nvcc --help` lists them
    "-Ofc": "--Ofast-compile",
    "-Werror": "--Werror",
    "-Xarchive": "--archive-options",
    "-Xcompiler": "--compiler-options",
    "-Xlinker": "--linker-options",
    "-Xnvlink": "--nvlink-options",
    "-Xnvprune": "--nvprune-options",
    "-Xptxas": "--ptxas-options",
    "-Xtileiras": "--tileiras-options",
    "-apply-controls": "--apply-controls",
    "-arbin": "--archiver-binary",
    "-arch": "--gpu-architecture",
    "-brief-diag": "--brief-diagnostics",
    "-ccbin": "--compiler-bindir",
    "-code": "--gpu-code",
    "-compress-mode": "--compress-mode",
    "-cudadevrt": "--cudadevrt",
    "-cudart": "--cudart",
    "-ddp": "--dependency-drive-prefix",
    "-default-stream": "--default-stream",
    "-device-entity-has-hidden-visibility": "--device-entity-has-hidden-visibility",
    "-device-stack-protector": "--device-stack-protector",
    "-diag-error": "--diag-error",
    "-diag-suppress": "--diag-suppress",
    "-diag-warn": "--diag-warn",
    "-dopt": "--dopt",
    "-dp": "--drive-prefix",
    "-e": "--entries",
    "-fdevice-sanitize": "--fdevice-sanitize",
    "-fdevice-time-trace": "--fdevice-time-trace",
    "-fdevice-time-trace-granularity": "--fdevice-time-trace-granularity",
    "-fmad": "--fmad",
    "-fmax-errors": "--fmax-errors",
    "-frandom-seed": "--frandom-seed",
    "-ftemplate-backtrace-limit": "--ftemplate-backtrace-limit",
    "-ftemplate-depth": "--ftemplate-depth",
    "-ftz": "--ftz",
    "-gencode": "--generate-code",
    "-hls": "--host-linker-script",
    "-idp": "--input-drive-prefix",
    "-include": "--pre-include",
    "-isystem": "--system-include",
    "-jtd": "--jump-table-density",
    "-keep-dir": "--keep-dir",
    "-ldir": "--libdevice-directory",
    "-m": "--machine",
    "-maxrregcount": "--maxrregcount",
    "-o": "--output-file",
    "-odir": "--output-directory",
    "-opt-info": "--optimization-info",
    "-optf": "--options-file",
    "-prec-div": "--prec-div",
    "-prec-sqrt": "--prec-sqrt",
    "-rdc": "--relocatable-device-code",
    "-run-args": "--run-args",
    "-sanitize": "--sanitize",
    "-split-compile": "--split-compile",
    "-split-compile-extended": "--split-compile-extended",
    "-static-global-template-stub": "--static-global-template-stub",
    "-std": "--std",
    "-stdlib": "--stdlib",
    "-t": "--threads",
    "-target-dir": "--target-directory",
    "-tile-preview": "--tile-preview",
    "-time": "--time",
    "-x": "--x",
    "-D": "--define-macro",
    "-I": "--include-path",
    "-L": "--library-path",
    "-MF": "--dependency-output",
    "-MT": "--dependency-target-name",
    "-O": "--optimize",
    "-U": "--undefine-macro",
    "-l": "--library",
}
_SHORT = {long: short for short, long in _VALUE_OPTIONS.items()}
_JOINED = ("-D", "-I", "-L", "-O", "-U", "-l", "-t", "-m")
"""Options whose value may follow without a blank (``-O3``)."""

_FLAGS = {
    "--compile": "-c",
    "--cubin": "-cubin",
    "--cuda": "-cuda",
    "--device-c": "-dc",
    "--device-link": "-dlink",
    "--device-w": "-dw",
    "--dlink-time-opt": "-dlto",
    "--dryrun": "-dryrun",
    "--fatbin": "-fatbin",
    "--generate-dependency-targets": "-MP",
    "--generate-nonsystem-dependencies": "-MM",
    "--generate-nonsystem-dependencies-with-compile": "-MMD",
    "--generate-line-info": "-lineinfo",
    "--keep": "-keep",
    "--lib": "-lib",
    "--link": "-link",
    "--lto": "-lto",
    "--ltoir": "-ltoir",
    "--optix-ir": "-optix-ir",
    "--ptx": "-ptx",
    "--run": "-run",
    "--save-temps": "-save-temps",
    "--shared": "-shared",
    "--verbose": "-v",
}
_SHORT_FLAGS = frozenset(_FLAGS.values())
_DEVICE_PHASES = frozenset({"-cubin", "-fatbin", "-ltoir", "-optix-ir", "-ptx"})
_HOST_PHASES = frozenset({"-c", "-cuda", "-dc", "-dlink", "-dw", "-lib", "-link", "-run"})
PHASES = _DEVICE_PHASES | _HOST_PHASES
"""Short names of the options that say where the compilation ends."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One option with its value, or one input (``option`` is None and ``value`` the file)."""

    option: str | None
    """Short name, where the option has one."""
    value: str | None
    words: tuple[str, ...]
    """As they stood in the command."""


def read(words: Sequence[str]) -> tuple[Argument, ...]:
    """Split an nvcc command line (without the program) into options and inputs."""
    return tuple(_arguments(list(words)))


def _arguments(words: list[str]) -> Iterator[Argument]:
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.startswith("-") or word == "-":
            yield Argument(None, word, (word,))
            continue
        name, equals, joined = word.partition("=")
        name = _SHORT.get(name, name)
        if word in _SHORT_FLAGS:  # -lineinfo is not the library "ineinfo"
            yield Argument(word, None, (word,))
        elif name not in _VALUE_OPTIONS:
            prefix = next((p for p in _JOINED if word.startswith(p) and len(word) > len(p)), None)
            if prefix and not (prefix in ("-t", "-m") and not word[2:].isdigit()):
                yield Argument(prefix, word[len(prefix) :], (word,))
            else:
                yield Argument(_FLAGS.get(word, word), None, (word,))
        elif equals:
            yield Argument(name, joined, (word,))
        elif at < len(words):
            yield Argument(name, words[at], (word, words[at]))
            at += 1
        else:
            yield Argument(name, None, (word,))  # nvcc will say that the value is missing


def effective(words: Sequence[str], environ: Mapping[str, str]) -> tuple[Argument, ...]:
    """Read what nvcc really obeys: with the flags from its environment and its option files."""
    whole = [
        *_flags_of(environ, "NVCC_PREPEND_FLAGS"),
        *words,
        *_flags_of(environ, "NVCC_APPEND_FLAGS"),
    ]
    return tuple(_with_option_files(read(whole)))


def _flags_of(environ: Mapping[str, str], variable: str) -> list[str]:
    try:
        return shlex.split(environ.get(variable, ""))
    except ValueError as error:
        raise GpuccError(f"the environment variable {variable}: {error}") from None


def _with_option_files(arguments: Sequence[Argument], depth: int = 0) -> Iterator[Argument]:
    for argument in arguments:
        yield argument
        if argument.option == "-optf" and argument.value and depth < 8:
            for name in argument.value.split(","):
                try:
                    inside = shlex.split(Path(name).read_text(), comments=False)
                except (OSError, UnicodeDecodeError, ValueError):
                    continue  # nvcc opens the file itself, and reports what is wrong with it
                yield from _with_option_files(read(inside), depth + 1)


def last(arguments: Sequence[Argument], option: str) -> str | None:
    """Return the value of the last ``option``: the one that nvcc uses; None if it is absent."""
    values = [a.value for a in arguments if a.option == option]
    return values[-1] if values else None


def has(arguments: Sequence[Argument], *options: str) -> bool:
    """Tell whether any of ``options`` (short names) was given."""
    return any(a.option in options for a in arguments)


def names_arch(arguments: Sequence[Argument]) -> bool:
    """Tell whether the command says what to compile device code for."""
    return has(arguments, "-arch", "-gencode", "-code")


def without(words: Sequence[str], *options: str) -> list[str]:
    """Return ``words`` without the given options and their values."""
    return [
        word
        for argument in read(words)
        if argument.option not in options
        for word in argument.words
    ]


def environment_without(environ: Mapping[str, str], *options: str) -> dict[str, str]:
    """Return the environment without the given options in the flags that nvcc takes from it."""
    changed = dict(environ)
    for variable in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"):
        if flags := _flags_of(environ, variable):
            changed[variable] = shlex.join(without(flags, *options))
    return changed


def threads(arguments: Sequence[Argument]) -> int | None:
    """Return the value of ``--threads``, or None; 0 means as many as there are processors."""
    value = last(arguments, "-t")
    return int(value) if value and re.fullmatch(r"\d+", value) else None
