"""Rounding in every direction, with what every processor has: rounding to nearest.

An exact result is held as the sum of two numbers, ``high`` the nearest double to it and ``low``
what is left of it (Knuth's two-sum: Higham, *Accuracy and Stability of Numerical Algorithms*,
section 4.3).  Which of two neighbours in a narrower format is right then follows from comparisons.
All of it is straight code, which LLVM vectorises.

Modes are PTX's words, ``rn``, ``rz``, ``rm``, ``rp``, and ``odd``: the neighbour whose last bit is
1 if the result is not exact, so that rounding once more, to at least two bits less, is as good as
rounding once (Boldo and Melquiond, *Emulation of FMA and correctly rounded sums*, 2008).
"""

from __future__ import annotations

from typing import NamedTuple

from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.types import floating, floating_bits

PURE = "nounwind willreturn memory(none)"
"""Attributes of functions without effects."""

WIDTH = {"float": 32, "double": 64}
"""Bits of LLVM's floating types."""

SUFFIX = {"float": "f32", "double": "f64"}
"""PTX's names of LLVM's floating types, which intrinsics use too."""

NAN = {"float": 0x7FFFFFFF, "double": 0xFFF8000000000000}
"""The bits of the NaN that arithmetic gives."""


class Exact(NamedTuple):
    """An exact number: the sum of two doubles, ``high`` the nearest to it."""

    high: Value
    low: Value


def pattern(code: Code, value: Value) -> Value:
    """Return the bits of a float as an integer of its width."""
    return code.cast("bitcast", value, f"i{WIDTH[value.type]}")


def constant_like(value: Value, number: float) -> Value:
    """Return the constant ``number`` of the type of ``value``."""
    return floating(SUFFIX[value.type], number)


def unary(code: Code, name: str, value: Value) -> Value:
    """Call the intrinsic ``llvm.NAME`` of one float: ``fabs``, ``sqrt``, ``floor``."""
    return code.call(value.type, f"llvm.{name}.{SUFFIX[value.type]}", value)


def fma(code: Code, a: Value, b: Value, c: Value) -> Value:
    """Return a * b + c, rounded once to nearest."""
    return code.call(a.type, f"llvm.fma.{SUFFIX[a.type]}", a, b, c)


def with_sign(code: Code, magnitude: Value, sign: Value) -> Value:
    """Return ``magnitude`` with the sign bit of ``sign``."""
    return code.call(magnitude.type, f"llvm.copysign.{SUFFIX[magnitude.type]}", magnitude, sign)


def canonical(code: Code, value: Value) -> Value:
    """Return a float as it is, but a NaN as the one that arithmetic gives."""
    is_nan = code.fcmp("uno", value, value)
    return code.select(is_nan, floating_bits(SUFFIX[value.type], NAN[value.type]), value)


def square_root(code: Code, value: Value) -> Value:
    """Return the square root: NaN for what is below 0, -0 for -0.

    LLVM takes "NaN if x < 0, else sqrt(x)" for sqrt(x), whatever the bits of the NaN, so a NaN of
    its own must not come out of it.
    """
    zero = constant_like(value, 0.0)
    root = unary(code, "sqrt", unary(code, "fabs", value))
    root = code.select(code.fcmp("oeq", value, zero), value, root)
    nan = floating_bits(SUFFIX[value.type], NAN[value.type])
    return code.select(code.fcmp("olt", value, zero), nan, root)


def two_sum(code: Code, a: Value, b: Value) -> Exact:
    """Return a + b of two doubles (or floats) exactly, unless it overflows."""
    total = code.binary("fadd", a, b)
    b_part = code.binary("fsub", total, a)
    a_part = code.binary("fsub", total, b_part)
    low = code.binary("fadd", code.binary("fsub", a, a_part), code.binary("fsub", b, b_part))
    return Exact(total, low)


def downward_zero(code: Code, total: Value, a: Value, b: Value) -> Value:
    """Return ``total`` = a + b with the sign that a zero has when rounding down: -0 for x - x."""
    width = WIDTH[total.type]
    signs = code.binary("or", pattern(code, a), pattern(code, b))
    signs = code.binary("and", signs, integer(width, 1 << (width - 1)))
    is_zero = code.fcmp("oeq", total, constant_like(total, 0.0))
    return code.select(is_zero, code.cast("bitcast", signs, total.type), total)


def narrow_exact(code: Code, exact: Exact, mode: str) -> Value:
    """Round an exact number to ``float``."""
    if mode == "rn":
        # high is rounded already: rounding it again could see a tie that is none
        return code.cast("fptrunc", settle(code, exact, "odd"), "float")
    rounded = code.cast("fptrunc", exact.high, "float")
    back = unary(code, "fabs", code.cast("fpext", rounded, "double"))
    size = unary(code, "fabs", exact.high)
    sign = code.binary("and", pattern(code, exact.high), integer(64, 1 << 63))
    rest = code.binary("xor", pattern(code, exact.low), sign)
    rest = code.cast("bitcast", rest, "double")
    zero = floating("f64", 0.0)
    same = code.fcmp("oeq", size, back)
    less = code.binary("and", same, code.fcmp("olt", rest, zero))
    less = code.binary("or", less, code.fcmp("olt", size, back))
    more = code.binary("and", same, code.fcmp("ogt", rest, zero))
    more = code.binary("or", more, code.fcmp("ogt", size, back))
    return step(code, rounded, less, more, mode)


def settle(code: Code, exact: Exact, mode: str) -> Value:
    """Round an exact number to the type of its parts, otherwise than to nearest."""
    high, low = exact
    width = WIDTH[high.type]
    sign = code.binary("and", pattern(code, high), integer(width, 1 << (width - 1)))
    rest = code.cast("bitcast", code.binary("xor", pattern(code, low), sign), high.type)
    zero = constant_like(high, 0.0)
    return step(code, high, code.fcmp("olt", rest, zero), code.fcmp("ogt", rest, zero), mode)


def step(code: Code, rounded: Value, less: Value, more: Value, mode: str) -> Value:
    """Correct ``rounded``, which is to nearest, for another mode.

    ``less``: the exact number is nearer to zero than ``rounded`` is; ``more``: further from it.
    """
    width = WIDTH[rounded.type]
    bits = pattern(code, rounded)
    negative = code.icmp("slt", bits, integer(width, 0))
    one, none = integer(width, 1), integer(width, 0)
    if mode == "rz":
        bits = code.binary("sub", bits, code.select(less, one, none))
    elif mode == "odd":
        even = code.icmp("eq", code.binary("and", bits, one), none)
        away = code.select(more, one, none)
        change = code.select(less, integer(width, -1), away)
        bits = code.binary("add", bits, code.select(even, change, none))
    else:
        away = negative if mode == "rm" else code.binary("xor", negative, integer(1, 1))
        outward = code.select(more, one, none)
        inward = code.select(less, integer(width, -1), none)
        bits = code.binary("add", bits, code.select(away, outward, inward))
    return code.cast("bitcast", bits, rounded.type)
