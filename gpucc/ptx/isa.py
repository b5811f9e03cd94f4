"""What each PTX instruction does, and which of its spellings are legal.

The facts stand in one table (:mod:`gpucc.ptx.isa_table`, :mod:`gpucc.ptx.isa_table_matrix`); this
file answers questions about an instruction from it.  An opcode that is not in the table is assumed
to do anything (``Effects.known`` is False) and is never refused.

What loads and stores do to caches is in :mod:`gpucc.ptx.isa_memory`, whose names are exported here.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gpucc.ptx.isa_forms import (
    Binding,
    Definitions,
    Form,
    MemoryEffect,
    Mismatch,
    Slot,
    read_definitions,
    read_forms,
)
from gpucc.ptx.isa_memory import (
    MemoryAccess,
    cache_legal,
    memory_access,
    with_cache,
)
from gpucc.ptx.isa_operands import Misfit, fit
from gpucc.ptx.isa_rules import RULES
from gpucc.ptx.module import (
    Address,
    Displaced,
    Element,
    Group,
    Instruction,
    Name,
    Negated,
    Not,
    Operand,
    Pair,
    Vector,
)
from gpucc.ptx.targets import NEWEST_VERSION, Version, unmet

__all__ = [
    "AddressUse",
    "Effects",
    "Fault",
    "MemoryAccess",
    "MemoryEffect",
    "cache_legal",
    "check",
    "effects",
    "memory_access",
    "registers_read",
    "registers_written",
    "with_cache",
]

# --- the table ------------------------------------------------------------------------------------


@functools.cache
def _table() -> tuple[Definitions, dict[str, list[str]]]:
    """Return the definitions, and the lines by mnemonic; lines are read when first needed."""
    from gpucc.ptx import isa_table, isa_table_matrix

    lines = [
        line
        for text in (isa_table.TEXT, isa_table_matrix.TEXT)
        for line in text.splitlines()
        if line and not line.startswith("#")
    ]
    by_mnemonic: dict[str, list[str]] = {}
    for line in lines:
        if ":=" not in line:
            by_mnemonic.setdefault(line.partition(" ")[0].partition(".")[0], []).append(line)
    return read_definitions(lines), by_mnemonic


def mnemonics() -> tuple[str, ...]:
    """Return the first words of all instructions in the table."""
    return tuple(_table()[1])


@functools.cache
def forms(mnemonic: str) -> tuple[Form, ...]:
    """Return the forms of all instructions that begin with ``mnemonic``; none if unknown."""
    definitions, lines = _table()
    return tuple(form for line in lines.get(mnemonic, ()) for form in read_forms(line, definitions))


@dataclass(frozen=True, slots=True)
class Spelling:
    """An opcode looked up: the forms of its head that its modifiers fit, or why none does.

    ``words`` are the parts of the opcode; the head has ``head_length`` of them (0: no such head).
    """

    words: tuple[str, ...]
    head_length: int
    bindings: tuple[Binding, ...]
    mismatch: Mismatch | None
    candidates: tuple[Form, ...]

    @property
    def known(self) -> bool:
        """Whether the table has forms that begin with the same word."""
        return bool(self.candidates) or self.head_length > 0


@functools.lru_cache(maxsize=65536)
def spelling(opcode: str) -> Spelling:
    """Look ``opcode`` (with its modifiers) up."""
    words = tuple(opcode.split("."))
    all_forms = forms(words[0])
    length = max(
        (len(f.head) for f in all_forms if f.head == words[: len(f.head)]),
        default=0,
    )
    mine = tuple(f for f in all_forms if length and f.head == words[:length])
    bindings: list[Binding] = []
    mismatch: Mismatch | None = None
    for form in mine:
        bound = form.bind(words[length:])
        if isinstance(bound, Binding):
            bindings.append(bound)
        elif mismatch is None or bound.depth > mismatch.depth:
            mismatch = bound
    return Spelling(words, length, tuple(bindings), mismatch, mine or all_forms)


# --- effects --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AddressUse:
    """What an instruction does through its address operand ``operand``, in state space ``space``.

    ``space`` is ``global``, ``shared``, ``local``, ``param``, ``const``, ``generic``, ``tmem``
    (tensor memory), ``tensor`` (global memory, through a tensor map), ``tex`` or ``surf``.
    """

    operand: int
    space: str
    access: MemoryEffect


@dataclass(frozen=True, slots=True)
class Effects:
    """What an instruction does, told from its opcode alone.

    ``writes`` and ``reads`` are operand indexes; addresses count as read.  The last of ``reads``
    may lie past the end where an optional operand is absent.  A guard is read too, and is in
    neither.  ``space`` is that of ``addresses``, ``generic`` if they differ, ``""`` without any.
    """

    writes: tuple[int, ...]
    reads: tuple[int, ...]
    memory: MemoryEffect
    space: str
    control: bool
    known: bool
    addresses: tuple[AddressUse, ...] = ()
    convergent: bool = False
    """Threads of a warp, block or cluster take part together: control flow must not change."""
    side_effects: bool = False
    """It does something besides results, memory and control (``nanosleep``, volatile access)."""
    carry: bool = False
    """It reads or writes the carry flag; the order among such instructions must not change."""


def effects(inst: Instruction) -> Effects:
    """Return what ``inst`` does; one lookup by its opcode text."""
    return _effects(inst.opcode)


_ANYTHING = Effects(
    writes=(),
    reads=(),
    memory=MemoryEffect.UNKNOWN,
    space="generic",
    control=True,
    known=False,
    convergent=True,
    side_effects=True,
    carry=True,
)
_MANY = tuple(range(64))
_VOLATILE = frozenset({"volatile", "mmio", "acquire", "release", "acq_rel"})


@functools.lru_cache(maxsize=65536)
def _effects(opcode: str) -> Effects:
    found = spelling(opcode)
    if not found.bindings:
        return _ANYTHING
    binding = found.bindings[0]
    form = binding.form
    writes: set[int] = set()
    reads: set[int] = set()
    for other in found.bindings:
        for index, pattern in enumerate(other.form.operands):
            if pattern.kind == "rest":
                reads.update(_MANY[index:])
            if pattern.writes:
                writes.add(index)
            if pattern.reads:
                reads.add(index)
    uses = tuple(
        AddressUse(index, *_use(pattern.space or binding.named.get("S", "generic"), pattern.access))
        for index, pattern in enumerate(form.operands)
        if pattern.kind == "address"
    )
    memory = MemoryEffect.NONE
    for use in uses:
        memory |= use.access
    if "async" in form.flags and memory:
        memory |= MemoryEffect.ASYNC
    modifiers = set(binding.modifiers)
    if "sync" in form.flags or modifiers & {"acquire", "release", "acq_rel"}:
        memory |= MemoryEffect.SYNC
    if "unknown" in form.flags:
        memory = MemoryEffect.UNKNOWN
    spaces = {use.space for use in uses}
    return Effects(
        writes=tuple(sorted(writes)),
        reads=tuple(sorted(reads)),
        memory=memory,
        space=spaces.pop() if len(spaces) == 1 else "generic" if spaces else "",
        control="control" in form.flags,
        known=True,
        addresses=uses,
        convergent="convergent" in form.flags,
        side_effects="effect" in form.flags or bool(modifiers & _VOLATILE),
        carry="carry" in form.flags,
    )


def _use(space: str, access: MemoryEffect) -> tuple[str, MemoryEffect]:
    return space.partition(":")[0], access


# --- registers ------------------------------------------------------------------------------------


def registers_written(inst: Instruction) -> tuple[str, ...]:
    """Return the names that ``inst`` writes: results, also inside vectors and pairs.

    Nothing for an opcode that is not known: whoever asks must look at ``Effects.known``.
    """
    operands = inst.operands
    if inst.opcode.startswith("call"):
        first = operands[0] if operands else None
        return tuple(_names(first)) if isinstance(first, Group) and len(operands) > 1 else ()
    names: list[str] = []
    for index in _effects(inst.opcode).writes:
        if index < len(operands):
            names.extend(_names(operands[index]))
    return tuple(names)


def registers_read(inst: Instruction) -> tuple[str, ...]:
    """Return the names that ``inst`` reads: sources, address registers, and the guard.

    Variables and functions whose address is taken are among them: only declarations tell them from
    registers.  For an opcode that is not known: all names.
    """
    operands = inst.operands
    names: list[str] = []
    if inst.guard:
        predicate = inst.predicate
        assert predicate is not None
        names.append(predicate[0])
    if inst.opcode.startswith("call"):
        has_result = len(operands) > 1 and isinstance(operands[0], Group)
        for operand in operands[1:] if has_result else operands:
            names.extend(_names(operand))
        return tuple(names)
    known = _effects(inst.opcode)
    indexes: Sequence[int] = known.reads if known.known else range(len(operands))
    for index in indexes:
        if index < len(operands):
            names.extend(_names(operands[index]))
    return tuple(names)


def _names(operand: Operand | None) -> Iterator[str]:
    match operand:
        case Name(name):
            yield name
        case Not(inner) | Negated(inner):
            yield inner.name
        case Pair(first, second):
            yield from _names(first)
            yield from _names(second)
        case Vector(items) | Group(items):
            for item in items:
                yield from _names(item)
        case Address(base, _, extra):
            if isinstance(base, Name):
                yield base.name
            for item in extra:
                yield from _names(item)
        case Displaced(base):
            yield base.name
        case Element(base):
            yield base.name
        case _:
            pass


# --- legality -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an instruction, and where.

    ``index`` is the word of the opcode (from 0) for ``part`` "opcode", the operand for "operand".
    """

    message: str
    part: Literal["opcode", "operand"]
    index: int
    severity: Literal["error", "warning"] = "error"


