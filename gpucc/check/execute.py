"""Runs one test: its commands in order, until one fails.

``gpucc`` and ``filecheck`` run in this process, anything else as a process of its own, never
through a shell.  This is for the worker processes of :mod:`gpucc.check.suite`, as it changes the
current folder and the standard streams.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Literal, NoReturn, TextIO

from gpucc.check import autocheck, matching, runfile, shell
from gpucc.check.runfile import RunFile, RunLine
from gpucc.check.shell import Pipeline, Step
from gpucc.errors import GpuccError


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a test failed: what was found, and the command that shows it."""

    report: str
    line: int | None = None
    """Of the RUN line, from 1."""
    command: str | None = None
    """That line with its names filled in."""
    output: str = ""
    """What the failing command was given on stdin or printed; shown with ``--verbose``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one test file."""

    path: Path
    status: Literal["passed", "failed", "no RUN line"]
    seconds: float = 0.0
    failure: Failure | None = None
    updated: bool = False


@dataclass(frozen=True, slots=True)
class _Done:
    """A finished program: exit status, and what it wrote."""

    status: int
    stdout: bytes = b""
    stderr: bytes = b""


class _TimeoutError(BaseException):
    """Not an Exception, so that nothing between a hanging command and us takes it for its own."""


def run_file(path: Path, *, timeout: float, update: bool) -> Outcome:
    """Run the test ``path`` and say what came of it; with ``update``, renew its AUTOCHECK blocks.

    ``timeout`` is in seconds, for the whole file.
    """
    start = time.perf_counter()
    path = path.absolute()
    try:
        file = runfile.read(path)
        if not file.runs:
            return Outcome(path, "no RUN line")
        updated = False
        with _time_limit(timeout), _folder() as folder:
            if update and (text := _updated(file, folder)) != file.text:
                _replace(path, text)
                file, updated = runfile.read(path), True
            failure = _first_failure(file, folder)
    except GpuccError as error:
        failure, updated = Failure(error.render()), False
    except _TimeoutError:
        failure, updated = Failure(f"error: not done after {timeout:g} s"), False
    seconds = time.perf_counter() - start
    return Outcome(path, "failed" if failure else "passed", seconds, failure, updated)


def _first_failure(file: RunFile, folder: Path) -> Failure | None:
    values = _values(file.path, folder)
    for run in file.runs:
        for pipeline in run.chain:
            if failure := _run_pipeline(pipeline, run, values):
                return failure
    return None


def _run_pipeline(pipeline: Pipeline, run: RunLine, values: Mapping[str, str]) -> Failure | None:
    """Run a pipeline; the first of its programs that fails is the one that is told of."""
    data = b""
    command = _shown_command(run, values)
    for step in pipeline:
        try:
            given = _stdin(step, data, values)
            done = _run_step(step, given, values)
        except GpuccError as error:
            return Failure(error.render(), run.line, command)
        if (done.status != 0) != step.negated:
            words = [runfile.expand(word, values) for word in step.words]
            return Failure(_told(step, words, done), run.line, command, _shown(words, given, done))
        data = done.stdout
    return None


def _shown_command(run: RunLine, values: Mapping[str, str]) -> str:
    """Return the line with its names filled in, for any folder: the test's own is gone by then."""
    shown = {**values, "T": ".", "t": Path(values["t"]).name}
    return shell.render(run.chain, lambda word: runfile.expand(word, shown))


def _told(step: Step, words: list[str], done: _Done) -> str:
    if step.negated:
        return f"error: succeeded, and was to fail: {shlex.join(words)}"
    printed = (done.stderr or done.stdout).decode(errors="replace").rstrip()
    if step.words[0].lower() == "filecheck" and printed:
        return printed
    head = f"error: exit status {done.status}: {shlex.join(words)}"
    return "\n  ".join((head, *printed.splitlines()))


def _shown(words: list[str], given: bytes, done: _Done) -> str:
    if words[0].lower() != "filecheck":
        return done.stdout.decode(errors="replace")
    return matching.read_input(words[1:], given.decode(errors="replace"))


def _updated(file: RunFile, folder: Path) -> str:
    """Return the file's text with its AUTOCHECK blocks made from what its commands print now."""
    values = _values(file.path, folder)
    text = file.text
    for run in file.runs:
        for pipeline in run.chain:
            data = b""
            for step in pipeline:
                if prefixes := runfile.check_prefixes(step):
                    words = [runfile.expand(word, values) for word in step.words[1:]]
                    output = matching.read_input(words, _stdin(step, data, values).decode())
                    text = autocheck.update(text, str(file.path), prefixes, output)
                    break
                data = _run_step(step, _stdin(step, data, values), values).stdout
    return text


