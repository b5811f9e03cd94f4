"""filecheck, called in this process, with what a person needs to mend a failure.

PTX passes keep comments, so a test's own CHECK lines come out again with the code and would match
themselves.  Lines of the input that are directives of the test file are therefore taken out first.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpucc.errors import GpuccError, MissingToolError

if TYPE_CHECKING:
    from filecheck.options import Options

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_OWN_LINE = re.compile(r"[ \t]*(?://|;|#).*[A-Z]:")
_BLOCK = re.compile(r"\{\{.*?\}\}|\[\[[^\]]*\]\]")
_CHECK_TEXT = re.compile(r"^[^:]*:\s*(.*?)\s*$")
_MOST_LINES = 20_000
"""Of the output, that are searched for the line most like a missing one."""


@dataclass(frozen=True, slots=True)
class Match:
    """What filecheck found: its exit status, and a report if that is not 0."""

    status: int
    report: str = ""


def check(arguments: Sequence[str], stdin: str) -> Match:
    """Do what ``filecheck ARGUMENTS`` does with ``stdin``.

    Raises :class:`MissingToolError` if the ``filecheck`` package is not installed and
    :class:`GpuccError` for arguments that it does not take.
    """
    options, text, test_text = _read(arguments, stdin)
    from filecheck.finput import FInput
    from filecheck.matcher import Matcher
    from filecheck.parser import Parser

    test = Path(options.match_filename)
    parser = Parser.from_opts(options)
    text = FInput.canonicalize_line_ends(text)
    matcher = Matcher(options, FInput(options.readable_input_file(), text), parser)
    told = io.StringIO()
    matcher.stderr = told
    try:
        # The package prints a line of its own on stdout when it passes a CHECK-DAG.
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
            status = matcher.run()
    except NotImplementedError as error:
        raise GpuccError(f"{test}: {str(error).rstrip('!.')} by the filecheck package") from None
    if status == 0:
        return Match(0)
    report = _ESCAPES.sub("", told.getvalue()).strip()
    reached = text.count("\n", 0, matcher.file.range.start)
    difference = _difference(report, test, test_text, text, reached)
    return Match(status, report if difference is None else difference)


def read_input(arguments: Sequence[str], stdin: str) -> str:
    """Return what ``filecheck ARGUMENTS`` matches: ``stdin`` or its --input-file, less own lines.

    Raises as :func:`check` does.
    """
    return _read(arguments, stdin)[1]


def _read(arguments: Sequence[str], stdin: str) -> tuple[Options, str, str]:
    """Return filecheck's options, what it is to match, and the text of the test file."""
    try:
        from filecheck.options import parse_argv_options
    except ImportError:
        raise MissingToolError(
            "the filecheck package is needed to check RUN/CHECK files",
            hint="pip install 'gpucc[check]'",
        ) from None
    try:
        options = parse_argv_options(["filecheck", *arguments])
        test_text = Path(options.match_filename).read_text(encoding="utf-8")
        if options.input_file != "-":
            stdin = Path(options.input_file).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise GpuccError(f"filecheck cannot read {error.filename}: {error.strerror}") from None
    except (RuntimeError, TypeError, UnicodeDecodeError) as error:
        raise GpuccError(f"filecheck {' '.join(arguments)}: {error}") from None
    return options, without_own_lines(stdin, test_text), test_text


def without_own_lines(output: str, test_text: str) -> str:
    """Take out of ``output`` the lines in which the test file itself says what to run and check."""
    own = {line.strip() for line in test_text.splitlines() if _OWN_LINE.match(line)}
    if not own:
        return output
    return "".join(line for line in output.splitlines(keepends=True) if line.strip() not in own)


def _difference(report: str, test: Path, test_text: str, output: str, reached: int) -> str | None:
    """Put a missing line beside the line of the output most like it; None for other failures.

    ``reached`` is the line of the output, from 0, in which the last match ended.
    """
    failed = re.match(rf"{re.escape(str(test))}:(\d+): error: (Couldn't match|.*[Ff]ind)", report)
    wanted = failed and _CHECK_TEXT.match(test_text.splitlines()[int(failed[1]) - 1])
    if not wanted or not failed:
        return None
    told = [report.partition("\n")[0]]
    lines = output.splitlines()
    if "label" in failed[2].lower():
        reached = 0  # a label is searched in the whole output, all else after the last match
    elif reached < len(lines):
        told.append(f"after:   {' '.join(lines[reached].split())}    (line {reached + 1})")
    told.append(f"wanted:  {wanted[1]}")
    closest = _closest(wanted[1], lines[reached : reached + _MOST_LINES])
    if closest is None:
        told.append("closest: none; the rest of the output has no line like it")
    else:
        told.append(f"closest: {closest[1]}    (line {reached + closest[0] + 1})")
    return "\n  ".join(told)


def _closest(wanted: str, lines: Sequence[str]) -> tuple[int, str] | None:
    """Return the line most like the text of a check, and which it is; None if none is alike."""
    plain = _BLOCK.sub("", wanted)
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(plain)
    best, best_ratio = None, 0.4  # below that, lines share no more than punctuation
    for at, line in enumerate(lines):
        shown = " ".join(line.split())
        # The check may be a part of the line: compare with as much of it.
        matcher.set_seq1(shown[: 2 * len(plain) + 8])
        if matcher.real_quick_ratio() > best_ratio and matcher.quick_ratio() > best_ratio:
            ratio = matcher.ratio()
            if ratio > best_ratio:
                best, best_ratio = (at, shown), ratio
    return best
