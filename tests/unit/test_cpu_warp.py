"""Warp operations of the CPU engine, with member masks, lanes that exit, and divergent code."""

from __future__ import annotations

import random

import cpu_kernels
import numpy as np
import pytest
from cpu_kernels import FORWARD, PERMUTED, REVERSED, Engine

ORDERS = [FORWARD, REVERSED, PERMUTED]
ALL = 0xFFFFFFFF


@pytest.fixture(scope="module")
def engine() -> Engine:
    return cpu_kernels.engine()


def _shuffled(
    mode: int, control: int, lanes: list[int], values: list[int]
) -> list[tuple[int, int]]:
    """PTX's description of shfl, lane by lane (ISA 9.7.9.6)."""
    out: list[tuple[int, int]] = []
    for lane in range(32):
        segment, clamp, by = control >> 8 & 31, control & 31, lanes[lane] & 31
        last = (lane & segment) | (clamp & ~segment & 31)
        first = lane & segment
        if mode == 0:
            source, holds = lane - by, lane - by >= last
        elif mode == 1:
            source, holds = lane + by, lane + by <= last
        elif mode == 2:
            source, holds = lane ^ by, lane ^ by <= last
        else:
            source = first | (by & ~segment & 31)
            holds = source <= last
        out.append((values[source if holds else lane], int(holds)))
    return out


@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("width", [32, 16, 8, 4, 2, 1])
def test_shuffles_follow_ptx(engine: Engine, mode: int, width: int):
    chance = random.Random(width)
    # What nvcc makes of a width: the clamp is 0 for up, else the width's last lane.
    control = (32 - width) << 8 | (0 if mode == 0 else 31)
    for order in ORDERS:
        lanes = [chance.randrange(64) for _ in range(32)]
        if chance.random() < 0.5:
            lanes = [chance.randrange(width)] * 32
        values = [chance.randrange(2**32) for _ in range(32)]
        out = np.zeros(32, np.uint64)
        arrays = np.array(lanes, np.uint32), np.array(values, np.uint32)
        engine.run("shuffle", 1, 32, mode, control, *arrays, out, ALL, order=order)
        got = [(value & ALL, value >> 32) for value in out.tolist()]
        assert got == _shuffled(mode, control, lanes, values)


def test_shuffles_read_zero_from_lanes_that_take_no_part(engine: Engine):
    values = np.arange(100, 132, dtype=np.uint32)
    out = np.zeros(32, np.uint64)
    engine.run("shuffle", 1, 32, 1, 31, np.full(32, 1, np.uint32), values, out, 0x00FF00FF)
    got = [value & ALL for value in out.tolist()]
    expected = [
        0 if not mask else (100 + lane + 1 if 0x00FF00FF >> (lane + 1) & 1 else 0)
        for lane in range(32)
        for mask in [0x00FF00FF >> lane & 1]
    ]
    assert got == expected


def _warp(
    engine: Engine,
    operation: int,
    kind: int,
    values: list[int],
    members: list[int],
    order: int = FORWARD,
    threads: int = 32,
) -> list[int]:
    out = np.zeros(32, np.uint64)
    engine.run(
        "warp_operation",
        1,
        threads,
        np.array(values, np.uint64),
        out,
        np.array(members, np.uint32),
        operation,
        kind,
        order=order,
    )
    return out.tolist()


def _partition(chance: random.Random) -> list[int]:
    """Return a member mask for each lane: a random partition of the warp."""
    parts = [chance.randrange(chance.choice([1, 2, 5])) for _ in range(32)]
    return [sum(1 << i for i, part in enumerate(parts) if part == own) for own in parts]


def _lanes(mask: int) -> list[int]:
    return [lane for lane in range(32) if mask >> lane & 1]


@pytest.mark.parametrize("order", ORDERS)
def test_votes_over_disjoint_member_masks(engine: Engine, order: int):
    chance = random.Random(order)
    for _ in range(30):
        members = _partition(chance)
        likely = chance.choice([0, 0.1, 0.9, 1])
        values = [int(chance.random() < likely) * 4 for _ in range(32)]
        for kind in range(4):
            got = _warp(engine, 0, kind, values, members, order)
            for lane, mask in enumerate(members):
                own = [values[i] != 0 for i in _lanes(mask)]
                ballot = sum(1 << i for i in _lanes(mask) if values[i])
                expected = [all(own), any(own), len(set(own)) == 1, ballot][kind]
                assert got[lane] == int(expected)


@pytest.mark.parametrize("order", ORDERS)
def test_matches_over_disjoint_member_masks(engine: Engine, order: int):
    chance = random.Random(order)
    for _ in range(30):
        members = _partition(chance)
        choices = [chance.randrange(2**64) for _ in range(chance.choice([1, 2, 8]))]
        values = [chance.choice(choices) for _ in range(32)]
        some, every = (_warp(engine, 1, kind, values, members, order) for kind in (0, 1))
        for lane, mask in enumerate(members):
            same = sum(1 << i for i in _lanes(mask) if values[i] == values[lane])
            assert some[lane] == same
            assert every[lane] == ((1 << 32 | mask) if same == mask else 0)


