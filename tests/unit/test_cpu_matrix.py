"""Matrix operations of the CPU engine, against NumPy and PTX's fragment layouts.

This file is over 500 lines because the layouts are written out form by form, as PTX has them, and
not by the rule that the engine goes by.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cpu_kernels
import numpy as np
import numpy.typing as npt
import pytest
from cpu_kernels import FAULT, PERMUTED, REVERSED, Engine

Array = npt.NDArray[Any]

F16, BF16, TF32, F32, F64, S8, U8, S4, U4, B1, S32, E4M3, E5M2 = range(13)
SATFINITE, XOR, AND, COLUMNS_A, ROWS_B = 1, 2, 4, 8, 16


@pytest.fixture(scope="module")
def engine() -> Engine:
    return cpu_kernels.engine()


# --- layouts, as the tables of PTX ISA 9.7.14.5 have them -----------------------------------------

Place = Callable[[int, int], tuple[int, ...]]
"""The row and column of element i of a lane's fragment."""


def _c(lane: int, i: int) -> tuple[int, int]:
    """Accumulators of every m16n8 form; of the m8n8 ones elements 0 and 1."""
    return (lane >> 2 if i < 2 else (lane >> 2) + 8), (lane % 4) * 2 + (i & 1)


def _a16n8k16_f16(lane: int, i: int) -> tuple[int, int]:
    group, thread = lane >> 2, lane % 4
    row = group if 0 <= i < 2 or 4 <= i < 6 else group + 8
    return row, thread * 2 + (i & 1) + (0 if i < 4 else 8)


def _b16n8k16_f16(lane: int, i: int) -> tuple[int, int]:
    return (lane % 4) * 2 + (i & 1) + (0 if i < 2 else 8), lane >> 2


def _a16n8k8_f16(lane: int, i: int) -> tuple[int, int]:
    return (lane >> 2 if i < 2 else (lane >> 2) + 8), (lane % 4) * 2 + (i & 1)


def _a16n8k8_tf32(lane: int, i: int) -> tuple[int, int]:
    return (lane >> 2) + (0 if i in (0, 2) else 8), lane % 4 + (0 if i in (0, 1) else 4)


def _b16n8k8_tf32(lane: int, i: int) -> tuple[int, int]:
    return lane % 4 + (0 if i == 0 else 4), lane >> 2


def _a16n8k16_f64(lane: int, i: int) -> tuple[int, int]:
    row = lane >> 2 if i % 2 == 0 else (lane >> 2) + 8
    column = i * 2 + lane % 4 if i % 2 == 0 else i * 2 - 2 + lane % 4
    return row, column


def _b16n8k16_f64(lane: int, i: int) -> tuple[int, int]:
    return lane % 4 + i * 4, lane >> 2


def _a16n8k32_8bit(lane: int, i: int) -> tuple[int, int]:
    group, thread = lane >> 2, lane % 4
    row = group if 0 <= i < 4 or 8 <= i < 12 else group + 8
    return row, thread * 4 + (i & 3) + (0 if i < 8 else 16)


def _b16n8k32_8bit(lane: int, i: int) -> tuple[int, int]:
    return (lane % 4) * 4 + (i & 3) + (0 if i < 4 else 16), lane >> 2


def _a16n8k16_8bit(lane: int, i: int) -> tuple[int, int]:
    return (lane >> 2 if i < 4 else (lane >> 2) + 8), (lane % 4) * 4 + (i & 3)


def _a16n8k64_4bit(lane: int, i: int) -> tuple[int, int]:
    group, thread = lane >> 2, lane % 4
    row = group if 0 <= i < 8 or 16 <= i < 24 else group + 8
    return row, thread * 8 + (i & 7) + (0 if i < 16 else 32)


def _b16n8k64_4bit(lane: int, i: int) -> tuple[int, int]:
    return (lane % 4) * 8 + (i & 7) + (0 if i < 8 else 32), lane >> 2


