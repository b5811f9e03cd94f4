"""The CPU engine: threads of a block wait, yield, end and fail as on the device.

This file is over 500 lines: one engine is built for all of its cases.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import cpu_kernels
import numpy as np
import pytest
from cpu_kernels import (
    ASSERT,
    DEADLOCK,
    FAULT,
    FORWARD,
    OK,
    PERMUTED,
    REFUSED,
    REVERSED,
    TRAP,
    Engine,
)

ORDERS = [FORWARD, REVERSED, PERMUTED]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return cpu_kernels.engine()


def _child(engine: Engine, body: str) -> subprocess.CompletedProcess[str]:
    """Run Python code that uses ``engine`` in a process of its own."""
    text = (
        "import numpy as np\nfrom pathlib import Path\nfrom cpu_kernels import *\n"
        f"engine = Engine(Path({str(engine.path)!r}))\n{body}\n"
    )
    folder = str(Path(__file__).parent)
    return subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": folder},
    )


# --- launches: shapes, orders, forms --------------------------------------------------------------


def test_threads_see_their_positions(engine: Engine):
    grid, block = (3, 2, 2), (5, 3, 2)
    out = np.zeros((12, 30, 7), np.uint32)
    engine.run("note_position", grid, block, out)
    for index in range(12):
        for linear in range(30):
            ctaid = [index % 3, index // 3 % 2, index // 6]
            tid = [linear % 5, linear // 5 % 3, linear // 15]
            assert out[index, linear].tolist() == [*ctaid, *tid, linear]


def _log(engine: Engine, form: str | None, order: int, seed: int, threads: int = 70) -> list[int]:
    log, counter = np.zeros(37 * threads, np.uint64), np.zeros(1, np.uint64)
    engine.run(
        "note_order", 37, threads, counter, log, loop=form, order=order, seed=seed, workers=1
    )
    assert counter[0] == 37 * threads
    return log.tolist()


@pytest.mark.parametrize("form", [None, "note_order_loop"])
def test_blocks_warps_and_threads_run_in_the_order_asked_for(engine: Engine, form: str | None):
    forward = [block << 10 | thread for block in range(37) for thread in range(70)]
    assert _log(engine, form, FORWARD, 0) == forward
    assert _log(engine, form, REVERSED, 0) == forward[::-1]
    permuted = _log(engine, form, PERMUTED, 7)
    assert sorted(permuted) == forward
    assert permuted == _log(engine, form, PERMUTED, 7)
    assert permuted != _log(engine, form, PERMUTED, 8)
    blocks = [entry >> 10 for entry in permuted]
    threads = [entry & 1023 for entry in permuted]
    assert blocks[::70] != sorted(blocks[::70])
    assert len(set(blocks[::70])) == 37
    warps = [thread // 32 for thread in threads[:70]]
    assert sum(a != b for a, b in itertools.pairwise(warps)) == 2  # a warp at a time
    assert threads[:70] != sorted(threads[:70])
    assert threads[:70] != threads[70:140]


@pytest.mark.parametrize("order", [FORWARD, REVERSED])
def test_between_two_barriers_threads_run_in_order(engine: Engine, order: int):
    log, counter = np.zeros(5 * 96, np.uint64), np.zeros(1, np.uint64)
    engine.run("note_order_between_barriers", 1, 96, counter, log, 5, order=order)
    threads = list(range(96))[:: -1 if order else 1]
    assert log.tolist() == [i << 10 | thread for i in range(5) for thread in threads]


def test_many_tiny_blocks_run_in_the_loop_form(engine: Engine):
    count = np.zeros(1, np.uint64)
    engine.run("count_thread", (1 << 10, 50, 20), 3, count, loop="count_loop")
    assert count[0] == 3 * 1024 * 1000


def test_fibers_are_used_if_asked_for(engine: Engine):
    count = np.zeros(1, np.uint64)
    engine.run("count_thread", 1000, 32, count, loop="note_order_loop", fibers=True)
    assert count[0] == 32000


def test_the_largest_grid_takes_no_memory(engine: Engine):
    zero = engine.launch("trap_in_thread", (2**31 - 1, 65535, 65535), 1024, 5, 0, 0, workers=2)
    assert zero.status == TRAP
    for order in (REVERSED, PERMUTED):
        outcome = engine.launch("assert_in_thread", 2**31 - 1, 32, order=order, seed=3)
        assert outcome.status == ASSERT


@pytest.mark.parametrize(
    ("grid", "block", "says"),
    [
        (1, 1025, "the block is 1025x1x1"),
        (1, (32, 33), "the block is 32x33x1"),
        (1, (1, 1, 65), "64 along z"),
        (1, 0, "the block is 0x1x1"),
        (0, 1, "the grid is 0x1x1"),
        ((1, 65536), 1, "the grid is 1x65536x1"),
    ],
)
def test_impossible_launches_are_refused(
    engine: Engine, grid: int | tuple[int, ...], block: int | tuple[int, ...], says: str
):
    outcome = engine.launch("note_position", grid, block, 0)
    assert outcome.status == REFUSED
    assert says in outcome.message


def test_shared_memory_of_every_size_is_aligned(engine: Engine):
    for size in (0, 1, 48 << 10, 228 << 10, 1 << 20, 100):
        out = np.zeros(5, np.uint32)
        engine.run("fill_shared", 5, 64, out, shared=size)
        assert out.tolist() == [size] * 5


def test_launches_from_several_threads_run_at_once(engine: Engine):
    data = np.arange(200 * 256, dtype=np.uint32).reshape(200, 256)
    wrong: list[int] = []

    def launch(number: int) -> None:
        for _ in range(10):
            out = np.zeros(200, np.uint32)
            engine.run("block_sum", 200, 256, data + number, out)
            if out.tolist() != (data + number).sum(1, dtype=np.uint32).tolist():
                wrong.append(number)

    threads = [threading.Thread(target=launch, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_forked_child_launches_too(engine: Engine):
    done = _child(
        engine,
        "import os\nout = np.zeros(50, np.uint32)\ndata = np.ones((50, 64), np.uint32)\n"
        "engine.run('block_sum', 50, 64, data, out, workers=4)\n"
        "child = os.fork()\n"
        "engine.run('block_sum', 50, 64, data, out, workers=4)\n"
        "assert out.tolist() == [64] * 50\n"
        "# The child has helpers of its own.\n"
        "assert child or len(os.listdir('/proc/self/task')) == 4\n"
        "if child: assert os.waitpid(child, 0)[1] == 0; print('both')\n"
        "os._exit(0) if not child else None\n",
    )
    assert done.stdout == "both\n", done.stderr


# --- barriers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("threads", [1, 31, 32, 33, 100, 256, 1024])
def test_sums_over_barriers_are_right(engine: Engine, order: int, threads: int):
    data = np.random.default_rng(threads).integers(0, 2**32, (20, threads), np.uint32)
    out = np.zeros(20, np.uint32)
    engine.run("block_sum", 20, threads, data, out, order=order, seed=5)
    assert out.tolist() == data.sum(1, dtype=np.uint32).tolist()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("stays", [1, 5, 32, 40, 64, 100])
def test_threads_that_exited_count_as_arrived(engine: Engine, order: int, stays: int):
    out = np.zeros(100, np.uint32)
    engine.run("exit_early", 1, 100, stays, 3, out, order=order, workers=1)
    each = sum(range(stays, 4 * stays, stays))
    assert out.tolist() == [each] * stays + [0] * (100 - stays)


@pytest.mark.parametrize("order", ORDERS)
def test_threads_may_exit_while_others_wait_at_the_barrier(engine: Engine, order: int):
    count = np.zeros(1, np.uint32)
    engine.run("exit_late", 1, 200, count, order=order)
    assert count[0] == 200


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("count", [0, 32, 64])
def test_barriers_reduce_predicates(engine: Engine, order: int, count: int):
    chance = np.random.default_rng(1)
    for likely in (0.0, 0.02, 0.98, 1.0):
        holds = (chance.random(192) < likely).astype(np.uint32) * 5
        out = np.zeros((3, 192), np.uint32)
        engine.run("reduce_at_barrier", 1, 192, holds, out, count, order=order)
        groups = (holds != 0).reshape(-1, count or 192)
        expected = [groups.sum(1), groups.all(1), groups.any(1)]
        for row, values in zip(out, expected, strict=True):
            assert row.tolist() == np.repeat(values.astype(int), count or 192).tolist()


def test_producers_and_consumers_meet_at_arrive_and_sync(engine: Engine):
    chance = random.Random(4)
    mistakes = np.zeros(1, np.uint64)
    for _ in range(1000):
        producers, consumers = chance.randint(1, 3), chance.randint(1, 3)
        engine.run(
            "producer_consumer",
            1,
            32 * (producers + consumers),
            producers,
            consumers,
            chance.randint(1, 8),
            chance.randint(1, 20),
            mistakes,
            chance.randrange(2**31),
            shared=1 << 15,
            order=chance.choice(ORDERS),
            seed=chance.randrange(2**31),
            workers=1,
        )
    assert mistakes[0] == 0


@pytest.mark.parametrize("order", ORDERS)
def test_half_a_warp_does_not_pass_a_barrier_that_others_complete(engine: Engine, order: int):
    gate, mistakes = np.zeros(1, np.uint32), np.zeros(1, np.uint32)
    engine.run("half_a_warp_at_a_barrier", 1, 128, gate, mistakes, order=order)
    assert mistakes[0] == 0


@pytest.mark.parametrize("order", ORDERS)
def test_a_diverged_warp_meets_at_one_barrier(engine: Engine, order: int):
    out = np.zeros(96, np.uint32)
    engine.run("diverged_barrier", 1, 96, out, order=order)
    assert out.tolist() == [96] * 96


# --- progress of every thread ---------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("workers", [1, 3])
def test_spin_locks_within_and_between_blocks_end(engine: Engine, order: int, workers: int):
    lock, counter = np.zeros(1, np.uint32), np.zeros(1, np.uint64)
    engine.run("spin_lock", 6, 70, lock, counter, 3, order=order, workers=workers)
    assert counter[0] == 6 * 70 * 3


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_block_waits_for_blocks_that_have_not_begun(engine: Engine, order: int, workers: int):
    done = np.zeros(101, np.uint32)
    engine.run("wait_for_next_block", 100, 40, done, order=order, seed=2, workers=workers)
    assert done.tolist() == [1] * 100 + [0]


@pytest.mark.parametrize("yields", [0, 1])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_loop_around_barriers_lets_other_blocks_run(engine: Engine, yields: int, workers: int):
    done = np.zeros(20, np.uint32)
    engine.run("wait_for_next_block_at_barriers", 20, 40, done, yields, workers=workers)
    assert done.tolist() == [1] * 20


@pytest.mark.parametrize("workers", [1, 2])
def test_a_barrier_of_the_grid_written_by_hand_ends(engine: Engine, workers: int):
    counter, mistakes = np.zeros(1, np.uint32), np.zeros(1, np.uint64)
    engine.run("grid_barrier", 132, 64, counter, 5, mistakes, workers=workers)
    assert counter[0] == 5 * 132
    assert mistakes[0] == 0


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_scans_with_look_back_end_and_are_right(engine: Engine, order: int, workers: int):
    blocks, threads = 300, 64
    data = np.random.default_rng(workers).integers(0, 2**32, blocks * threads, np.uint32)
    out, state = np.zeros_like(data), np.zeros(blocks, np.uint64)
    ticket = np.zeros(1, np.uint32)
    engine.run(
        "look_back_scan", blocks, threads, data, out, state, ticket, order=order, workers=workers
    )
    assert np.array_equal(out, np.cumsum(data, dtype=np.uint32))


# --- failures -------------------------------------------------------------------------------------

PLACES = ("kernel.ptx:12: bar.sync 0", "kernel.ptx:20: shfl.sync")


def test_a_deadlock_says_where_the_threads_stand(engine: Engine):
    outcome = engine.launch("deadlock", 1, 40, sites=PLACES)
    assert outcome.status == DEADLOCK
    assert outcome.message == (
        "deadlock: deadlock in block (0,0,0): no thread can go on\n"
        "  3 threads wait at kernel.ptx:12: bar.sync 0 (threads 0-2)\n"
        "  1 thread waits at kernel.ptx:20: shfl.sync (thread 5)\n"
        "  36 threads have exited"
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_a_deadlock_is_found_among_blocks_that_spin(engine: Engine, workers: int):
    outcome = engine.launch("deadlock_among_spinners", 8, 32, 5, workers=workers, sites=PLACES)
    assert outcome.status == DEADLOCK
    assert "block (5,0,0)" in outcome.message
    assert "32 threads wait at kernel.ptx:12: bar.sync 0 (threads 0-31)" in outcome.message


def test_an_operation_of_a_lane_outside_its_mask_is_refused(engine: Engine):
    outcome = engine.launch("wrong_mask", 1, 32, sites=PLACES)
    assert outcome.status == FAULT
    assert outcome.message == (
        "wrong_mask: block (0,0,0), thread (0,0,0): lane 0 is not in the member mask of its own "
        "operation at kernel.ptx:20: shfl.sync"
    )


@pytest.mark.parametrize(
    ("first", "second", "barrier", "says"),
    [
        ((0, 64), (2, 64), 1, "barrier 1 is used by sync and by red.popc at once"),
        ((3, 64), (4, 64), 2, "barrier 2 is used by red.and and by red.or at once"),
        ((1, 64), (4, 64), 2, "barrier 2 is used by arrive and by red.or at once"),
        ((0, 64), (0, 96), 3, "barrier 3 is used for 64 and for 96 threads at once"),
        ((0, 64), (0, 64), 16, "no barrier 16"),
        ((0, 33), (0, 33), 0, "barrier 0 for 33 threads, not a multiple of 32"),
    ],
)
def test_wrong_uses_of_barriers_are_reported(
    engine: Engine, first: tuple[int, int], second: tuple[int, int], barrier: int, says: str
):
    outcome = engine.launch("two_barriers", 1, 64, *first, *second, barrier, sites=PLACES)
    assert outcome.status == FAULT
    assert says in outcome.message


def test_sync_and_arrive_of_one_barrier_go_together(engine: Engine):
    assert engine.launch("two_barriers", 1, 64, 1, 64, 0, 64, 4).status == OK
    assert engine.launch("two_barriers", 1, 64, 0, 0, 0, 64, 4).status == OK


@pytest.mark.parametrize("waits", [0, 1])
def test_a_trap_ends_the_launch_and_names_the_thread(engine: Engine, waits: int):
    outcome = engine.launch("trap_in_thread", 1000, 64, 33, 77, waits, sites=("k.ptx:3: trap",))
    assert outcome.status == TRAP
    assert outcome.message == (
        "trap_in_thread: block (77,0,0), thread (33,0,0): trap at k.ptx:3: trap"
    )
    count = np.zeros(1, np.uint64)
    engine.run("count_thread", 100, 64, count)  # the engine goes on
    assert count[0] == 6400


def test_an_assertion_says_what_failed(engine: Engine):
    outcome = engine.launch("assert_in_thread", 1, 32)
    assert outcome.status == ASSERT
    assert outcome.message == (
        "assert_in_thread: block (0,0,0), thread (1,0,0): "
        "kernel.cu:7: void f(): assertion `x > 0` failed"
    )


def test_each_thread_recurses_on_a_stack_of_its_own(engine: Engine):
    out = np.zeros(128, np.uint64)
    engine.run("recursion", 2, 128, 1000, out)
    assert out.tolist() == [1000 * 1001 // 2] * 128
    engine.run("recursion", 1, 128, 30000, out, stack=8 << 20)
    assert out.tolist() == [30000 * 30001 // 2] * 128


def test_a_stack_that_overflows_hits_its_guard(engine: Engine):
    done = _child(
        engine, "engine.run('recursion', 1, 64, 30000, np.zeros(64, np.uint64), workers=1)"
    )
    assert done.returncode == -signal.SIGSEGV


# --- mbarriers, printf, clocks --------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("parity", [0, 1])
def test_mbarriers_separate_their_phases(engine: Engine, order: int, parity: int):
    mistakes = np.zeros(1, np.uint64)
    engine.run("mbarrier_rounds", 4, 70, 20, mistakes, parity, order=order)
    assert mistakes[0] == 0


def test_mbarriers_count_arrivals_and_drops(engine: Engine):
    out = np.zeros(9, np.uint64)
    engine.run("mbarrier_counts", 1, 1, out, 0)
    assert out.tolist() == [1, 0, 3, 0, 1, 1, 2, 1, 0]


def test_an_mbarrier_that_is_not_initialised_is_reported(engine: Engine):
    outcome = engine.launch("mbarrier_counts", 1, 1, np.zeros(9, np.uint64), 1)
    assert outcome.status == FAULT
    assert "not initialised" in outcome.message


def _print(engine: Engine, form: str, *arguments: int | float | bytes) -> tuple[str, int]:
    done = _child(
        engine,
        "import ctypes, struct\n"
        f"arguments = {arguments!r}\n"
        "packed, kept = b'', []\n"
        "for value in arguments:\n"
        "    if isinstance(value, bytes):\n"
        "        kept.append(ctypes.create_string_buffer(value))\n"
        "        value, form = ctypes.addressof(kept[-1]), 'Q'\n"
        "    else:\n"
        "        form = 'd' if isinstance(value, float) else 'i' if abs(value) < 2**31 else 'q'\n"
        "    size = struct.calcsize(form)\n"
        "    packed += bytes(-len(packed) % size) + struct.pack(form, value)\n"
        f"text = np.frombuffer({form.encode()!r} + b'\\0', np.uint8)\n"
        "data = np.frombuffer(packed + bytes(8), np.uint8)\n"
        "result = np.zeros(1, np.int32)\n"
        "engine.run('print', 1, 1, text, data, result)\n"
        "import sys; sys.stderr.write(str(result[0]))",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, int(done.stderr)


def test_printf_formats_as_c_does(engine: Engine):
    big = 2**40
    form = (
        "%d|%5i|%-5u|%x|%#o|%c|%s|%f|%.3e|%g|%a|%*d|%.*f|%lld|%llx|%hd|%hhu|%%|%10.4s|%+d|% d|%05d|"
        "%ld|%y\n"
    )
    arguments = (
        *(-1, 42, 7, 255, 8, ord("z"), b"text", 1.5, 12345.678, 0.0001, 1.0, 6, 9, 2, 3.14159),
        *(-big, big, 65537, 257, b"abcdefgh", 5, 5, 42, big),
    )
    text, count = _print(engine, form, *arguments)
    assert text == (
        "-1|   42|7    |ff|010|z|text|1.500000|1.235e+04|0.0001|0x1p+0|     9|3.14|"
        f"{-big}|{big:x}|1|1|%|      abcd|+5| 5|00042|{big}|%y\n"
    )
    assert count == len(arguments)


def test_printf_of_plain_text_counts_nothing(engine: Engine):
    assert _print(engine, "100 percent\n") == ("100 percent\n", 0)


def test_lines_of_printf_do_not_mix(engine: Engine):
    done = _child(
        engine,
        "import struct\ntext = np.frombuffer(b'begin %d %s end\\n\\0', np.uint8)\n"
        "import ctypes; word = ctypes.create_string_buffer(b'word' * 50)\n"
        "data = np.frombuffer(struct.pack('iiQ', 7, 0, ctypes.addressof(word)), np.uint8)\n"
        "engine.run('print', 100, 32, text, data, np.zeros(1, np.int32), workers=4)",
    )
    assert done.stdout.splitlines() == ["begin 7 " + "word" * 50 + " end"] * 3200


def test_clocks_never_read_the_same_twice(engine: Engine):
    out = np.zeros((50 * 64, 100), np.uint64)
    engine.run("clocks", 50, 64, out, workers=4)
    assert len(np.unique(out)) == out.size
    assert (np.diff(out.astype(np.int64), axis=1) > 0).all()
