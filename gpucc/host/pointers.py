"""Which device allocation a pointer in a host function belongs to.

Local pointer variables are ``alloca`` in unoptimised IR.  A variable whose address goes nowhere but
into ``cudaMalloc``, loads and stores holds what was stored in it: the allocation that cudaMalloc
made there, named after the variable, or what another such variable holds.  Two different names are
two different live allocations.  Everything else (parameters, globals, struct members, results of
calls) cannot be told from anything.
"""

from __future__ import annotations

import re
from collections import defaultdict

from gpucc.analysis.dependence import Objects
from gpucc.host.ir import HostFunction, Instr

_MALLOC = re.compile(r"@(?:cudaMalloc|_ZL10cudaMallocI.*)")
_MARKERS = ("@llvm.lifetime.", "@llvm.dbg.")


class Pointers:
    """Answers what the pointers in ``function`` point to."""

    def __init__(self, function: HostFunction) -> None:
        self._by_result: dict[str, Instr] = {}
        self._stored: dict[str, list[str]] = defaultdict(list)
        self._allocated: set[str] = set()
        self._escaped: set[str] = set()
        for instruction in function.instructions():
            if instruction.result:
                self._by_result[instruction.result] = instruction
        for instruction in function.instructions():
            self._note(instruction)

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
            instruction = self._by_result.get(value)
            if instruction is None or instruction.kind not in ("gep", "load"):
                return None
            source = instruction.args[0]
            if instruction.kind == "gep":
                todo.append(source)
                continue
            if not self._is_variable(source) or source in self._escaped:
                return None
            if source in self._allocated:
                found.add(source)
            todo.extend(self._stored[source])
        return frozenset(found)

    def _is_variable(self, value: str) -> bool:
        instruction = self._by_result.get(value)
        return (
            instruction is not None
            and instruction.kind == "alloca"
            and instruction.typed[0] == "ptr"
        )

    def _note(self, instruction: Instr) -> None:
        match instruction.kind:
            case "load" | "alloca":
                return
            case "store":
                value, address = instruction.args
                self._stored[address].append(value)
                self._escaped.add(value)
            case "call" if _MALLOC.fullmatch(instruction.callee):
                self._allocated.add(instruction.args[0])
                self._escaped.update(instruction.args[1:])
            case "call" if instruction.callee.startswith(_MARKERS):
                return
            case _:
                self._escaped.update(instruction.args)
