"""Floating point in exact arithmetic: what bit patterns mean, and which is right for a number.

Nothing here is shared with the compiler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

NAN = None


class Number(NamedTuple):
    """A sign and a size: a fraction, ``math.inf``, or None for NaN."""

    negative: bool
    size: Fraction | float | None

    @property
    def is_nan(self) -> bool:
        return self.size is None

    @property
    def value(self) -> Fraction:
        """The number itself, if it is finite."""
        assert isinstance(self.size, Fraction)
        return -self.size if self.negative else self.size

    @property
    def approximate(self) -> float:
        if self.size is None:
            return math.nan
        try:
            size = float(self.size)
        except OverflowError:
            size = math.inf
        return -size if self.negative else size


UNDEFINED = Number(False, None)


def number(value: Fraction | int, *, zero: bool = False) -> Number:
    """Return ``value``; ``zero`` is the sign of a zero."""
    value = Fraction(value)
    return Number(zero if value == 0 else value < 0, abs(value))


@dataclass(frozen=True)
class Format:
    """Bits of exponent and fraction, and what stands for what is not finite.

    ``infinite``: an exponent of ones stands for infinity and NaN.  ``nan``: the NaN that results
    have; None if there is none.  Without ``infinite`` only ``nan`` (of either sign) is not finite.
    """

    exponent: int
    fraction: int
    infinite: bool = True
    nan: int | None = None

    @property
    def bits(self) -> int:
        return 1 + self.exponent + self.fraction

    @property
    def bias(self) -> int:
        return (1 << (self.exponent - 1)) - 1

    @property
    def sign(self) -> int:
        return 1 << (self.bits - 1)

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.fraction

    @property
    def largest(self) -> int:
        """The bits of the largest finite number."""
        if self.infinite:
            return self.infinity - 1
        return self.sign - 1 - (self.nan is not None)

    @property
    def least_normal(self) -> Fraction:
        return Fraction(2) ** (1 - self.bias)

    def decode(self, pattern: int) -> Number:
        """Return what ``pattern`` stands for."""
        negative, rest = bool(pattern & self.sign), pattern & (self.sign - 1)
        if self.infinite and rest >= self.infinity:
            return Number(negative, math.inf if rest == self.infinity else None)
        if not self.infinite and self.nan is not None and rest == self.nan & (self.sign - 1):
            return Number(negative, None)
        return Number(negative, self._size(rest))

    def _size(self, rest: int) -> Fraction:
        exponent, fraction = rest >> self.fraction, rest & ((1 << self.fraction) - 1)
        if exponent:
            fraction += 1 << self.fraction
        else:
            exponent = 1
        return Fraction(fraction) * Fraction(2) ** (exponent - self.bias - self.fraction)

    def flush(self, value: Number) -> Number:
        """Return ``value``, or a zero of its sign if it is subnormal."""
        small = isinstance(value.size, Fraction) and value.size < self.least_normal
        return Number(value.negative, Fraction(0)) if small else value

    def saturate(self, pattern: int) -> int:
        """Return a result limited to [0, 1]: +0 for NaN and all that is not above 0."""
        found = self.decode(pattern)
        if found.size is None or found.negative or found.size == 0:
            return 0
        return pattern if found.size < 1 else self.bias << self.fraction

    def floor(self, size: Fraction) -> tuple[int, Fraction]:
        """Return the pattern next below ``size``, as if exponents had no end, and what is left.

        What is left is in units of the last place.
        """
        if size == 0:
            return 0, Fraction(0)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if Fraction(2) ** exponent > size:
            exponent -= 1
        exponent = max(exponent, 1 - self.bias)
        units = size / Fraction(2) ** (exponent - self.fraction)
        whole = units.numerator // units.denominator
        # a carry out of the fraction goes into the exponent by itself
        pattern = ((exponent + self.bias - 1) << self.fraction) + whole
        return pattern, units - whole

    def encode(
        self,
        value: Number,
        mode: str = "rn",
        *,
        finite: bool = False,
        random: int | None = None,
        random_bits: int = 0,
    ) -> int:
        """Return the pattern for ``value`` in a direction of rounding.

        Modes are PTX's words.  ``finite``: too large numbers give the largest.  For ``rs``,
        ``random`` of ``random_bits`` bits is added to as many bits of what would be cut off.
        """
        if value.size is None:
            assert self.nan is not None
            return self.nan
        sign = self.sign if value.negative else 0
        if value.size == math.inf:
            return sign | (self.largest if finite or not self.infinite else self.infinity)
        assert isinstance(value.size, Fraction)
        pattern, left = self.floor(value.size)
        half = Fraction(1, 2)
        match mode:
            case "rn":
                up = left > half or (left == half and pattern & 1)
            case "rna":
                up = left >= half
            case "rz":
                up = False
            case "rm":
                up = value.negative and left > 0
            case "rp":
                up = not value.negative and left > 0
            case "rs":
                assert random is not None
                cut = math.floor(left * 2**random_bits)
                up = cut + random >= 2**random_bits
            case _:
                raise AssertionError(mode)
        pattern += bool(up)
        if pattern > self.largest:
            inward = mode in ("rz", "rp" if value.negative else "rm")
            if finite or not self.infinite or inward:
                return sign | self.largest
            return sign | self.infinity
        return sign | pattern


F16 = Format(5, 10, nan=0x7FFF)
BF16 = Format(8, 7, nan=0x7FFF)
F32 = Format(8, 23, nan=0x7FFFFFFF)
F64 = Format(11, 52, nan=0xFFF8000000000000)
TF32 = Format(8, 10, nan=0x3FFFF)
E4M3 = Format(4, 3, infinite=False, nan=0x7F)
E5M2 = Format(5, 2, nan=0x7F)
E2M3 = Format(2, 3, infinite=False)
E3M2 = Format(3, 2, infinite=False)
E2M1 = Format(2, 1, infinite=False)
FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}


# --- operations -----------------------------------------------------------------------------------


def add(a: Number, b: Number, mode: str = "rn") -> Number:
    """Return a + b, exactly."""
    if a.is_nan or b.is_nan:
        return UNDEFINED
    if a.size == math.inf or b.size == math.inf:
        if a.size == b.size and a.negative != b.negative:
            return UNDEFINED
        return a if a.size == math.inf else b
    zero = a.negative if a.negative == b.negative else mode == "rm"
    return number(a.value + b.value, zero=zero)


def multiply(a: Number, b: Number) -> Number:
    """Return a * b, exactly."""
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan:
        return UNDEFINED
    if a.size == math.inf or b.size == math.inf:
        return UNDEFINED if a.size == 0 or b.size == 0 else Number(negative, math.inf)
    return Number(negative, abs(a.value * b.value))


def divide(a: Number, b: Number) -> Number:
    """Return a / b, exactly."""
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan or (a.size == b.size and a.size in (0, math.inf)):
        return UNDEFINED
    if a.size == math.inf or b.size == 0:
        return Number(negative, math.inf)
    if b.size == math.inf:
        return Number(negative, Fraction(0))
    return Number(negative, abs(a.value / b.value))


def root(a: Number) -> Number:
    """Return the square root of ``a``, cut far behind what rounding looks at, yet never exact
    where it is not."""
    if a.is_nan or a.size == 0:
        return a if a.size == 0 else UNDEFINED
    if a.negative:
        return UNDEFINED
    if a.size == math.inf:
        return a
    scale = 1300
    scaled = a.value * 4**scale
    whole = math.isqrt(scaled.numerator // scaled.denominator)
    exact = Fraction(whole) ** 2 == scaled
    return number((Fraction(whole) + (0 if exact else Fraction(1, 2))) / 2**scale)


def extreme(words: Sequence[str], format_: Format, operands: Sequence[int]) -> int:
    """Return what ``min`` or ``max`` gives, after the pseudocode of PTX ISA.

    ``words`` is the whole opcode.
    """
    numbers = [format_.decode(p) for p in operands]
    if "ftz" in words:
        numbers = [format_.flush(n) for n in numbers]
    signs = [n.negative for n in numbers]
    if "abs" in words:
        numbers = [n._replace(negative=False) for n in numbers]
    known = [n for n in numbers if not n.is_nan]
    if not known or ("NaN" in words and len(known) < len(numbers)):
        pattern = format_.encode(Number(False, None))
    else:

        def key(n: Number) -> tuple[float | Fraction, bool]:
            assert n.size is not None
            return (-n.size if n.negative else n.size), not n.negative

        pick = min if words[0] == "min" else max
        pattern = format_.encode(pick(known, key=key))
    if "xorsign" in words:
        pattern = pattern & ~format_.sign | format_.sign * (signs[0] != signs[1])
    return pattern
