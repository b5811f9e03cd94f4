"""Dominators and post-dominators, by the iterative algorithm of Cooper, Harvey and Kennedy.

"A Simple, Fast Dominance Algorithm", Rice University TR-06-33870, 2001.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpucc.analysis.cfg import CFG


@dataclass(frozen=True, slots=True)
class DominatorTree:
    """Who dominates whom, over nodes 0 to n-1.

    ``immediate[node]`` is the immediate dominator; a root's is -1, and so is that of a node that no
    root reaches.  ``order`` lists the reached nodes in reverse postorder.  In a tree of
    post-dominators the last node is the exit, which is no block.
    """

    immediate: tuple[int, ...]
    order: tuple[int, ...]
    _entered: tuple[int, ...]
    _left: tuple[int, ...]

    def dominates(self, a: int, b: int) -> bool:
        """Return whether every path from the root to ``b`` passes ``a`` (a node dominates itself).

        An unreached node is dominated by itself only.
        """
        return a == b or (
            self._entered[b] >= 0
            and 0 <= self._entered[a] <= self._entered[b]
            and self._left[b] <= self._left[a]
        )

    def reached(self, node: int) -> bool:
        """Return whether some path from the root leads to ``node``."""
        return self._entered[node] >= 0

    def frontiers(self, predecessors: Sequence[Sequence[int]]) -> tuple[frozenset[int], ...]:
        """Return the dominance frontier of each node."""
        found: list[set[int]] = [set() for _ in self.immediate]
        for node in self.order:
            before = [p for p in predecessors[node] if self.reached(p)]
            if len(before) < 2 and self.immediate[node] >= 0:
                continue
            for runner in before:
                while runner not in (self.immediate[node], -1):
                    found[runner].add(node)
                    runner = self.immediate[runner]
        return tuple(map(frozenset, found))


def dominators(cfg: CFG) -> DominatorTree:
    """Return the dominator tree of the blocks."""
    return dominator_tree(0, cfg.successors, cfg.predecessors)


def post_dominators(cfg: CFG) -> DominatorTree:
    """Return the post-dominator tree; node ``len(cfg.blocks)`` is the exit.

    A block from which the function cannot end (it loops for ever) counts as one that may end, so
    nothing but the exit post-dominates it: the fewest claims that can be made.
    """
    leave = len(cfg.blocks)
    into_exit = [index for index, block in enumerate(cfg.blocks) if block.leaves]
    ends = _reached_backwards(cfg, into_exit)
    into_exit = [i for i, block in enumerate(cfg.blocks) if block.leaves or i not in ends]
    forward = [
        (*after, leave) if index in set(into_exit) else after
        for index, after in enumerate(cfg.successors)
    ]
    return dominator_tree(leave, (*cfg.predecessors, tuple(into_exit)), (*forward, ()))


def _reached_backwards(cfg: CFG, start: list[int]) -> set[int]:
    seen = set(start)
    todo = list(start)
    while todo:
        for before in cfg.blocks[todo.pop()].predecessors:
            if before not in seen:
                seen.add(before)
                todo.append(before)
    return seen


def dominator_tree(
    root: int, successors: Sequence[Sequence[int]], predecessors: Sequence[Sequence[int]]
) -> DominatorTree:
    """Return the dominator tree of any graph, from ``root``."""
    order = _reverse_postorder(root, successors)
    rank = [-1] * len(successors)
    for position, node in enumerate(order):
        rank[node] = position
    immediate = [-1] * len(successors)
    immediate[root] = root
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            best = -1
            for before in predecessors[node]:
                if rank[before] < 0 or immediate[before] < 0:
                    continue
                best = before if best < 0 else _meet(before, best, immediate, rank)
            if immediate[node] != best:
                immediate[node] = best
                changed = True
    immediate[root] = -1
    entered, left = _number(root, order, immediate)
    return DominatorTree(tuple(immediate), tuple(order), tuple(entered), tuple(left))


def _meet(a: int, b: int, immediate: list[int], rank: list[int]) -> int:
    while a != b:
        while rank[a] > rank[b]:
            a = immediate[a]
        while rank[b] > rank[a]:
            b = immediate[b]
    return a


def _reverse_postorder(root: int, successors: Sequence[Sequence[int]]) -> list[int]:
    seen = [False] * len(successors)
    seen[root] = True
    order: list[int] = []
    stack = [(root, iter(successors[root]))]
    while stack:
        node, following = stack[-1]
        for successor in following:
            if not seen[successor]:
                seen[successor] = True
                stack.append((successor, iter(successors[successor])))
                break
        else:
            order.append(node)
            stack.pop()
    order.reverse()
    return order


def _number(root: int, order: list[int], immediate: list[int]) -> tuple[list[int], list[int]]:
    """Number the tree so that a node's interval holds those of the nodes that it dominates."""
    children: list[list[int]] = [[] for _ in immediate]
    for node in order:
        if node != root:
            children[immediate[node]].append(node)
    entered = [-1] * len(immediate)
    left = [-1] * len(immediate)
    clock = 0
    stack = [(root, 0)]
    while stack:
        node, position = stack.pop()
        if position == 0:
            entered[node] = clock
            clock += 1
        if position < len(children[node]):
            stack.append((node, position + 1))
            stack.append((children[node][position], 0))
        else:
            left[node] = clock
            clock += 1
    return entered, left
