"""Values that move between registers in parts: vectors, displaced addresses, shuffles.

The parts of :mod:`gpucc.analysis.values` for instructions with braces and pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpucc.analysis.affine import Affine, Symbol, number
from gpucc.analysis.transfer import integer_type, opcode_parts
from gpucc.ptx.module import Displaced, Immediate, Instruction, Name, Operand, Vector

if TYPE_CHECKING:
    from gpucc.analysis.values import Values

_PER_LANE = frozenset({"tid.x", "tid.y", "tid.z", "laneid", "time", "memory"})


def move_in_parts(
    values: Values, instruction: Instruction, register: str, at: int
) -> Affine | None:
    """Return what the instruction at ``at`` leaves in ``register``; None if it cannot be told."""
    operands = instruction.operands
    parts = opcode_parts(instruction.opcode)
    kind = integer_type(parts[-1])
    if parts[0] == "shfl" and len(operands) >= 4:
        return _shuffled(values, parts, operands, at)
    if parts[0] != "mov" or len(operands) != 2 or kind is None:
        return None
    to, source = operands
    if isinstance(source, Displaced):
        offset = source.offset.value
        base = values.at(source.base.name, at)
        return base.plus(number(offset)) if isinstance(offset, int) else None
    if isinstance(to, Vector) and isinstance(source, Name):
        names = [item.name if isinstance(item, Name) else "" for item in to.items]
        width = kind[0] // len(names)
        place = next(i for i, n in enumerate(names) if values.defuse.key(n, at) == register)
        whole = values.at(source.name, at)
        if place == 0:
            return whole
        return values.symbols.shift_right(whole, number(width * place), kind[0], False, at)
    if isinstance(to, Name) and isinstance(source, Vector):
        return _packed(values, source, kind[0], at)
    return None


def _packed(values: Values, vector: Vector, width: int, at: int) -> Affine | None:
    """Return the value of ``{low, high}``."""
    words = [str(item) for item in vector.items if isinstance(item, (Name, Immediate))]
    if len(words) != 2:
        return None
    half = width // 2
    low, high = (values.at(word, at) for word in words)
    upper = high.symbol
    if upper and upper.operation and upper.operation.name == "shr.u":
        whole, amount = upper.operation.operands
        if amount.constant == half and whole.terms == low.terms:
            return whole  # the halves of one value, put together again
    return values.symbols.extend(low, half, False, at).plus(high.scaled(1 << half))


def _shuffled(
    values: Values, parts: tuple[str, ...], operands: Sequence[Operand], at: int
) -> Affine | None:
    """Return a value sent to all lanes, if all lanes have the same one anyway."""
    if not isinstance(operands[1], Name) or parts[2:3] != ("idx",):
        return None
    form = values.at(operands[1].name, at)
    one_row = values.symbols.shape is not None and values.symbols.shape[1:] == (1, 1)
    return form if all(_same_in_warp(symbol, one_row) for symbol in form.symbols()) else None


def _same_in_warp(symbol: Symbol, one_row: bool) -> bool:
    """Return whether a value is the same in all lanes; ``one_row``: blocks have one dimension."""
    if symbol.varies.isdisjoint(_PER_LANE):
        return True
    operation = symbol.operation
    if operation is None or not one_row:
        return False
    source, constant = operation.operands[0].symbol, operation.operands[-1].constant
    if source is None or constant is None:
        return False
    if source.text == "tid.x":
        return (operation.name == "shr.u" and constant >= 5) or (
            operation.name == "and" and constant & 31 == 0
        )
    return _same_in_warp(source, one_row)
