"""When one piece of work must wait for another: the one definition that schedules stand on.

Work reads and writes *memory objects* (allocations).  Two pieces conflict if one writes what the
other reads or writes.  ``None`` for a set means that it may be anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Objects: TypeAlias = frozenset[str] | None
"""Memory objects by name; None: they cannot be told, so any."""

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Footprint:
    """What one piece of work may read and write."""

    reads: Objects = NOTHING
    writes: Objects = NOTHING

    @property
    def is_known(self) -> bool:
        """Whether both sets are told."""
        return self.reads is not None and self.writes is not None


def meet(one: Objects, other: Objects) -> bool:
    """Return whether two sets may have an object in common."""
    if one is None:
        return other is None or bool(other)
    if other is None:
        return bool(one)
    return not one.isdisjoint(other)


def conflict(first: Footprint, second: Footprint) -> bool:
    """Return whether the order of the two matters: read-write, write-read or write-write."""
    return (
        meet(first.writes, second.reads)
        or meet(first.reads, second.writes)
        or meet(first.writes, second.writes)
    )
