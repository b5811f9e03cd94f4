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
        self._open: set[str] = set()
        for instruction in function.instructions():
            if instruction.result:
                self._by_result[instruction.result] = instruction
        for instruction in function.instructions():
            self._note(instruction)

    def objects(self, value: str) -> Objects:
        """Return the allocations that ``value`` (``%5``, ``null``) may point into."""
        if value in ("null", "zeroinitializer"):
            return frozenset()
        instruction = self._by_result.get(value)
        if instruction is None:
            return None
        if instruction.kind == "gep":
            return self.objects(instruction.args[0])
        if instruction.kind == "load":
            return self._held(instruction.args[0])
        return None

    def _held(self, variable: str) -> Objects:
        """Return the allocations that a local variable may hold a pointer into."""
        if not self._is_variable(variable) or variable in self._escaped:
            return None
        if variable in self._open:  # it is copied around in a circle: nothing new comes from it
            return frozenset()
        held = frozenset({variable}) if variable in self._allocated else frozenset[str]()
        self._open.add(variable)
        try:
            for value in self._stored[variable]:
                more = self.objects(value)
                if more is None:
                    return None
                held |= more
        finally:
            self._open.discard(variable)
        return held

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
