"""What the lines of the instruction table cannot say: rules over modifiers and operands together.

A rule returns None, or the modifier that is at fault (``""``: the whole opcode) and what to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gpucc.ptx.isa_forms import Binding
from gpucc.ptx.isa_memory import access_fault, decode
from gpucc.ptx.isa_operands import register_bits
from gpucc.ptx.module import (
    Address,
    Displaced,
    Element,
    Immediate,
    Name,
    Negated,
    Operand,
    Sink,
    Vector,
)
from gpucc.ptx.targets import Version, split_target

Complaint: TypeAlias = tuple[str, str] | None
Rule: TypeAlias = Callable[[Binding, Sequence[Operand], str, Version], Complaint]


def _cache(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """Loads, stores and atomics: which cache controls, orders and vectors go together."""
    access = decode((*binding.form.head, *binding.modifiers))
    return None if access is None else access_fault(access, target, version)


def _before_volta(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """Warp instructions without ``.sync`` left with sm_70."""
    if version >= (6, 4) and split_target(target)[0] >= 70:
        return "", f"'{binding.form.head[0]}' needs '.sync' on sm_70 and newer, from PTX 6.4 on"
    return None


def _saturates(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """``cvt.sat`` between integers must be able to change the value."""
    to, source = binding.named["D"], binding.named["A"]
    to_bits, source_bits = int(to[1:]), int(source[1:])
    same = to[0] == source[0]
    fits = to_bits >= source_bits if same else to[0] == "s" and to_bits > source_bits
    return ("sat", f"'.sat' from .{source} to .{to}, which holds every value") if fits else None


def _pack(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """``mov`` between a register and a vector of smaller ones: the sizes must agree."""
    vectors = [operand for operand in operands if isinstance(operand, Vector)]
    if len(vectors) != 1:
        return "", "one operand must be a vector, the other a register"
    vector = vectors[0]
    (whole,) = [operand for operand in operands if operand is not vector]
    bits = int(binding.named.get("T", "b128")[1:])
    count = len(vector.items)
    if count not in (1, 2, 4, 8) or bits // count < 8:
        return "", f"a vector of {count} in a mov of {bits} bits"
    if operands[0] is vector:
        allowed: tuple[type, ...] = (Name, Sink)
        if isinstance(whole, Sink):
            return "", "the sink '_' as a source"
    else:
        allowed = (Name, Immediate)
        if isinstance(whole, Immediate):
            return "", "a constant as the result"
    for item in vector.items:
        if not isinstance(item, allowed):
            return (
                "",
                f"'{item}' in a vector that is {'a result' if Sink in allowed else 'a source'}",
            )
        if isinstance(item, Name) and register_bits(item.name) not in (None, bits // count):
            return "", (
                f"{count} elements of {register_bits(item.name)} bits, "
                f"where {count} of {bits // count} bits make up {bits}"
            )
    if isinstance(whole, Name) and register_bits(whole.name) not in (None, bits):
        return "", f"a register of {register_bits(whole.name)} bits in a mov of {bits} bits"
    return None


_COORDINATES = {"1d": 1, "2d": 2, "a1d": 2, "3d": 4, "a2d": 4, "cube": 4, "acube": 4, "2dms": 4}
"""How many coordinates a geometry has; more may be given, always 1, 2 or 4."""


def _texture(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """Textures and surfaces: coordinates fit the geometry; gradients are vectors."""
    geometry = binding.named["G"]
    address = next((o for o in operands if isinstance(o, Address)), None)
    coordinates = address.extra[-1] if address and address.extra else None
    if isinstance(coordinates, Vector):
        least = _COORDINATES.get(geometry, 4)
        count = len(coordinates.items)
        if count not in (1, 2, 4) or count < least:
            return geometry, f"{count} coordinates, where '.{geometry}' has {least}"
        first = coordinates.items[0]
        if geometry.startswith("a") and isinstance(first, Name) and first.name == "reg.f32":
            return geometry, f"'.{geometry}' begins with an index, which is an integer"
    elif coordinates is None:
        return geometry, "no coordinates"
    if "grad" in binding.modifiers and not all(isinstance(o, Vector) for o in operands[2:4]):
        return "grad", "gradients that are no vectors"
    return None


def _aligned(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """``.aligned`` was implied before PTX 6.3."""
    if version >= (6, 3) and "aligned" not in binding.modifiers:
        return "", f"'{'.'.join(binding.form.head)}' needs '.aligned', from PTX 6.3 on"
    return None


def _satfinite(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """Floating-point ``wmma.mma`` lost ``.satfinite`` in PTX 6.5."""
    if version >= (6, 5) and "satfinite" in binding.modifiers:
        return "satfinite", "'.satfinite' of floating-point wmma.mma ended with PTX 6.4"
    return None


def _place(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """``cvta``, ``mapa``, ``getctarank``: a variable's space is the one that is spoken of."""
    head = binding.form.head[0]
    if head == "cvta" and binding.named["T"] == "u32" and split_target(target)[0] >= 90:
        return "u32", f"an address of 32 bits, which {target} does not have"
    wanted = binding.named.get("S", "shared").partition("::")[0]
    source = operands[1]
    if isinstance(source, (Displaced, Element)):
        source = source.base
    if not isinstance(source, Name) or source.name.startswith(("reg.", "unknown", "sreg.")):
        return None
    space = source.name.removeprefix("var.").replace("input", "param")
    if space == wanted:
        return None
    return "", f"a variable in .{space} space, where one in .{wanted} space is expected"


_SELECTORS = {"2": re.compile(r"h[0-3]{2}"), "4": re.compile(r"b[0-7]{4}")}
_SELECTOR = re.compile(r"b[0-3]|h[01]")


def _video(
    binding: Binding, operands: Sequence[Operand], target: str, version: Version
) -> Complaint:
    """Selectors are of the instruction's lanes; those with lanes take registers only."""
    mnemonic = binding.form.head[0]
    wanted = _SELECTORS.get(mnemonic[-1])
    if not wanted and len(operands) < 4 and _selector(operands[0]):
        return "", "a selector of the result, which needs a third source to fill the rest"
    for index, operand in enumerate(operands):
        if isinstance(operand, Negated):
            if "po" in binding.modifiers:
                return "po", "'.po' together with a negated register"
            operand = operand.operand
        if isinstance(operand, Immediate) and wanted and index in (1, 2):
            return "", f"'{mnemonic}' takes no constants"
        selector = _selector(operand)
        if selector and not (wanted or _SELECTOR).fullmatch(selector):
            return "", f"the selector '.{selector}', which '{mnemonic}' does not have"
    return None


def _selector(operand: Operand) -> str:
    """Return ``b0`` of the class ``reg.b32.b0``; empty for what selects nothing."""
    if not isinstance(operand, Name) or not operand.name.startswith("reg."):
        return ""
    return ".".join(operand.name.split(".")[2:])


RULES: Mapping[str, Rule] = {
    "aligned": _aligned,
    "atomic": _cache,
    "before_volta": _before_volta,
    "cache": _cache,
    "pack": _pack,
    "place": _place,
    "satfinite": _satfinite,
    "saturates": _saturates,
    "texture": _texture,
    "video": _video,
}
"""The rules by the name that the table calls them."""
