"""Arithmetic of ``f32`` and ``f64``.

**NaN.**  A single that is NaN comes out of arithmetic as 0x7FFFFFFF whatever went in (CUDA C++
Programming Guide, *Floating-Point Standard*), out of ``abs`` and ``neg`` too, which ptxas makes
additions.  Of doubles CUDA says no more than that ``abs`` and ``neg`` pass NaNs through (here their
sign bit changes); others come out as 0xFFF8000000000000, CUDA's own ``CUDART_NAN``, whatever went
in, and ``min`` and ``max`` of two NaNs is the second, quiet, as ptxas 13 makes it.  Processors
differ here; :mod:`gpucc.cpu.nans` says when a NaN is replaced.

**Rounding** other than to nearest is straight code for singles (:mod:`gpucc.cpu.rounding`), and a
function of the engine that changes the processor's mode for doubles.

**Flushing** (``.ftz``) looks at numbers as they come in, and at results as they would be rounded if
exponents had no end.

**Saturation** gives +0 for -0, as for all that is not above 0, NaN among them.

**Approximations** are as good as singles allow within the ranges that PTX ISA bounds errors for,
and have its special cases.  They are in :mod:`gpucc.cpu.approximate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gpucc.cpu.approximate import cosine, exponential, hyperbolic_tangent, logarithm, sine
from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.rounding import (
    PURE,
    SUFFIX,
    Exact,
    canonical,
    constant_like,
    downward_zero,
    fma,
    narrow_exact,
    pattern,
    square_root,
    step,
    two_sum,
    unary,
    with_sign,
)
from gpucc.cpu.site import Lowering, Lowerings, Site
from gpucc.cpu.types import floating, floating_bits

MODES = ("rn", "rz", "rm", "rp")
"""As functions of the engine number them."""


def flush(site: Site, value: Value) -> Value:
    """Return a ``float``, or a zero of its sign if it is subnormal."""
    code = site.code
    bits = pattern(code, value)
    exponent = code.binary("and", bits, integer(32, 0x7F800000))
    small = code.icmp("eq", exponent, integer(32, 0))
    zero = code.cast("bitcast", code.binary("and", bits, integer(32, 1 << 31)), "float")
    return code.select(small, zero, value)


def saturate(site: Site, value: Value) -> Value:
    """Return a float limited to [+0, 1]; NaN is +0."""
    code = site.code
    zero, one = constant_like(value, 0.0), constant_like(value, 1.0)
    value = code.select(code.fcmp("ogt", value, zero), value, zero)
    return code.select(code.fcmp("olt", value, one), value, one)


def mode(site: Site) -> str:
    """Return the direction of rounding: ``rn`` unless another is written."""
    return next((word for word in site.words if word in MODES), "rn")


def read(site: Site, index: int, type_: str) -> Value:
    """Return an operand, flushed if the instruction says so; a NaN may have any bits."""
    value = site.read(index, type_, loose=True)
    return flush(site, value) if type_ == "f32" and site.has("ftz") else value


def finish(site: Site, value: Value) -> Value:
    """Return a result saturated, if the instruction says so; a NaN may have any bits."""
    return saturate(site, value) if site.has("sat") else value


_SCALES = {"mul": (24, 0), "fma": (24, 0, 24), "mad": (24, 0, 24), "div": (24, 0), "rcp": (-24,)}
"""By which powers of two to scale operands for a result that is 2^24 times as large."""


def _computed(site: Site, compute: Compute, values: Sequence[Value]) -> Value:
    """Return a result, or a zero of its sign if it is flushed.

    What is too small is told from the result rounded to 24 bits as if exponents had no end: what
    rounds up to 2^-126 only with fewer bits is flushed (so ptxas 13 folds ``mul.ftz.f32``).
    """
    result = compute(site, values)
    if not site.has("ftz") or result.type != "float":
        return result
    scales = _SCALES.get(site.instruction.mnemonic)
    if scales is None or site.has("approx", "full"):
        return flush(site, result)
    code = site.code
    scaled = [
        code.binary("fmul", value, floating("f32", 2.0**scale)) if scale else value
        for value, scale in zip(values, scales, strict=True)
    ]
    return flush_tiny(site, result, compute(site, scaled))


def flush_tiny(site: Site, value: Value, scaled: Value) -> Value:
    """Return a ``float``, or a zero of its sign if ``scaled``, 2^24 times it, is below 2^-102."""
    code = site.code
    tiny = code.fcmp("olt", unary(code, "fabs", scaled), floating("f32", 2.0**-102))
    return code.select(tiny, with_sign(code, floating("f32", 0.0), value), value)


# --- lanes ----------------------------------------------------------------------------------------

Compute: TypeAlias = Callable[[Site, Sequence[Value]], Value]
"""Computes a result from operands of one type, ``float`` or ``double``, before it is finished."""


def expect(site: Site, *words: str) -> None:
    """Raise :class:`Refused` if a modifier is none of ``words`` nor a type."""
    for word in site.words:
        if word not in words and word not in site.types:
            raise site.refuse(f"has '.{word}', which the CPU target does not have here")


def halves(site: Site, pair: Value) -> tuple[Value, Value]:
    """Return the low and the high ``float`` of an ``f32x2``, an ``i64``."""
    code = site.code
    low, high = code.resize(pair, 32), code.binary("lshr", pair, integer(64, 32))
    high = code.resize(high, 32)
    return code.cast("bitcast", low, "float"), code.cast("bitcast", high, "float")


def pair(site: Site, low: Value, high: Value) -> Value:
    """Return an ``f32x2``, an ``i64``, of two ``float``."""
    code = site.code
    parts = [code.resize(pattern(code, part), 64) for part in (low, high)]
    return code.binary("or", parts[0], code.binary("shl", parts[1], integer(64, 32)))


def _lowering(compute: Compute, *words: str) -> Lowering:
    """Lower an instruction whose operands and result have one type."""

    def lower(site: Site) -> None:
        expect(site, *words)
        type_ = site.types[0]
        sources = range(1, len(site.operands))
        if len(site.types) > 1 or type_ not in ("f32", "f64", "f32x2"):
            raise site.refuse("mixes types that the CPU target does not have together")
        if type_ == "f32x2":
            lanes = zip(*(halves(site, site.read(i, type_)) for i in sources), strict=True)
            results = [
                finish(site, _computed(site, compute, _flushed(site, lane))) for lane in lanes
            ]
            low, high = (canonical(site.code, result) for result in results)
            site.write(0, pair(site, low, high), type_)
        else:
            values = [read(site, i, type_) for i in sources]
            site.write(0, finish(site, _computed(site, compute, values)), type_, loose=True)

    return lower


def _flushed(site: Site, values: Sequence[Value]) -> Sequence[Value]:
    return [flush(site, value) for value in values] if site.has("ftz") else values


# --- sums and products ----------------------------------------------------------------------------


def add(site: Site, values: Sequence[Value]) -> Value:
    """Return a + b, rounded as the instruction says."""
    a, b = values
    if mode(site) == "rn":
        return site.code.binary("fadd", a, b)
    if a.type == "double":
        return _by_engine(site, "add", values)
    code = site.code
    wide = [code.cast("fpext", value, "double") for value in values]
    return _narrow_sum(site, *wide)


def subtract(site: Site, values: Sequence[Value]) -> Value:
    """Return a - b, rounded as the instruction says."""
    a, b = values
    return add(site, (a, site.code.unary("fneg", b)))


def multiply(site: Site, values: Sequence[Value]) -> Value:
    """Return a * b, rounded as the instruction says."""
    a, b = values
    code = site.code
    if mode(site) == "rn":
        return code.binary("fmul", a, b)
    if a.type == "double":
        return _by_engine(site, "mul", values)
    exact = Exact(_product(site, a, b), floating("f64", 0.0))
    return narrow_exact(code, exact, mode(site))


def multiply_add(site: Site, values: Sequence[Value]) -> Value:
    """Return a * b + c, rounded once, as the instruction says."""
    a, b, c = values
    code = site.code
    if mode(site) == "rn":
        return fma(code, a, b, c)
    if a.type == "double":
        return _by_engine(site, "fma", values)
    return _narrow_sum(site, _product(site, a, b), code.cast("fpext", c, "double"))


def _narrow_sum(site: Site, a: Value, b: Value) -> Value:
    """Return the sum of two doubles, rounded to a ``float`` otherwise than to nearest."""
    code = site.code
    total, low = two_sum(code, a, b)
    if mode(site) == "rm":
        total = downward_zero(code, total, a, b)
    return narrow_exact(code, Exact(total, low), mode(site))


def _product(site: Site, a: Value, b: Value) -> Value:
    """Return the product of two ``float``, which is exact as a ``double``."""
    code = site.code
    return code.binary("fmul", code.cast("fpext", a, "double"), code.cast("fpext", b, "double"))


def _by_engine(site: Site, name: str, values: Sequence[Value]) -> Value:
    direction = integer(32, MODES.index(mode(site)))
    return site.code.call("double", f"gpucc_cpu_{name}_f64", *values, direction, attributes=PURE)


# --- quotients and roots --------------------------------------------------------------------------


def _divide(site: Site, values: Sequence[Value]) -> Value:
    a, b = values
    code = site.code
    quotient = code.binary("fdiv", a, b)
    if site.has("approx") and len(site.operands) == 3:
        # the reciprocal of what is above 2^126 is flushed: 0, or NaN for an infinite dividend
        size = unary(code, "fabs", b)
        large = code.fcmp("ogt", size, floating("f32", 2.0**126))
        finite = code.fcmp("olt", size, floating_bits("f32", 0x7F800000))
        zero = code.binary("fmul", a, with_sign(code, floating("f32", 0.0), b))
        return code.select(code.binary("and", large, finite), zero, quotient)
    if site.has("approx", "full") or mode(site) == "rn":
        return quotient
    if a.type == "double":
        return _by_engine(site, "div", values)
    return _corrected(site, quotient, _product(site, quotient, b), a)


def _reciprocal(site: Site, values: Sequence[Value]) -> Value:
    one = constant_like(values[0], 1.0)
    if site.has("approx") and values[0].type == "double":
        return _gross(site, values[0], lambda x: site.code.binary("fdiv", one, x))
    return _divide(site, (one, values[0]))


def _root(site: Site, values: Sequence[Value]) -> Value:
    (a,) = values
    code = site.code
    root = square_root(code, a)
    if site.has("approx") or mode(site) == "rn":
        return root
    if a.type == "double":
        return _by_engine(site, "sqrt", values)
    return _corrected(site, root, _product(site, root, root), a)


def _reciprocal_root(site: Site, values: Sequence[Value]) -> Value:
    (a,) = values
    code = site.code
    one = constant_like(a, 1.0)
    if a.type == "double" and site.has("ftz"):
        return _gross(site, a, lambda x: code.binary("fdiv", one, square_root(code, x)))
    return code.binary("fdiv", one, square_root(code, a))


def _corrected(site: Site, rounded: Value, reached: Value, wanted: Value) -> Value:
    """Round a quotient or root in the direction asked for.

    ``rounded`` is it to nearest, ``reached`` what that gives when multiplied back, exactly, and
    ``wanted`` what should have come out.  An infinite divisor gives NaN, which changes nothing.
    """
    code = site.code
    wanted = unary(code, "fabs", code.cast("fpext", wanted, "double"))
    reached = unary(code, "fabs", reached)
    less, more = code.fcmp("olt", wanted, reached), code.fcmp("ogt", wanted, reached)
    return step(code, rounded, less, more, mode(site))


def _gross(site: Site, value: Value, function: Callable[[Value], Value]) -> Value:
    """Apply ``function`` to the upper half of a double, and keep the upper half of what it gives.

    Subnormal numbers are zeros, before and after (PTX ISA, ``rcp.approx.ftz.f64``).
    """
    code = site.code

    def upper(number: Value) -> Value:
        bits = code.binary("and", pattern(code, number), integer(64, -1 << 32))
        exponent = code.binary("and", bits, integer(64, 0x7FF << 52))
        small = code.icmp("eq", exponent, integer(64, 0))
        sign = code.binary("and", bits, integer(64, 1 << 63))
        return code.cast("bitcast", code.select(small, sign, bits), "double")

    # a NaN whose payload is in the lower half must not become an infinity
    return upper(canonical(code, function(upper(canonical(code, value)))))


# --- the smaller and the larger -------------------------------------------------------------------


def extreme(name: str) -> Compute:
    """Return what computes ``min`` or ``max`` of two or three values, -0 being below +0."""

    def compute(site: Site, values: Sequence[Value]) -> Value:
        code = site.code
        function = f"{name}imum" if site.has("NaN") else f"{name}imumnum"
        intrinsic = f"llvm.{function}.{SUFFIX[values[0].type]}"
        if site.has("abs"):
            values = [unary(code, "fabs", value) for value in values]
        result = values[0]
        for value in values[1:]:
            result = code.call(result.type, intrinsic, result, value)
        return result

    return compute


def _extreme(name: str) -> Lowering:
    find = extreme(name)
    words = ("ftz", "NaN", "xorsign", "abs")
    plain = _lowering(find, *words)

    def lower(site: Site) -> None:
        code = site.code
        if site.types == ("f64",):
            # of two NaNs the second, made quiet: what ptxas 13 makes of it
            expect(site, *words)
            a, b = site.read(1, "f64"), site.read(2, "f64")
            result = find(site, (a, b))
            quiet = code.binary("or", pattern(code, b), integer(64, 1 << 51))
            nan = code.fcmp("uno", result, result)
            result = code.select(nan, code.cast("bitcast", quiet, "double"), result)
            site.write(0, result, "f64")
        elif site.has("xorsign"):
            # the sign is set last, that of a NaN too, and is that of what NaNs came in
            expect(site, *words)
            signs = [pattern(code, site.read(index, "f32")) for index in (1, 2)]
            values = [read(site, index, "f32") for index in (1, 2)]
            sign = code.binary("and", code.binary("xor", *signs), integer(32, 1 << 31))
            result = pattern(code, canonical(code, find(site, values)))
            result = code.cast("bitcast", code.binary("or", result, sign), "float")
            site.write(0, result, "f32")
        else:
            plain(site)

    return lower


# --- bits -----------------------------------------------------------------------------------------


def _sign_changed(change: Callable[[Code, Value], Value]) -> Lowering:
    def lower(site: Site) -> None:
        expect(site, "ftz")
        (type_,) = site.types
        if type_ == "f32":
            value = change(site.code, read(site, 1, type_))
            site.write(0, value, type_, loose=True)
        else:
            site.write(0, change(site.code, site.read(1, type_)), type_)

    return lower


def _absolute(code: Code, value: Value) -> Value:
    return unary(code, "fabs", value)


def _negative(code: Code, value: Value) -> Value:
    return code.unary("fneg", value)


def _copy_sign(site: Site) -> None:
    expect(site)
    type_ = site.types[0]
    sign, value = site.read(1, type_), site.read(2, type_)
    site.write(0, with_sign(site.code, value, sign), type_)


def _test_property(site: Site) -> None:
    """Zeros count as normal (PTX ISA, ``testp``)."""
    type_ = site.types[0]
    code = site.code
    value = site.read(1, type_, loose=True)
    infinity = constant_like(value, float("inf"))
    least = constant_like(value, 2.0**-126 if type_ == "f32" else 2.0**-1022)
    size = unary(code, "fabs", value)
    match site.words[0]:
        case "finite":
            result = code.fcmp("olt", size, infinity)
        case "infinite":
            result = code.fcmp("oeq", size, infinity)
        case "number":
            result = code.fcmp("ord", value, value)
        case "notanumber":
            result = code.fcmp("uno", value, value)
        case "normal" | "subnormal" as word:
            nonzero = code.fcmp("one", size, constant_like(value, 0.0))
            result = code.binary("and", nonzero, code.fcmp("olt", size, least))
            if word == "normal":
                small = code.binary("xor", result, integer(1, 1))
                result = code.binary("and", small, code.fcmp("olt", size, infinity))
        case word:
            raise site.refuse(f"has '.{word}', which the CPU target does not have here")
    site.write(0, result, "pred")


# --- the table ------------------------------------------------------------------------------------


def _approximation(function: Callable[..., Value]) -> Lowering:
    def compute(site: Site, values: Sequence[Value]) -> Value:
        return function(site.code, *values)

    return _lowering(compute, "approx", "ftz")


LOWERINGS: Lowerings = {
    "add": _lowering(add, *MODES, "ftz", "sat"),
    "sub": _lowering(subtract, *MODES, "ftz", "sat"),
    "mul": _lowering(multiply, *MODES, "ftz", "sat"),
    "fma": _lowering(multiply_add, *MODES, "ftz", "sat"),
    "mad": _lowering(multiply_add, *MODES, "ftz", "sat"),
    "div": _lowering(_divide, *MODES, "approx", "full", "ftz"),
    "rcp": _lowering(_reciprocal, *MODES, "approx", "ftz"),
    "sqrt": _lowering(_root, *MODES, "approx", "ftz"),
    "rsqrt": _lowering(_reciprocal_root, "approx", "ftz"),
    "sin": _approximation(sine),
    "cos": _approximation(cosine),
    "lg2": _approximation(logarithm),
    "ex2": _approximation(exponential),
    "tanh": _approximation(hyperbolic_tangent),
    "min": _extreme("min"),
    "max": _extreme("max"),
    "abs": _sign_changed(_absolute),
    "neg": _sign_changed(_negative),
    "copysign": _copy_sign,
    "testp": _test_property,
}