def check(inst: Instruction, target: str, version: Version) -> list[Fault]:
    """Return what is wrong with ``inst`` for ``target`` (``sm_90a``) at PTX ``version``.

    Looks at modifiers, and at number and kinds of operands; what names stand for is not known here,
    so their types are left to :func:`gpucc.ptx.verify.verify`.
    """
    from gpucc.ptx.isa_shapes import untyped

    operands = untyped(inst)
    return list(faults(inst.opcode, operands, target, version))


def faults(
    opcode: str, operands: Sequence[Operand], target: str, version: Version
) -> tuple[Fault, ...]:
    """Return what is wrong with an instruction whose names are replaced by their classes.

    :mod:`gpucc.ptx.isa_operands` describes the classes.
    """
    found = spelling(opcode)
    if not found.known:
        return (Fault(f"'{opcode}' is not known", "opcode", 0, "warning"),)
    if not found.bindings:
        severity: Literal["error", "warning"] = "warning" if version > NEWEST_VERSION else "error"
        return (_explain(found, severity),)
    best: tuple[int, Fault] | None = None
    for binding in found.bindings:
        fault, depth = _judge(found, binding, operands, target, version)
        if fault is None:
            return ()
        if best is None or depth > best[0]:
            best = depth, fault
    assert best is not None
    return (best[1],)