def _a16n8k32_4bit(lane: int, i: int) -> tuple[int, int]:
    return (lane >> 2 if i < 8 else (lane >> 2) + 8), (lane % 4) * 8 + (i & 7)


def _a16n8k256_1bit(lane: int, i: int) -> tuple[int, int]:
    group, thread = lane >> 2, lane % 4
    row = group if 0 <= i < 32 or 64 <= i < 96 else group + 8
    return row, thread * 32 + (i & 31) + (0 if i < 64 else 128)


def _b16n8k256_1bit(lane: int, i: int) -> tuple[int, int]:
    return (lane % 4) * 32 + (i & 31) + (0 if i < 32 else 128), lane >> 2


def _a16n8k128_1bit(lane: int, i: int) -> tuple[int, int]:
    return (lane >> 2 if i < 32 else (lane >> 2) + 8), (lane % 4) * 32 + (i & 31)


def _a8n8(each: int) -> Place:
    return lambda lane, i: (lane >> 2, (lane % 4) * each + i)


def _b8n8(each: int) -> Place:
    return lambda lane, i: ((lane % 4) * each + i, lane >> 2)


@dataclass(frozen=True, slots=True)
class Form:
    """A form of mma: its shape, layouts, and elements of a lane's fragments of A and B."""

    m: int
    k: int
    a: Place
    b: Place
    a_count: int
    b_count: int


K16_HALF = Form(16, 16, _a16n8k16_f16, _b16n8k16_f16, 8, 4)
K8_HALF = Form(16, 8, _a16n8k8_f16, _b8n8(2), 4, 2)
K8_TF32 = Form(16, 8, _a16n8k8_tf32, _b16n8k8_tf32, 4, 2)
K4_TF32 = Form(16, 4, _a16n8k8_tf32, _b16n8k8_tf32, 2, 1)
K16_F64 = Form(16, 16, _a16n8k16_f64, _b16n8k16_f64, 8, 4)
K8_F64 = Form(16, 8, _a16n8k16_f64, _b16n8k16_f64, 4, 2)
K4_F64 = Form(16, 4, _a16n8k16_f64, _b16n8k16_f64, 2, 1)
M8_F64 = Form(8, 4, _a8n8(1), _b8n8(1), 1, 1)
K32_BYTE = Form(16, 32, _a16n8k32_8bit, _b16n8k32_8bit, 16, 8)
K16_BYTE = Form(16, 16, _a16n8k16_8bit, _b8n8(4), 8, 4)
M8_BYTE = Form(8, 16, _a8n8(4), _b8n8(4), 4, 4)
K64_NIBBLE = Form(16, 64, _a16n8k64_4bit, _b16n8k64_4bit, 32, 16)
K32_NIBBLE = Form(16, 32, _a16n8k32_4bit, _b8n8(8), 16, 8)
M8_NIBBLE = Form(8, 32, _a8n8(8), _b8n8(8), 8, 8)
K256_BIT = Form(16, 256, _a16n8k256_1bit, _b16n8k256_1bit, 128, 64)
K128_BIT = Form(16, 128, _a16n8k128_1bit, _b8n8(32), 64, 32)
M8_BIT = Form(8, 128, _a8n8(32), _b8n8(32), 32, 32)


# --- elements -------------------------------------------------------------------------------------

BITS = {
    F64: 64,
    **dict.fromkeys((TF32, F32, S32), 32),
    **dict.fromkeys((F16, BF16), 16),
    **dict.fromkeys((S8, U8, E4M3, E5M2), 8),
    **dict.fromkeys((S4, U4), 4),
    B1: 1,
}


