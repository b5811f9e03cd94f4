"""The local variables of a host function: what they hold, and whether others may change that.

A local variable is an ``alloca`` in unoptimised IR.  It is private if its address goes nowhere but
into loads, stores and ``cudaMalloc``; then all that it may hold is known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from gpucc.host.ir import HostFunction, Instr

_MALLOC = re.compile(r"@(?:cudaMalloc|_ZL10cudaMallocI.*)")
_MARKERS = ("@llvm.lifetime.", "@llvm.dbg.")


class Variables:
    """Values and variables of ``function``, by their names (``%5``)."""

    def __init__(self, function: HostFunction) -> None:
        self._defined = {i.result: i for i in function.instructions() if i.result}
        self._stored: dict[str, list[str]] = defaultdict(list)
        self._allocated: set[str] = set()
        self._escaped: set[str] = set()
        for instruction in function.instructions():
            self._note(instruction)

    def definition(self, value: str) -> Instr | None:
        """Return the instruction that a value is the result of, if it is one's."""
        return self._defined.get(value)

    def is_private(self, variable: str, type_name: str) -> bool:
        """Return whether ``variable`` is a local variable of a type that nobody else sets."""
        place = self._defined.get(variable)
        return (
            place is not None
            and place.kind == "alloca"
            and place.typed[0] == type_name
            and variable not in self._escaped
        )

    def stored(self, variable: str) -> Sequence[str]:
        """Return the values that are stored in a variable."""
        return self._stored.get(variable, ())

    def is_allocated(self, variable: str) -> bool:
        """Return whether ``cudaMalloc`` makes an allocation there."""
        return variable in self._allocated

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
