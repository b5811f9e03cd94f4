"""Every spelling of ``cvt``, against exact arithmetic, bit for bit."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest
from cpu_arrays import Compiled, Spelling, spellings
from cpu_exact import (
    BF16,
    E2M1,
    E2M3,
    E3M2,
    E4M3,
    E5M2,
    F16,
    F32,
    F64,
    TF32,
    Format,
    Number,
    number,
)
from cpu_operands import compare, edges

from gpucc.cpu import convert

CASES = spellings("cvt")
REFUSED = {
    c.opcode: "leaves its meaning open"
    for c in CASES
    if "s2f6x2" in c.words or c.result.endswith("x4")
}
INTEGERS = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")
FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
SMALL = {**FLOATS, "e4m3": E4M3, "e5m2": E5M2, "e2m3": E2M3, "e3m2": E3M2, "e2m1": E2M1}
LANE = {"e2m1": 4, "f16": 16, "bf16": 16}
"""Bits that an element of a pair takes; 8 otherwise."""
RUN = [c for c in CASES if c.opcode not in REFUSED]
PACKED = [c for c in RUN if c.opcode.startswith("cvt.pack")]
PAIRS = [c for c in RUN if "x2" in c.result or "x2" in c.operands[0]]
SCALARS = [c for c in RUN if c not in PACKED and c not in PAIRS]


def compiled_cases(cases: Sequence[Spelling], level: int) -> Compiled:
    return Compiled(cases, lambda opcode: convert.LOWERINGS["cvt"], level=level)


@cache
def compiled() -> Compiled:
    """All spellings, not optimised, which would take long."""
    return compiled_cases(CASES, 0)


@cache
def optimised() -> Compiled:
    """Every fifth spelling of one result, as programs get it."""
    return compiled_cases(SCALARS[::5], 3)


@cache
def widened() -> Compiled:
    """Every third spelling that may have wider registers, with 64-bit registers."""
    wider = [c for c in SCALARS if any(c.wider)][::3]
    cases = [Spelling(c.opcode, c.result, c.operands, c.wider, widened=True) for c in wider]
    return compiled_cases(cases, 0)


def test_every_spelling_runs_or_is_refused_for_a_known_reason() -> None:
    refused = {case.opcode: why for case, why in compiled().refused.items()}
    assert refused.keys() == REFUSED.keys()
    for opcode, why in REFUSED.items():
        assert why in refused[opcode]
    assert {*PACKED, *PAIRS, *SCALARS} == set(compiled())
    assert len(CASES) > 800


# --- what is right --------------------------------------------------------------------------------


def bits_of(type_: str) -> int:
    return int(type_[1:])


def limits(type_: str) -> tuple[int, int]:
    """Return the least and the greatest integer of a type."""
    width = bits_of(type_)
    return (-(1 << width - 1), (1 << width - 1) - 1) if type_[0] == "s" else (0, (1 << width) - 1)


def signed(type_: str, pattern: int) -> int:
    """Return the integer that a pattern is."""
    width = bits_of(type_)
    return pattern - (1 << width) if type_[0] == "s" and pattern >> width - 1 else pattern


def whole(value: Fraction, mode: str) -> int:
    """Round to an integer."""
    match mode:
        case "rni":
            return round(value)
        case "rzi":
            return math.trunc(value)
        case "rmi":
            return math.floor(value)
        case _:
            return math.ceil(value)


def direction(case: Spelling) -> str:
    found = [w for w in case.words if w in ("rn", "rz", "rm", "rp", "rna", "rs")]
    return found[0] if found else "rn"


def to_integer(case: Spelling, source: str, to: str, pattern: int) -> int:
    value = FLOATS[source].decode(pattern)
    if "ftz" in case.words:
        value = F32.flush(value)
    low, high = limits(to)
    if value.size is None:
        result = 1 << bits_of(to) - 1 if source == "f64" or bits_of(to) == 64 else 0
    elif value.size == math.inf:
        result = low if value.negative else high
    else:
        result = max(low, min(high, whole(value.value, case.words[0])))
    return result & (1 << bits_of(to)) - 1


def between_integers(case: Spelling, source: str, to: str, pattern: int) -> int:
    value = signed(source, pattern)
    if "sat" in case.words:
        low, high = limits(to)
        value = max(low, min(high, value))
    return value & (1 << bits_of(to)) - 1


def rectified(case: Spelling, value: Number) -> Number:
    """Return what ``.relu`` leaves: +0 for what is not above 0."""
    if "relu" in case.words and value.size is not None and (value.negative or value.size == 0):
        return number(0)
    return value


def to_float(case: Spelling, value: Number, to: str) -> int:
    """Return a number in the format ``to``, with all that modifiers say."""
    format_ = TF32 if to == "tf32" else FLOATS[to]
    pattern = format_.encode(
        rectified(case, value), direction(case), finite="satfinite" in case.words
    )
    if to == "f32" and "ftz" in case.words and isinstance(value.size, Fraction):
        # decided as if exponents had no end
        endless = Format(11, 23).encode(value, direction(case))
        if value.size < 1 and Format(11, 23).decode(endless).value ** 2 < F32.least_normal**2:
            pattern &= F32.sign
    if "sat" in case.words:
        pattern = format_.saturate(pattern)
    if to == "tf32":
        return 0x7FFFFFFF if value.size is None else pattern << 13
    return pattern


def right(case: Spelling, pattern: int) -> int:
    """Return what a conversion of one operand gives."""
    to, source = case.result, case.operands[0]
    if to in INTEGERS:
        convert_ = between_integers if source in INTEGERS else to_integer
        return convert_(case, source, to, pattern)
    if source in INTEGERS:
        return to_float(case, number(signed(source, pattern)), to)
    if case.opcode in ("cvt.f32.f32", "cvt.f64.f64"):
        return pattern
    if case.opcode == "cvt.f32.bf16":
        return pattern << 16
    value = FLOATS[source].decode(pattern)
    if value.is_nan and "rna" in case.words:
        # what ptxas 13 makes of it: cut, and one less with .satfinite
        return (pattern & ~0x1FFF) - 0x2000 * ("satfinite" in case.words)
    if value.is_nan and (to, source) == ("f64", "f32") and "sat" not in case.words:
        return (pattern >> 31) << 63 | 0x7FF8 << 48 | (pattern & 0x7FFFFF) << 29
    if value.is_nan and (to, source) == ("f32", "f64") and "sat" not in case.words:
        return (pattern >> 63) << 31 | 0x7FC00000 | pattern >> 29 & 0x7FFFFF
    if source == "f32" and "ftz" in case.words:
        value = F32.flush(value)
    rounding = [w for w in case.words if w in ("rni", "rzi", "rmi", "rpi")]
    if rounding and isinstance(value.size, Fraction):
        value = number(whole(value.value, rounding[0]), zero=value.negative)
    return to_float(case, value, to)


# --- operands -------------------------------------------------------------------------------------


@cache
def integers(type_: str) -> list[int]:
    """Return patterns of integers: ends, powers of two and their neighbours, ties of floats."""
    width = bits_of(type_)
    draw = random.Random(type_)
    found = {0, 1, 2, 3, 5, 100, 200}
    for shift in range(width):
        found |= {(1 << shift) - 1, 1 << shift, (1 << shift) + 1}
        for precision in (8, 11, 24, 53):
            if shift > precision:
                half = 1 << shift - precision
                found |= {(1 << shift) + half + d for d in (-1, 0, 1)}
                found |= {(1 << shift) + 3 * half + d for d in (-1, 0, 1)}
    found |= {draw.getrandbits(width) for _ in range(60)}
    found |= {-value for value in found}
    found = {value & (1 << width) - 1 for value in found}
    return sorted(found) if len(found) < 200 else draw.sample(sorted(found), 200)


@cache
def floats(source: str, to: str) -> list[int]:
    """Return patterns of the format ``source`` where a conversion to ``to`` has to decide."""
    format_ = FLOATS[source]
    draw = random.Random(source + to)
    found = set(edges(format_)) | {draw.getrandbits(format_.bits) for _ in range(60)}
    values: list[Fraction] = [Fraction(n, 2) for n in range(-9, 10)]
    values += [Fraction(draw.randint(-4000, 4000), 8) for _ in range(20)]
    if to in INTEGERS:
        low, high = limits(to)
        values += [Fraction(2 * end + d, 2) for end in (low, high) for d in (-2, -1, 0, 1, 2)]
    else:
        values += ties(TF32 if to == "tf32" else SMALL[to], draw)
    for value in values:
        pattern = format_.encode(number(value), finite=True)
        found |= {pattern, pattern + 1, max(pattern - 1, 0)}
    return sorted(p & (1 << format_.bits) - 1 for p in found)


def ties(format_: Format, draw: random.Random) -> list[Fraction]:
    """Return numbers of a format, and those halfway between neighbours; of both signs."""
    least = 1 << format_.fraction
    some = [0, 1, 2, 3, least - 2, least - 1, least, format_.largest - 1, format_.largest - 2]
    some += [draw.randrange(format_.largest) for _ in range(16)]
    found: list[Fraction] = []
    for pattern in some:
        low = format_.decode(pattern).value
        high = format_.decode(pattern + 1).value
        found += [low, (low + high) / 2]
    last = format_.decode(format_.largest).value
    step = last - format_.decode(format_.largest - 1).value
    found += [last, last + step / 2, last + step, last + 2 * step, 3 * last]
    return [value * sign for value in found for sign in (1, -1)]


def operands_of(case: Spelling) -> list[int]:
    source = case.operands[0]
    return integers(source) if source in INTEGERS else floats(source, case.result)


# --- tests of one result --------------------------------------------------------------------------


def batches(cases: Sequence[Spelling], size: int) -> list[list[Spelling]]:
    return [list(cases[i : i + size]) for i in range(0, len(cases), size)]


@pytest.mark.parametrize("cases", batches(SCALARS, 10), ids=lambda cases: cases[0].opcode)
def test_conversions_are_right_to_the_bit(cases: list[Spelling]) -> None:
    for case in cases:
        check(compiled(), case)


def test_conversions_are_right_to_the_bit_when_optimised() -> None:
    for case in optimised():
        check(optimised(), case)


def check(library: Compiled, case: Spelling) -> None:
    rows = [(pattern,) for pattern in operands_of(case)]
    mask = (1 << width(case.result)) - 1
    got = [found & mask for found in library.rows(case, rows)]
    compare(case.opcode, rows, got, [right(case, pattern) for (pattern,) in rows])


def width(type_: str) -> int:
    if type_ in FLOATS:
        return FLOATS[type_].bits
    return 32 if type_ == "tf32" else bits_of(type_)


def test_wider_registers_are_cut_and_filled() -> None:
    draw = random.Random(3)
    for case in widened():
        patterns = operands_of(case)[:40]
        source = width(case.operands[0])
        rows = [(p | draw.getrandbits(64) << source & (1 << 64) - 1,) for p in patterns]
        filled = 64 if case.wider[0] else width(case.result)
        expected: list[int] = []
        for pattern in patterns:
            result = right(case, pattern)
            if case.result in INTEGERS:
                result = signed(case.result, result)
            expected.append(result & (1 << filled) - 1)
        got = [found & (1 << filled) - 1 for found in widened().rows(case, rows)]
        compare(case.opcode, rows, got, expected)


def test_doubles_become_halves_in_one_rounding() -> None:
    """A double just above a tie of f16 is the tie itself as a single."""
    case = next(c for c in SCALARS if c.opcode == "cvt.rn.f16.f64")
    tie = F64.encode(number(1 + Fraction(1, 2**11)))
    got = compiled().rows(case, [(tie,), (tie + 1,), (tie - 1,)])
    assert got == [0x3C00, 0x3C01, 0x3C00]


# --- pairs ----------------------------------------------------------------------------------------


def power_of_two(case: Spelling, value: Number) -> int:
    """Return the ``ue8m0`` of a number: the exponent of its size, 255 for NaN."""
    if value.size is None:
        return 255
    highest = 254 if "satfinite" in case.words else 255
    if value.size == math.inf:
        return highest
    exponent = 0
    if value.size:
        size = Fraction(value.size)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if Fraction(2) ** exponent > size:
            exponent -= 1
        if "rp" in case.words and Fraction(2) ** exponent < size:
            exponent += 1
        exponent += 127
    return max(0, min(highest, exponent))


def element(case: Spelling, value: Number, to: str, noise: int = 0) -> int:
    """Return one result of a pair."""
    if to == "ue8m0":
        return power_of_two(case, value)
    format_ = SMALL[to]
    value = rectified(case, value)
    if value.size is None and format_.nan is None:
        return format_.largest
    used = 13 if to == "f16" else 16
    return format_.encode(
        value, direction(case), finite="satfinite" in case.words,
        random=noise & (1 << used) - 1, random_bits=used,
    )  # fmt: skip


def source_values(case: Spelling) -> list[int]:
    """Return patterns of one element of the operands."""
    source, to = case.operands[0].removesuffix("x2"), case.result.removesuffix("x2")
    if source not in FLOATS:
        return list(range(1 << (4 if source == "e2m1" else 8)))
    if to == "ue8m0":
        return edges(FLOATS[source]) + floats(source, source)[:200]
    return floats(source, to)


def decoded(source: str, pattern: int) -> Number:
    if source == "ue8m0":
        return Number(False, None) if pattern == 255 else number(Fraction(2) ** (pattern - 127))
    if source in ("e2m3", "e3m2"):
        pattern &= 0x3F
    return SMALL[source].decode(pattern)


@pytest.mark.parametrize("case", PAIRS, ids=str)
def test_pairs_are_right_to_the_bit(case: Spelling) -> None:
    source, to = case.operands[0].removesuffix("x2"), case.result.removesuffix("x2")
    uppers = source_values(case)
    draw = random.Random(case.opcode)
    lowers = uppers[:]
    draw.shuffle(lowers)
    noises = [draw.choice((0, 0xFFFFFFFF, draw.getrandbits(32))) for _ in uppers]
    lane = LANE.get(source, 8)
    rows: list[tuple[int, ...]] = []
    for high, low, noise in zip(uppers, lowers, noises, strict=True):
        row = (high, low) if source == "f32" else (high << lane | low,)
        rows.append((*row, noise) if "rs" in case.words else row)
    expected = [
        element(case, decoded(source, high), to, noise >> 16) << LANE.get(to, 8)
        | element(case, decoded(source, low), to, noise)
        for high, low, noise in zip(uppers, lowers, noises, strict=True)
    ]
    compare(case.opcode, rows, compiled().rows(case, rows), expected)


# --- packing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", PACKED, ids=str)
def test_packing_limits_and_moves_up(case: Spelling) -> None:
    to = case.words[2]
    low, high = limits(to)
    bits = bits_of(to)
    some = [0, 1, -1, low, high, low - 1, high + 1, 1 << 31, (1 << 31) - 1, 12345, -12345]
    draw = random.Random(case.opcode)
    rows: list[tuple[int, ...]] = []
    expected: list[int] = []
    for a in some:
        for b in some:
            c = draw.getrandbits(32)
            row = (a & 0xFFFFFFFF, b & 0xFFFFFFFF, c)[: len(case.operands)]
            rows.append(row)
            parts = [max(low, min(high, signed("s32", p))) & (1 << bits) - 1 for p in row[:2]]
            above = c << 2 * bits if len(case.operands) > 2 else 0
            expected.append((parts[0] << bits | parts[1] | above) & 0xFFFFFFFF)
    compare(case.opcode, rows, compiled().rows(case, rows), expected)
