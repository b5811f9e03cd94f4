"""Elementary functions of singles, as straight code that LLVM vectorises.

Each takes and returns a ``float``, and works in double precision with a polynomial whose error is
below 2^-33 of the result (of 1 for sine and cosine).  What remains is the rounding to a single: far
inside the bounds of PTX ISA (section 9.7.3), whose hardware has about 22 bits.

The polynomials are Chebyshev interpolants of the degrees written, over the intervals written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.rounding import fma, pattern, unary, with_sign
from gpucc.cpu.types import floating

_EXPONENTIAL = (
    0.9999999999595622,
    0.6931471805568341,
    0.24022651213495422,
    0.055504109063177154,
    0.009618025613598036,
    0.0013333478480888061,
    0.00015469729140704658,
    1.5303699001378845e-05,
)

_SINE = (
    6.283185307072258,
    -41.341702116741764,
    81.6052261738358,
    -76.70427986968328,
    42.00977921610078,
    -14.39396588007609,
)

_LOGARITHM = (
    2.885390081790047,
    0.9617966733701413,
    0.5770835827017469,
    0.41167270348975815,
    0.3407327218570538,
)

_TANGENT = (
    0.9999999999844942,
    -0.3333333209227237,
    0.13333174055818064,
    -0.053896477657200056,
    0.02053972421116804,
)


def exponential(code: Code, value: Value) -> Value:
    """Return 2 to the power of ``value``: 0 for -inf, subnormal where it is so small."""
    return _narrow(code, _exponential(code, _wide(code, value)))


def logarithm(code: Code, value: Value) -> Value:
    """Return the logarithm to base 2: -inf for both zeros, NaN for what is negative."""
    # value = 2^n * m with m in [sqrt(1/2), sqrt(2)); log2(m) = log2((1 + s) / (1 - s))
    wide = _wide(code, value)
    bits = pattern(code, wide)
    shifted = code.binary("add", bits, integer(64, _BITS_ONE - _BITS_ROOT))
    above = code.binary("ashr", shifted, integer(64, 52))
    n = code.cast("sitofp", code.binary("sub", above, integer(64, 1023)), "double")
    fraction = code.binary("and", shifted, integer(64, (1 << 52) - 1))
    m = code.cast("bitcast", code.binary("add", fraction, integer(64, _BITS_ROOT)), "double")
    one = floating("f64", 1.0)
    s = code.binary("fdiv", code.binary("fsub", m, one), code.binary("fadd", m, one))
    result = fma(code, s, _polynomial(code, code.binary("fmul", s, s), _LOGARITHM), n)
    infinity, zero = floating("f64", math.inf), floating("f64", 0.0)
    result = code.select(code.fcmp("oeq", wide, infinity), infinity, result)
    result = code.select(code.fcmp("oeq", wide, zero), floating("f64", -math.inf), result)
    result = code.select(code.fcmp("uge", wide, zero), result, floating("f64", math.nan))
    nan = code.fcmp("uno", wide, wide)
    return _narrow(code, code.select(nan, floating("f64", math.nan), result))


def sine(code: Code, value: Value) -> Value:
    """Return the sine of ``value`` radians: NaN for infinities.

    The angle in turns has an error of 2^-53 of itself, so little is right beyond 2^40.
    """
    wide = _wide(code, value)
    turns = _turns(code, wide)
    # sin(pi - x) = sin(x): from [-1/2, 1/2] to [-1/4, 1/4]
    half = with_sign(code, floating("f64", 0.5), turns)
    far = code.fcmp("ogt", unary(code, "fabs", turns), floating("f64", 0.25))
    turns = code.select(far, code.binary("fsub", half, turns), turns)
    result = _sine_of_turns(code, turns)
    zero = code.fcmp("oeq", wide, floating("f64", 0.0))
    return _narrow(code, code.select(zero, wide, result))


def cosine(code: Code, value: Value) -> Value:
    """Return the cosine of ``value`` radians, as :func:`sine` has it."""
    turns = unary(code, "fabs", _turns(code, _wide(code, value)))
    return _narrow(code, _sine_of_turns(code, code.binary("fsub", floating("f64", 0.25), turns)))


def hyperbolic_tangent(code: Code, value: Value) -> Value:
    """Return the hyperbolic tangent: of both infinities 1 with their sign."""
    wide = _wide(code, value)
    size = unary(code, "fabs", wide)
    # 1 - 2 / (e^2x + 1), which loses too much near 0
    power = _exponential(code, code.binary("fmul", size, floating("f64", 2 / math.log(2))))
    one = floating("f64", 1.0)
    part = code.binary("fdiv", floating("f64", 2.0), code.binary("fadd", power, one))
    large = with_sign(code, code.binary("fsub", one, part), wide)
    small = _polynomial(code, code.binary("fmul", wide, wide), _TANGENT)
    near = code.fcmp("olt", size, floating("f64", 0.25))
    return _narrow(code, code.select(near, code.binary("fmul", wide, small), large))


# --- parts ----------------------------------------------------------------------------------------

_BITS_ONE = 0x3FF0000000000000
_BITS_ROOT = 0x3FE6A09E667F3BCD
"""The bits of 1.0 and of sqrt(1/2)."""

_ROUNDER = 1.5 * 2**52
"""Added to a double below 2^51 it leaves the nearest integer in the low bits."""


def _wide(code: Code, value: Value) -> Value:
    return code.cast("fpext", value, "double")


def _narrow(code: Code, value: Value) -> Value:
    return code.cast("fptrunc", value, "float")


def _polynomial(code: Code, x: Value, coefficients: Sequence[float]) -> Value:
    """Return the polynomial with these coefficients, the constant one first."""
    *others, result = (floating("f64", c) for c in coefficients)
    for coefficient in reversed(others):
        result = fma(code, result, x, coefficient)
    return result


def _exponential(code: Code, x: Value) -> Value:
    """Return 2 to the power of a double; what is out of the range of singles stays so."""
    for limit, beyond in ((250.0, "ogt"), (-250.0, "olt")):
        bound = floating("f64", limit)
        x = code.select(code.fcmp(beyond, x, bound), bound, x)
    shifted = code.binary("fadd", x, floating("f64", _ROUNDER))
    n = code.binary("fsub", shifted, floating("f64", _ROUNDER))
    fraction = _polynomial(code, code.binary("fsub", x, n), _EXPONENTIAL)
    exponent = code.binary("shl", pattern(code, shifted), integer(64, 52))
    scale = code.cast("bitcast", code.binary("add", exponent, integer(64, _BITS_ONE)), "double")
    return code.binary("fmul", fraction, scale)


def _turns(code: Code, x: Value) -> Value:
    """Return an angle in radians as a part of a turn, from -1/2 to 1/2; NaN for infinities."""
    turns = code.binary("fmul", x, floating("f64", 1 / (2 * math.pi)))
    return code.binary("fsub", turns, unary(code, "rint", turns))


def _sine_of_turns(code: Code, turns: Value) -> Value:
    """Return the sine of an angle of at most a quarter turn."""
    square = code.binary("fmul", turns, turns)
    return code.binary("fmul", turns, _polynomial(code, square, _SINE))
