"""Every spelling of floating-point arithmetic, against exact arithmetic, bit for bit.

Approximate instructions are held to the bounds of PTX ISA (section 9.7.3), which say how far the
hardware may be off.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import pytest
from cpu_arrays import Compiled, Spelling, spellings
from cpu_exact import (
    F32,
    F64,
    FORMATS,
    Format,
    Number,
    add,
    divide,
    extreme,
    multiply,
    number,
    root,
)
from cpu_operands import compare, edges, patterns

from gpucc.cpu import floating

HALVES = {"f16", "bf16", "f16x2", "bf16x2"}
FLOATS = {"f32", "f64", "f32x2"}

CASES = [
    case
    for mnemonic in floating.LOWERINGS
    for case in spellings(mnemonic)
    if FLOATS & set(case.words) and not HALVES & set(case.words)
]
REFUSED = {
    "sin.approx.ftz.2pi.f32": "has '.2pi'",
    "cos.approx.ftz.2pi.f32": "has '.2pi'",
}


@cache
def compiled() -> Compiled:
    return Compiled(CASES, lambda opcode: floating.LOWERINGS[opcode.partition(".")[0]], level=2)


# --- what is right --------------------------------------------------------------------------------


def direction(case: Spelling) -> str:
    return next((word for word in case.words if word in ("rn", "rz", "rm", "rp")), "rn")


UNBOUNDED = Format(11, 23, nan=0x7FFFFFFFF)
"""Singles with more bits of exponent: flushing is decided as if exponents had no end."""


def finished(case: Spelling, format_: Format, exact: Number) -> int:
    """Return the pattern that a case writes for an exact result."""
    pattern = format_.encode(exact, direction(case))
    if "ftz" in case.words and format_ is F32:
        endless = UNBOUNDED.decode(UNBOUNDED.encode(exact, direction(case)))
        rounded = F32.decode(pattern) if {"approx", "full"} & set(case.words) else endless
        if isinstance(rounded.size, Fraction) and rounded.size < F32.least_normal:
            pattern &= F32.sign
    return format_.saturate(pattern) if "sat" in case.words else pattern


EXACT: dict[str, Callable[..., Number]] = {
    "add": add,
    "sub": lambda a, b, mode: add(a, b._replace(negative=not b.negative), mode),
    "mul": lambda a, b, mode: multiply(a, b),
    "fma": lambda a, b, c, mode: add(multiply(a, b), c, mode),
    "mad": lambda a, b, c, mode: add(multiply(a, b), c, mode),
    "div": lambda a, b, mode: divide(a, b),
    "rcp": lambda a, mode: divide(number(1), a),
    "sqrt": lambda a, mode: root(a),
}


def exactly(case: Spelling, format_: Format, operands: Sequence[int]) -> int:
    """Return what an instruction with a direction of rounding gives."""
    numbers = [format_.decode(p) for p in operands]
    if "ftz" in case.words and format_ is F32:
        numbers = [F32.flush(n) for n in numbers]
    exact = EXACT[case.opcode.partition(".")[0]](*numbers, direction(case))
    return finished(case, format_, exact)


def least_or_greatest(case: Spelling, format_: Format, operands: Sequence[int]) -> int:
    """Return what ``min`` or ``max`` gives: of two doubles that are NaN, the second, quiet."""
    if format_ is F64 and all(F64.decode(p).is_nan for p in operands):
        return operands[1] | 1 << 51
    return extreme(case.opcode.split("."), format_, operands)


def changed_sign(case: Spelling, format_: Format, operands: Sequence[int]) -> int:
    """Return what ``abs``, ``neg`` and ``copysign`` give.

    NaNs keep their payload, but ``abs`` and ``neg`` of singles are sums (ptxas) with one NaN.
    """
    pattern = operands[-1]
    sum_ = format_ is F32 and not case.opcode.startswith("copysign")
    if sum_ and F32.decode(pattern).is_nan:
        return NAN32
    if "ftz" in case.words and not pattern & format_.infinity:
        pattern &= format_.sign
    match case.opcode.partition(".")[0]:
        case "abs":
            return pattern & ~format_.sign
        case "neg":
            return pattern ^ format_.sign
        case _:
            return pattern & ~format_.sign | operands[0] & format_.sign


def property_(case: Spelling, format_: Format, operands: Sequence[int]) -> int:
    """Return what ``testp`` gives."""
    size = format_.decode(operands[0]).size
    finite = isinstance(size, Fraction)
    small = isinstance(size, Fraction) and 0 < size < format_.least_normal
    return {
        "finite": finite,
        "infinite": size == math.inf,
        "number": size is not None,
        "notanumber": size is None,
        "normal": finite and not small,
        "subnormal": small,
    }[case.words[0]]


def gross(case: Spelling, format_: Format, operands: Sequence[int]) -> int:
    """Return what ``rcp.approx.ftz.f64`` and its like give: upper halves of doubles."""
    upper = operands[0] & -1 << 32
    if F64.decode(operands[0]).is_nan:
        return F64.encode(Number(False, None))
    if not upper & F64.infinity:
        upper &= F64.sign
    value = F64.decode(upper)
    exact = divide(number(1), value if case.opcode.startswith("rcp") else root(value))
    pattern = F64.encode(exact, "rz") & -1 << 32
    return pattern if pattern & F64.infinity else pattern & F64.sign


Oracle = Callable[[Spelling, Format, Sequence[int]], int]


def oracle(case: Spelling) -> Oracle | None:
    """Return what gives the right bits; None if only bounds are known."""
    mnemonic = case.opcode.partition(".")[0]
    if mnemonic in ("min", "max"):
        return least_or_greatest
    if mnemonic in ("abs", "neg", "copysign"):
        return changed_sign
    if mnemonic == "testp":
        return property_
    if {"approx", "full"} & set(case.words):
        return gross if case.opcode in ("rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64") else None
    return exactly if mnemonic in EXACT else None


BITWISE = [case for case in CASES if oracle(case) and case.opcode not in REFUSED]
APPROXIMATE = [case for case in CASES if not oracle(case) and case.opcode not in REFUSED]


# --- tests ----------------------------------------------------------------------------------------


def test_every_spelling_runs_or_is_refused_for_a_known_reason() -> None:
    refused = {case.opcode: why for case, why in compiled().refused.items()}
    assert refused.keys() == REFUSED.keys()
    for opcode, why in REFUSED.items():
        assert why in refused[opcode]
    assert {*BITWISE, *APPROXIMATE} == set(compiled())


def test_mnemonics_of_the_table_that_have_floats_are_lowered() -> None:
    assert len(CASES) > 250


def run(case: Spelling, operands: Sequence[Sequence[int]]) -> list[int]:
    return compiled().rows(case, operands)


@pytest.mark.parametrize("case", BITWISE, ids=str)
def test_results_are_right_to_the_bit(case: Spelling) -> None:
    type_ = case.operands[0]
    right = oracle(case)
    assert right is not None
    if type_ == "f32x2":
        operands = patterns(F32, len(case.operands))
        swapped = operands[::-1]
        pairs = [
            tuple(a | b << 32 for a, b in zip(low, high, strict=True))
            for low, high in zip(operands, swapped, strict=True)
        ]
        expected = [right(case, F32, row) for row in operands]
        both = [a | b << 32 for a, b in zip(expected, expected[::-1], strict=True)]
        compare(case.opcode, pairs, run(case, pairs), both)
        return
    format_ = FORMATS[type_]
    operands = patterns(format_, len(case.operands))
    compare(
        case.opcode, operands, run(case, operands), [right(case, format_, row) for row in operands]
    )


# --- approximations -------------------------------------------------------------------------------

NAN32 = 0x7FFFFFFF
INFINITY, MINUS = 0x7F800000, 0x80000000


def single(value: float) -> int:
    """Return the pattern of ``value`` as a single, to nearest."""
    if math.isnan(value):
        return NAN32
    if math.isinf(value):
        return INFINITY | MINUS * (value < 0)
    return F32.encode(number(Fraction(value), zero=math.copysign(1, value) < 0))


SPECIAL = {
    "sin": {0: 0, MINUS: MINUS, INFINITY: NAN32, INFINITY | MINUS: NAN32},
    "cos": {0: 0x3F800000, MINUS: 0x3F800000, INFINITY: NAN32, INFINITY | MINUS: NAN32},
    "lg2": {
        0: INFINITY | MINUS, MINUS: INFINITY | MINUS, INFINITY: INFINITY,
        INFINITY | MINUS: NAN32, 0xBF800000: NAN32, 0x3F800000: 0,
    },
    "ex2": {0: 0x3F800000, MINUS: 0x3F800000, INFINITY: INFINITY, INFINITY | MINUS: 0},
    "tanh": {0: 0, MINUS: MINUS, INFINITY: 0x3F800000, INFINITY | MINUS: 0xBF800000},
    "rcp": {
        0: INFINITY, MINUS: INFINITY | MINUS, INFINITY: 0, INFINITY | MINUS: MINUS,
    },
    "sqrt": {0: 0, MINUS: MINUS, INFINITY: INFINITY, INFINITY | MINUS: NAN32, 0xBF800000: NAN32},
    "rsqrt": {
        0: INFINITY, MINUS: INFINITY | MINUS, INFINITY: 0, INFINITY | MINUS: NAN32,
        0xBF800000: NAN32,
    },
}  # fmt: skip
"""The special cases of PTX ISA's tables."""

