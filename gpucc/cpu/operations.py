"""What every instruction does, put together from the modules of operations.

Integers and floating point share mnemonics (``add``); the types of the instruction tell them apart.
"""

from __future__ import annotations

from gpucc.cpu import (
    atomics,
    compare,
    convert,
    floating,
    half,
    integer,
    logic,
    matrix,
    memory,
    move,
    sync,
)
from gpucc.cpu.site import Lowering, Lowerings, Site

_HALVES = frozenset({"f16", "f16x2", "bf16", "bf16x2"})
_FLOATS = frozenset({"f32", "f64", "f32x2"})

_OTHERS: Lowerings = {
    name: lowering
    for family in (compare, convert, logic, move, memory, atomics, sync, matrix)
    for name, lowering in family.LOWERINGS.items()
}


def lowering(site: Site) -> Lowering:
    """Return what lowers an instruction; raises :class:`gpucc.cpu.site.Refused` if nothing does."""
    name = site.instruction.mnemonic
    found = _OTHERS.get(name)
    if found is None:
        types = set(site.types)
        if types & _HALVES:
            found = half.LOWERINGS.get(name)
        elif types & _FLOATS:
            found = floating.LOWERINGS.get(name)
        else:
            found = integer.LOWERINGS.get(name)
    if found is None:
        raise site.refuse("is not supported on the CPU target")
    return found
