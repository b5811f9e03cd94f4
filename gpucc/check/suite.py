"""Finds tests, runs them in parallel, and tells what came of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from gpucc.check.execute import Failure, Outcome, run_file
from gpucc.check.runfile import SUFFIXES
from gpucc.errors import GpuccError


@dataclass(frozen=True, slots=True)
class Options:
    """How tests are run."""

    jobs: int = 0
    """Processes that run at once; 0 is one for each processor that we may use."""
    timeout: float = 300.0
    """Seconds that one file may take."""
    update: bool = False
    """Whether AUTOCHECK blocks are renewed first."""


def find_tests(paths: Iterable[Path]) -> list[Path]:
    """Return the files named, and those in the folders named whose suffix is one of a test's.

    Folders are searched to any depth, but not hidden ones and not those named ``Inputs``, which
    hold what tests read.  Raises :class:`GpuccError` for a path that does not exist.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                folders = file.relative_to(path).parts[:-1]
                hidden = any(part.startswith(".") or part == "Inputs" for part in folders)
                shown = not hidden and not file.name.startswith(".")
                if file.suffix in SUFFIXES and shown and file.is_file():
                    found[file] = None
        elif path.is_file():
            found[path] = None
        elif path.exists():
            raise GpuccError(f"{path}: neither a file nor a folder")
        else:
            raise GpuccError(f"{path}: no such file or folder")
    return list(found)


def run_tests(
    tests: Sequence[Path], options: Options, done: Callable[[Outcome], None] = lambda _: None
) -> list[Outcome]:
    """Run ``tests`` and return their outcomes in the same order; ``done`` is told of each at once.

    A test during which its process dies has failed; the others are run again without it.
    """
    jobs = min(options.jobs or len(os.sched_getaffinity(0)), max(1, len(tests)))
    outcomes: dict[Path, Outcome] = {}

    def note(test: Path, outcome: Outcome) -> None:
        outcomes[test] = outcome
        done(outcome)

    left = _run_together(tests, jobs, options, note)
    for test in left:
        # One of these killed a process that others were waiting for: alone, each shows which.
        if _run_together([test], 1, options, note):
            failure = Failure("error: the process that ran this test died")
            note(test, Outcome(test, "failed", failure=failure))
    return [outcomes[test] for test in tests]


def _run_together(
    tests: Sequence[Path], jobs: int, options: Options, note: Callable[[Path, Outcome], None]
) -> list[Path]:
    """Run ``tests`` in ``jobs`` processes; return those without an outcome as a process died."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["gpucc.check.execute", "gpucc.cli"])
    left = dict.fromkeys(tests)
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_end_when_told) as pool:
        futures: dict[Future[Outcome], Path] = {
            pool.submit(run_file, test, timeout=options.timeout, update=options.update): test
            for test in tests
        }
        try:
            for future in as_completed(futures):
                note(futures[future], future.result())
                del left[futures[future]]
        except BrokenProcessPool:
            return list(left)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in multiprocessing.active_children():
                child.terminate()
            raise
    return []


def _end_when_told() -> None:
    """Make SIGTERM end the test that runs as Ctrl-C would: its programs end, its folder goes."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
