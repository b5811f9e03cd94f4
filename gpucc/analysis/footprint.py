"""From the addresses that a kernel uses to what it does with each origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpucc.analysis.pointers import Arithmetic, Origins, Pointers
from gpucc.ptx.isa import MemoryEffect

GLOBAL_SPACES = frozenset({"global", "generic", "const", "tex", "surf", "tensor"})
READ_ONLY_LIBRARY = ("__cudart_i2opi", "__cudart_sin_cos", "$str", "__unnamed_")
"""How variables begin that the compiler made itself, and that hold constants."""
READS_ARGUMENTS = {"vprintf": MemoryEffect.WRITE, "__assertfail": MemoryEffect.NONE}
"""Functions of the device runtime that read what their arguments point to, and keep nothing.

With what they do to other memory: two kernels that print do not commute.
"""


@dataclass(frozen=True, slots=True)
class GlobalAccess:
    """One access: ``maps`` are the kernel's parameters that the address points *to*."""

    space: str
    address: Pointers
    effect: MemoryEffect
    maps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KernelFootprint:
    """What a kernel does to memory, by origin (not by allocation, as in :mod:`.dependence`).

    The masks are sets of ``origins``: words of parameters, variables, and ``other``.  ``maps``
    lists the parameters (by name) that are used as tensor maps, with what is done through them.
    ``pointers`` are the words that are the only candidate in some address; ``ambiguous`` says that
    some address has several.
    """

    origins: Origins
    read: int
    written: int
    escaped: int
    maps: tuple[tuple[str, MemoryEffect], ...]
    pointers: int
    ambiguous: bool


def summarize(
    accesses: Sequence[GlobalAccess],
    arithmetic: Arithmetic,
    escaped: Pointers,
    beside: MemoryEffect,
) -> KernelFootprint:
    """Sum accesses up; ``beside`` is what is done to other memory without an address.

    What an address was *scaled* from counts where nothing else could be the pointer, or where it is
    known to be a pointer by other accesses (so ``a + (b - a) / 4 * 4`` is b as well).
    """
    origins, other = arithmetic.origins, arithmetic.other
    words = origins.mask("word")
    pointers = arithmetic.sure
    ambiguous = False
    for access in accesses:
        found = access.address.pointed & (words | other)
        if found & (found - 1):
            ambiguous = True
        elif found & words:
            pointers |= found
    read = other if beside & MemoryEffect.READ else 0
    written = other if beside & MemoryEffect.WRITE else 0
    maps: dict[str, MemoryEffect] = {}
    for access in accesses:
        effect = access.effect
        if access.space in ("tex", "surf", "tensor"):  # through a descriptor
            read |= other if effect & MemoryEffect.READ else 0
            written |= other if effect & MemoryEffect.WRITE else 0
            for name in access.maps if access.space == "tensor" else ():
                maps[name] = maps.get(name, MemoryEffect.NONE) | effect
            if access.space != "tensor":
                continue
            effect = MemoryEffect.READ  # of the descriptor itself
        targets = access.address.pointed
        if not targets:
            targets = access.address.scaled & words | other
        elif targets & (words | other):
            targets |= access.address.scaled & pointers
        read |= targets if effect & MemoryEffect.READ else 0
        written |= targets if effect & MemoryEffect.WRITE else 0
    return KernelFootprint(
        origins,
        read,
        written,
        arithmetic.together(escaped).pointed,
        tuple(maps.items()),
        pointers,
        ambiguous,
    )
