"""Every spelling of arithmetic with 16-bit floats, against exact arithmetic, bit for bit."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest
from cpu_arrays import Compiled, Spelling, spellings
from cpu_exact import BF16, F16, F32, FORMATS, Format, Number, add, extreme, multiply
from cpu_operands import compare, edges, patterns

from gpucc.cpu import half

HALVES = {"f16", "bf16", "f16x2", "bf16x2"}

CASES = [
    case for mnemonic in half.LOWERINGS for case in spellings(mnemonic) if HALVES & set(case.words)
]
REFUSED = {
    case.opcode: "has '.oob'" if "oob" in case.words else "mixes types"
    for case in CASES
    if "oob" in case.words or case.opcode.endswith("f16x2.f32x2.f32x2")
}
MIXED = [c for c in CASES if "f32" in c.words or ("f32x2" in c.words and c.opcode not in REFUSED)]
APPROXIMATE = [c for c in CASES if "approx" in c.words]
EXACT = [c for c in CASES if c not in MIXED and c not in APPROXIMATE and c.opcode not in REFUSED]


@cache
def compiled() -> Compiled:
    return Compiled(CASES, lambda opcode: half.LOWERINGS[opcode.partition(".")[0]], level=2)


def test_every_spelling_runs_or_is_refused_for_a_known_reason() -> None:
    refused = {case.opcode: why for case, why in compiled().refused.items()}
    assert refused.keys() == REFUSED.keys()
    for opcode, why in REFUSED.items():
        assert why in refused[opcode]
    assert {*EXACT, *MIXED, *APPROXIMATE} == set(compiled())
    assert len(CASES) > 150


# --- one format -----------------------------------------------------------------------------------


def right(case: Spelling, format_: Format, operands: Sequence[int]) -> int:
    """Return what an instruction on one format gives."""
    words = case.opcode.split(".")
    if words[0] in ("min", "max"):
        return extreme(words, format_, operands)
    if words[0] in ("abs", "neg"):
        pattern = operands[0]
        if format_.decode(pattern).is_nan:
            return 0x7FFF
        if "ftz" in words and not pattern & format_.infinity:
            pattern &= format_.sign
        return pattern & ~format_.sign if words[0] == "abs" else pattern ^ format_.sign
    numbers = [format_.decode(p) for p in operands]
    if "ftz" in words:
        numbers = [format_.flush(n) for n in numbers]
    pattern = format_.encode(exact(words[0], numbers, "rn"))
    if "ftz" in words:
        pattern = format_.encode(format_.flush(format_.decode(pattern)))
    if "relu" in words and (pattern & format_.sign or pattern == 0):
        pattern = 0
    return format_.saturate(pattern) if "sat" in words else pattern


def exact(mnemonic: str, numbers: Sequence[Number], mode: str) -> Number:
    a, b, *rest = numbers
    match mnemonic:
        case "add":
            return add(a, b, mode)
        case "sub":
            return add(a, b._replace(negative=not b.negative), mode)
        case "mul":
            return multiply(a, b)
        case _:
            return add(multiply(a, b), rest[0], mode)


def pairs(rows: Sequence[Sequence[int]], bits: int) -> list[tuple[int, ...]]:
    """Return each row with another one above it, as packed operands."""
    return [
        tuple(a | b << bits for a, b in zip(low, high, strict=True))
        for low, high in zip(rows, rows[::-1], strict=True)
    ]


@pytest.mark.parametrize("case", EXACT, ids=str)
def test_results_are_right_to_the_bit(case: Spelling) -> None:
    type_ = case.result
    format_ = FORMATS[type_.removesuffix("x2")]
    operands = patterns(format_, len(case.operands))
    expected = [right(case, format_, row) for row in operands]
    if type_.endswith("x2"):
        operands = pairs(operands, 16)
        expected = [a | b << 16 for a, b in zip(expected, expected[::-1], strict=True)]
    compare(case.opcode, operands, compiled().rows(case, operands), expected)


@pytest.mark.parametrize("type_", ["f16", "bf16"])
@pytest.mark.parametrize("mnemonic", ["add.rn", "mul.rn", "fma.rn"])
def test_sums_and_products_that_are_hard_to_round_are_right(mnemonic: str, type_: str) -> None:
    """Operands have any exponents; results are ties, or almost, more often than by chance."""
    case = next(case for case in EXACT if case.opcode == f"{mnemonic}.{type_}")
    format_ = FORMATS[type_]
    draw = random.Random(case.opcode)
    few = [0, 1, -1, 1 << (format_.fraction - 1), (1 << (format_.fraction - 1)) + 1, 3]

    def any_exponent() -> int:
        exponent = draw.randrange(0, (1 << format_.exponent) - 1)
        fraction = draw.choice(few) & ((1 << format_.fraction) - 1)
        return draw.choice((0, format_.sign)) | exponent << format_.fraction | fraction

    operands = [tuple(any_exponent() for _ in case.operands) for _ in range(2000)]
    expected = [right(case, format_, row) for row in operands]
    compare(case.opcode, operands, compiled().rows(case, operands), expected)


# --- with singles ---------------------------------------------------------------------------------


def mixed(case: Spelling, small: Format, operands: Sequence[int], narrowed: int) -> int:
    """Return what an instruction on singles gives whose first operands are 16-bit floats."""
    formats = [small] * narrowed + [F32] * (len(operands) - narrowed)
    numbers = [f.decode(p) for f, p in zip(formats, operands, strict=True)]
    mode = next((word for word in case.words if word in ("rn", "rz", "rm", "rp")), "rn")
    pattern = F32.encode(exact(case.opcode.partition(".")[0], numbers, mode), mode)
    return F32.saturate(pattern) if "sat" in case.words else pattern


@pytest.mark.parametrize("case", MIXED, ids=str)
def test_results_of_mixed_types_are_right_to_the_bit(case: Spelling) -> None:
    small = BF16 if set(case.words) & {"bf16", "bf16x2"} else F16
    narrowed = len(case.operands) - 1
    draw = random.Random(case.opcode)
    operands = [
        (
            *(draw.choice(edges(small)) for _ in range(narrowed)),
            draw.choice(edges(F32)),
        )
        for _ in range(400)
    ]
    for _ in range(300):
        # near each other, so that they cancel
        halves = [draw.getrandbits(small.bits) for _ in range(narrowed)]
        single = F32.encode(small.decode(halves[0])) ^ draw.choice((0, F32.sign))
        operands.append((*halves, single ^ draw.getrandbits(20)))
    expected = [mixed(case, small, row, narrowed) for row in operands]
    if case.result == "f32x2":
        rows = zip(operands, operands[::-1], strict=True)
        operands = [
            (*(a | b << 16 for a, b in zip(low[:-1], high[:-1], strict=True)),
             low[-1] | high[-1] << 32)
            for low, high in rows
        ]  # fmt: skip
        expected = [a | b << 32 for a, b in zip(expected, expected[::-1], strict=True)]
    compare(case.opcode, operands, compiled().rows(case, operands), expected)


# --- approximations -------------------------------------------------------------------------------


def power(x: float) -> float:
    return math.inf if x > 300 else math.exp2(x)


@pytest.mark.parametrize("case", APPROXIMATE, ids=str)
def test_approximations_are_within_one_unit_of_the_last_place(case: Spelling) -> None:
    """PTX ISA grants 2^-9.9 to f16 and 2^-7 to bf16."""
    format_ = FORMATS[case.result.removesuffix("x2")]
    function = power if case.opcode.startswith("ex2") else math.tanh
    ftz = "ftz" in case.words
    # every 7th, so that all exponents and both signs come with many fractions
    rows: list[tuple[int, ...]] = [(pattern,) for pattern in range(0, 1 << 16, 7)]
    got = compiled().rows(case, pairs(rows, 16) if case.result.endswith("x2") else rows)
    if case.result.endswith("x2"):
        assert [p >> 16 for p in got] == [p & 0xFFFF for p in reversed(got)]
    for (pattern,), both in zip(rows, got, strict=True):
        x, found = format_.decode(pattern), both & 0xFFFF
        if x.is_nan:
            assert found == 0x7FFF
            continue
        y = function(format_.flush(x).approximate if ftz else x.approximate)
        value = Number(y < 0, math.inf if math.isinf(y) else Fraction(abs(y)))
        close = format_.encode(value)
        if ftz:
            close = format_.encode(format_.flush(format_.decode(close)))
        if y == 0:
            close = pattern & format_.sign if case.opcode.startswith("tanh") else 0
        assert abs(found - close) <= 1, (case.opcode, hex(pattern), hex(found), hex(close))


@pytest.mark.parametrize("type_", ["f16", "bf16"])
def test_powers_of_two_with_whole_exponents_are_exact(type_: str) -> None:
    case = next(c for c in APPROXIMATE if c.opcode.startswith("ex2") and c.result == type_)
    format_ = FORMATS[type_]
    exponents = range(2 - format_.bias, format_.bias)
    number = [Number(e < 0, Fraction(abs(e))) for e in exponents]
    rows = [(format_.encode(n),) for n in number]
    expected = [(e + format_.bias) << format_.fraction for e in exponents]
    compare(case.opcode, rows, compiled().rows(case, rows), expected)
