r"""RUN/CHECK files: what a file says about how to test it.

A test is a source file whose comments hold commands and what they are to print::

    // RUN: gpucc opt %s --passes=mpache | filecheck %s
    // CHECK: ld.global.L1::no_allocate.f32

A comment begins with ``//``, ``;`` or ``#``.  A RUN line that ends in a backslash goes on in the
next RUN line.  In its words, ``%s`` is the file, ``%S`` the folder it is in, ``%T`` a folder
that is empty at first and gone when the test ends, ``%t`` a name for files in there, ``%%`` a
percent sign.  :mod:`gpucc.check.shell` has the language of the commands,
:mod:`gpucc.check.autocheck` the AUTOCHECK lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gpucc.check.shell import Chain, Step, parse_line
from gpucc.errors import GpuccError, SourceError

SUFFIXES = (".ptx", ".ll", ".cu")
"""The files that are tests, of those in a folder."""

_COMMENT = r"[ \t]*(?://|;|#)[ \t]*"
_RUN = re.compile(rf"^{_COMMENT}RUN:[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_DIRECTIVE = re.compile(
    rf"^{_COMMENT}(?P<word>[A-Z][A-Z0-9_]*(?:-[A-Z0-9_]+)*)(?:\{{LITERAL\}})?:", re.MULTILINE
)
_KIND = re.compile(r"DAG|COUNT-\d+|NOT|EMPTY|NEXT|SAME|LABEL")
_SUBSTITUTION = re.compile(r"%(?:%|[sStT](?![A-Za-z0-9_]))")


@dataclass(frozen=True, slots=True)
class RunLine:
    """One RUN line, parsed; ``line`` is where it begins, from 1."""

    text: str
    line: int
    chain: Chain


@dataclass(frozen=True, slots=True)
class RunFile:
    """A test file: its text and its commands in order; ``runs`` is empty if it has none."""

    path: Path
    text: str
    runs: tuple[RunLine, ...]


def read(path: Path) -> RunFile:
    """Read and parse the test ``path``.

    Raises :class:`SourceError` for a RUN line that is not of the language, for a CHECK line of
    an unknown kind, and for CHECK lines that no RUN line reads: they would never fail.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise GpuccError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise GpuccError(f"{path} is not a text file (UTF-8)") from None
    file = RunFile(path, text, _run_lines(str(path), text))
    if file.runs:
        _refuse_dead_checks(file)
    return file


def _run_lines(path: str, text: str) -> tuple[RunLine, ...]:
    lines: list[RunLine] = []
    pending, begun = "", None
    for found in _RUN.finditer(text):
        begun = found if begun is None else begun
        pending += found[1]
        if pending.endswith("\\"):
            pending = pending[:-1].rstrip() + " "
            continue
        line = text.count("\n", 0, begun.start()) + 1
        chain = parse_line(pending, path=path, file_text=text, at=begun.start(1))
        lines.append(RunLine(pending, line, chain))
        pending, begun = "", None
    if begun is not None:
        raise SourceError(
            "this RUN line goes on in the next one, and there is none",
            path=path,
            text=text,
            at=begun.start(1),
        )
    return tuple(lines)


def expand(word: str, values: Mapping[str, str]) -> str:
    """Replace ``%s`` and its like in one word; ``values`` has the letters' meanings."""
    return _SUBSTITUTION.sub(lambda m: "%" if m[0] == "%%" else values[m[0][1]], word)


def check_prefixes(step: Step) -> tuple[str, ...]:
    """Return the prefixes that a ``filecheck`` command looks for; none if it is another command."""
    if step.words[0].lower() != "filecheck":
        return ()
    prefixes: list[str] = []
    words = iter(step.words[1:])
    for word in words:
        option, mark, value = word.lstrip("-").partition("=")
        if word.startswith("-") and option in ("check-prefix", "check-prefixes"):
            prefixes.extend((value if mark else next(words, "")).split(","))
    return tuple(prefixes) or ("CHECK",)


def _refuse_dead_checks(file: RunFile) -> None:
    """Raise for the first CHECK line that filecheck would pass over without a word."""
    steps = [step for run in file.runs for pipeline in run.chain for step in pipeline]
    used = {prefix for step in steps for prefix in check_prefixes(step)}
    for found in _DIRECTIVE.finditer(file.text):
        word = found["word"]
        if word in used:
            continue
        prefix = next((p for p in used | {"CHECK"} if word == p or word.startswith(f"{p}-")), None)
        if prefix is None:
            continue
        kind = word[len(prefix) + 1 :]
        if kind and not _KIND.fullmatch(kind):
            problem = f"'{word}' is no kind of check"
            hint = f"{prefix}- and one of DAG, COUNT-n, NOT, EMPTY, NEXT, SAME, LABEL"
        elif prefix not in used:
            problem = f"no RUN line reads the lines with '{prefix}'"
            hint = "pipe a command into filecheck %s"
        else:
            continue
        at = found.start("word")
        raise SourceError(problem, path=str(file.path), text=file.text, at=at, hint=hint)
