"""Natural loops, and the cycles that are none."""

from __future__ import annotations

from dataclasses import dataclass

from gpucc.analysis.cfg import CFG
from gpucc.analysis.dominators import DominatorTree


@dataclass(frozen=True, slots=True)
class Loop:
    """A natural loop; all loops with the same header count as one.

    ``header`` dominates every block of ``body`` (which holds it); ``latches`` branch back to it;
    ``exits`` are the edges that leave, as (block inside, block outside).  ``leaves`` lists blocks
    inside from which the function itself may end.  ``parent`` is the index of the loop
    around this one, -1 if there is none; ``depth`` is 1 for an outermost loop.
    """

    header: int
    body: frozenset[int]
    latches: tuple[int, ...]
    exits: tuple[tuple[int, int], ...]
    leaves: tuple[int, ...]
    parent: int
    depth: int


@dataclass(frozen=True, slots=True)
class Loops:
    """The loops of a function, outer ones before those inside them.

    ``innermost[block]`` is the index of the smallest loop around a block, -1 outside all loops.
    ``irreducible`` holds the blocks of cycles that are entered at more than one place.  Such a
    cycle is no loop here, and nothing may be said of how often its blocks run.
    """

    loops: tuple[Loop, ...]
    innermost: tuple[int, ...]
    irreducible: frozenset[int]

    def around(self, block: int) -> tuple[int, ...]:
        """Return the loops that ``block`` stands in, innermost first."""
        found: list[int] = []
        loop = self.innermost[block]
        while loop >= 0:
            found.append(loop)
            loop = self.loops[loop].parent
        return tuple(found)


def natural_loops(cfg: CFG, dominators: DominatorTree) -> Loops:
    """Find the loops of ``cfg``."""
    rank = {block: position for position, block in enumerate(dominators.order)}
    latches: dict[int, list[int]] = {}
    reducible = True
    for block in dominators.order:
        for successor in cfg.blocks[block].successors:
            if rank[successor] <= rank[block]:
                if dominators.dominates(successor, block):
                    latches.setdefault(successor, []).append(block)
                else:
                    reducible = False
    bodies = {
        header: _body(cfg, dominators, header, sources) for header, sources in latches.items()
    }
    headers = sorted(bodies, key=lambda header: (-len(bodies[header]), rank[header]))
    innermost = [-1] * len(cfg.blocks)
    loops: list[Loop] = []
    for header in headers:  # larger ones first, so a loop's parent is what its header is in so far
        body = bodies[header]
        parent = innermost[header]
        loops.append(
            Loop(
                header=header,
                body=body,
                latches=tuple(latches[header]),
                exits=tuple(
                    (block, successor)
                    for block in sorted(body)
                    for successor in cfg.blocks[block].successors
                    if successor not in body
                ),
                leaves=tuple(block for block in sorted(body) if cfg.blocks[block].leaves),
                parent=parent,
                depth=loops[parent].depth + 1 if parent >= 0 else 1,
            )
        )
        for block in body:
            innermost[block] = len(loops) - 1
    irreducible = frozenset[int]() if reducible else _irreducible(cfg, dominators)
    return Loops(tuple(loops), tuple(innermost), irreducible)


def _body(cfg: CFG, dominators: DominatorTree, header: int, latches: list[int]) -> frozenset[int]:
    body = {header}
    todo = list(latches)
    while todo:
        block = todo.pop()
        if block not in body:
            body.add(block)
            todo.extend(p for p in cfg.blocks[block].predecessors if dominators.reached(p))
    return frozenset(body)


def _irreducible(cfg: CFG, dominators: DominatorTree) -> frozenset[int]:
    """Return the blocks of cycles that remain when edges back to a dominating header are cut."""
    cut = [
        tuple(s for s in block.successors if not dominators.dominates(s, index))
        if dominators.reached(index)
        else ()
        for index, block in enumerate(cfg.blocks)
    ]
    return frozenset(b for component in components(cut) if len(component) > 1 for b in component)


def components(successors: list[tuple[int, ...]]) -> list[list[int]]:
    """Return the strongly connected components of a graph (Tarjan 1972, without recursion).

    ``successors[node]`` are a node's; a component comes before those that lead to it.
    """
    index = [-1] * len(successors)
    low = [0] * len(successors)
    on_stack = [False] * len(successors)
    stack: list[int] = []
    found: list[list[int]] = []
    clock = 0
    for root in range(len(successors)):
        if index[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = clock
                clock += 1
                stack.append(node)
                on_stack[node] = True
            else:
                low[node] = min(low[node], low[successors[node][position - 1]])
            for at in range(position, len(successors[node])):
                successor = successors[node][at]
                if index[successor] < 0:
                    work.append((node, at + 1))
                    work.append((successor, 0))
                    break
                if on_stack[successor]:
                    low[node] = min(low[node], index[successor])
            else:
                if low[node] == index[node]:
                    component: list[int] = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack[component[-1]] = False
                    found.append(component)
    return found
