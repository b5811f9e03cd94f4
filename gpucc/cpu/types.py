"""PTX types as LLVM types, and constants of them.

A type is written without its dot: ``u32``, ``f16x2``, ``pred``.  16-bit floats and packed values
travel as integers (``i16``, ``i32``); the operations on them unpack and pack.
"""

from __future__ import annotations

import re
import struct

from gpucc.cpu.code import Value, integer

_PART = re.compile(r"(?P<kind>[busf]|bf|tf|e\dm\d|ue8m0)(?P<bits>\d+)?(?:x(?P<count>\d))?")


def bits(type_: str) -> int:
    """Return the bits of a PTX type: 32 for ``u32`` and ``f16x2``, 1 for ``pred``."""
    if type_ == "pred":
        return 1
    found = _PART.fullmatch(type_)
    assert found, type_
    each = int(found["bits"]) if found["bits"] else 8
    return each * int(found["count"] or 1)


def is_signed(type_: str) -> bool:
    """Return whether a PTX type is a signed integer."""
    return type_.startswith("s")


def is_float(type_: str) -> bool:
    """Return whether a value of the PTX type is a ``float`` or ``double`` in LLVM."""
    return type_ in ("f32", "f64")


def llvm_type(type_: str) -> str:
    """Return the LLVM type of a PTX type: ``float``, ``double``, or an integer of its bits."""
    if type_ == "f32":
        return "float"
    return "double" if type_ == "f64" else f"i{bits(type_)}"


def as_bits(value: float, type_: str) -> int:
    """Return the bits of a number as ``f16``, ``bf16``, ``f32`` or ``f64``, rounded to nearest."""
    if type_ == "f64":
        return int.from_bytes(struct.pack("<d", value), "little")
    if type_ == "f16":
        return int.from_bytes(struct.pack("<e", value), "little")
    single = int.from_bytes(struct.pack("<f", value), "little")
    if type_ == "bf16":
        return (single + 0x7FFF + (single >> 16 & 1)) >> 16
    return single


def floating(type_: str, value: float) -> Value:
    """Return a constant of ``f32`` or ``f64``."""
    return floating_bits(type_, as_bits(value, type_))


def floating_bits(type_: str, pattern: int) -> Value:
    """Return the constant of ``f32`` or ``f64`` with this bit pattern.

    LLVM writes both as the bits of a double; a float's NaN keeps its payload so.
    """
    if type_ == "f64":
        return Value("double", f"0x{pattern:016X}")
    sign, exponent, fraction = pattern >> 31, pattern >> 23 & 0xFF, pattern & 0x7FFFFF
    if exponent == 0xFF:
        wide = sign << 63 | 0x7FF << 52 | fraction << 29
    else:
        number = struct.unpack("<f", struct.pack("<I", pattern))[0]
        wide = int.from_bytes(struct.pack("<d", number), "little")
    return Value("float", f"0x{wide:016X}")


_HEXADECIMAL = re.compile(r"0(?:[fF]([0-9a-fA-F]{8})|[dD]([0-9a-fA-F]{16}))")


def constant(type_: str, text: str, value: float) -> Value:
    """Return an immediate, written ``text`` and worth ``value``, as a value of the PTX type.

    An integer immediate of a floating type is a number (``mov.f32 %f1, 1``); a floating one of an
    integer type gives its bits (``mov.b32 %r1, 0f3F800000``): those of a double if the type has 64.
    """
    found = _HEXADECIMAL.fullmatch(text)
    if found and bits(type_) == (32 if found[1] else 64):
        pattern = int(found[1] or found[2], 16)
        return floating_bits(type_, pattern) if is_float(type_) else integer(bits(type_), pattern)
    if is_float(type_):
        return floating(type_, value)
    if isinstance(value, float):
        kind = type_ if type_ in ("f16", "bf16") else {16: "f16", 32: "f32", 64: "f64"}[bits(type_)]
        return integer(bits(type_), as_bits(value, kind))
    return integer(bits(type_), value)