FLUSHED = {
    "sin": (0, MINUS), "cos": (0x3F800000, 0x3F800000), "lg2": (INFINITY | MINUS,) * 2,
    "ex2": (0x3F800000, 0x3F800000), "rcp": (INFINITY, INFINITY | MINUS), "sqrt": (0, MINUS),
    "rsqrt": (INFINITY, INFINITY | MINUS),
}  # fmt: skip
"""What ``.ftz`` makes of subnormal operands, positive and negative."""


def power(x: float) -> float:
    return math.inf if x > 300 else math.exp2(x)


REFERENCE: dict[str, Callable[[float], float]] = {
    "sin": math.sin, "cos": math.cos, "lg2": math.log2, "ex2": power, "tanh": math.tanh,
    "rcp": lambda x: 1 / x, "sqrt": math.sqrt, "rsqrt": lambda x: 1 / math.sqrt(x),
}  # fmt: skip

SINGLES = [c for c in APPROXIMATE if c.operands == ("f32",)]


@pytest.mark.parametrize("case", SINGLES, ids=str)
def test_approximations_have_the_special_cases_of_the_tables(case: Spelling) -> None:
    mnemonic = case.opcode.partition(".")[0]
    expected = dict(SPECIAL[mnemonic])
    expected |= dict.fromkeys((0x7F800001, 0xFF812345, 0x7FC00000, 0xFFFFFFFF), NAN32)
    if "ftz" in case.words:
        positive, negative = FLUSHED[mnemonic]
        expected |= {1: positive, 0x7FFFFF: positive}
        expected |= {MINUS | 1: negative, MINUS | 0x7FFFFF: negative}
    operands = [(p,) for p in expected]
    compare(case.opcode, operands, run(case, operands), list(expected.values()))


