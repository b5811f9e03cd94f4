"""Schedules against every order that CUDA allows; schedules broken on purpose must be caught."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucc.analysis.dependence import Footprint, conflict, meet
from gpucc.host.schedule import Entry, Work, schedule

_VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "dependence.json").read_text())


def _footprint(data):
    return Footprint(
        *(None if data[k] is None else frozenset(data[k]) for k in ("reads", "writes"))
    )


@pytest.mark.parametrize("case", _VECTORS["cases"], ids=lambda case: case["name"])
def test_dependence_vectors(case):
    one, other = _footprint(case["first"]), _footprint(case["second"])
    assert conflict(one, other) is case["conflict"]
    assert conflict(other, one) is case["conflict"]


def test_meet_of_anything_and_nothing():
    assert not meet(None, frozenset())
    assert meet(None, None)


# --- a model of what CUDA promises --------------------------------------------------------------


def _happens_before(work, plan, exits):
    """Return the pairs (i, j): i has ended when j begins.  j = ("null", e): the join at exit e.

    In program order, a piece of work is behind: the one before it in its queue, those it waits for,
    and all that the host has waited for (everything, where it waits for all).  At an exit the null
    stream is behind what joined by then.
    """
    before = []
    host = set()
    tails = {}
    for index, (item, entry) in enumerate(zip(work, plan.entries, strict=True)):
        direct = set(host)
        for other in (*entry.waits, *([tails[entry.queue]] if entry.queue in tails else [])):
            if other in entry.waits and not plan.entries[other].records:
                continue  # there is no event to wait for
            direct |= {other} | before[other]
        before.append(direct)
        tails[entry.queue] = index
        if item.waits_for_all:
            host |= set(range(index + 1))
        elif item.blocks_host:
            host |= {index} | direct
    null = {}
    hosted = set()
    joined = set()
    for index, (item, entry) in enumerate(zip(work, plan.entries, strict=True)):
        if item.waits_for_all:
            hosted |= set(range(index + 1))
        elif item.blocks_host:
            hosted |= {index} | before[index]
        if entry.joins:
            joined |= {index} | before[index]
        if index in exits or index == len(work) - 1:
            null[index] = joined | hosted
    return before, null


def _is_right(work, plan, exits):
    """Return whether a plan keeps the meaning of the serial program."""
    before, null = _happens_before(work, plan, exits)
    ordered = all(
        i in before[j]
        for j in range(len(work))
        for i in range(j)
        if conflict(work[i].footprint, work[j].footprint)
    )
    return ordered and all(set(range(e + 1)) <= done for e, done in null.items())


OBJECTS = st.frozensets(st.sampled_from("abcde"), max_size=3)
WORK = st.builds(
    Work,
    st.just("k"),
    st.builds(Footprint, st.one_of(st.none(), OBJECTS, OBJECTS, OBJECTS), OBJECTS),
    st.integers(0, 5).map(lambda n: n == 0),
).flatmap(
    lambda work: st.booleans().map(
        lambda all_: replace(work, waits_for_all=all_ & work.blocks_host)
    )
)
PROGRAMS = st.lists(WORK, min_size=1, max_size=12)
EXITS = st.frozensets(st.integers(-1, 11), max_size=4)


@settings(max_examples=200, deadline=None)
@given(PROGRAMS, EXITS, st.integers(2, 8))
def test_every_schedule_is_right(work, exits, queues):
    exits = {e for e in exits if e < len(work)}
    plan = schedule(work, exits, queues)
    assert all(0 <= entry.queue < queues for entry in plan.entries)
    assert _is_right(work, plan, exits - {-1})


@settings(max_examples=200, deadline=None)
@given(PROGRAMS, EXITS, st.integers(2, 8))
def test_overlap_is_told_as_it_is(work, exits, queues):
    plan = schedule(work, {e for e in exits if e < len(work)}, queues)
    before, _ = _happens_before(work, plan, ())
    assert plan.overlaps is any(set(range(j)) - before[j] for j in range(len(work)))
    assert not plan.overlaps or plan.queues > 1


def _without(plan, index, **changes):
    entries = list(plan.entries)
    entries[index] = replace(entries[index], **changes)
    return replace(plan, entries=tuple(entries))


@settings(max_examples=100, deadline=None)
@given(PROGRAMS, EXITS, st.integers(2, 8))
def test_no_wait_record_or_join_is_in_vain(work, exits, queues):
    """So each broken schedule is caught, and none of the synchronisation is needless."""
    exits = {e for e in exits if 0 <= e < len(work)}
    plan = schedule(work, exits, queues)
    for index, entry in enumerate(plan.entries):
        for wait in entry.waits:
            fewer = tuple(w for w in entry.waits if w != wait)
            assert not _is_right(work, _without(plan, index, waits=fewer), exits)
        if entry.records:
            assert not _is_right(work, _without(plan, index, records=False), exits)
        if entry.joins:
            assert not _is_right(work, _without(plan, index, joins=False), exits)


def test_a_moved_entry_is_caught():
    work = _chain("a>b", "b>c", "x>y", "y>c")
    plan = schedule(work, (), 8)
    assert _is_right(work, plan, ())
    assert not _is_right(work, _without(plan, 1, queue=7), ())


# --- what is chosen -----------------------------------------------------------------------------


def _chain(*texts, blocks=()):
    """``ab>c`` reads a and b, and writes c."""
    return [
        Work(
            text,
            Footprint(frozenset(text.split(">")[0]), frozenset(text.split(">")[1])),
            i in blocks,
        )
        for i, text in enumerate(texts)
    ]


def test_square_square_reduce():
    """GrCUDA's VEC: two roots on queues of their own, and one wait."""
    plan = schedule(_chain("x>x", "y>y", "xy>z"), (), 8)
    assert [entry.queue for entry in plan.entries] == [0, 1, 1]
    assert plan.entries[2].waits == (0,)
    assert plan.entries[0].records
    assert [entry.joins for entry in plan.entries] == [False, False, True]


