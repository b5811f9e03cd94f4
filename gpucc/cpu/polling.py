"""Loops that may wait for another thread by looking at memory, which must give way to it.

A loop polls if whether it goes on depends on what it has read by an atomic operation or a volatile,
relaxed or acquiring load, or by any load if the loop contains a fence.  It is told by names of
registers alone, so that some loops count as polling that are none, which costs them time only.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpucc.analysis.cfg import CFG
from gpucc.analysis.loops import components
from gpucc.ptx.isa import MemoryEffect, effects, registers_read, registers_written
from gpucc.ptx.module import Instruction

_STRONG = frozenset({"volatile", "relaxed", "acquire", "mmio"})
_FENCES = frozenset({"membar", "fence"})


def polling_branches(cfg: CFG) -> frozenset[int]:
    """Return the statements that branch backwards in a loop that polls."""
    found: set[int] = set()
    for component in _cycles(cfg):
        if _polls(cfg, component):
            found.update(_backward(cfg, component))
    return frozenset(found)


def _instructions(cfg: CFG, blocks: Iterable[int]) -> list[Instruction]:
    body = cfg.function.statements
    return [
        statement
        for block in blocks
        for statement in body[cfg.blocks[block].start : cfg.blocks[block].end]
        if isinstance(statement, Instruction)
    ]


def _polls(cfg: CFG, component: frozenset[int]) -> bool:
    instructions = _instructions(cfg, sorted(component))
    fenced = any(i.mnemonic in _FENCES for i in instructions)
    seen: set[str] = set()
    for instruction in instructions:
        if _reads_shared_state(instruction, fenced):
            seen.update(registers_written(instruction))
    grown = bool(seen)
    while grown:
        grown = False
        for instruction in instructions:
            written = registers_written(instruction)
            if not seen.issuperset(written) and not seen.isdisjoint(registers_read(instruction)):
                seen.update(written)
                grown = True
    return any(
        i.mnemonic in ("bra", "brx", "ret", "exit") and not seen.isdisjoint(registers_read(i))
        for i in instructions
    )


def _reads_shared_state(instruction: Instruction, fenced: bool) -> bool:
    if instruction.mnemonic == "call":
        return True
    what = effects(instruction).memory
    if MemoryEffect.READ not in what:
        return False
    return MemoryEffect.ATOMIC in what or not _STRONG.isdisjoint(instruction.parts) or fenced


def _backward(cfg: CFG, component: frozenset[int]) -> Iterable[int]:
    body = cfg.function.statements
    for block in component:
        last = cfg.blocks[block].end - 1
        if isinstance(body[last], Instruction) and any(
            successor in component and successor <= block
            for successor in cfg.blocks[block].successors
        ):
            yield last


def _cycles(cfg: CFG) -> list[frozenset[int]]:
    """Return the strongly connected components that hold a cycle."""
    return [
        frozenset(component)
        for component in components(list(cfg.successors))
        if len(component) > 1 or component[0] in cfg.blocks[component[0]].successors
    ]