def _judge(
    found: Spelling, binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> tuple[Fault | None, int]:
    """Return what is wrong if ``binding`` is what was meant, and how far it fitted."""
    misfit = None if _takes_anything(binding) else fit(binding, operands)
    if misfit is not None:
        return _operand_fault(found, misfit), misfit.index if misfit.index < len(operands) else -1
    depth = 1000
    for word, needs in binding.needs:
        missing = unmet(needs, target, version)
        if missing:
            index = found.head_length + binding.modifiers.index(word)
            return Fault(f"'.{word}' {missing}", "opcode", index), depth
    missing = unmet(binding.form.needs, target, version)
    if missing:
        return Fault(f"'{_shown(found)}' {missing}", "opcode", 0), depth
    for rule in binding.form.rules:
        wrong = RULES[rule](binding, operands, target, version)
        if wrong is not None:
            word, message = wrong
            index = 0
            if word in binding.modifiers:
                index = found.head_length + binding.modifiers.index(word)
            return Fault(message, "opcode", index), depth + 1
    return None, 0


def _takes_anything(binding: Binding) -> bool:
    return any(pattern.kind == "rest" for pattern in binding.form.operands)


def _operand_fault(found: Spelling, misfit: Misfit) -> Fault:
    return Fault(f"'{_shown(found)}': {misfit.message}", "operand", misfit.index)


def _shown(found: Spelling) -> str:
    return ".".join(found.words)


def _explain(found: Spelling, severity: Literal["error", "warning"]) -> Fault:
    if not found.head_length:
        heads = sorted({".".join(form.head) for form in found.candidates})
        return Fault(
            f"'{_shown(found)}' is no instruction; known are {', '.join(heads[:8])}",
            "opcode",
            0,
            severity,
        )
    mismatch = found.mismatch
    assert mismatch is not None
    head = ".".join(found.words[: found.head_length])
    if mismatch.index is None:
        slot = mismatch.missing
        assert slot is not None
        return Fault(f"'{_shown(found)}' lacks {_choices(slot)}", "opcode", 0, severity)
    word = found.words[found.head_length + mismatch.index]
    others = [w for i, w in enumerate(found.words[found.head_length :]) if i != mismatch.index]
    known = any(word in slot.choices for form in found.candidates for slot in form.slots)
    if not known:
        message = f"'.{word}' is no modifier of '{head}'"
    elif others:
        message = f"'.{word}' cannot stand in '{head}' with '.{'.'.join(others)}'"
    else:
        message = f"'.{word}' cannot stand alone in '{head}'"
    return Fault(message, "opcode", found.head_length + mismatch.index, severity)


def _choices(slot: Slot) -> str:
    words = [f"'.{word}'" for word in slot.choices]
    return words[0] if len(words) == 1 else f"one of {', '.join(words[:8])}"
