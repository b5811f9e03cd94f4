"""Floats narrower than singles: what they are, from singles and to singles, in straight code."""

from __future__ import annotations

from dataclasses import dataclass

from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.rounding import pattern
from gpucc.cpu.types import floating, floating_bits


@dataclass(frozen=True, slots=True)
class Narrow:
    """A format narrower than a single: bits of exponent and fraction, patterns without sign.

    ``infinity`` is None where there is none; ``nan`` may be the largest number.
    """

    exponent: int
    fraction: int
    largest: int
    nan: int
    infinity: int | None = None

    @property
    def bias(self) -> int:
        """What is added to exponents."""
        return (1 << (self.exponent - 1)) - 1

    @property
    def bits(self) -> int:
        """Bits of the whole format."""
        return 1 + self.exponent + self.fraction


FORMATS = {
    "f16": Narrow(5, 10, 0x7BFF, 0x7FFF, 0x7C00),
    "bf16": Narrow(8, 7, 0x7F7F, 0x7FFF, 0x7F80),
    "tf32": Narrow(8, 10, 0x3FBFF, 0x3FFFF, 0x3FC00),
    "e4m3": Narrow(4, 3, 0x7E, 0x7F),
    "e5m2": Narrow(5, 2, 0x7B, 0x7F, 0x7C),
    "e2m3": Narrow(2, 3, 0x1F, 0x1F),
    "e3m2": Narrow(3, 2, 0x1F, 0x1F),
    "e2m1": Narrow(2, 1, 0x7, 0x7),
}


# --- from singles ---------------------------------------------------------------------------------


def quantise(
    code: Code,
    value: Value,
    format_: Narrow,
    mode: str,
    *,
    finite: bool = False,
    random: Value | None = None,
) -> Value:
    """Return the bits of a ``float`` in a narrower format, as an ``i64``.

    ``mode`` is one of PTX's.  For ``rs``, ``random`` (``i64``) has as many bits as are cut off a
    normal number; it is added to the highest bits that are cut off.  ``finite``: what is too large
    gives the largest number.
    """

    def constant(n: int) -> Value:
        return integer(64, n)

    def maximum(a: Value, b: Value) -> Value:
        return code.call("i64", "llvm.smax.i64", a, b)

    single = code.resize(pattern(code, value), 64)
    size = code.binary("and", single, constant(0x7FFFFFFF))
    negative = code.icmp("ne", single, size)
    field = code.binary("lshr", size, constant(23))
    fraction = code.binary("and", size, constant(0x7FFFFF))
    hidden = code.select(code.icmp("ne", field, constant(0)), constant(1 << 23), constant(0))
    whole = code.binary("or", fraction, hidden)
    # the exponent as the narrow format would write it, from 1
    exponent = maximum(field, constant(1))
    exponent = code.binary("add", exponent, constant(format_.bias - 127))
    written = maximum(exponent, constant(1))
    cut = 23 - format_.fraction
    shift = code.binary("sub", code.binary("add", written, constant(cut)), exponent)
    shift = code.call("i64", "llvm.smin.i64", shift, constant(62))
    kept = code.binary("lshr", whole, shift)
    unit = code.binary("shl", constant(1), shift)
    rest = code.binary("and", whole, code.binary("sub", unit, constant(1)))
    up = _up(code, kept, rest, unit, negative, mode, random, cut)
    # a carry out of the fraction goes into the exponent by itself
    base = code.binary("sub", written, constant(1))
    base = code.binary("shl", base, constant(format_.fraction))
    result = code.binary("add", code.binary("add", base, kept), code.resize(up, 64))
    largest = constant(format_.largest)
    beyond = largest
    if format_.infinity is not None and not finite:
        infinity = constant(format_.infinity)
        beyond = _beyond(code, mode, negative, largest, infinity)
        infinite = code.icmp("eq", size, constant(0x7F800000))
        beyond = code.select(infinite, infinity, beyond)
    result = code.select(code.icmp("sgt", result, largest), beyond, result)
    sign = code.select(negative, constant(1 << (format_.bits - 1)), constant(0))
    result = code.binary("or", result, sign)
    return code.select(code.fcmp("uno", value, value), constant(format_.nan), result)


def _up(
    code: Code,
    kept: Value,
    rest: Value,
    unit: Value,
    negative: Value,
    mode: str,
    random: Value | None,
    random_bits: int,
) -> Value:
    """Return whether ``kept`` goes up, where ``rest`` of a ``unit`` is cut off; an ``i1``."""
    some = code.icmp("ne", rest, integer(64, 0))
    twice = code.binary("shl", rest, integer(64, 1))
    match mode:
        case "rn":
            odd = code.icmp("ne", code.binary("and", kept, integer(64, 1)), integer(64, 0))
            tie = code.binary("and", code.icmp("eq", twice, unit), odd)
            return code.binary("or", code.icmp("ugt", twice, unit), tie)
        case "rz":
            return integer(1, 0)
        case "rm":
            return code.binary("and", some, negative)
        case "rp":
            return code.binary("and", some, code.binary("xor", negative, integer(1, 1)))
        case _:
            assert mode == "rs"
            assert random is not None
            # the highest bits that are cut off; unit is at least 2^random_bits
            scale = code.binary("lshr", unit, integer(64, random_bits))
            top = code.binary("udiv", rest, scale)
            total = code.binary("add", top, random)
            return code.icmp("uge", total, integer(64, 1 << random_bits))


def _beyond(code: Code, mode: str, negative: Value, largest: Value, infinity: Value) -> Value:
    """Return what numbers become that are finite and too large."""
    match mode:
        case "rz":
            return largest
        case "rm":
            return code.select(negative, infinity, largest)
        case "rp":
            return code.select(negative, largest, infinity)
        case _:
            return infinity


# --- to singles -----------------------------------------------------------------------------------


def decode(code: Code, value: Value, name: str) -> Value:
    """Return the lowest bits of an ``i32``, in a narrow format, as a ``float``."""
    format_ = FORMATS[name]
    size_bits = format_.bits - 1
    size = code.binary("and", value, integer(32, (1 << size_bits) - 1))
    sign = code.binary("lshr", value, integer(32, size_bits))
    sign = code.binary("shl", sign, integer(32, 31))
    # moved to where a single has them, with the smaller bias: scaling corrects it, exactly
    moved = code.binary("shl", size, integer(32, 23 - format_.fraction))
    scale = floating("f32", 2.0 ** (127 - format_.bias))
    single = code.binary("fmul", code.cast("bitcast", moved, "float"), scale)
    if format_.infinity is not None:
        infinite = code.icmp("eq", size, integer(32, format_.infinity))
        single = code.select(infinite, floating_bits("f32", 0x7F800000), single)
    signed = code.binary("or", pattern(code, single), sign)
    single = code.cast("bitcast", signed, "float")
    if format_.nan == format_.largest:
        return single
    above = format_.infinity if format_.infinity is not None else format_.largest
    nan = code.icmp("ugt", size, integer(32, above))
    return code.select(nan, floating_bits("f32", 0x7FFFFFFF), single)


def decode_power(code: Code, value: Value, name: str) -> Value:
    """Return 2^(e - 127) for the lowest 8 bits of an ``i32``; NaN for 255."""
    field = code.binary("and", value, integer(32, 0xFF))
    single = code.cast("bitcast", code.binary("shl", field, integer(32, 23)), "float")
    least = code.icmp("eq", field, integer(32, 0))
    single = code.select(least, floating("f32", 2.0**-127), single)
    nan = code.icmp("eq", field, integer(32, 0xFF))
    return code.select(nan, floating_bits("f32", 0x7FFFFFFF), single)
