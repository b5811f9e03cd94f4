"""Control flow: blocks, edges, dominators."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucc.analysis.cfg import CFG, build_cfg, noreturn_functions
from gpucc.analysis.dominators import DominatorTree, dominators, post_dominators
from gpucc.errors import GpuccError
from gpucc.frontend.parser import parse
from gpucc.ptx.module import Instruction, Label

SAMPLES = Path(__file__).parents[2] / "ptx_samples"


def graph(body: str, *, before: str = "", noreturn: bool = False) -> CFG:
    module = parse(f"{before}\n.entry k()\n{{\n{body}\n}}\n")
    return build_cfg(module.kernels[0], noreturn_functions(module) if noreturn else ())


def edges(cfg: CFG) -> list[tuple[int, ...]]:
    return [block.successors for block in cfg.blocks]


def test_straight_line():
    cfg = graph("mov.u32 %r1, 1; add.s32 %r2, %r1, %r1; ret;")
    assert edges(cfg) == [()]
    assert cfg.blocks[0].leaves
    assert cfg.block_of == (0, 0, 0)


def test_empty_body_leaves_at_its_brace():
    cfg = graph("")
    assert edges(cfg) == [()]
    assert cfg.blocks[0].leaves


def test_if_else_and_a_guarded_return():
    cfg = graph(
        "@%p1 bra ELSE; mov.u32 %r1, 1; bra.uni END; ELSE: mov.u32 %r1, 2; END: @%p2 ret; exit;"
    )
    assert edges(cfg) == [(2, 1), (3,), (3,), (4,), ()]
    assert [block.leaves for block in cfg.blocks] == [False, False, False, True, True]
    assert cfg.blocks[3].predecessors == (1, 2)


def test_labels_that_nothing_branches_to_split_nothing():
    assert len(graph("$L__tmp1: mov.u32 %r1, 1; $L__tmp2: ret;").blocks) == 1


def test_both_ways_to_the_same_place_are_one_edge():
    assert edges(graph("@%p1 bra L; L: ret;")) == [(1,), ()]


def test_branch_tables():
    cfg = graph("table: .branchtargets A, B, A; brx.idx %r1, table; A: ret; B: trap;")
    assert edges(cfg) == [(1, 2), (), ()]
    # a table that is not there: any label
    cfg = graph("brx.idx %r1, elsewhere; A: ret; B: ret;")
    assert edges(cfg) == [(1, 2), (), ()]
    cfg = graph("table: .branchtargets A; @%p1 brx.idx.uni %r1, table; mov.u32 %r1, 1; A: ret;")
    assert edges(cfg) == [(2, 1), (2,), ()]


def test_a_branch_out_of_a_nested_block_to_a_label_after_it():
    cfg = graph("{ .reg .pred %q; @%q bra OUT; mov.u32 %r1, 1; } OUT: ret;")
    assert edges(cfg) == [(2, 1), (2,), ()]


def test_the_same_label_in_two_nested_blocks():
    cfg = graph(
        "{ L: mov.u32 %r1, 1; @%p1 bra L; } { @%p2 bra L; mov.u32 %r1, 2; L: mov.u32 %r1, 3; } ret;"
    )
    labels = [i for i, s in enumerate(cfg.function.statements) if isinstance(s, Label)]
    first, second = (cfg.block_of[i] for i in labels)
    for block, target in ((first, first), (cfg.block_of[labels[1]] - 2, second)):
        assert target in cfg.blocks[block].successors


def test_an_outer_label_from_an_inner_block_that_has_another_of_that_name_inside():
    cfg = graph("L: { @%p1 bra L; { L: bra L; } } ret;")
    outer, inner = (
        cfg.block_of[i] for i, s in enumerate(cfg.function.statements) if isinstance(s, Label)
    )
    assert outer in cfg.blocks[0].successors
    assert cfg.blocks[inner].successors == (inner,)


def test_calls_that_do_not_return():
    declared = ".extern .func fail() .noreturn;\n.extern .func works();"
    body = "@%p1 call fail, (); call works, (); call.uni fail, (); ret;"
    assert edges(graph(body, before=declared, noreturn=True)) == [(1,), (), ()]
    assert edges(graph(body, before=declared)) == [()]


def test_a_branch_to_nowhere_is_refused():
    with pytest.raises(GpuccError, match="branch to 'GONE'"):
        graph("bra GONE;")


def test_blocks_of_samples_cover_the_text_and_end_at_branches():
    for path in sorted(SAMPLES.glob("*.ptx")):
        for kernel in parse(path.read_text()).kernels:
            cfg = build_cfg(kernel)
            assert cfg.blocks[0].start == 0
            assert cfg.blocks[-1].end == len(kernel.statements)
            for a, b in itertools.pairwise(cfg.blocks):
                assert a.end == b.start
            for index, block in enumerate(cfg.blocks):
                for statement in kernel.statements[block.start : block.end - 1]:
                    assert not (
                        isinstance(statement, Instruction) and statement.mnemonic in ("bra", "ret")
                    )
                for successor in block.successors:
                    assert index in cfg.blocks[successor].predecessors


# --- dominators, against their definition ---------------------------------------------------------


@st.composite
def flow(draw: st.DrawFn) -> str:
    """A body with random branches among a few labels."""
    count = draw(st.integers(1, 9))
    lines: list[str] = []
    for block in range(count):
        lines.append(f"B{block}: mov.u32 %r1, {block};")
        kind = draw(st.sampled_from(["fall", "fall", "cond", "cond", "jump", "ret", "maybe"]))
        target = draw(st.integers(0, count - 1))
        lines.append(
            {
                "fall": "",
                "cond": f"@%p1 bra B{target};",
                "jump": f"bra B{target};",
                "ret": "ret;",
                "maybe": "@%p1 ret;",
            }[kind]
        )
    return "\n".join(lines)


def reachable(successors: list[tuple[int, ...]], start: int, without: int = -1) -> set[int]:
    seen: set[int] = set()
    todo = [start] if start != without else []
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += [s for s in successors[node] if s != without]
    return seen


def check(tree: DominatorTree, successors: list[tuple[int, ...]], root: int) -> None:
    everything = reachable(successors, root)
    for a in range(len(successors)):
        assert tree.reached(a) == (a in everything)
        left = reachable(successors, root, without=a)
        for b in range(len(successors)):
            expected = a == b or (a in everything and b in everything and b not in left)
            assert tree.dominates(a, b) == expected, (a, b)
    for node in everything - {root}:
        above = tree.immediate[node]
        strict = [d for d in everything if d != node and tree.dominates(d, node)]
        assert all(tree.dominates(d, above) for d in strict)
        assert above in strict


@given(flow())
@settings(max_examples=200, deadline=None)
def test_dominators_are_those_of_the_definition(body: str):
    cfg = graph(body)
    check(dominators(cfg), edges(cfg), 0)


@given(flow())
@settings(max_examples=200, deadline=None)
def test_post_dominators_are_those_of_the_definition(body: str):
    cfg = graph(body)
    leave = len(cfg.blocks)
    ends = {i for i, b in enumerate(cfg.blocks) if b.leaves}
    can_end = {i for i in range(leave) if reachable(edges(cfg), i) & ends}
    into_exit = ends | (set(range(leave)) - can_end)
    backward: list[tuple[int, ...]] = [block.predecessors for block in cfg.blocks]
    check(post_dominators(cfg), [*backward, tuple(sorted(into_exit))], leave)


@given(flow())
@settings(max_examples=100, deadline=None)
def test_frontiers_are_those_of_the_definition(body: str):
    cfg = graph(body)
    tree = dominators(cfg)
    frontiers = tree.frontiers(cfg.predecessors)
    for a in range(len(cfg.blocks)):
        expected = {
            b
            for b in range(len(cfg.blocks))
            if tree.reached(a)
            and tree.reached(b)
            and any(tree.reached(p) and tree.dominates(a, p) for p in cfg.predecessors[b])
            and not (a != b and tree.dominates(a, b))
        }
        assert frontiers[a] == expected


def test_post_dominators_without_an_end():
    tree = post_dominators(graph("@%p1 bra B; A: bra A; B: ret;"))
    assert not tree.dominates(2, 0)  # the other way never arrives at B
    assert tree.immediate[0] == 3
