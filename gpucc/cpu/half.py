"""Arithmetic of 16-bit floats: ``f16``, ``bf16``, pairs of them, and of them with singles.

A 16-bit float is an ``i16``, a pair an ``i32`` with the first in its low half.  Operations are done
on singles, which is exact enough that rounding the result once more gives what rounding once would
(24 bits are at least 2 * 11 + 2: Figueroa, *When is double rounding innocuous?*, 1995).  Only
``fma`` needs more: its sum is rounded to odd first.

Results that are NaN are 0x7FFF, in both formats; those of ``abs`` and ``neg`` too, which ptxas
makes sums.  What CUDA calls saturation (``.sat``) and
``.relu`` give +0 for -0.  PTX ISA does not say which NaN marks a value out of bounds, so ``.oob``
is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gpucc.cpu import floating
from gpucc.cpu.approximate import exponential, hyperbolic_tangent
from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.rounding import canonical, constant_like, narrow_exact, settle, two_sum
from gpucc.cpu.site import Lowering, Lowerings, Site

_INFINITY = {"f16": 0x7C00, "bf16": 0x7F80}
"""The bits of the exponent."""

_NAN = 0x7FFF


# --- between formats ------------------------------------------------------------------------------


def widen(site: Site, value: Value, type_: str) -> Value:
    """Return an ``f16`` or ``bf16``, an ``i16``, as the ``float`` that is equal to it.

    What a NaN's payload becomes is not said.
    """
    code = site.code
    if type_ == "f16":
        return code.cast("fpext", code.cast("bitcast", value, "half"), "float")
    high = code.binary("shl", code.resize(value, 32), integer(32, 16))
    return code.cast("bitcast", high, "float")


def narrow(site: Site, value: Value, type_: str) -> Value:
    """Return a ``float`` as ``f16`` or ``bf16``, an ``i16``: to nearest even; NaN is 0x7FFF."""
    code = site.code
    nan = code.fcmp("uno", value, value)
    if type_ == "f16":
        rounded = code.cast("bitcast", code.cast("fptrunc", value, "half"), "i16")
    else:
        rounded = _nearest_bf16(code, code.cast("bitcast", value, "i32"))
    return code.select(nan, integer(16, _NAN), rounded)


def _nearest_bf16(code: Code, bits: Value) -> Value:
    """The upper half of a single's bits, to nearest even."""
    odd = code.binary("and", code.binary("lshr", bits, integer(32, 16)), integer(32, 1))
    bias = code.binary("add", odd, integer(32, 0x7FFF))
    rounded = code.binary("add", bits, bias)
    return code.resize(code.binary("lshr", rounded, integer(32, 16)), 16)


def unpack(site: Site, pair: Value) -> tuple[Value, Value]:
    """Return the halves of an ``i32``, the low one first."""
    code = site.code
    high = code.binary("lshr", pair, integer(32, 16))
    return code.resize(pair, 16), code.resize(high, 16)


def pack(site: Site, low: Value, high: Value) -> Value:
    """Return two ``i16`` as one ``i32``."""
    code = site.code
    upper = code.binary("shl", code.resize(high, 32), integer(32, 16))
    return code.binary("or", code.resize(low, 32), upper)


# --- one format -----------------------------------------------------------------------------------

Compute: TypeAlias = Callable[[Site, str, Sequence[Value]], Value]
"""Computes an ``i16`` from ``i16`` of the format named."""


def _lowering(compute: Compute, *words: str) -> Lowering:
    """Lower an instruction whose operands and result have one format, alone or in pairs."""

    def lower(site: Site) -> None:
        floating.expect(site, *words)
        if len(site.types) != 1:
            raise site.refuse("mixes types that the CPU target does not have together")
        (type_,) = site.types
        format_, paired = type_.removesuffix("x2"), type_.endswith("x2")
        sources = [site.read(i, type_) for i in range(1, len(site.operands))]
        if not paired:
            site.write(0, _lane(site, format_, compute, sources), type_)
            return
        lanes = zip(*(unpack(site, source) for source in sources), strict=True)
        low, high = (_lane(site, format_, compute, lane) for lane in lanes)
        site.write(0, pack(site, low, high), type_)

    return lower


def _lane(site: Site, format_: str, compute: Compute, values: Sequence[Value]) -> Value:
    if not site.has("ftz"):
        return compute(site, format_, values)
    return _flush(site, format_, compute(site, format_, [_flush(site, format_, v) for v in values]))


def _flush(site: Site, format_: str, value: Value) -> Value:
    """Return a 16-bit float, or a zero of its sign if it is subnormal."""
    code = site.code
    exponent = code.binary("and", value, integer(16, _INFINITY[format_]))
    small = code.icmp("eq", exponent, integer(16, 0))
    return code.select(small, code.binary("and", value, integer(16, 1 << 15)), value)


def _finish(site: Site, format_: str, value: Value) -> Value:
    """Return a ``float`` in the format, limited as the instruction says."""
    if site.has("sat"):
        value = floating.saturate(site, value)
    if site.has("relu"):
        value = rectify(site, value)
    return narrow(site, value, format_)


def rectify(site: Site, value: Value) -> Value:
    """Return a ``float``, or +0 if it is not above 0; NaN stays."""
    zero = constant_like(value, 0.0)
    return site.code.select(site.code.fcmp("ole", value, zero), zero, value)