def _fp8(exponent_bits: int) -> npt.NDArray[np.float64]:
    """Return the values of all 256 codes of e4m3 (4) or e5m2 (5)."""
    values: list[float] = []
    fraction_bits = 7 - exponent_bits
    bias = (1 << (exponent_bits - 1)) - 1
    for code in range(256):
        sign = -1.0 if code >> 7 else 1.0
        exponent = code >> fraction_bits & ((1 << exponent_bits) - 1)
        fraction = (code & ((1 << fraction_bits) - 1)) / (1 << fraction_bits)
        if exponent_bits == 4 and code & 0x7F == 0x7F:
            values.append(np.nan)
        elif exponent_bits == 5 and exponent == 31:
            values.append(np.nan if fraction else sign * np.inf)
        elif exponent:
            values.append(sign * (1 + fraction) * 2.0 ** (exponent - bias))
        else:
            values.append(sign * fraction * 2.0 ** (1 - bias))
    return np.array(values)


FP8 = {E4M3: _fp8(4), E5M2: _fp8(5)}


def _random_codes(chance: np.random.Generator, element: int, shape: tuple[int, ...]) -> Array:
    """Return bit patterns of finite values, so that sums stay finite."""
    values = chance.standard_normal(shape) * 4
    if element == F64:
        return values.view(np.uint64)
    if element in (F32, TF32):
        return values.astype(np.float32).view(np.uint32).astype(np.uint64)
    if element == F16:
        return values.astype(np.float16).view(np.uint16).astype(np.uint64)
    if element == BF16:
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint64)
    codes = chance.integers(0, 1 << BITS[element], shape, np.uint64)
    if element in FP8:
        codes = np.where(np.isfinite(FP8[element][codes.astype(int)]), codes, 1).astype(np.uint64)
    return codes


def _values(codes: Array, element: int) -> Array:
    """Return what bit patterns stand for: float32, float64 or int64."""
    if element == F64:
        return codes.view(np.float64)
    if element == F32:
        return codes.astype(np.uint32).view(np.float32)
    if element == TF32:
        return (codes.astype(np.uint32) >> 13 << 13).view(np.float32)
    if element == F16:
        return codes.astype(np.uint16).view(np.float16).astype(np.float32)
    if element == BF16:
        return (codes.astype(np.uint32) << 16).view(np.float32)
    if element in FP8:
        return FP8[element][codes.astype(int)].astype(np.float32)
    whole = codes.astype(np.int64)
    bits = BITS[element]
    if element in (S8, S4, S32):
        return np.where(whole >> (bits - 1) & 1, whole - (1 << bits), whole)
    return whole