@pytest.mark.parametrize("case", SINGLES, ids=str)
def test_approximations_of_singles_are_within_one_unit_of_the_last_place(case: Spelling) -> None:
    mnemonic = case.opcode.partition(".")[0]
    draw = random.Random(mnemonic)
    values = [p for p in edges(F32) if p & INFINITY != INFINITY]
    values += [draw.getrandbits(32) for _ in range(500)]
    values += [single(draw.uniform(-9, 9)) for _ in range(500)]
    values += [single(1 + draw.uniform(-1, 1) / 2 ** draw.randint(1, 20)) for _ in range(200)]
    values += [single(draw.uniform(-160, 130)) for _ in range(200)]
    known: list[tuple[int, float]] = []
    for pattern in values:
        x = F32.flush(F32.decode(pattern)) if "ftz" in case.words else F32.decode(pattern)
        wild = mnemonic in ("sin", "cos") and abs(x.approximate) > 1e6
        below = mnemonic in ("lg2", "sqrt", "rsqrt") and x.negative
        if isinstance(x.size, Fraction) and x.size and not wild and not below:
            known.append((pattern, REFERENCE[mnemonic](x.approximate)))
    got = run(case, [(pattern,) for pattern, _ in known])
    for (pattern, right), found in zip(known, got, strict=True):
        close = single(right)
        if "ftz" in case.words:
            close = F32.encode(F32.flush(F32.decode(close)))
        if mnemonic in ("sin", "cos"):
            assert abs(F32.decode(found).approximate - right) < 2**-23, (case, hex(pattern))
        else:
            assert abs(found - close) <= 1 or {found, close} <= {0, MINUS, 0x800000}, (
                f"{case} of {pattern:#x} gives {found:#x}, not {close:#x}"
            )


@pytest.mark.parametrize("opcode", ["sin.approx.f32", "cos.approx.f32"])
def test_sine_and_cosine_of_anything_are_at_most_one(opcode: str) -> None:
    case = next(case for case in SINGLES if case.opcode == opcode)
    draw = random.Random(opcode)
    operands = [(draw.getrandbits(31),) for _ in range(2000)]
    operands = [row for row in operands if row[0] < INFINITY]
    assert all(abs(F32.decode(p).approximate) <= 1 for p in run(case, operands))


DIVISIONS = [c for c in APPROXIMATE if c.operands == ("f32", "f32")]


@pytest.mark.parametrize("case", DIVISIONS, ids=str)
def test_quotients_are_right_except_where_approximate_division_gives_zero(case: Spelling) -> None:
    operands = patterns(F32, 2)
    expected: list[int] = []
    for a, b in operands:
        numbers = [F32.decode(a), F32.decode(b)]
        if "ftz" in case.words:
            numbers = [F32.flush(n) for n in numbers]
        size = numbers[1].size
        if "approx" in case.words and isinstance(size, Fraction) and size > 2**126:
            exact = multiply(numbers[0], Number(numbers[1].negative, Fraction(0)))
        else:
            exact = divide(*numbers)
        expected.append(finished(case, F32, exact))
    compare(case.opcode, operands, run(case, operands), expected)


def test_every_approximation_is_tested() -> None:
    doubles = [case for case in APPROXIMATE if case.opcode == "rsqrt.approx.f64"]
    assert {*SINGLES, *DIVISIONS, *doubles} == set(APPROXIMATE)


def test_the_reciprocal_square_root_of_doubles_is_right_to_two_units() -> None:
    case = next(case for case in APPROXIMATE if case.opcode == "rsqrt.approx.f64")
    operands = patterns(F64, 1)
    for (pattern,), found in zip(operands, run(case, operands), strict=True):
        exact = F64.encode(divide(number(1), root(F64.decode(pattern))))
        assert abs(found - exact) <= 2, hex(pattern)
