"""Whether operands fit a form of the instruction table.

Names are looked at by what they stand for, not by how they are spelt: before matching, every name
in the operand text is replaced by its *class*, and every number by a stand-in of its kind, so that
all additions of two 32-bit registers have the same operands and are judged once.

Classes: ``reg.b32`` and ``reg.v4.f32`` (registers), ``sreg.u32`` (special registers),
``var.global`` (variables, by state space), ``tex.texref``, ``fn`` (functions), ``label``,
``table`` (branch tables), ``proto``, ``unknown`` (nothing is known of it: fits everywhere).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gpucc.ptx.isa_forms import Binding, MemoryEffect, Pattern
from gpucc.ptx.module import (
    Address,
    Displaced,
    Element,
    Group,
    Immediate,
    Name,
    Negated,
    Not,
    Operand,
    Pair,
    Sink,
    Vector,
)

# --- types ----------------------------------------------------------------------------------------


def _sized(bits: int, *kinds: str) -> frozenset[str]:
    return frozenset(f"{kind}{bits}" for kind in kinds)


def _holders() -> dict[str, frozenset[str]]:
    """For each type of an instruction, the types of registers that may stand for it."""
    packed = frozenset({"b32", "f16x2", "u32", "s32"})
    holders = {
        "pred": frozenset({"pred"}),
        "f16": frozenset({"b16", "f16"}),
        "f32": frozenset({"b32", "f32"}),
        "f64": frozenset({"b64", "f64"}),
        "bf16": frozenset({"b16"}),
        "f16x2": frozenset({"b32", "f16x2"}),
        "bf16x2": frozenset({"b32"}),
        "f32x2": frozenset({"b64"}),
        "tf32": frozenset({"b32"}),
        "b128": frozenset({"b128"}),
        "e2m1x2": frozenset({"b8"}),
        "e2m1x4": frozenset({"b16"}),
    }
    for bits in (8, 16, 32, 64):
        integers = _sized(bits, "b", "u", "s") | (packed if bits == 32 else frozenset[str]())
        holders |= {f"{kind}{bits}": integers for kind in "us"}
        holders[f"b{bits}"] = integers | (_sized(bits, "f") if bits > 8 else frozenset[str]())
    holders |= {kind: frozenset({"b32"}) for kind in ("u16x2", "s16x2")}
    for kind in ("u8x4", "s8x4", "e4m3x4", "e5m2x4", "e3m2x4", "e2m3x4"):
        holders[kind] = packed
    for kind in ("e4m3x2", "e5m2x2", "e3m2x2", "e2m3x2", "ue8m0x2", "ue5m3x2", "s2f6x2"):
        holders[kind] = frozenset({"b16"})
    for kind in ("e4m3", "e5m2"):
        holders[kind] = _sized(8, "b", "u", "s")
    return holders


_holds: Mapping[str, frozenset[str]] = _holders()
_BITS = {"pred": 1, "f16x2": 32} | {
    f"{kind}{bits}": bits for kind in "busf" for bits in (8, 16, 32, 64, 128)
}
"""Bits of register types."""


@functools.cache
def registers_for(type_: str, *, wider: bool = False) -> frozenset[str]:
    """Return the types of registers that may hold a value of ``type_`` (PTX ISA 9.4).

    With ``wider``, also larger ones, as loads, stores and conversions allow: of any type for bits,
    of integers for integers, of bits for floating point.
    """
    exact = _holds.get(type_, frozenset())
    if not wider or type_ not in ("f16", *_BITS) or type_ == "pred":
        return exact
    kinds = {"b": "busf", "f": "b"}.get(type_[0], "bus")
    if type_ == "f16x2":
        kinds = "b"
    least = _BITS.get(type_, 16)
    return exact | frozenset(
        register
        for register, bits in _BITS.items()
        if bits > least and register[0] in kinds and register != "pred"
    )


@functools.cache
def _doubled(type_: str) -> str:
    return f"{type_[0]}{2 * int(type_[1:])}"


# --- matching -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Misfit:
    """Operand ``index`` (or their number: ``len(operands)``) does not fit."""

    index: int
    message: str


def fit(binding: Binding, operands: Sequence[Operand]) -> Misfit | None:
    """Return None if ``operands`` (names replaced by classes) fit the form, or the first misfit."""
    patterns = [
        pattern
        for pattern in binding.form.operands
        if not pattern.only_with or pattern.only_with in binding.modifiers
    ]
    optional = [i for i, pattern in enumerate(patterns) if pattern.optional]
    extra = len(operands) - (len(patterns) - len(optional))
    if not 0 <= extra <= len(optional):
        return Misfit(len(operands), _say_count(len(patterns), len(optional), len(operands)))
    first: Misfit | None = None
    for present in combinations(optional, extra):
        chosen = [p for i, p in enumerate(patterns) if not p.optional or i in present]
        misfit = next(_misfits(binding, chosen, operands), None)
        if misfit is None:
            return None
        if first is None or misfit.index > first.index:
            first = misfit
    return first


def _say_count(most: int, optional: int, found: int) -> str:
    least = most - optional
    wanted = f"{least}" if not optional else f"{least} to {most}"
    return f"{found} operand{'' if found == 1 else 's'}, where {wanted} are expected"


def _misfits(
    binding: Binding, patterns: Sequence[Pattern], operands: Sequence[Operand]
) -> Iterator[Misfit]:
    for index, (pattern, operand) in enumerate(zip(patterns, operands, strict=True)):
        message = _refuse(binding, pattern, operand)
        if message:
            yield Misfit(index, message)


def _refuse(binding: Binding, pattern: Pattern, operand: Operand) -> str | None:
    match pattern.kind:
        case "any":
            return None
        case "sink":
            return (
                None if isinstance(operand, Sink) else f"{_describe(operand)}, where '_' must stand"
            )
        case "address":
            return _refuse_address(binding, pattern, operand)
        case "constant":
            return _refuse_constant(pattern, operand)
        case "label" | "table":
            return _refuse_word(pattern.kind, operand)
        case _:
            return _refuse_value(binding, pattern, operand)


def _refuse_word(kind: str, operand: Operand) -> str | None:
    if isinstance(operand, Name) and operand.name in (kind, "unknown"):
        return None
    article = "a label" if kind == "label" else "the label of a '.branchtargets'"
    return f"{_describe(operand)}, where {article} is expected"


def _refuse_constant(pattern: Pattern, operand: Operand) -> str | None:
    if isinstance(operand, Name) and operand.name == "unknown":
        return None
    if not isinstance(operand, Immediate):
        return f"{_describe(operand)}, where a constant is expected"
    if isinstance(operand.value, float):
        return f"{_describe(operand)}, where an integer constant is expected"
    return _refuse_number(pattern, operand)


def _refuse_number(pattern: Pattern, operand: Immediate) -> str | None:
    values, value = pattern.values, operand.value
    if values is None or value is None or value in values:
        return None
    wanted = (
        f"{values.start} to {values.stop - 1}"
        if isinstance(values, range)
        else ", ".join(map(str, sorted(values)))
    )
    if isinstance(values, range) and values.step > 1:
        wanted += f" (a multiple of {values.step})"
    return f"the constant {operand}, where one of {wanted} is expected"


def _refuse_value(binding: Binding, pattern: Pattern, operand: Operand) -> str | None:
    if pattern.second:
        if isinstance(operand, Pair):
            if not isinstance(operand.second, Sink):
                wrong = _refuse_scalar(pattern, pattern.second, operand.second)
                if wrong:
                    return wrong
            operand = operand.first
            if isinstance(operand, Sink):
                return None
        elif not pattern.second_optional:
            return f"{_describe(operand)}, where a pair 'd|p' is expected"
    type_ = binding.type(pattern.type)
    if pattern.double:
        type_ = _doubled(type_)
    count = binding.count(pattern)
    if count is None:
        if pattern.count and isinstance(operand, Vector) and len(operand.items) == 1:
            operand = operand.items[0]
        return _refuse_scalar(pattern, type_, operand)
    return _refuse_vector(pattern, type_, count, operand)


def _refuse_vector(pattern: Pattern, type_: str, count: int, operand: Operand) -> str | None:
    if isinstance(operand, Name):
        kind, _, register = operand.name.partition(".")
        if kind == "unknown":
            return None
        if kind in ("reg", "sreg") and register.startswith("v"):
            length, _, element = register[1:].partition(".")
            if int(length) == count:
                return _refuse_name(pattern, type_, f"{kind}.{element}")
    if not isinstance(operand, Vector):
        return f"{_describe(operand)}, where a vector of {count} is expected"
    if len(operand.items) != count:
        return f"a vector of {len(operand.items)}, where one of {count} is expected"
    for item in operand.items:
        if isinstance(item, Sink):
            if pattern.reads:
                return "the sink '_' as a source"
            continue
        wrong = _refuse_scalar(pattern, type_, item)
        if wrong:
            return wrong
    return None


def _refuse_scalar(pattern: Pattern, type_: str, operand: Operand) -> str | None:
    match operand:
        case Name(name):
            return _refuse_name(pattern, type_, name)
        case Immediate():
            return _refuse_immediate(pattern, type_, operand) or _refuse_number(pattern, operand)
        case Not(inner) if type_ == "pred" and not pattern.writes:
            return _refuse_name(pattern, type_, inner.name)
        case Negated(inner) if pattern.negated:
            return _refuse_name(pattern, type_, inner.name)
        case Sink() if pattern.sink:
            return None
        case Displaced(base) | Element(base) if pattern.symbol and base.name.startswith(
            ("var.", "unknown")
        ):
            return None
        case _:
            return f"{_describe(operand)}, where {_expected(pattern, type_)} is expected"


def _refuse_name(pattern: Pattern, type_: str, name: str) -> str | None:
    kind, _, register = name.partition(".")
    if kind == "unknown":
        return None
    if kind == "reg":
        if pattern.selector:
            register = register.partition(".")[0]
        if register in registers_for(type_, wider=pattern.wider):
            return None
    elif kind == "sreg":
        if pattern.special and not pattern.writes and _special_fits(register, type_, pattern.wider):
            return None
    elif (kind in ("var", "tex") or name in ("fn", "kernel")) and pattern.symbol:
        return None
    return f"{_describe(Name(name))}, where {_expected(pattern, type_)} is expected"


def _special_fits(register: str, type_: str, convert: bool) -> bool:
    """Whether ``mov`` or ``cvt`` (which converts) takes a special register as ``type_``."""
    if register == "pred" or type_ == "pred":
        return register == type_
    if type_[0] == "f" or "." in register:
        return False
    sizes = {"dim": ("16", "32"), "any": ("32", "64"), "u32": ("32",), "u64": ("64",)}
    return convert or type_[1:] in sizes[register]


def _refuse_immediate(pattern: Pattern, type_: str, operand: Immediate) -> str | None:
    wrong = f"{_describe(operand)}, where {_expected(pattern, type_)} is expected"
    if pattern.writes:
        return wrong
    kind = immediate_kind(operand)
    if kind == "integer":
        plain = type_[0] in "bus" and type_ not in ("b128", "bf16") and "x" not in type_
        return None if plain or type_ == "pred" else wrong
    if type_ in ("f32", "f64"):
        return None
    return None if (type_, kind) in (("b32", "single"), ("b64", "double")) else wrong


def immediate_kind(operand: Immediate) -> str:
    """Return ``integer``, ``single`` (``0f3F800000``) or ``double`` (``1.5``, ``0d…``)."""
    if operand.text[:2] in ("0f", "0F"):
        return "single"
    return "double" if isinstance(operand.value, float) else "integer"


def _expected(pattern: Pattern, type_: str) -> str:
    if type_ == "pred":
        return "a predicate"
    return f"a .{type_} register" if pattern.writes else f"a .{type_}"


_SPACES = {
    "shared": ("shared", "shared::cta", "shared::cluster"),
    "param": ("param",),
}


def _refuse_address(binding: Binding, pattern: Pattern, operand: Operand) -> str | None:
    stated = "S" in binding.named or not any(slot.name == "S" for slot in binding.form.slots)
    space = (pattern.space if stated else "") or binding.named.get("S", "generic")
    if isinstance(operand, Name) and operand.name == "unknown":
        return None
    base: Name | Immediate
    if isinstance(operand, Element):
        base = operand.base
    elif isinstance(operand, Address):
        base = operand.base
        if operand.extra and space not in ("tex", "surf", "tensor", "handle"):
            return f"{_describe(operand)}, where one address is expected"
        if operand.unified and not _may_be_unified(binding, space, operand):
            return "'.unified' after an address that cannot have it"
    else:
        return f"{_describe(operand)}, where an address in brackets is expected"
    if isinstance(base, Immediate):
        if space in ("local", "tmem", "tex", "surf"):
            return None
        return f"a constant as an address in .{space} space"
    if space == "handle":
        parts = len(operand.extra) if isinstance(operand, Address) else 0
        return (
            None if parts else "one address, where a fabric handle [endpoint, offset] is expected"
        )
    if space == "tensor" and isinstance(operand, Address):
        wrong = _refuse_coordinates(binding, operand)
        if wrong:
            return wrong
    return _refuse_base(space, pattern.access, base.name)


def _may_be_unified(binding: Binding, space: str, operand: Address) -> bool:
    """Loads and atomics of global memory, through a register (ptxas 13.5)."""
    base = operand.base
    return (
        binding.form.head[0] in ("ld", "ldu", "atom")
        and space in ("global", "generic")
        and isinstance(base, Name)
        and base.name.startswith(("reg.", "unknown"))
    )


def _refuse_coordinates(binding: Binding, operand: Address) -> str | None:
    """``[map, {x, y}]``, with what overrides the map's fields between the two."""
    modifiers = binding.modifiers
    parts = 1 + ("override::global_address" in modifiers)
    if "override::global_dim" in modifiers:
        parts += 1
    if "override::global_dim_stride" in modifiers:
        parts += 3
    if len(operand.extra) != parts:
        return f"{len(operand.extra)} parts after the tensor map, where {parts} are expected"
    last = operand.extra[-1]
    if isinstance(last, Name) and last.name.startswith(("unknown", "reg.v")):
        return None
    lines = {"tile::gather4", "tile::scatter4"} & set(modifiers)
    dimensions = 5 if lines else int(binding.named["DIM"][0])
    if not isinstance(last, Vector) or len(last.items) != dimensions:
        return f"{_describe(last)} as coordinates, where a vector of {dimensions} is expected"
    return None


