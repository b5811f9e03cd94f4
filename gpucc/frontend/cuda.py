"""CUDA C++ in: nvcc's own stages, as values that the driver can reorder, change and run.

``nvcc --dryrun`` prints, for any command line, the exact commands that nvcc would run, one on each
line behind ``#$``, together with the environment they expect::

    #$ CICC_PATH=/usr/local/cuda/bin/../nvvm/bin
    #$ gcc -E -x c++ … "a.cu" -o "/tmp/tmpxft_1_a.cpp1.ii"
    #$ "$CICC_PATH/cicc" … "/tmp/tmpxft_1_a.cpp1.ii" -o "/tmp/tmpxft_1_a.ptx"
    #$ ptxas -arch=sm_90 -m64 "/tmp/tmpxft_1_a.ptx" -o "/tmp/tmpxft_1_a.cubin"

nvcc hands each line to ``sh -c``, so a line means what a shell makes of it.  :func:`plan` turns
them into :class:`Stage` values: a role, the words of the command, and the files it reads and
writes, from which follows what must wait for what.
"""

from __future__ import annotations

import enum
import os
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gpucc.errors import GpuccError
from gpucc.frontend import nvcc_args


class Role(enum.Enum):
    """What a stage does."""

    PREPROCESS = "preprocess"
    DEPENDENCIES = "dependencies"
    """nvcc writes a dependency file itself; :mod:`gpucc.frontend.depfile` does it for us."""
    SPLIT = "cudafe++"
    """Splits off the host half (``.cudafe1.cpp``)."""
    DEVICE = "cicc"
    """Compiles the device half to PTX, or to an intermediate form for link-time optimisation."""
    ASSEMBLE = "ptxas"
    PACK = "fatbinary"
    HOST = "host compiler"
    DEVICE_LINK = "nvlink"
    LINK = "linker"
    ARCHIVE = "ar"
    REMOVE = "rm"
    EXECUTE = "program"
    """``nvcc --run`` starts what it made."""
    OTHER = "command"


