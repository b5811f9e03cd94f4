"""Measures several cases at once, each on cores of its own.

Both sides of a case run one after the other on the same cores, so what the other cases do to
caches and memory happens to both.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing.queues import SimpleQueue
from typing import Any, TypeVar

Item = TypeVar("Item")
Case = TypeVar("Case")


def measured(
    measure: Callable[[Item], Case], items: Sequence[Item], slots: int
) -> Iterator[tuple[Item, Case]]:
    """Yield each item with ``measure(item)``, as they end; ``slots`` processes share the cores.

    With one slot everything runs in this process, on all cores.  ``measure`` must be picklable.
    Raises what ``measure`` raised.
    """
    if slots <= 1:
        yield from ((item, measure(item)) for item in items)
        return
    cores = sorted(os.sched_getaffinity(0))
    share = max(len(cores) // slots, 1)
    context = multiprocessing.get_context("spawn")
    free: SimpleQueue[list[int]] = context.SimpleQueue()
    for slot in range(slots):
        first = slot * share % len(cores)
        free.put(cores[first : first + share])
    with ProcessPoolExecutor(slots, mp_context=context, initializer=_pin, initargs=(free,)) as pool:
        waiting = {pool.submit(measure, item): item for item in items}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def _pin(free: Any) -> None:
    os.sched_setaffinity(0, free.get())