def _refuse_base(space: str, access: MemoryEffect, name: str) -> str | None:
    kind, _, register = name.partition(".")
    if kind == "unknown":
        return None
    if kind == "reg":
        if register[:1] in "bus" and _BITS.get(register, 128) <= 64:
            return None
        return f"a .{register} register as an address"
    if kind == "tex":
        return None if space in ("tex", "surf", "generic") else f"a .{register} as an address"
    if kind == "var":
        if register == "input":
            if access & MemoryEffect.WRITE:
                return "a parameter of the function, which is not to be written"
            register = "param"
        if space == "generic" and register in ("const", "param"):
            return f"a variable in .{register} space, which has no generic address"
        if space in ("generic", "tex", "surf", "tensor") or space.startswith(register):
            return None
        return f"a variable in .{register} space, where .{space} is accessed"
    return f"{_describe(Name(name))} as an address"


# --- words for messages ---------------------------------------------------------------------------


def _describe(operand: Operand) -> str:
    match operand:
        case Name(name):
            kind, _, rest = name.partition(".")
            return {
                "reg": f"a .{rest} register",
                "sreg": "a special register",
                "var": f"a variable in .{rest} space",
                "tex": f"a .{rest}",
                "fn": "a function",
                "kernel": "a kernel",
                "label": "a label",
                "table": "a branch table",
                "proto": "a call prototype",
            }.get(kind, f"'{name}'")
        case Immediate():
            kind = immediate_kind(operand)
            return "an integer constant" if kind == "integer" else "a floating-point constant"
        case Not():
            return "a negated predicate"
        case Negated():
            return "a negated register"
        case Pair():
            return "a pair 'd|p'"
        case Sink():
            return "the sink '_'"
        case Displaced() | Element():
            return "an address"
        case Address():
            return "an address in brackets" if not operand.extra else "a list in brackets"
        case Vector():
            return "a vector"
        case Group():
            return "a list in parentheses"


def access_of(pattern: Pattern, binding: Binding) -> tuple[str, MemoryEffect]:
    """Return the state space and the access of an address operand."""
    return pattern.space or binding.named.get("S", "generic"), pattern.access


def register_bits(name: str) -> int | None:
    """Return the bits of a register class (``reg.b32``), 0 for another, None if unknown."""
    kind, _, type_ = name.partition(".")
    if kind == "unknown":
        return None
    return _BITS.get(type_, 0) if kind == "reg" else 0