def test_readers_of_one_array_run_side_by_side():
    assert schedule(_chain("a>b", "a>c", "a>d"), (), 8).queues == 3


def test_more_roots_than_queues_compares_real_queues():
    """With two queues, the third root shares one; its dependants still wait."""
    work = _chain(">a", ">b", ">c", "abc>d")
    plan = schedule(work, (), 2)
    assert plan.queues == 2
    assert _is_right(work, plan, ())


def test_write_after_read_waits():
    """The second writer of ``a`` is behind its reader."""
    work = _chain("a>b", "c>d", "d>a")
    plan = schedule(work, (), 8)
    assert plan.entries[2].waits == (0,)


def test_every_producer_has_an_event_of_its_own():
    """A join of three queues waits for each of the producers."""
    plan = schedule(_chain(">a", ">b", ">c", "abc>d"), (), 8)
    assert len(plan.entries[3].waits) == 2
    assert sum(entry.records for entry in plan.entries) == 2


def test_what_the_host_has_waited_for_needs_no_event():
    plan = schedule(_chain(">a", "a>", "a>b", ">c", blocks={1}), (), 8)
    assert all(entry.waits == () for entry in plan.entries)


def test_queues_alone_are_not_overlap():
    """Two blocking copies: the second begins when the host has waited for the first."""
    plan = schedule(_chain(">a", ">b", blocks={0, 1}), (), 8)
    assert (plan.queues, plan.overlaps) == (2, False)
    assert schedule(_chain(">a", ">b", blocks={1}), (), 8).overlaps


def test_a_wait_for_all_needs_no_event_and_no_join_after_it():
    work = _chain(">a", ">b", "b>", "ab>c")
    work[2] = replace(work[2], blocks_host=True, waits_for_all=True)
    plan = schedule(work, (2,), 8)
    assert plan.entries[3].waits == ()
    assert [entry.joins for entry in plan.entries] == [False, False, False, True]


def test_an_exit_joins_all_queues():
    """Whoever comes after the region finds everything in order."""
    plan = schedule(_chain(">a", ">b", "a>a"), {1}, 8)
    assert [entry.joins for entry in plan.entries] == [True, True, True]


def test_several_predecessors_go_behind_the_least_wanted_tail():
    plan = schedule(_chain(">a", ">b", "ab>c", "a>d"), (), 8)
    assert plan.entries[2].queue == 1  # ``a`` is wanted once more, ``b`` is not


def test_all_small_programs():
    """Every program of three pieces over two arrays, with every set of exits."""
    sets = [frozenset(s) for s in ("", "a", "b", "ab")]
    pieces = [Work("k", Footprint(r, w)) for r in sets for w in sets]
    for work in itertools.product(pieces, repeat=3):
        for exits in ((), (0,)):
            assert _is_right(work, schedule(work, exits, 2), exits)


def test_entries_of_nothing():
    assert schedule([], (), 4).entries == ()
    assert schedule(_chain("a>b"), (), 4).entries == (Entry(0, (), False, True),)
    assert not schedule(_chain("a>b"), (), 4).overlaps
