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
    last = f"{type(fault).__name__}: {fault}".splitlines()[0]
    return (
        f"error: a fault in gpucc itself: {last}\n"
        f"  hint: please report it with all of {folder} (the input that caused it is in there)"
    )


def _texts(fault: BaseException | None) -> Iterator[tuple[str, str]]:
    """Yield the IR that a fault was about, by file name."""
    while fault is not None:
        if isinstance(fault, PassFault):
            yield "pass-input.ptx", fault.module.text
        elif isinstance(fault, PassCrash):
            yield fault.name, fault.text
        fault = fault.__cause__
