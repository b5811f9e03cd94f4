"""Saves what is needed to mend a fault of gpucc's own."""

from __future__ import annotations

import platform
import shlex
import shutil
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

import gpucc
import gpucc.passes
from gpucc.passmanager import PassFault
from gpucc.passwork import PassCrash

_LARGEST = 16 << 20
"""Bytes of the largest input that is copied into a report."""


def save_report(fault: BaseException, argv: Sequence[str]) -> str:
    """Save the traceback, the command and its inputs in a new folder; return what to tell."""
    folder = Path(tempfile.mkdtemp(prefix="gpucc-fault-"))
    trace = "".join(traceback.format_exception(fault))
    (folder / "report.txt").write_text(
        f"gpucc {gpucc.__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"command: {shlex.join(argv)}\n\n{trace}",
        errors="backslashreplace",
    )
    for word in argv[1:]:
        path = Path(word)
        if path.is_file() and path.stat().st_size <= _LARGEST and path.suffix:
            shutil.copyfile(path, folder / path.name)
    for name, text in _texts(fault):
        (folder / name).write_bytes(text.encode(errors="surrogateescape"))
    return (
        f"error: {_summary(fault)}\n"
        f"  hint: please report it with all of {folder} (the input that caused it is in there)"
    )


def _summary(fault: BaseException) -> str:
    """Say what happened in one line; where a pass's own code raised it, name the pass."""
    cause = fault.__cause__ if isinstance(fault, PassCrash) and fault.__cause__ else fault
    what = f"{type(cause).__name__}: {cause}".splitlines()[0]
    frames = traceback.extract_tb(cause.__traceback__)
    folders = {Path(folder).resolve() for folder in gpucc.passes.__path__}
    inside = [frame for frame in frames if Path(frame.filename).resolve().parent in folders]
    if not inside:
        return f"a fault in gpucc itself: {what}"
    path = Path(inside[-1].filename)
    return f"pass '{path.stem}' raised {what} (passes/{path.name}:{inside[-1].lineno})"


def _texts(fault: BaseException | None) -> Iterator[tuple[str, str]]:
    """Yield the IR that a fault was about, by file name."""
    while fault is not None:
        if isinstance(fault, PassFault):
            yield "pass-input.ptx", fault.module.text
        elif isinstance(fault, PassCrash):
            yield fault.name, fault.text
        fault = fault.__cause__
