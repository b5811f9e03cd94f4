"""Runs the stages of a compilation: commands side by side, work of our own in between.

A job waits for the jobs that it names, not for all before it.  What it printed is handed on in the
order of the jobs, so the output of a run does not depend on timing; neither does the error: of
several jobs that fail, the first in order is reported, as if they had run one by one.

Commands run in process groups of their own.  Whatever ends a run early (a failure, Ctrl-C, an
exception) ends every process that it started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread


@dataclass(frozen=True, slots=True)
class Command:
    """A program to run, without input and with its output caught."""

    words: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Job:
    """A command, or a function of our own (run in the calling thread)."""

    label: str
    """What ``--time-passes`` calls it."""
    work: Command | Callable[[], None]
    after: frozenset[int] = frozenset()
    """Indexes of the jobs it waits for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended: what it printed, its exit status (0 for our own work), and the time."""

    status: int
    stdout: str
    stderr: str
    seconds: float


class JobFailed(Exception):
    """The command of job ``index`` ended with a status that is not 0."""

    def __init__(self, index: int, outcome: Outcome) -> None:
        super().__init__(f"job {index} failed")
        self.index = index
        self.outcome = outcome


def run(
    jobs: Sequence[Job],
    *,
    workers: int,
    report: Callable[[int, Outcome], None],
    while_waiting: Callable[[], None] | None = None,
) -> None:
    """Run all ``jobs``, at most ``workers`` commands at once.

    ``report`` is called once for every job that succeeded, in order.  ``while_waiting`` is called
    once, when the first commands run and there is nothing else to do.  Raises
    :class:`JobFailed` for the first command that failed, or what one of our own jobs raised.
    """
    _Run(jobs, workers, report, while_waiting).go()


@dataclass(slots=True)
class _Run:
    jobs: Sequence[Job]
    workers: int
    report: Callable[[int, Outcome], None]
    while_waiting: Callable[[], None] | None
    done: dict[int, Outcome] = field(default_factory=dict[int, Outcome])
    failures: dict[int, Exception] = field(default_factory=dict[int, Exception])
    running: dict[int, Thread] = field(default_factory=dict[int, Thread])
    """A thread for each command, which waits for its process."""
    ended: SimpleQueue[tuple[int, Outcome | Exception]] = field(
        default_factory=SimpleQueue[tuple[int, "Outcome | Exception"]]
    )
    """What the threads have to say."""
    processes: dict[int, subprocess.Popen[str]] = field(
        default_factory=dict[int, subprocess.Popen[str]]
    )
    reported: int = 0
    unwanted: int = sys.maxsize
    """Commands behind this index are to end."""

    def go(self) -> None:
        try:
            self._loop()
        finally:
            self._end(after=-1)
            for thread in self.running.values():
                thread.join()
        if self.failures:
            raise self.failures[min(self.failures)]

    def _loop(self) -> None:
        while (ready := self._ready()) or self.running:
            own = self._start(ready)
            if own is not None:
                self._do(own)
            elif self.while_waiting is not None:
                prepare, self.while_waiting = self.while_waiting, None
                prepare()
            else:
                self._finish(*self.ended.get())
            self._report()

    def _ready(self) -> list[int]:
        """Return the jobs that may start now: none behind a failure."""
        started = {*self.done, *self.running, *self.failures}
        limit = min(self.failures, default=len(self.jobs))
        return [
            index
            for index in range(limit)
            if index not in started and self.jobs[index].after <= self.done.keys()
        ]

    def _start(self, ready: Sequence[int]) -> int | None:
        """Start the commands among the ready jobs; return a job of our own to do now, if any."""
        own = None
        for index in ready:
            work = self.jobs[index].work
            if isinstance(work, Command):
                if len(self.running) < max(1, self.workers):
                    thread = Thread(target=self._run_command, args=(index, work), daemon=True)
                    self.running[index] = thread
                    thread.start()
            elif own is None:
                own = index
        return own

    def _do(self, index: int) -> None:
        work = self.jobs[index].work
        assert not isinstance(work, Command)
        start = time.perf_counter()
        try:
            work()
        except Exception as error:
            self._fail(index, error)
        else:
            self.done[index] = Outcome(0, "", "", time.perf_counter() - start)

    def _finish(self, index: int, result: Outcome | Exception) -> None:
        self.running.pop(index).join()
        self.processes.pop(index, None)
        if isinstance(result, Exception):  # the program could not be started
            self._fail(index, result)
        elif result.status == 0:
            self.done[index] = result
        else:
            self._fail(index, JobFailed(index, result))

    def _fail(self, index: int, error: Exception) -> None:
        """Note a failure; what comes later is ended, what comes before may fail first."""
        self.failures[index] = error
        self._end(after=index)

    def _report(self) -> None:
        while self.reported in self.done:
            self.report(self.reported, self.done[self.reported])
            self.reported += 1

    def _run_command(self, index: int, command: Command) -> None:
        """Run one command to its end (in a thread of its own)."""
        try:
            self.ended.put((index, self._outcome(index, command)))
        except Exception as error:
            self.ended.put((index, error))

    def _outcome(self, index: int, command: Command) -> Outcome:
        start = time.perf_counter()
        process = subprocess.Popen(
            command.words,
            env=dict(command.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            process_group=0,
        )
        self.processes[index] = process
        if index > self.unwanted:  # ended between its start and the line above
            self._end(after=self.unwanted)
        stdout, stderr = process.communicate()
        return Outcome(process.returncode, stdout, stderr, time.perf_counter() - start)

    def _end(self, after: int) -> None:
        """End the commands behind ``after`` with all that they started.

        A compiler driver's children do not end with it, hence the process groups.
        """
        self.unwanted = min(self.unwanted, after)
        for index, process in list(self.processes.items()):
            if index > after and process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)