def _packed(codes: Array, place: Place, count: int, bits: int) -> npt.NDArray[np.uint32]:
    """Return the registers of the 32 lanes: element i of a lane is the next bits of them."""
    lanes: list[list[int]] = []
    for lane in range(32):
        whole = 0
        for i in range(count):
            whole |= int(codes[place(lane, i)]) << (bits * i)
        lanes.append([whole >> (32 * r) & 0xFFFFFFFF for r in range(-(-bits * count // 32))])
    return np.array(lanes, np.uint32)


def _unpacked(
    registers: npt.NDArray[np.uint32], place: Place, count: int, bits: int, shape: tuple[int, ...]
) -> npt.NDArray[np.uint64]:
    codes = np.zeros(shape, np.uint64)
    for lane in range(32):
        whole = sum(int(value) << (32 * r) for r, value in enumerate(registers[lane]))
        for i in range(count):
            codes[place(lane, i)] = whole >> (bits * i) & ((1 << bits) - 1)
    return codes


def _launch(
    engine: Engine,
    numbers: tuple[int, ...],
    a: npt.NDArray[np.uint32],
    b: npt.NDArray[np.uint32],
    c: npt.NDArray[np.uint32],
    registers: int,
    order: int,
) -> npt.NDArray[np.uint32]:
    shape = np.array(numbers, np.uint32)
    d = np.zeros((32, registers), np.uint32)
    sizes = (a.shape[1], b.shape[1], c.shape[1], registers)
    engine.run("multiply", 1, 32, shape, a, b, c, d, *sizes, 32, order=order)
    return d


def _expected(a: Array, b: Array, c: Array, kind: int) -> Array:
    """Sum over k in order, in the accumulators' precision."""
    if kind == F64:
        # Fused: the exact product in long double (64 bits of fraction) is near enough for rtol.
        return a @ b + c
    if kind == S32:
        return c + a @ b
    total = c.astype(np.float32)
    for k in range(a.shape[1]):
        total = total + a[:, k : k + 1].astype(np.float32) * b[k : k + 1].astype(np.float32)
    return total


CASES = [
    *[(K16_HALF, F16, F16, c) for c in (F16, F32)],
    *[(K8_HALF, F16, F16, c) for c in (F16, F32)],
    (K16_HALF, BF16, BF16, F32),
    (K8_HALF, BF16, BF16, F32),
    (K8_TF32, TF32, TF32, F32),
    (K4_TF32, TF32, TF32, F32),
    *[(form, F64, F64, F64) for form in (M8_F64, K4_F64, K8_F64, K16_F64)],
    *[
        (form, a, b, S32)
        for form in (M8_BYTE, K16_BYTE, K32_BYTE)
        for a in (S8, U8)
        for b in (S8, U8)
    ],
    *[
        (form, a, b, S32)
        for form in (M8_NIBBLE, K32_NIBBLE, K64_NIBBLE)
        for a in (S4, U4)
        for b in (S4, U4)
    ],
    *[
        (form, a, b, c)
        for form in (K16_BYTE, K32_BYTE)
        for a in (E4M3, E5M2)
        for b in (E4M3, E5M2)
        for c in (F16, F32)
    ],
]


@pytest.mark.parametrize(("form", "a_type", "b_type", "c_type"), CASES)
def test_products_are_those_of_numpy(
    engine: Engine, form: Form, a_type: int, b_type: int, c_type: int
):
    chance = np.random.default_rng(form.k + a_type)
    a = _random_codes(chance, a_type, (form.m, form.k))
    b = _random_codes(chance, b_type, (form.k, 8))
    c = _random_codes(chance, c_type, (form.m, 8))
    bits, count = BITS[c_type], form.m // 4
    d = _launch(
        engine,
        (form.m, 8, form.k, a_type, b_type, c_type, c_type, 0),
        _packed(a, form.a, form.a_count, BITS[a_type]),
        _packed(b, form.b, form.b_count, BITS[b_type]),
        _packed(c, _c, count, bits),
        bits * count // 32,
        REVERSED,
    )
    got = _unpacked(d, _c, count, bits, (form.m, 8))
    with np.errstate(over="ignore"):
        expected = _expected(_values(a, a_type), _values(b, b_type), _values(c, c_type), c_type)
        if c_type == F64:
            np.testing.assert_allclose(got.view(np.float64), expected, rtol=1e-13, atol=1e-13)
        elif c_type == S32:
            assert np.array_equal(got.astype(np.int64), expected & 0xFFFFFFFF)
        elif c_type == F16:
            assert np.array_equal(
                got.astype(np.uint16), expected.astype(np.float16).view(np.uint16)
            )
        else:
            assert np.array_equal(got.astype(np.uint32), expected.view(np.uint32))


@pytest.mark.parametrize("form", [M8_BIT, K128_BIT, K256_BIT])
@pytest.mark.parametrize("flag", [XOR, AND])
def test_products_of_bits_count_them(engine: Engine, form: Form, flag: int):
    chance = np.random.default_rng(form.k)
    a, b = (_random_codes(chance, B1, shape) for shape in ((form.m, form.k), (form.k, 8)))
    c = _random_codes(chance, S32, (form.m, 8))
    count = form.m // 4
    d = _launch(
        engine,
        (form.m, 8, form.k, B1, B1, S32, S32, flag),
        _packed(a, form.a, form.a_count, 1),
        _packed(b, form.b, form.b_count, 1),
        _packed(c, _c, count, 32),
        count,
        PERMUTED,
    )
    left, right = a.astype(np.int64)[:, :, None], b.astype(np.int64)[None]
    joined = left ^ right if flag == XOR else left & right
    expected = (c.astype(np.int64) + joined.sum(1)) & 0xFFFFFFFF
    assert np.array_equal(_unpacked(d, _c, count, 32, (form.m, 8)).astype(np.int64), expected)


@pytest.mark.parametrize("flag", [0, SATFINITE])
@pytest.mark.parametrize("start", [2**31 - 5, 2**31 + 5])
def test_sums_of_integers_wrap_or_saturate(engine: Engine, flag: int, start: int):
    """s32 near its limits, and 32 products of the same sign."""
    sign = 1 if start < 2**31 else 255
    a = np.full((32, 4), sign * 0x01010101, np.uint32)
    b = np.full((32, 2), 0x02020202, np.uint32)
    c = np.full((32, 4), start, np.uint32)
    d = _launch(engine, (16, 8, 32, S8, S8, S32, S32, flag), a, b, c, 4, 0)
    wrapped = start + 64 if sign == 1 else start - 64
    limit = 2**31 - 1 if sign == 1 else 2**31
    assert (d == ((limit if flag else wrapped) & 0xFFFFFFFF)).all()


def test_saturation_happens_at_the_end(engine: Engine):
    """Partial sums may pass the limit: only the result counts."""
    a = np.zeros((32, 4), np.uint32)
    a[:, 0] = a[:, 1] = 0x0000FF01  # +1 and -1, times 100
    b = np.full((32, 2), 100 * 0x01010101, np.uint32)
    c = np.full((32, 4), 2**31 - 5, np.uint32)
    d = _launch(engine, (16, 8, 32, S8, S8, S32, S32, SATFINITE), a, b, c, 4, 0)
    assert (d == 2**31 - 5).all()


@pytest.mark.parametrize("a_columns", [0, COLUMNS_A])
@pytest.mark.parametrize("b_rows", [0, ROWS_B])
@pytest.mark.parametrize("c_type", [F16, F32])
@pytest.mark.parametrize("d_type", [F16, F32])
def test_four_products_by_quads(
    engine: Engine, a_columns: int, b_rows: int, c_type: int, d_type: int
):
    """m8n8k4 of f16 (ISA 9.7.14.5.1)."""

    def a_place(lane: int, i: int) -> tuple[int, int]:
        if a_columns:
            return (i % 4 if lane < 16 else i % 4 + 4), lane % 4
        return (lane % 4 if lane < 16 else lane % 4 + 4), i

    def b_place(lane: int, i: int) -> tuple[int, int]:
        if b_rows:
            return lane % 4, (i if lane < 16 else i + 4)
        return i, (lane % 4 if lane < 16 else lane % 4 + 4)

    def c_place(element: int) -> Place:
        def f16(lane: int, i: int) -> tuple[int, int]:
            return (lane % 4 if lane < 16 else lane % 4 + 4), i

        def f32(lane: int, i: int) -> tuple[int, int]:
            x = (lane & 1) + (i & 2)
            return (x if lane < 16 else x + 4), (i & 4) + (lane & 2) + (i & 1)

        return f16 if element == F16 else f32

    def of_quad(place: Place) -> Place:
        return lambda lane, i: (lane % 16 // 4, *place(lane, i))

    chance = np.random.default_rng(3)
    a = _random_codes(chance, F16, (4, 8, 4))
    b = _random_codes(chance, F16, (4, 4, 8))
    c = _random_codes(chance, c_type, (4, 8, 8))
    d = _launch(
        engine,
        (8, 8, 4, F16, F16, c_type, d_type, a_columns | b_rows),
        _packed(a, of_quad(a_place), 4, 16),
        _packed(b, of_quad(b_place), 4, 16),
        _packed(c, of_quad(c_place(c_type)), 8, BITS[c_type]),
        BITS[d_type] // 4,
        PERMUTED,
    )
    got = _unpacked(d, of_quad(c_place(d_type)), 8, BITS[d_type], (4, 8, 8))
    for q in range(4):
        expected = _expected(_values(a[q], F16), _values(b[q], F16), _values(c[q], c_type), F32)
        if d_type == F16:
            assert np.array_equal(
                got[q].astype(np.uint16), expected.astype(np.float16).view(np.uint16)
            )
        else:
            assert np.array_equal(got[q].astype(np.uint32), expected.view(np.uint32))


def test_a_nan_of_a_product_is_the_canonical_one(engine: Engine):
    a = np.full((32, 4), 0x7C007C00, np.uint32)  # infinities
    b = np.zeros((32, 2), np.uint32)
    for c_type, registers, expected in ((F32, 4, 0x7FFFFFFF), (F16, 2, 0x7FFF7FFF)):
        c = np.zeros((32, registers), np.uint32)
        d = _launch(engine, (16, 8, 16, F16, F16, c_type, c_type, 0), a, b, c, registers, 0)
        assert (d == expected).all()


def test_matrix_operations_need_the_whole_warp(engine: Engine):
    shape = np.array([16, 8, 16, F16, F16, F32, F32, 0], np.uint32)
    some = np.zeros((32, 4), np.uint32)
    for threads, lanes in ((32, 31), (20, 32)):
        outcome = engine.launch(
            "multiply",
            1,
            threads,
            shape,
            some,
            some,
            some,
            some,
            4,
            4,
            4,
            4,
            lanes,
            sites=("k.ptx:9: mma",),
        )
        assert outcome.status == FAULT
        assert "all 32 lanes must take part" in outcome.message
        assert "k.ptx:9: mma" in outcome.message


# --- ldmatrix, stmatrix, movmatrix ----------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("transposed", [0, 1])
def test_rows_are_loaded_and_stored(engine: Engine, count: int, transposed: int):
    room = np.arange(1, 1 + 64 * count + 8, dtype=np.uint16)
    start = (-room.ctypes.data % 16) // 2
    memory = room[start : start + 64 * count].reshape(count, 8, 8)
    registers = np.zeros((32, count), np.uint32)
    engine.run("move_rows", 1, 32, memory, count, transposed, registers, 0, 0)
    for lane in range(32):
        for j in range(count):
            matrix = memory[j].T if transposed else memory[j]
            pair = matrix[lane // 4, 2 * (lane % 4) : 2 * (lane % 4) + 2]
            assert registers[lane, j] == int(pair[0]) | int(pair[1]) << 16
    before = memory.copy()
    memory[:] = 0
    engine.run("move_rows", 1, 32, memory, count, transposed, registers, 1, 0)
    assert np.array_equal(memory, before)


def test_rows_at_odd_addresses_are_reported(engine: Engine):
    memory, registers = np.zeros((32, 8), np.uint16), np.zeros((32, 4), np.uint32)
    shift = -memory.ctypes.data % 16 + 8
    outcome = engine.launch("move_rows", 1, 32, memory, 1, 0, registers, 0, shift)
    assert outcome.status == FAULT
    assert "not a multiple of 16" in outcome.message


def test_movmatrix_transposes(engine: Engine):
    matrix = np.arange(100, 164, dtype=np.uint64).reshape(8, 8)
    place = _a8n8(2)
    registers = _packed(matrix, place, 2, 16)
    engine.run("transpose", 1, 32, registers)
    assert np.array_equal(_unpacked(registers, place, 2, 16, (8, 8)), matrix.T)


def test_shapes_that_do_not_exist_are_reported(engine: Engine):
    shape = np.array([16, 8, 12, F16, F16, F32, F32, 0], np.uint32)
    some = np.zeros((32, 4), np.uint32)
    outcome = engine.launch("multiply", 1, 32, shape, some, some, some, some, 4, 4, 4, 4, 32)
    assert outcome.status == FAULT
    assert "no mma of m16n8k12" in outcome.message