def _by_singles(operation: str) -> Compute:
    """Do ``fadd``, ``fsub`` or ``fmul`` on singles."""

    def compute(site: Site, format_: str, values: Sequence[Value]) -> Value:
        a, b = (widen(site, value, format_) for value in values)
        return _finish(site, format_, site.code.binary(operation, a, b))

    return compute


def _multiply_add(site: Site, format_: str, values: Sequence[Value]) -> Value:
    code = site.code
    singles = [widen(site, value, format_) for value in values]
    if format_ == "f16":
        # the product has 22 bits, and its exponent is in range
        a, b, c = singles
        total = settle(code, two_sum(code, code.binary("fmul", a, b), c), "odd")
    else:
        a, b, c = (code.cast("fpext", single, "double") for single in singles)
        total = narrow_exact(code, two_sum(code, code.binary("fmul", a, b), c), "odd")
    return _finish(site, format_, total)


def _extreme(name: str) -> Compute:
    find = floating.extreme(name)

    def compute(site: Site, format_: str, values: Sequence[Value]) -> Value:
        code = site.code
        result = narrow(site, find(site, [widen(site, v, format_) for v in values]), format_)
        if site.has("xorsign"):
            # the sign is set last, that of a NaN too
            sign = code.binary("and", code.binary("xor", *values), integer(16, 1 << 15))
            result = code.binary("or", result, sign)
        return result

    return compute


def _by_approximation(function: Callable[[Code, Value], Value]) -> Compute:
    def compute(site: Site, format_: str, values: Sequence[Value]) -> Value:
        return narrow(site, function(site.code, widen(site, values[0], format_)), format_)

    return compute


def _absolute(site: Site, format_: str, values: Sequence[Value]) -> Value:
    return _number(site, format_, site.code.binary("and", values[0], integer(16, 0x7FFF)))


def _negate(site: Site, format_: str, values: Sequence[Value]) -> Value:
    return _number(site, format_, site.code.binary("xor", values[0], integer(16, 0x8000)))


def _number(site: Site, format_: str, value: Value) -> Value:
    """Return a 16-bit float, with one NaN for all."""
    code = site.code
    size = code.binary("and", value, integer(16, 0x7FFF))
    nan = code.icmp("ugt", size, integer(16, _INFINITY[format_]))
    return code.select(nan, integer(16, _NAN), value)


# --- with singles ---------------------------------------------------------------------------------


def _mixed(compute: floating.Compute, otherwise: Lowering, *, narrowed: int) -> Lowering:
    """Lower an instruction on singles whose first ``narrowed`` operands may be 16-bit floats.

    ``otherwise`` lowers it where all types are the same.
    """

    def lower(site: Site) -> None:
        match site.types:
            case ("f32", "f16" | "bf16" as format_):
                floating.expect(site, *floating.MODES, "sat")
                values = [_read_single(site, i, format_, narrowed) for i in _sources(site)]
                result = floating.finish(site, compute(site, values))
                site.write(0, result, "f32", loose=True)
            case ("f32x2", "f16x2" | "bf16x2" as pairs, "f32x2"):
                floating.expect(site, *floating.MODES)
                lanes = zip(
                    *(_read_pair(site, i, pairs, narrowed) for i in _sources(site)), strict=True
                )
                low, high = (canonical(site.code, compute(site, lane)) for lane in lanes)
                site.write(0, floating.pair(site, low, high), "f32x2")
            case (_,):
                otherwise(site)
            case _:
                # whether the sum is rounded to a single first is not said
                raise site.refuse("mixes types that the CPU target does not have together")

    return lower


def _sources(site: Site) -> range:
    return range(1, len(site.operands))


def _read_single(site: Site, index: int, format_: str, narrowed: int) -> Value:
    if index > narrowed:
        return site.read(index, "f32", loose=True)
    return widen(site, site.read(index, format_), format_)


def _read_pair(site: Site, index: int, type_: str, narrowed: int) -> tuple[Value, Value]:
    if index > narrowed:
        return floating.halves(site, site.read(index, "f32x2"))
    format_ = type_.removesuffix("x2")
    low, high = unpack(site, site.read(index, type_))
    return widen(site, low, format_), widen(site, high, format_)


# --- the table ------------------------------------------------------------------------------------

_EXTREME_WORDS = ("ftz", "NaN", "xorsign", "abs")

LOWERINGS: Lowerings = {
    "add": _mixed(floating.add, _lowering(_by_singles("fadd"), "rn", "ftz", "sat"), narrowed=1),
    "sub": _mixed(
        floating.subtract, _lowering(_by_singles("fsub"), "rn", "ftz", "sat"), narrowed=1
    ),
    "mul": _lowering(_by_singles("fmul"), "rn", "ftz", "sat"),
    "fma": _mixed(
        floating.multiply_add, _lowering(_multiply_add, "rn", "ftz", "sat", "relu"), narrowed=2
    ),
    "min": _lowering(_extreme("min"), *_EXTREME_WORDS),
    "max": _lowering(_extreme("max"), *_EXTREME_WORDS),
    "abs": _lowering(_absolute, "ftz"),
    "neg": _lowering(_negate, "ftz"),
    "ex2": _lowering(_by_approximation(exponential), "approx", "ftz"),
    "tanh": _lowering(_by_approximation(hyperbolic_tangent), "approx"),
}
