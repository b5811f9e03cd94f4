"""Which values of a host function are error codes of CUDA calls, and where one of them decides.

A way that is taken only because a CUDA call has failed is special: whoever is on it knows already.
"""

from __future__ import annotations

import re
from collections import defaultdict

from gpucc.host.ir import HostFunction, Instr
from gpucc.host.variables import Variables

_CUDA = re.compile(r"@(?:cuda|_ZL\d+cuda)")
"""CUDA's functions and its templates of them, such as ``cudaMalloc<float>``."""
_SUCCESS = "0"


class Statuses:
    """Answers where ``function`` has come to know that a CUDA call failed."""

    def __init__(self, function: HostFunction, variables: Variables) -> None:
        self._blocks = function.blocks
        self._predecessors = function.predecessors
        self._variables = variables

    def failing_way(self, number: int) -> int | None:
        """Return the successor that a block goes on to only after a CUDA call has failed, if any.

        A call that is handed an error code, and does not come back, is taken to be such a way.
        """
        block = self._blocks[number]
        last = block.instructions[-1] if block.instructions else None
        if last is None:
            return None
        if last.kind == "call":
            return block.unwind if self.are_handed_to(last) else None
        if last.kind == "switch":
            return self._failing_case(number, last)
        if last.callee != "br" or len(block.successors) != 2:
            return None
        test = self._variables.definition(last.args[0])
        if test is None or test.kind != "compare" or not self._is_status(test.args[0]):
            return None
        return block.successors[0 if test.callee == "ne" else 1]

    def _failing_case(self, number: int, switch: Instr) -> int | None:
        """Return the way out of a scope that was left after a failure.

        clang leaves a scope (``return`` between braces) by setting a variable to a number, and
        switches on it behind the scope.
        """
        test = self._variables.definition(switch.args[0])
        if test is None or test.kind != "load":
            return None
        variable = test.args[0]
        if not self._variables.is_private(variable, "i32"):
            return None
        label_of = dict(zip(switch.typed, switch.args[2:], strict=True))
        came_from: dict[str, set[int]] = defaultdict(set)
        for before in self._predecessors[number]:
            stores = [
                i
                for i in self._blocks[before].instructions
                if i.kind == "store" and i.args[1] == variable
            ]
            if not stores:
                return None
            came_from[label_of.get(stores[-1].args[0], switch.args[1])].add(before)
        labels = list(dict.fromkeys(switch.args[1:]))
        ways = dict(zip(labels, self._blocks[number].successors, strict=True))
        for label, sources in came_from.items():
            if all(map(self._is_after_failure, sources)):
                return ways[label]
        return None

    def _is_after_failure(self, number: int) -> bool:
        """Return whether all ways to a block are failing ones."""
        before = self._predecessors[number]
        return bool(before) and all(
            self._blocks[source].instructions[-1].kind != "switch"
            and self.failing_way(source) == number
            for source in before
        )

    def are_handed_to(self, call: Instr) -> bool:
        """Return whether an argument of ``call`` is an error code of a CUDA call."""
        return any(self._is_status(value) for value in call.args)

    def _is_status(self, value: str) -> bool:
        """Return whether a value is an error code, perhaps kept in a local variable for a while."""
        if self._is_of_call(value):
            return True
        instruction = self._variables.definition(value)
        if instruction is None or instruction.kind != "load":
            return False
        variable = instruction.args[0]
        held = [stored for stored in self._variables.stored(variable) if stored != _SUCCESS]
        return (
            self._variables.is_private(variable, "i32")
            and bool(held)
            and all(map(self._is_of_call, held))
        )

    def _is_of_call(self, value: str) -> bool:
        instruction = self._variables.definition(value)
        return (
            instruction is not None
            and instruction.kind == "call"
            and bool(_CUDA.match(instruction.callee))
        )
