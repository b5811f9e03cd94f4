"""Nested blocks of a function: which one a statement stands in, and what a name means there.

A name declared in a nested block hides the outer one up to the closing brace.  Labels follow the
same rule, and may be used before they are declared; registers and variables may not, but PTX
forbids two meanings in one block, so the position within a block does not matter.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from gpucc.ptx.module import Brace, Declaration, Function, Label, Variable


@dataclass(frozen=True)
class Scopes:
    """The blocks of a function body, numbered in order of their opening brace; 0 is the body.

    ``parents[s]`` is the block around ``s`` (-1 for the body).  Statement ``starts[i]`` and those
    after it, up to ``starts[i + 1]``, stand in block ``blocks[i]``.
    """

    function: Function
    parents: tuple[int, ...]
    starts: tuple[int, ...]
    blocks: tuple[int, ...]

    def at(self, statement: int) -> int:
        """Return the block that the statement with this index stands in."""
        return self.blocks[bisect_right(self.starts, statement) - 1]

    def outward(self, block: int) -> Iterator[int]:
        """Yield ``block``, the block around it, and so on to the body."""
        while block >= 0:
            yield block
            block = self.parents[block]

    @cached_property
    def _labels(self) -> Mapping[str, Mapping[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for index, statement in enumerate(self.function.statements):
            if isinstance(statement, Label):
                found.setdefault(statement.name, {})[self.at(index)] = index
        return found

    @cached_property
    def variables(self) -> Mapping[str, Mapping[int, Variable]]:
        """What is declared in the body, by name as written in the declaration and by block.

        ``.reg .b32 %r<10>`` stands here under ``%r``.  Parameters are not in it.
        """
        found: dict[str, dict[int, Variable]] = {}
        for index, statement in enumerate(self.function.statements):
            if isinstance(statement, Declaration):
                for variable in statement.variables:
                    found.setdefault(variable.name, {})[self.at(index)] = variable
        return found

    @cached_property
    def nested(self) -> Mapping[str, frozenset[int]]:
        """The registers and variables that nested blocks declare, one by one, with those blocks."""
        if len(self.parents) == 1:
            return {}
        found: dict[str, set[int]] = {}
        block = 0
        for index, statement in enumerate(self.function.statements):
            if type(statement) is Brace:
                block = self.at(index + 1)
            elif block and type(statement) is Declaration:
                for variable in statement.variables:
                    for name in _names(variable):
                        found.setdefault(name, set()).add(block)
        return {name: frozenset(where) for name, where in found.items()}

    def key(self, name: str, at: int) -> str:
        """Return what tells ``name`` at statement ``at`` from its namesakes in other blocks.

        The name itself, or ``name@block`` if a nested block declares it.
        """
        where = self.nested.get(name)
        if where:
            for block in self.outward(self.at(at)):
                if block in where:
                    return f"{name}@{block}"
        return name

    def label(self, name: str, at: int) -> int | None:
        """Return the index of the label that ``name`` means at statement ``at``."""
        here = self._labels.get(name)
        return None if here is None else self._nearest(here, at)

    def variable(self, name: str, at: int) -> tuple[int, Variable] | None:
        """Return the block and the declaration that ``name`` means at statement ``at``.

        None if the body does not declare it: a parameter, a module variable, a special register.
        """
        found: tuple[int, Variable] | None = None
        outward = tuple(self.outward(self.at(at)))
        for stem in _stems(name):
            here = self.variables.get(stem, {})
            for block in outward:
                if block in here and here[block].covers(name):
                    if found is None or outward.index(block) < outward.index(found[0]):
                        found = block, here[block]
                    break
        return found

    def _nearest(self, by_block: Mapping[int, int], at: int) -> int | None:
        return next((by_block[b] for b in self.outward(self.at(at)) if b in by_block), None)


def _names(variable: Variable) -> Iterator[str]:
    if variable.count is None:
        yield variable.name
    else:
        yield from (f"{variable.name}{number}" for number in range(variable.count))


def _stems(name: str) -> Iterator[str]:
    """Yield ``name`` and, as ``%r<12>`` declares ``%r3``, what is left without its last digits."""
    yield name
    stem = name
    while stem[-1:].isdecimal():
        stem = stem[:-1]
        if stem:
            yield stem


def build_scopes(function: Function) -> Scopes:
    """Find the nested blocks of ``function``."""
    parents = [-1]
    starts = [0]
    blocks = [0]
    current = 0
    for index, statement in enumerate(function.statements):
        if type(statement) is Brace:
            if statement.opens:
                parents.append(current)
                current = len(parents) - 1
            else:
                current = max(parents[current], 0)
            starts.append(index + 1)
            blocks.append(current)
    return Scopes(function, tuple(parents), tuple(starts), tuple(blocks))
