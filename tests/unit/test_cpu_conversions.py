"""Conversions to and from 16 bits that LLVM calls, against NumPy's."""

from __future__ import annotations

from typing import Any

import cpu_kernels
import numpy as np
import numpy.typing as npt
import pytest
from cpu_kernels import Engine


@pytest.fixture(scope="module")
def engine() -> Engine:
    return cpu_kernels.engine()


def _convert(engine: Engine, which: int, bits: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
    given = np.ascontiguousarray(bits.astype(np.uint64))
    out = np.zeros(len(given), np.uint32)
    engine.run("convert", 1, 1, which, given, out, len(given))
    return out


def test_every_half_becomes_the_same_float(engine: Engine):
    halves = np.arange(65536, dtype=np.uint16)
    got = _convert(engine, 0, halves).view(np.float32)
    expected = halves.view(np.float16).astype(np.float32)
    assert np.array_equal(got, expected, equal_nan=True)
    assert np.array_equal(np.signbit(got), np.signbit(expected))


def _around(exact: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return values, the middles between neighbours, and what lies just beside these."""
    middles = (exact[:-1] + exact[1:]) / 2
    near = [np.nextafter(middles, direction) for direction in (-np.inf, np.inf)]
    values = np.concatenate(
        [exact, middles, *near, [np.inf, 1e300, 5e-324, 0.0, 65519.99, 65520.0]]
    )
    return np.concatenate([values, -values])


def test_floats_and_doubles_round_to_the_nearest_half(engine: Engine):
    finite = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
    doubles = _around(finite)
    with np.errstate(over="ignore"):
        expected = doubles.astype(np.float16).view(np.uint16)
        floats = doubles.astype(np.float32)
        from_floats = floats.astype(np.float16).view(np.uint16)
    assert np.array_equal(_convert(engine, 2, doubles.view(np.uint64)), expected)
    assert np.array_equal(_convert(engine, 1, floats.view(np.uint32)), from_floats)


def test_floats_and_doubles_round_to_the_nearest_bfloat(engine: Engine):
    codes = np.arange(0x7F80, dtype=np.uint32)
    finite = (codes << 16).view(np.float32).astype(np.float64)
    doubles = np.concatenate([finite, (finite[:-1] + finite[1:]) / 2])
    # Half-way cases go to the even code; all else here is exact.
    expected = np.concatenate([codes, codes[:-1] + (codes[:-1] & 1)])
    assert np.array_equal(_convert(engine, 4, doubles.view(np.uint64)), expected)
    assert np.array_equal(_convert(engine, 3, doubles.astype(np.float32).view(np.uint32)), expected)
    just_above = np.nextafter(doubles[len(finite) :], np.inf)
    assert np.array_equal(_convert(engine, 4, just_above.view(np.uint64)), codes[1:])
    assert _convert(
        engine, 3, np.array([0x7F7FFFFF, 0xFF800000, 0x7F800001], np.uint32)
    ).tolist() == [
        0x7F80,
        0xFF80,
        0x7FC0,
    ]