@dataclass(frozen=True, slots=True)
class Stage:
    """One command of nvcc's.

    ``writes`` and ``reads`` are files by the names that the command uses.  ``reads`` may hold files
    that no stage made (the user's), and leaves out headers.
    """

    role: Role
    words: tuple[str, ...]
    reads: frozenset[str]
    writes: frozenset[str]
    line: str
    """As nvcc printed it, without the ``#$``."""

    @property
    def output(self) -> str | None:
        """The value of ``-o``."""
        return option_value(self.words, "-o")

    def renamed(self, names: Mapping[str, str]) -> Stage:
        """Return this stage with files of other names, in its words and in what it touches."""
        if not names:
            return self
        return Stage(
            self.role,
            rename_words(self.words, names),
            frozenset(names.get(name, name) for name in self.reads),
            frozenset(names.get(name, name) for name in self.writes),
            self.line,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """All stages of one nvcc command, in nvcc's order, and the environment they run in."""

    stages: tuple[Stage, ...]
    environment: Mapping[str, str]
    """Complete: ours with nvcc's additions."""
    messages: str
    """What nvcc itself had to say (warnings about options)."""
    text: str
    """The stages and variables as nvcc printed them."""


class NvccRefused(GpuccError):
    """nvcc did not accept its command line; ``output`` is what it said."""

    def __init__(self, output: str) -> None:
        hint = "apt install g++" if "Failed to preprocess host compiler" in output else None
        super().__init__(output.strip() or "nvcc refused its command line", hint=hint)

    def render(self) -> str:
        """Return nvcc's own words."""
        return f"{self.message}\n  hint: {self.hint}" if self.hint else self.message


def plan(nvcc: Path, words: Sequence[str], scratch: Path, environ: Mapping[str, str]) -> Plan:
    """Ask ``nvcc`` which stages the command ``nvcc WORDS`` has; intermediates go to ``scratch``.

    ``--threads`` is left out: nvcc would print the stages of all files mixed, and we run them side
    by side in any case.  Raises :class:`NvccRefused` if nvcc does not accept ``words``.
    """
    environ = {**nvcc_args.environment_without(environ, "-t"), "TMPDIR": str(scratch)}
    asked = subprocess.run(
        [nvcc, "--dryrun", *nvcc_args.without(words, "-t")],
        capture_output=True,
        text=True,
        errors="surrogateescape",
        env=environ,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if asked.returncode != 0:
        raise NvccRefused(
            "\n".join(
                line
                for line in (asked.stdout + asked.stderr).splitlines()
                if not line.startswith("#$ ")
            )
        )
    return read_dryrun(asked.stderr, environ)


def read_dryrun(text: str, environ: Mapping[str, str]) -> Plan:
    """Read what ``nvcc --dryrun`` printed; ``environ`` is the environment nvcc ran in."""
    environment = dict(environ)
    messages: list[str] = []
    stages: list[Stage] = []
    preprocessed: list[str] = []  # outputs that the next dependency file is made of
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.startswith("#$ "):
            messages.append(line + "\n")
            continue
        line = line[3:]
        if assignment := re.fullmatch(r"([A-Za-z_]\w*)=(.*)", line):
            environment[assignment[1]] = assignment[2]
            continue
        if line.startswith("-- Filter Dependencies --"):
            target = line.partition(">")[2].strip()
            stages.append(
                Stage(
                    Role.DEPENDENCIES,
                    tuple(preprocessed),
                    frozenset(preprocessed),
                    frozenset([target] if target else []),
                    line,
                )
            )
            preprocessed = []
            continue
        while (words := _split(line, environment)) is None and at < len(lines):
            line += "\n" + lines[at]  # a line break inside a quoted word
            at += 1
        stage = _stage(tuple(words or ()), line)
        if any(_runs(stage, earlier) for earlier in stages):
            stage = replace(stage, role=Role.EXECUTE, reads=stage.reads | {stage.words[0]})
        if stage.role is Role.PREPROCESS:
            preprocessed.extend(stage.writes)
        stages.append(stage)
    shown = "".join(f"{line}\n" for line in lines if line.startswith("#$ "))
    return Plan(tuple(_with_inclusions(stages)), environment, "".join(messages), shown)


# --- words --------------------------------------------------------------------------------------

_SHELL = re.compile(r"[$`*?~;&|<>(){}\[\]#!\n]")
_PLAIN_PATH = re.compile(r"[\w./+@:,-]*")


def _split(line: str, environment: Mapping[str, str]) -> list[str] | None:
    """Split a command line as ``sh`` does; None if a quotation has no end."""
    if line.startswith("rm "):
        return ["rm", line[3:].strip()]  # printed without quotes
    cicc = environment.get("CICC_PATH", "")
    if _PLAIN_PATH.fullmatch(cicc):
        line = line.replace('"$CICC_PATH/', f'"{cicc}/')
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    return _shell_words(line, environment) if _SHELL.search(line) else words


def _shell_words(line: str, environment: Mapping[str, str]) -> list[str]:
    """Let a shell expand ``line``: variables, patterns, command substitution."""
    done = subprocess.run(
        ["/bin/sh", "-c", f"printf '%s\\0' {line}"],
        capture_output=True,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode != 0:
        message = os.fsdecode(done.stderr).strip()
        raise GpuccError(f"a shell does not accept a command that nvcc gave: {message}: {line}")
    return os.fsdecode(done.stdout).split("\0")[:-1]


def option_value(words: Sequence[str], option: str) -> str | None:
    """Return the word after ``option``, or what follows ``option=``; None if it is absent."""
    for at, word in enumerate(words):
        if word == option and at + 1 < len(words):
            return words[at + 1]
        if word.startswith(option + "="):
            return word[len(option) + 1 :]
    return None


def rename_words(words: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return ``words`` with the files ``names`` renamed."""
    return tuple(_rename_word(word, names) for word in words)


def _rename_word(word: str, names: Mapping[str, str]) -> str:
    """Rename a file where it is the whole word or stands behind the last ``=``."""
    if word in names:
        return names[word]
    before, equals, file = word.rpartition("=")
    if equals and file in names:
        return f"{before}={names[file]}"
    for old in names:  # a name may have an = in it
        if word.endswith("=" + old):
            return word[: -len(old)] + names[old]
    return word


# --- what a command is --------------------------------------------------------------------------

_OUTPUTS: dict[Role, tuple[str, ...]] = {
    Role.PREPROCESS: ("-o",),
    Role.SPLIT: ("--gen_c_file_name",),
    Role.DEVICE: (
        "-o",
        "-olto",
        "--gen_c_file_name",
        "--stub_file_name",
        "--gen_device_file_name",
    ),
    Role.ASSEMBLE: ("-o",),
    Role.PACK: ("--create", "--embedded-fatbin"),
    Role.HOST: ("-o",),
    Role.DEVICE_LINK: ("-o", "--register-link-binaries"),
    Role.LINK: ("-o",),
    Role.OTHER: ("-o",),
}
"""Options that name a file which the command writes."""

_TOOL_ROLES = {
    "cicc": Role.DEVICE,
    "ptxas": Role.ASSEMBLE,
    "fatbinary": Role.PACK,
    "nvlink": Role.DEVICE_LINK,
    "cudafe++": Role.SPLIT,
    "rm": Role.REMOVE,
}


def _role(words: Sequence[str]) -> Role:
    program = os.path.basename(words[0]) if words else ""
    if program in _TOOL_ROLES:
        return _TOOL_ROLES[program]
    if len(words) > 2 and words[1] == "cr" and words[2].endswith(".a"):
        return Role.ARCHIVE
    if "-E" in words:
        return Role.PREPROCESS
    if "-c" in words:
        return Role.HOST
    if any(word.startswith("-Wl,--start-group") for word in words) or "-o" in words:
        return Role.LINK
    return Role.OTHER


def _stage(words: tuple[str, ...], line: str) -> Stage:
    role = _role(words)
    if role is Role.REMOVE:
        return Stage(role, words, frozenset(), frozenset(words[1:]), line)
    if role is Role.ARCHIVE:
        return Stage(role, words, frozenset(words[3:]), frozenset(words[2:3]), line)
    outputs = list(_OUTPUTS.get(role, ()))
    if "--gen_module_id_file" in words:
        outputs.append("--module_id_file_name")
    writes = {value for option in outputs if (value := option_value(words, option))}
    reads = {file for word in words[1:] if (file := _file_in(word)) and file not in writes}
    return Stage(role, words, frozenset(reads), frozenset(writes), line)


def _runs(stage: Stage, earlier: Stage) -> bool:
    """Tell whether ``stage`` starts the program that ``earlier`` linked (``nvcc --run``)."""
    return (
        earlier.role is Role.LINK
        and bool(stage.words)
        and os.path.normpath(stage.words[0]) in {os.path.normpath(name) for name in earlier.writes}
    )


def _file_in(word: str) -> str:
    """Return the file that a word names: itself, or what stands behind ``=`` (and quotes)."""
    if word.startswith("-"):
        marked = re.search(
            r"(?:,file=|^-DFATBINFILE=|^-DREGISTERLINKBINARYFILE=|_file_name=)(.*)", word
        )
        return marked[1].strip('"') if marked else ""
    return word


def _with_inclusions(stages: Sequence[Stage]) -> list[Stage]:
    """Add what ``.cudafe1.cpp`` includes without a word of it in the host compiler's command.

    cudafe++ writes ``#include "x.stub.c"`` into it, cicc writes that file, and the stub includes
    the fatbin that cicc was told of.
    """
    included: dict[str, frozenset[str]] = {}
    for stage in stages:
        if stage.role is Role.SPLIT:
            made = option_value(stage.words, "--gen_c_file_name")
            stub = option_value(stage.words, "--stub_file_name")
            if made and stub:
                included[made] = frozenset([os.path.join(os.path.dirname(made), stub)])
    for stage in stages:
        if stage.role is Role.DEVICE:
            stub = option_value(stage.words, "--stub_file_name")
            fatbin = option_value(stage.words, "--include_file_name")
            for made, files in included.items():
                if stub in files and fatbin:
                    beside = os.path.join(os.path.dirname(made), fatbin)
                    included[made] = files | {beside}
    return [
        Stage(
            stage.role,
            stage.words,
            stage.reads.union(*(files for made, files in included.items() if made in stage.reads)),
            stage.writes,
            stage.line,
        )
        if stage.role is Role.HOST
        else stage
        for stage in stages
    ]


# --- what the driver looks for ------------------------------------------------------------------


def ptx_of(stage: Stage) -> str | None:
    """Return the PTX file that a cicc stage writes, or None if it writes no PTX."""
    if stage.role is not Role.DEVICE:
        return None
    output = stage.output
    links_later = {"-lto", "-olto", "--emit-optix-ir"} & set(stage.words)
    return output if output and not links_later and output.endswith(".ptx") else None


def host_source_of(stage: Stage, split: frozenset[str]) -> str | None:
    """Return the host half that a stage compiles: the one of ``split`` it reads; else None."""
    if stage.role is not Role.HOST:
        return None
    return next((name for name in stage.reads if name in split and name in stage.words), None)
