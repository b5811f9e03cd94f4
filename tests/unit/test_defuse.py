"""Definitions and uses: which names instructions write, and which write a use sees."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cfg import flow, graph

from gpucc.analysis.defuse import DefUse, Phi, def_use, result_names
from gpucc.frontend.parser import parse
from gpucc.ptx.isa import effects, registers_written
from gpucc.ptx.module import Instruction

SAMPLES = Path(__file__).parents[2] / "ptx_samples"


def analysis(body: str) -> DefUse:
    return def_use(graph(body))


def instruction(text: str) -> Instruction:
    (kernel,) = parse(f".entry k()\n{{\n{text}\n}}").kernels
    (found,) = (s for s in kernel.statements if isinstance(s, Instruction))
    return found


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("add.s32 %r1, %r2, %r3;", ["%r1"]),
        ("ld.global.v2.f32 {%f1, _}, [%rd1];", ["%f1"]),
        ("ld.global.v4.f32 { %f1 , %f2,%f3, %f4 }, [%rd1+16];", ["%f1", "%f2", "%f3", "%f4"]),
        ("setp.lt.s32 %p1|%p2, %r1, %r2;", ["%p1", "%p2"]),
        ("shfl.sync.idx.b32 %r1|_, %r2, 0, 31, -1;", ["%r1"]),
        ("mov.b64 {_, %r2}, %rd1;", ["%r2"]),
        ("mov.b64 %rd1, {%r1, %r2};", ["%rd1"]),
        ("st.global.f32 [%rd1], %f1;", []),
        ("st.shared.v2.u32 [tile], {%r1, %r2};", []),
        ("red.global.add.u32 [%rd1], %r1;", []),
        ("atom.global.add.u32 %r2, [%rd1], %r1;", ["%r2"]),
        ("atom.global.add.u32 _, [%rd1], %r1;", []),
        ("bar.sync %r1, %r2;", []),
        ("bar.warp.sync %r1;", []),
        ("barrier.cta.red.popc.aligned.u32 %r1, 0, %p1;", ["%r1"]),
        ("bar.red.and.pred %p1, 0, %p2;", ["%p1"]),
        ("nanosleep.u32 %r1;", []),
        ("mbarrier.arrive.shared.b64 %rd1, [%r1];", ["%rd1"]),
        ("mbarrier.arrive.shared.b64 _, [%r1];", []),
        ("mbarrier.init.shared.b64 [%r1], %r2;", []),
        ("mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", ["%p1"]),
        ("cp.async.ca.shared.global [%r1], [%rd1], 16;", []),
        ("cp.async.wait_group 0;", []),
        ("call (%r1), f, (%r2);", ["%r1"]),
        ("call.uni (retval0), f, (param0, param1);", ["retval0"]),
        ("call f, (%r2);", []),
        ("call %rd1, (%r2), prototype;", []),
        ("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}];", ["%f1", "%f2", "%f3", "%f4"]),
        ("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, "
         "%rd1, %rd2, %p1, 1, 1, 0, 0;", ["%f1", "%f2", "%f3", "%f4"]),
        ("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;", []),
        ("prefetch.global.L2 [%rd1];", []),
        ("setmaxnreg.inc.sync.aligned.u32 232;", []),
        ("elect.sync _|%p1, %r1;", ["%p1"]),
        ("ret;", []),
        ("bra somewhere;", []),
    ],
)  # fmt: skip
def test_result_names(text: str, written: list[str]):
    found = instruction(text)
    assert result_names(found) == written
    if effects(found).known:
        assert list(registers_written(found)) == written


def test_results_agree_with_the_instruction_table_on_real_code():
    opcodes: set[str] = set()
    for path in sorted(SAMPLES.glob("*.ptx")):
        for function in parse(path.read_text()).functions:
            for statement in function.statements:
                if isinstance(statement, Instruction) and effects(statement).known:
                    opcodes.add(statement.opcode)
                    assert result_names(statement) == list(registers_written(statement)), statement
    assert len(opcodes) > 100


def test_unique_and_several_definitions():
    found = analysis("mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r2, 3; add.s32 %r3, %r1, %r2; ret;")
    assert found.unique_definition("%r1") == 0
    assert found.unique_definition("%r2") is None
    assert found.definitions("%r2") == (1, 2)
    assert found.definitions("%r9") == ()
    assert found.source("%r2", 2) == ("%r2", 1)
    assert found.source("%r2", 3) == ("%r2", 2)
    assert found.source("%r1", 3) == "%r1"
    assert found.uses()["%r2"] == (3,)


def test_a_use_before_the_only_definition_sees_nothing():
    found = analysis("add.s32 %r2, %r1, 1; mov.u32 %r1, 1; ret;")
    assert found.source("%r1", 0) is None
    # … also in a loop, where it is what the last round left
    found = analysis("L: add.s32 %r2, %r1, 1; mov.u32 %r1, 1; @%p1 bra L; ret;")
    assert found.source("%r1", 1) is None


def test_definitions_meet_at_a_loop_header():
    found = analysis("mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; @%p1 bra L; mov.u32 %r2, %r1; ret;")
    assert found.source("%r1", 2) == Phi("%r1", 1)
    assert dict(found.incoming(Phi("%r1", 1))) == {0: ("%r1", 0), 1: ("%r1", 2)}
    assert found.source("%r1", 4) == ("%r1", 2)


def test_names_in_nested_blocks_are_registers_of_their_own():
    found = analysis(
        ".reg .b32 %r<3>; mov.u32 %r1, 1; { .reg .b32 %r<3>; .reg .b32 t; mov.u32 %r1, 2; "
        "mov.u32 t, 3; { mov.u32 %r1, 4; } } add.s32 %r2, %r1, 1; "
        "{ .reg .b32 t; mov.u32 t, 5; } ret;"
    )
    statements = found.cfg.function.statements
    use = next(i for i, s in enumerate(statements) if getattr(s, "opcode", "") == "add.s32")
    assert found.source("%r1", use) == "%r1"
    assert found.unique_definition("%r1") == 1
    assert found.definitions("%r1@1") == (5, 8)
    assert found.key("%r1", 8) == "%r1@1"
    assert found.unique_definition("t@1") is not None
    assert found.unique_definition("t@3") is not None
    assert found.definitions("t") == ()


def test_guards_and_addresses_are_uses():
    found = analysis("mov.u32 %r1, 1; mov.pred %p1, 1; @%p1 st.shared.u32 [%r1+4], %r1; ret;")
    assert found.uses() == {"%r1": (2,), "%p1": (2,)}


def test_a_register_that_is_source_and_result_is_used():
    found = analysis("mov.u32 %r1, 1; add.s32 %r1, %r1, 1; ret;")
    assert found.uses()["%r1"] == (1,)


# --- against running ------------------------------------------------------------------------------


@given(flow(), st.integers(0, 1 << 16))
@settings(max_examples=300, deadline=None)
def test_the_definition_that_a_use_sees_is_the_last_one_executed(body: str, seed: int):
    """Walk at random and compare: a phi stands for whatever came in on the way taken."""
    found = analysis(body)
    cfg = found.cfg
    rng = random.Random(seed)
    last: int | None = None
    arrived: dict[int, int | None] = {}
    block = 0
    for _ in range(60):
        arrived[block] = last
        for at in range(cfg.blocks[block].start, cfg.blocks[block].end):
            source = found.source("%r1", at)
            if isinstance(source, Phi):
                assert last == arrived[source.block]
            elif isinstance(source, tuple):
                assert last == source[1]
            elif source is None:
                assert last is None or found.unique_definition("%r1") is not None
            else:
                assert last == found.statement(source)
            if at in found.definitions("%r1"):
                last = at
        if not cfg.blocks[block].successors:
            return
        block = rng.choice(cfg.blocks[block].successors)
