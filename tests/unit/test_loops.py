"""Natural loops: on written graphs, and against their definition."""

from __future__ import annotations

from hypothesis import given, settings
from test_cfg import edges, flow, graph, reachable

from gpucc.analysis.dominators import dominators
from gpucc.analysis.loops import Loops, natural_loops


def loops_of(body: str) -> Loops:
    cfg = graph(body)
    return natural_loops(cfg, dominators(cfg))


def test_no_loops():
    found = loops_of("@%p1 bra L; mov.u32 %r1, 1; L: ret;")
    assert found.loops == ()
    assert found.innermost == (-1, -1, -1)
    assert not found.irreducible


def test_a_loop_tested_at_its_end():
    (loop,) = loops_of("mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; @%p1 bra L; ret;").loops
    assert (loop.header, loop.body, loop.latches, loop.exits) == (1, {1}, (1,), ((1, 2),))
    assert (loop.parent, loop.depth, loop.leaves) == (-1, 1, ())


def test_a_loop_tested_at_its_start_with_a_break_and_a_return():
    found = loops_of(
        "L: @%p1 bra END; @%p2 bra END; @%p3 ret; add.s32 %r1, %r1, 1; bra L; END: ret;"
    )
    (loop,) = found.loops
    assert loop.body == {0, 1, 2, 3}
    assert loop.exits == ((0, 4), (1, 4))
    assert loop.leaves == (2,)


def test_nesting_and_two_latches():
    found = loops_of(
        "A: mov.u32 %r1, 0; B: add.s32 %r1, %r1, 1; @%p1 bra B; @%p2 bra A; mov.u32 %r2, 0; "
        "@%p3 bra A; C: @%p4 bra C; ret;"
    )
    outer, inner, last = sorted(found.loops, key=lambda loop: loop.header)
    assert (outer.header, outer.depth) == (0, 1)
    assert len(outer.latches) == 2
    assert (inner.header, inner.depth, found.loops[inner.parent]) == (1, 2, outer)
    assert inner.body < outer.body
    assert (last.parent, last.depth) == (-1, 1)
    assert [found.loops[i].header for i in found.around(inner.header)] == [1, 0]


def test_a_cycle_with_two_entries_is_flagged_and_is_no_loop():
    found = loops_of("@%p1 bra B; A: mov.u32 %r1, 1; B: @%p2 bra A; ret;")
    assert found.loops == ()
    assert found.irreducible == {1, 2}


def test_a_loop_around_an_irreducible_cycle():
    found = loops_of("H: @%p1 bra B; A: mov.u32 %r1, 1; B: @%p2 bra A; @%p3 bra H; ret;")
    (loop,) = found.loops
    assert loop.header == 0
    assert found.irreducible == {1, 2} < loop.body


@given(flow())
@settings(max_examples=300, deadline=None)
def test_loops_are_those_of_the_definition(body: str):
    cfg = graph(body)
    tree = dominators(cfg)
    found = natural_loops(cfg, tree)
    successors = edges(cfg)
    live = reachable(successors, 0)
    back = {(a, b) for a in live for b in successors[a] if tree.dominates(b, a)}
    assert {loop.header for loop in found.loops} == {b for _, b in back}
    for index, loop in enumerate(found.loops):
        latches = {a for a, b in back if b == loop.header}
        assert set(loop.latches) == latches
        expected = {
            node
            for node in live
            if node == loop.header
            or (node not in (loop.header,) and reachable(successors, node, loop.header) & latches)
        }
        assert loop.body == {n for n in expected if tree.dominates(loop.header, n)}
        around = [
            i for i, other in enumerate(found.loops) if i != index and loop.header in other.body
        ]
        smallest = min(around, key=lambda i: len(found.loops[i].body), default=-1)
        assert loop.parent == smallest
        assert loop.depth == len(around) + 1
        assert set(loop.exits) == {
            (a, b) for a in loop.body for b in successors[a] if b not in loop.body
        }
    for node in live:
        containing = [i for i, loop in enumerate(found.loops) if node in loop.body]
        expected_inner = min(containing, key=lambda i: len(found.loops[i].body), default=-1)
        assert found.innermost[node] == expected_inner
    # without the edges back to a header, only irreducible cycles are left
    cut = [tuple(b for b in successors[a] if (a, b) not in back) for a in range(len(successors))]
    cyclic = {n for n in live if any(n in reachable(cut, s) for s in cut[n])}
    assert cyclic == found.irreducible & live
