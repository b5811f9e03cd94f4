"""Which values of a host function are error codes of CUDA calls, and where one of them decides.

A way that is taken only because a CUDA call has failed is special: whoever is on it knows already.
"""

from __future__ import annotations

import re
from collections import defaultdict

from gpucc.host.ir import HostBlock, HostFunction, Instr

_CUDA = re.compile(r"@(?:cuda|_ZL\d+cuda)")
"""CUDA's functions and its templates of them, such as ``cudaMalloc<float>``."""
_SUCCESS = "0"
_MARKERS = ("@llvm.lifetime.", "@llvm.dbg.")


class Statuses:
    """Answers where ``function`` has come to know that a CUDA call failed."""

    def __init__(self, function: HostFunction) -> None:
        self._by_result = {i.result: i for i in function.instructions() if i.result}
        self._stored: dict[str, list[str]] = defaultdict(list)
        self._escaped: set[str] = set()
        for instruction in function.instructions():
            match instruction.kind:
                case "store":
                    value, address = instruction.args
                    self._stored[address].append(value)
                    self._escaped.add(value)
                case "load" | "alloca":
                    pass
                case "call" if instruction.callee.startswith(_MARKERS):
                    pass
                case _:
                    self._escaped.update(instruction.args)

    def failing_way(self, block: HostBlock) -> int | None:
        """Return the successor that a block goes on to only after a CUDA call has failed, if any.

        A call that is handed an error code, and does not come back, is taken to be such a way.
        """
        last = block.instructions[-1] if block.instructions else None
        if last is None:
            return None
        if last.kind == "call":
            return block.unwind if self.are_handed_to(last) else None
        if last.callee != "br" or len(block.successors) != 2:
            return None
        test = self._by_result.get(last.args[0])
        if test is None or test.kind != "compare" or not self._is_status(test.args[0]):
            return None
        return block.successors[0 if test.callee == "ne" else 1]

    def are_handed_to(self, call: Instr) -> bool:
        """Return whether an argument of ``call`` is an error code of a CUDA call."""
        return any(self._is_status(value) for value in call.args)

    def _is_status(self, value: str) -> bool:
        """Return whether a value is an error code, perhaps kept in a local variable for a while."""
        if self._is_of_call(value):
            return True
        instruction = self._by_result.get(value)
        if instruction is None or instruction.kind != "load":
            return False
        variable = instruction.args[0]
        place = self._by_result.get(variable)
        if place is None or place.kind != "alloca" or variable in self._escaped:
            return False
        held = [stored for stored in self._stored[variable] if stored != _SUCCESS]
        return bool(held) and all(self._is_of_call(stored) for stored in held)

    def _is_of_call(self, value: str) -> bool:
        instruction = self._by_result.get(value)
        return (
            instruction is not None
            and instruction.kind == "call"
            and bool(_CUDA.match(instruction.callee))
        )
