"""Which device allocation a pointer in a host function belongs to.

A private pointer variable holds what was stored in it: the allocation that ``cudaMalloc`` made
there, named after the variable, or what another such variable holds.  Two different names are two
different live allocations.  Everything else (parameters, globals, struct members, results of calls)
cannot be told from anything.
"""

from __future__ import annotations

from gpucc.analysis.dependence import Objects
from gpucc.host.variables import Variables


class Pointers:
    """Answers what the pointers in a function point to."""

    def __init__(self, variables: Variables) -> None:
        self._variables = variables

    def objects(self, value: str) -> Objects:
        """Return the allocations that ``value`` (``%5``, ``null``) may point into."""
        found: set[str] = set()
        seen: set[str] = set()
        todo = [value]
        while todo:
            value = todo.pop()
            if value in seen or value in ("null", "zeroinitializer"):
                continue
            seen.add(value)
            instruction = self._variables.definition(value)
            if instruction is None or instruction.kind not in ("gep", "load"):
                return None
            source = instruction.args[0]
            if instruction.kind == "gep":
                todo.append(source)
                continue
            if not self._variables.is_private(source, "ptr"):
                return None
            if self._variables.is_allocated(source):
                found.add(source)
            todo.extend(self._variables.stored(source))
        return frozenset(found)
