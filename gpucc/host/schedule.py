"""From work in program order to queues and the fewest waits that keep its meaning.

Queue selection follows HuntKTm (TACO 2025): work without predecessors goes to the next queue in
turn; work with one goes behind it; with several, behind the one at a queue's tail that has the
fewest successors still to be placed.  A wait is dropped where an earlier one already implies it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gpucc.analysis.dependence import Footprint, conflict


@dataclass(frozen=True, slots=True)
class Work:
    """One launch or copy.

    ``blocks_host``: the host waits for its end before it goes on.  ``waits_for_all``: and for the
    end of all work before it, whether it depends on that or not.
    """

    name: str
    footprint: Footprint
    blocks_host: bool = False
    waits_for_all: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one piece of work goes.

    ``waits`` are indices of earlier work on other queues.  ``records``: later work waits for it.
    ``joins``: the null stream waits for it.
    """

    queue: int
    waits: tuple[int, ...]
    records: bool
    joins: bool


@dataclass(frozen=True, slots=True)
class Schedule:
    """Entries in program order.

    ``overlaps``: some work may begin before other work, earlier in the program, has ended.  Where
    nothing does, the program's own order is as good.
    """

    entries: tuple[Entry, ...]
    overlaps: bool

    @property
    def queues(self) -> int:
        """How many queues are used."""
        return len({entry.queue for entry in self.entries})


def schedule(work: Sequence[Work], exits: Collection[int], most_queues: int) -> Schedule:
    """Place ``work`` on at most ``most_queues`` queues.

    ``exits`` holds the indices after which the program may leave the region; behind each of them,
    and at the end, the null stream is made to wait for all work so far.
    """
    return _Scheduler(work, most_queues).run(frozenset(exits))


class _Scheduler:
    """Keeps, for each place that work happens after, the last finished work of every queue."""

    def __init__(self, work: Sequence[Work], most_queues: int) -> None:
        self._work = work
        self._most = most_queues
        self._before = [
            [i for i in range(j) if conflict(work[i].footprint, item.footprint)]
            for j, item in enumerate(work)
        ]
        self._unplaced = [0] * len(work)  # successors that have no queue yet
        for before in self._before:
            for index in before:
                self._unplaced[index] += 1
        self._queue: list[int] = []
        self._known: list[dict[int, int]] = []  # by work: the last work done before it, by queue
        self._tails: dict[int, int] = {}
        self._host: dict[int, int] = {}
        self._null: dict[int, int] = {}
        self._next = 0
        self._overlaps = False

    def run(self, exits: frozenset[int]) -> Schedule:
        waits: list[tuple[int, ...]] = []
        joins: set[int] = set()
        for index in range(len(self._work)):
            waits.append(self._place(index))
            if index in exits or index == len(self._work) - 1:
                joins |= self._join()
        waited = {w for ws in waits for w in ws}
        return Schedule(
            tuple(
                Entry(self._queue[i], waits[i], i in waited, i in joins)
                for i in range(len(self._work))
            ),
            self._overlaps,
        )

    def _place(self, index: int) -> tuple[int, ...]:
        before = self._before[index]
        queue = self._choose(before)
        known = dict(self._host)
        tail = self._tails.get(queue)
        if tail is not None:
            self._learn(known, tail)
        waits: list[int] = []
        for earlier in sorted(before, reverse=True):
            if known.get(self._queue[earlier], -1) < earlier:
                waits.append(earlier)
                self._learn(known, earlier)
        for earlier in before:
            self._unplaced[earlier] -= 1
        if any(known.get(other, -1) < last for other, last in self._tails.items()):
            self._overlaps = True
        self._queue.append(queue)
        self._known.append(known)
        self._tails[queue] = index
        if self._work[index].waits_for_all:
            self._host = dict(self._tails)
        elif self._work[index].blocks_host:
            self._learn(self._host, index)
        return tuple(reversed(waits))

    def _choose(self, before: Sequence[int]) -> int:
        tails = [i for i in before if self._tails[self._queue[i]] == i]
        running = [i for i in tails if self._host.get(self._queue[i], -1) < i]
        if chosen := running or tails:
            return self._queue[min(chosen, key=lambda i: (self._unplaced[i], -i))]
        queue = self._next % self._most
        self._next += 1
        return queue

    def _learn(self, known: dict[int, int], done: int) -> None:
        """Add to ``known`` that ``done`` has ended, and all that ended before it."""
        for queue, index in (*self._known[done].items(), (self._queue[done], done)):
            known[queue] = max(known.get(queue, -1), index)

    def _join(self) -> set[int]:
        """Return the tails that the null stream must wait for to be behind all work so far."""
        for queue, index in self._host.items():
            self._null[queue] = max(self._null.get(queue, -1), index)
        joins: set[int] = set()
        for tail in sorted(self._tails.values(), reverse=True):
            if self._null.get(self._queue[tail], -1) < tail:
                joins.add(tail)
                self._learn(self._null, tail)
        return joins