def _signed(value: int) -> int:
    return value - 2**32 if value >> 31 else value


def test_reductions_of_integers(engine: Engine):
    chance = random.Random(2)
    for _ in range(30):
        members = _partition(chance)
        values = [chance.choice([0, 1, 2**31, ALL, chance.randrange(2**32)]) for _ in range(32)]
        for kind in range(8):
            got = _warp(engine, 2, kind, values, members)
            for lane, mask in enumerate(members):
                own = [values[i] for i in _lanes(mask)]
                if kind in (1, 2, 3):
                    expected = own[0]
                    for value in own[1:]:
                        expected = [expected & value, expected | value, expected ^ value][kind - 1]
                else:
                    expected = {
                        0: sum(own),
                        4: min(own),
                        5: max(own),
                        6: min(own, key=_signed),
                        7: max(own, key=_signed),
                    }[kind]
                assert got[lane] == expected & ALL


def _bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


def test_reductions_of_floats_order_zeros_and_treat_nans(engine: Engine):
    nan, canonical = 0x7FC00001, 0x7FFFFFFF
    everyone = [ALL] * 32

    def reduce(kind: int, *values: int) -> int:
        got = _warp(engine, 2, kind, [*values, *[values[0]] * (32 - len(values))], everyone)
        assert len(set(got)) == 1
        return got[0]

    zero, minus = _bits(0.0), _bits(-0.0)
    least, largest = 8, 9
    assert reduce(least, zero, minus) == minus == reduce(least, minus, zero)
    assert reduce(largest, zero, minus) == zero == reduce(largest, minus, zero)
    assert reduce(least, _bits(3), _bits(-7), _bits(5)) == _bits(-7)
    assert reduce(largest, _bits(3), _bits(-7), _bits(5)) == _bits(5)
    assert reduce(largest | 16, _bits(3), _bits(-7), _bits(5)) == _bits(7)
    assert reduce(least, nan, _bits(2)) == _bits(2)
    assert reduce(least | 32, nan, _bits(2)) == canonical
    assert reduce(least, nan, nan) == canonical
    assert reduce(largest, _bits(-1e-45), _bits(-np.inf)) == _bits(-1e-45)


def test_one_lane_of_the_members_is_elected(engine: Engine):
    members = _partition(random.Random(9))
    for lane, got in enumerate(_warp(engine, 3, 0, [0] * 32, members)):
        elected = _lanes(members[lane])[0]
        assert (got & ALL, got >> 32) == (elected, int(elected == lane))


@pytest.mark.parametrize("threads", [1, 7, 31])
def test_members_that_do_not_exist_are_not_waited_for(engine: Engine, threads: int):
    there = (1 << threads) - 1
    assert _warp(engine, 0, 3, [1] * 32, [ALL] * 32, threads=threads)[:threads] == [there] * threads
    assert _warp(engine, 4, 0, [1] * 32, [ALL] * 32, threads=threads)[:threads] == [there] * threads
    _warp(engine, 5, 0, [1] * 32, [ALL] * 32, threads=threads)


@pytest.mark.parametrize("order", ORDERS)
def test_subsets_of_a_warp_do_different_operations_at_once(engine: Engine, order: int):
    out = np.zeros((2, 64), np.uint32)
    engine.run("disjoint_subsets", 1, 64, out, order=order, seed=3)
    odd, even = sum(range(1, 32, 2)), 4
    ballots = [sum(1 << i for i in range(11, 32) if i % 2 == parity) for parity in (0, 1)]
    for thread in range(64):
        assert out[0, thread] == (odd if thread % 2 else even)
        assert out[1, thread] == ballots[thread % 2]


@pytest.mark.parametrize("order", ORDERS)
def test_operations_without_members_take_the_lanes_of_the_same_place(engine: Engine, order: int):
    out = np.zeros((2, 32, 33), np.uint32)
    engine.run("shrinking_loop", 1, 32, out, order=order)
    for lane in range(32):
        for i in range(lane):
            left = ALL & ~((1 << (i + 1)) - 1)  # lanes above i are in round i
            assert out[0, lane, i] == left
            assert out[1, lane, i] == left
        assert out[0, lane, 32] == ALL


@pytest.mark.parametrize("order", ORDERS)
def test_lanes_that_exit_are_no_longer_waited_for(engine: Engine, order: int):
    out = np.zeros(32, np.uint32)
    engine.run("exit_before_vote", 1, 32, out, order=order)
    voted = sum(1 << lane for lane in range(1, 32, 3))
    assert out.tolist() == [voted if lane % 3 == 1 else 0 for lane in range(32)]


@pytest.mark.parametrize("order", ORDERS)
def test_lanes_that_only_spin_do_not_hold_up_activemask(engine: Engine, order: int):
    flag = np.zeros(1, np.uint32)
    engine.run("activemask_among_spinners", 1, 32, flag, order=order)
    assert flag[0] == 1