def _stdin(step: Step, data: bytes, values: Mapping[str, str]) -> bytes:
    """Return what a program reads: the file that ``<`` names, else what the pipe brings."""
    if step.stdin is None:
        return data
    try:
        return Path(runfile.expand(step.stdin, values)).read_bytes()
    except OSError as error:
        raise GpuccError(f"cannot read {error.filename}: {error.strerror}") from None


def _run_step(step: Step, data: bytes, values: Mapping[str, str]) -> _Done:
    """Run one program of a pipeline with ``data`` on its stdin."""
    words = [runfile.expand(word, values) for word in step.words]
    try:
        done = _run_program(words, data)
        stdout, stderr = done.stdout, done.stderr
        if step.merged:
            stdout, stderr = stdout + stderr, b""
        if step.stdout is not None:
            Path(runfile.expand(step.stdout, values)).write_bytes(stdout)
            stdout = b""
        if step.stderr is not None:
            Path(runfile.expand(step.stderr, values)).write_bytes(stderr)
            stderr = b""
    except OSError as error:
        raise GpuccError(f"{error.filename}: {error.strerror}") from None
    return _Done(done.status, stdout, stderr)


def _run_program(words: list[str], data: bytes) -> _Done:
    name = words[0]
    if name.lower() == "filecheck":
        found = matching.check(words[1:], data.decode(errors="replace"))
        return _Done(found.status, b"", found.report.encode())
    if name == "gpucc":
        return _run_gpucc(words[1:], data)
    if name == "gpucc-launch":
        start = (
            "import sys; from gpucc.cli.launch import main; sys.argv[0] = 'gpucc-launch'; main()"
        )
        words = [sys.executable, "-c", start, *words[1:]]
    try:
        done = subprocess.run(words, input=data, capture_output=True, check=False)
    except FileNotFoundError:
        raise GpuccError(f"there is no program '{name}'") from None
    return _Done(done.returncode, done.stdout, done.stderr)


def _run_gpucc(arguments: list[str], data: bytes) -> _Done:
    """Run a command of gpucc's here: starting Python anew would take most of a test's time."""
    from gpucc import cli

    with _streams(data) as (stdout, stderr):
        try:
            cli.main(arguments)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
        return _Done(status, stdout.contents(), stderr.contents())


class _Spool:
    """A file on disk that stands in for a standard stream, also for programs that we start."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by _streams

    def contents(self) -> bytes:
        """Return all that was written."""
        self.file.seek(0)
        return self.file.read()


@contextlib.contextmanager
def _streams(data: bytes) -> Generator[tuple[_Spool, _Spool]]:
    """Put files in place of stdin (with ``data`` in it), stdout and stderr, also for children."""
    spools = (_Spool(), _Spool(), _Spool())
    spools[0].file.write(data)
    spools[0].file.seek(0)
    before = (sys.stdin, sys.stdout, sys.stderr)
    saved = [os.dup(descriptor) for descriptor in range(3)]
    try:
        for descriptor, spool in enumerate(spools):
            os.dup2(spool.file.fileno(), descriptor)
        sys.stdin = _text_stream(0, "r")
        sys.stdout, sys.stderr = _text_stream(1, "w"), _text_stream(2, "w")
        yield spools[1], spools[2]
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        sys.stdin, sys.stdout, sys.stderr = before
        for descriptor, copy in enumerate(saved):
            os.dup2(copy, descriptor)
            os.close(copy)
        for spool in spools:
            spool.file.close()


def _text_stream(descriptor: int, mode: Literal["r", "w"]) -> TextIO:
    return open(
        descriptor, mode, encoding="utf-8", errors="surrogateescape", newline="", closefd=False
    )


def _values(path: Path, folder: Path) -> dict[str, str]:
    stem = folder / f"{path.name}.tmp"
    return {"s": str(path), "S": str(path.parent), "T": str(folder), "t": str(stem)}


@contextlib.contextmanager
def _folder() -> Generator[Path]:
    """Make an empty folder the current one for the time of a test."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="gpucc-check-") as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


@contextlib.contextmanager
def _time_limit(seconds: float) -> Generator[None]:
    """Raise :class:`_TimeoutError` in the main thread after ``seconds``."""

    def expire(_number: int, _frame: FrameType | None) -> NoReturn:
        raise _TimeoutError

    before = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _replace(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.gpucc")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
