"""Loads, stores, reductions and atomics: what their modifiers say, and how to say it again.

:func:`memory_access` decodes an instruction, :func:`with_cache` writes other cache controls into
it, and :func:`cache_legal` tells why a combination is not allowed.  The combinations were
established by assembling every one with ptxas 13.0 and 13.5; PTX ISA 9.4 sections 9.7.10.8 to
9.7.10.11 say the same in most places.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from gpucc.errors import GpuccError
from gpucc.ptx.module import TYPE_BYTES, Instruction, Operand
from gpucc.ptx.targets import Version, parse_needs, unmet

Kind: TypeAlias = Literal["load", "store", "red", "atom", "prefetch"]

LOAD_OPERATORS = ("ca", "cg", "cs", "lu", "cv")
STORE_OPERATORS = ("wb", "cg", "cs", "wt")
L1_PRIORITIES = ("evict_normal", "evict_unchanged", "evict_first", "evict_last", "no_allocate")
L2_PRIORITIES = ("evict_normal", "evict_first", "evict_last")
PREFETCH_SIZES = (64, 128, 256)

_SPACES = ("global", "shared", "local", "param", "const")
_ORDERS = ("weak", "volatile", "relaxed", "acquire", "release", "acq_rel")
_SCOPES = ("cta", "cluster", "gpu", "sys")
_KINDS: dict[str, Kind] = {
    "ld": "load",
    "ldu": "load",
    "st": "store",
    "red": "red",
    "atom": "atom",
    "prefetch": "prefetch",
    "prefetchu": "prefetch",
}


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """What one instruction accesses, and how.

    ``space`` is ``global``, ``shared``, ``local``, ``param``, ``const`` or ``generic`` (``shared``
    also for ``shared::cluster``: ``window`` holds the part after ``::``).  Cache controls are words
    of the instruction without their level: ``cop`` is ``cg``, ``l1_evict`` ``no_allocate``,
    ``l2_evict`` ``evict_first``; ``""`` where none is written.  ``l2_prefetch`` is in bytes.
    ``type`` is one element's (``f32``), ``vector`` their number, ``bytes`` all of them together.
    ``semantics`` is ``weak``, ``volatile``, ``relaxed``, ``acquire``, ``release``, ``acq_rel``;
    ``operation`` what a red or atom does (``add``).
    """

    kind: Kind
    space: str
    type: str
    vector: int = 1
    bytes: int = 0
    cop: str = ""
    l1_evict: str = ""
    l2_evict: str = ""
    l2_prefetch: int = 0
    cache_hint: bool = False
    semantics: str = "weak"
    scope: str = ""
    window: str = ""
    operation: str = ""
    non_coherent: bool = False
    uniform: bool = False
    mmio: bool = False

    @property
    def volatile(self) -> bool:
        """Whether it is written as volatile."""
        return self.semantics == "volatile"

    @property
    def default(self) -> bool:
        """Whether no cache control is written at all."""
        return not (
            self.cop or self.l1_evict or self.l2_evict or self.l2_prefetch or self.cache_hint
        )


def memory_access(inst: Instruction) -> MemoryAccess | None:
    """Decode a load, store, reduction, atomic or prefetch; None for any other instruction.

    Asynchronous copies and stores, matrix and texture instructions are not decoded.
    """
    return _decode(inst.opcode)


@functools.lru_cache(maxsize=65536)
def _decode(opcode: str) -> MemoryAccess | None:
    return decode(opcode.split("."))


def decode(words: Sequence[str]) -> MemoryAccess | None:
    """Decode the words of an opcode."""
    kind = _KINDS.get(words[0])
    if kind is None or "async" in words or "bulk" in words:
        return None
    fields: dict[str, Any] = {"kind": kind, "space": "generic", "type": ""}
    for word in words[1:]:
        _decode_word(word, kind, fields)
    if words[0] == "ldu":
        fields["uniform"] = True
    elif "relaxed" in words[1:]:
        fields["semantics"] = "relaxed"  # also with .mmio, which comes before it
    elif kind in ("red", "atom") and "semantics" not in fields:
        fields["semantics"] = "relaxed"
    fields["bytes"] = TYPE_BYTES.get(f".{fields['type']}", 0) * fields.get("vector", 1)
    return MemoryAccess(**fields)


def _decode_word(word: str, kind: Kind, fields: dict[str, Any]) -> None:
    level, _, control = word.partition("::")
    if level == "L1" and control:
        fields["l1_evict"] = control
    elif level == "L2" and control:
        if control == "cache_hint":
            fields["cache_hint"] = True
        elif control[-1] == "B":
            fields["l2_prefetch"] = int(control[:-1])
        else:
            fields["l2_evict"] = control
    elif level in _SPACES:
        fields["space"], fields["window"] = level, control
    elif word in ("ca", "cg", "cs", "lu", "cv", "wb", "wt"):
        fields["cop"] = word
    elif word in _ORDERS:
        fields["semantics"] = word
    elif word in _SCOPES:
        fields["scope"] = word
    elif word == "nc":
        fields["non_coherent"] = True
    elif word == "mmio":
        fields["mmio"] = True
    elif word in ("v2", "v4", "v8"):
        fields["vector"] = int(word[1:])
    elif word in _TYPES:
        fields["type"] = word
    elif kind in ("red", "atom") and word != "noftz":
        fields["operation"] = word


_TYPES = frozenset(name[1:] for name in TYPE_BYTES) | {"b128"}

# --- writing --------------------------------------------------------------------------------------


def with_cache(
    inst: Instruction, *, policy: Operand | str | None = None, **changes: Any
) -> Instruction:
    """Return ``inst`` with cache controls replaced, its other modifiers as they were.

    ``changes`` are ``cop``, ``l1_evict``, ``l2_evict``, ``l2_prefetch``, ``cache_hint`` and
    ``non_coherent``, as in :class:`MemoryAccess`; those not given stay.  Turning ``cache_hint`` on
    needs ``policy``, the operand with the 64-bit policy, which becomes the last one; turning it off
    takes it away.  Modifiers come in the order of the PTX ISA.  Nothing is checked for legality.

    Raises :class:`GpuccError` for an instruction that is no load, store, reduction or atomic.
    """
    before = memory_access(inst)
    if before is None or before.kind == "prefetch":
        raise GpuccError(f"'{inst.opcode}' has no cache controls")
    unknown = changes.keys() - _CONTROLS
    if unknown:
        raise TypeError(f"no cache control: {', '.join(sorted(unknown))}")
    after = replace(before, **changes)
    opcode = ".".join(_rewrite(inst.parts, after))
    operands = list(inst.operands)
    if before.cache_hint:
        policy = operands.pop() if policy is None else (operands.pop(), policy)[1]
    if after.cache_hint:
        if policy is None:
            raise TypeError("cache_hint needs a policy")
        operands.append(_operand(policy))
    if before.cache_hint or after.cache_hint:
        return inst.change(opcode=opcode, operands=operands)
    return inst if opcode == inst.opcode else inst.change(opcode=opcode)


_CONTROLS = frozenset({"cop", "l1_evict", "l2_evict", "l2_prefetch", "cache_hint", "non_coherent"})


def _operand(policy: Operand | str) -> Operand:
    from gpucc.ptx.syntax import parse_operands

    return parse_operands(policy)[0] if isinstance(policy, str) else policy


def _rewrite(words: Sequence[str], access: MemoryAccess) -> Iterable[str]:
    """Yield the words of the opcode with the cache controls of ``access`` in their places."""
    kept = [word for word in words if not _is_control(word)]
    place = next(
        (i for i, word in enumerate(kept) if word in _TYPES or word in ("v2", "v4", "v8")),
        len(kept),
    )
    controls: list[str] = []
    if access.cop:
        controls.append(access.cop)
    if access.non_coherent:
        controls.append("nc")
    if access.l1_evict:
        controls.append(f"L1::{access.l1_evict}")
    if access.l2_evict:
        controls.append(f"L2::{access.l2_evict}")
    if access.cache_hint:
        controls.append("L2::cache_hint")
    if access.l2_prefetch:
        controls.append(f"L2::{access.l2_prefetch}B")
    return [*kept[:place], *controls, *kept[place:]]


def _is_control(word: str) -> bool:
    return word.startswith(("L1::", "L2::")) or word in (
        "nc",
        *LOAD_OPERATORS,
        *STORE_OPERATORS,
    )


# --- legality -------------------------------------------------------------------------------------

_L1_NEEDS = parse_needs("7.4 sm_70")
_PREFETCH_NEEDS = {
    size: parse_needs("7.4 sm_80" if size == 256 else "7.4 sm_75") for size in PREFETCH_SIZES
}
_HINT_NEEDS = parse_needs("7.4 sm_80")
_WIDE_NEEDS = parse_needs("8.8 sm_100")
_OPERATOR_NEEDS = parse_needs("2.0 sm_20")
_NEEDS_128 = parse_needs("8.3 sm_70")


def cache_legal(access: MemoryAccess, target: str, version: Version) -> str | None:
    """Return why ``access`` may not be written so for ``target`` at ``version``; None if it may."""
    fault = access_fault(access, target, version)
    return fault[1] if fault else None


def access_fault(access: MemoryAccess, target: str, version: Version) -> tuple[str, str] | None:
    """Return the offending word of the opcode and what is wrong, or None."""
    if access.kind == "prefetch":
        return None
    return (
        _combination(access)
        or _place(access)
        or _vector(access, target, version)
        or _missing(access, target, version)
    )


def _combination(access: MemoryAccess) -> tuple[str, str] | None:
    """Controls that this kind of access lacks, or that exclude one another or the memory order."""
    updates = access.kind in ("red", "atom")
    if (updates or access.uniform) and access.l1_evict:
        return _l1(access), f"'.{_l1(access)}' does not belong to {_article(access)}"
    if (updates or access.uniform) and access.l2_evict:
        return _l2(access), f"'.{_l2(access)}' does not belong to {_article(access)}"
    if access.l2_prefetch and (access.kind != "load" or access.uniform):
        word = f"L2::{access.l2_prefetch}B"
        return word, f"'.{word}' does not belong to {_article(access)}"
    ordered = access.semantics in ("relaxed", "acquire", "release", "acq_rel")
    if access.cop:
        allowed = LOAD_OPERATORS if access.kind == "load" else STORE_OPERATORS
        if updates or access.uniform or access.cop not in allowed:
            return access.cop, f"'.{access.cop}' does not belong to {_article(access)}"
        if access.l1_evict:
            return _l1(access), f"'.{_l1(access)}' excludes the cache operator '.{access.cop}'"
        if access.volatile or ordered:
            return access.cop, f"'.{access.cop}' excludes '.{access.semantics}'"
        if access.non_coherent and access.cop in ("lu", "cv"):
            return access.cop, f"'.{access.cop}' excludes '.nc'"
    if access.non_coherent and (access.volatile or ordered):
        return "nc", f"'.nc' excludes '.{access.semantics}'"
    if access.volatile or access.mmio:
        other = "volatile" if access.volatile else "mmio"
        if access.l1_evict:
            return _l1(access), f"'.{_l1(access)}' excludes '.{other}'"
        if access.cache_hint:
            return "L2::cache_hint", f"'.L2::cache_hint' excludes '.{other}'"
    if access.l1_evict and access.l1_evict not in L1_PRIORITIES:
        return _l1(access), f"'.{_l1(access)}' is no eviction priority"
    if access.l2_evict and access.l2_evict not in L2_PRIORITIES:
        return _l2(access), f"'.{_l2(access)}' is no eviction priority"
    if access.l2_prefetch and access.l2_prefetch not in PREFETCH_SIZES:
        return f"L2::{access.l2_prefetch}B", f"no prefetch of {access.l2_prefetch} bytes"
    return None


def _place(access: MemoryAccess) -> tuple[str, str] | None:
    """Controls and orders that only some state spaces have."""
    is_global = access.space in ("global", "generic")
    where = f"in .{access.space} space"
    if not is_global:
        if access.l1_evict:
            return _l1(access), f"'.{_l1(access)}' {where}, where only .global has it"
        if access.cache_hint:
            return "L2::cache_hint", f"'.L2::cache_hint' {where}, where only .global has it"
        if access.l2_prefetch:
            word = f"L2::{access.l2_prefetch}B"
            return word, f"'.{word}' {where}, where only .global has it"
        if access.l2_evict:
            return _l2(access), f"'.{_l2(access)}' {where}, where only .global has it"
    if access.non_coherent and access.space != "global":
        return "nc", "'.nc' without '.global'"
    if access.kind in ("load", "store") and access.semantics not in ("weak", "volatile"):
        if access.space in ("local", "param", "const"):
            return access.semantics, f"'.{access.semantics}' {where}, which no other thread sees"
        if access.mmio and not is_global:
            return "mmio", f"'.mmio' {where}, where only .global has it"
    if access.volatile and access.space in ("param", "const"):
        return "volatile", f"'.volatile' {where}, which does not change"
    return None


def _vector(access: MemoryAccess, target: str, version: Version) -> tuple[str, str] | None:
    """Sizes of vectors, and what only the largest have."""
    width = access.bytes * 8
    word = f"v{access.vector}"
    if access.kind in ("red", "atom"):
        return None
    wide = (access.vector, width) in ((8, 256), (4, 256))
    if access.uniform and width > 128:
        return word, f"a vector of {width} bits, where 128 is the most"
    if width > 128 and not wide:
        return word, f"a vector of {width} bits, where 128 or 256 is the most"
    if access.l2_evict and not wide:
        return _l2(access), f"'.{_l2(access)}' needs a '.v8' of 32 bits or a '.v4' of 64"
    if wide:
        if access.space not in ("global", "generic"):
            return word, f"a vector of 256 bits in .{access.space} space"
        missing = unmet(_WIDE_NEEDS, target, version)
        if missing:
            return word, f"a vector of 256 bits {missing}"
    if access.mmio and access.vector > 1:
        return word, "a vector with '.mmio'"
    return None


def _missing(access: MemoryAccess, target: str, version: Version) -> tuple[str, str] | None:
    """What is too new for the target or the PTX version."""
    for present, word, needs in (
        (access.l1_evict, _l1(access), _L1_NEEDS),
        (
            access.l2_prefetch,
            f"L2::{access.l2_prefetch}B",
            _PREFETCH_NEEDS.get(access.l2_prefetch, ()),
        ),
        (access.cache_hint, "L2::cache_hint", _HINT_NEEDS),
        (access.cop, access.cop, _OPERATOR_NEEDS),
        (access.type == "b128" and access.kind in ("load", "store"), "b128", _NEEDS_128),
    ):  # fmt: skip
        missing = unmet(needs, target, version) if present else None
        if missing:
            return word, f"'.{word}' {missing}"
    return None


def _article(access: MemoryAccess) -> str:
    if access.uniform:
        return "ldu"
    kinds = {"load": "a load", "store": "a store", "red": "a reduction"}
    return kinds.get(access.kind, "an atomic")


def _l1(access: MemoryAccess) -> str:
    return f"L1::{access.l1_evict}"


def _l2(access: MemoryAccess) -> str:
    return f"L2::{access.l2_evict}"
