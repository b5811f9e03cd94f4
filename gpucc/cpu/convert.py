"""``cvt``: between integers and floats of every format.

Floats narrower than singles are made from singles, in straight integer code
(:func:`gpucc.cpu.formats.quantise`), except to nearest in the formats that the processor helps
with.  What is wider than a single is rounded to odd first, so everything is rounded once.

Between equal types, and from ``bf16`` to ``f32``, a ``cvt`` without modifiers moves bits, as ptxas
makes it; between ``f32`` and ``f64`` a NaN keeps its sign and the upper bits of its payload and is
made quiet (so ptxas 13 folds it).  Elsewhere NaNs become the one of the format: 0x7FFFFFFF in
``f32`` and ``tf32``, 0x7FFF in ``f16`` and ``bf16``, 0x7F in ``e4m3`` and ``e5m2`` (cuda_fp8.hpp),
0xFF in ``ue8m0``, the largest number where there is none.  As an integer, a NaN is 0, but the value
with only the highest bit set if the source is ``f64`` or the result has 64 bits (PTX ISA 9.7.9,
``cvt``, *Integer Notes*).

PTX ISA leaves open what ``.rs`` does with numbers that are too large (here they become infinite,
as do those that round up to it) and which bits of a subnormal result the random bits meet (here the
highest of those that are cut off).

Refused, because PTX ISA does not say enough: which random bits go to which of the four results of
``cvt.rs`` to ``x4`` formats (it is only drawn), and ``s2f6x2``.
"""

from __future__ import annotations

from gpucc.cpu import floating, half
from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.formats import FORMATS, decode, decode_power, quantise
from gpucc.cpu.nans import copies_bits, keeps_payload
from gpucc.cpu.rounding import (
    SUFFIX,
    Exact,
    narrow_exact,
    pattern,
    settle,
    two_sum,
    unary,
)
from gpucc.cpu.site import Lowerings, Site
from gpucc.cpu.types import bits, is_signed
from gpucc.cpu.types import floating as number

_INTEGERS = frozenset({"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"})
_ROUNDED = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def _convert(site: Site) -> None:
    if site.words[0] == "pack":
        _pack(site)
        return
    to, source = site.types[0], site.types[-1]
    if "s2f6x2" in site.types or to.endswith("x4"):
        raise site.refuse("is not supported on the CPU target: PTX ISA leaves its meaning open")
    if to in _INTEGERS and source in _INTEGERS:
        floating.expect(site, "sat")
        value = site.read(1, source)
        site.write(0, _between_integers(site, value, source, to), to)
    elif to in _INTEGERS:
        floating.expect(site, *_ROUNDED, "ftz", "sat")
        site.write(0, _to_integer(site, _read(site, 1, source), source, to), to)
    elif source in _INTEGERS:
        floating.expect(site, *floating.MODES, "ftz", "sat")
        site.write(0, _from_integer(site, site.read(1, source), source, to), to)
    elif copies_bits(site.instruction.parts):
        _copy_bits(site, source, to)
    elif "x2" in to or "x2" in source:
        _convert_pair(site, to, source)
    else:
        floating.expect(site, *_ROUNDED, *_DIRECTIONS, "ftz", "sat", "relu", "satfinite")
        loose = to in ("f32", "f64") and not keeps_payload(site.instruction.parts)
        value = _float(site, _read(site, 1, source, loose=loose), to)
        site.write(0, value, _written(to), loose=loose)


# --- integers -------------------------------------------------------------------------------------


def _between_integers(site: Site, value: Value, source: str, to: str) -> Value:
    code = site.code
    have, want = bits(source), bits(to)
    if site.has("sat"):
        value = _limited(code, value, source, to)
    return code.resize(value, want, signed=is_signed(source)) if have != want else value


def _limited(code: Code, value: Value, source: str, to: str) -> Value:
    """Limit an integer to what the type ``to`` holds, in its own width."""
    have, want = bits(source), bits(to)
    highest = (1 << (want - is_signed(to))) - 1
    lowest = -(1 << (want - 1)) if is_signed(to) else 0
    order = "s" if is_signed(source) else "u"
    if is_signed(source) and lowest > -(1 << (have - 1)):
        value = _bounded(code, f"{order}max", value, lowest)
    if highest < (1 << (have - is_signed(source))) - 1:
        value = _bounded(code, f"{order}min", value, highest)
    return value


def _bounded(code: Code, name: str, value: Value, bound: int) -> Value:
    width = int(value.type[1:])
    return code.call(value.type, f"llvm.{name}.{value.type}", value, integer(width, bound))


def _pack(site: Site) -> None:
    """The first operand goes above the second; what there is of a third is moved up by both."""
    floating.expect(site, "pack", "sat", "u2", "s2", "u4", "s4")
    code = site.code
    to = site.words[2]
    width = bits(to)
    result = integer(32, 0)
    if len(site.operands) > 3 and width < 16:
        result = code.binary("shl", site.read(3, "b32"), integer(32, 2 * width))
    for index, shift in ((2, 0), (1, width)):
        part = _limited(code, site.read(index, "s32"), "s32", to)
        part = code.binary("and", part, integer(32, (1 << width) - 1))
        result = code.binary("or", result, code.binary("shl", part, integer(32, shift)))
    site.write(0, result, "b32")


# --- integers and floats --------------------------------------------------------------------------


def _to_integer(site: Site, value: Value, source: str, to: str) -> Value:
    code = site.code
    mode = next((word for word in site.words if word in _ROUNDED), None)
    if mode is None:
        raise site.refuse("lacks a direction of rounding")
    if mode != "rzi":
        value = unary(code, _ROUNDED[mode], value)
    width = bits(to)
    name = "fptosi" if is_signed(to) else "fptoui"
    result = code.call(f"i{width}", f"llvm.{name}.sat.i{width}.{SUFFIX[value.type]}", value)
    if source != "f64" and width != 64:
        return result
    nan = code.fcmp("uno", value, value)
    return code.select(nan, integer(width, 1 << (width - 1)), result)


def _from_integer(site: Site, value: Value, source: str, to: str) -> Value:
    code = site.code
    mode = floating.mode(site)
    if to in ("f32", "f64"):
        if mode == "rn" or (to == "f64" and bits(source) <= 32):
            operation = "sitofp" if is_signed(source) else "uitofp"
            result = code.cast(operation, value, "float" if to == "f32" else "double")
        elif to == "f32":
            result = narrow_exact(code, _exact(code, value, source), mode)
        else:
            result = settle(code, _exact(code, value, source), mode)
        return floating.saturate(site, result) if site.has("sat") else result
    single = narrow_exact(code, _exact(code, value, source), "odd")
    if site.has("sat"):
        single = floating.saturate(site, single)
    return _small(site, single, to, mode)


def _exact(code: Code, value: Value, source: str) -> Exact:
    """Return an integer as an exact number."""
    operation = "sitofp" if is_signed(source) else "uitofp"
    if bits(source) <= 32:
        return Exact(code.cast(operation, value, "double"), number("f64", 0.0))
    shift = "ashr" if is_signed(source) else "lshr"
    high = code.cast(operation, code.binary(shift, value, integer(64, 32)), "double")
    high = code.binary("fmul", high, number("f64", 2.0**32))
    low = code.cast("uitofp", code.binary("and", value, integer(64, (1 << 32) - 1)), "double")
    return two_sum(code, high, low)


# --- floats ---------------------------------------------------------------------------------------

_DIRECTIONS = ("rn", "rz", "rm", "rp", "rna")


def _read(site: Site, operand: int, type_: str, *, loose: bool = True) -> Value:
    """Return a float operand as a ``float`` or ``double``, flushed if the instruction says so.

    ``loose``: a NaN may have any bits.
    """
    if type_ in ("f32", "f64"):
        value = site.read(operand, type_, loose=loose)
        return floating.flush(site, value) if type_ == "f32" and site.has("ftz") else value
    if type_ not in ("f16", "bf16"):
        raise site.refuse(f"has the source type .{type_}, which the CPU target does not have here")
    return half.widen(site, site.read(operand, type_), type_)


def _copy_bits(site: Site, source: str, to: str) -> None:
    if source == to:
        loose = site.is_loose(0)
        site.write(0, site.read(1, source, loose=loose), to)
    else:
        site.write(0, half.widen(site, site.read(1, source), source), to)


def _written(type_: str) -> str:
    return "b32" if type_ == "tf32" else type_


def _float(site: Site, value: Value, to: str) -> Value:
    """Convert a ``float`` or ``double`` to the format ``to``."""
    code = site.code
    mode = next((word for word in site.words if word in _DIRECTIONS), "rn")
    rounding = next((word for word in site.words if word in _ROUNDED), None)
    if rounding:
        value = unary(code, _ROUNDED[rounding], value)
    if site.has("sat"):
        value = floating.saturate(site, value)
    if site.has("relu"):
        value = half.rectify(site, value)
    if to == "f64":
        return code.cast("fpext", value, "double")
    if value.type == "double":
        if to == "f32":
            return _single_of_double(site, value, mode)
        value = narrow_exact(code, Exact(value, number("f64", 0.0)), "odd")
    if to == "f32":
        return floating.flush(site, value) if site.has("ftz") else value
    return _small(site, value, to, mode)


def _single_of_double(site: Site, value: Value, mode: str) -> Value:
    code = site.code

    def narrowed(value: Value) -> Value:
        if mode == "rn":
            return code.cast("fptrunc", value, "float")
        return narrow_exact(code, Exact(value, number("f64", 0.0)), mode)

    result = narrowed(value)
    if not site.has("ftz"):
        return result
    scaled = code.binary("fmul", value, number("f64", 2.0**24))
    return floating.flush_tiny(site, result, narrowed(scaled))


def _small(site: Site, value: Value, to: str, mode: str, random: Value | None = None) -> Value:
    """Convert a ``float`` to a narrower format, an integer of the bits of that format."""
    code = site.code
    finite = site.has("satfinite")
    if mode == "rn" and to in ("f16", "bf16") and not finite:
        return half.narrow(site, value, to)
    if mode == "rna":
        return _away_from_zero(code, value, finite=finite)
    if to not in FORMATS:
        raise site.refuse(f"has the type .{to}, which the CPU target does not have here")
    result = quantise(code, value, FORMATS[to], mode, finite=finite, random=random)
    if to != "tf32":
        return code.resize(result, 16 if FORMATS[to].bits == 16 else 8)
    # 19 bits, at the top of a register; the NaN is that of singles
    nan = code.fcmp("uno", value, value)
    result = code.binary("shl", code.resize(result, 32), integer(32, 13))
    return code.select(nan, integer(32, 0x7FFFFFFF), result)


def _away_from_zero(code: Code, value: Value, *, finite: bool) -> Value:
    """Return a ``float`` as ``tf32``, ties away from zero, as ptxas 13 does it.

    The lower bits of a NaN are cut off, so one with nothing in the upper ones becomes infinite.
    """
    bits_ = pattern(code, value)
    infinity = integer(32, 0x7F800000)
    size = code.binary("and", bits_, integer(32, 0x7FFFFFFF))
    half_unit = code.select(code.icmp("ult", size, infinity), integer(32, 0x1000), integer(32, 0))
    result = code.binary("and", code.binary("add", bits_, half_unit), integer(32, -0x2000))
    if not finite:
        return result
    size = code.binary("and", result, integer(32, 0x7FFFFFFF))
    beyond = code.select(code.icmp("uge", size, infinity), integer(32, 0x2000), integer(32, 0))
    return code.binary("sub", result, beyond)


# --- pairs ----------------------------------------------------------------------------------------


def _convert_pair(site: Site, to: str, source: str) -> None:
    words = ("rn", "rz", "rp", "rs", "relu", "satfinite")
    floating.expect(site, *words)
    high, low = _read_pair(site, source)
    if site.has("relu"):
        high, low = half.rectify(site, high), half.rectify(site, low)
    mode = next((word for word in site.words if word in words[:4]), "rn")
    format_ = to.removesuffix("x2")
    if format_ == "ue8m0":
        parts = [_power_of_two(site, value, mode) for value in (high, low)]
    else:
        random = _random(site, format_) if mode == "rs" else (None, None)
        parts = [
            _small(site, value, format_, mode, some)
            for value, some in zip((high, low), random, strict=True)
        ]
    width = 4 if format_ == "e2m1" else 16 if format_ in ("f16", "bf16") else 8
    code = site.code
    upper, lower = (code.resize(part, 2 * width) for part in parts)
    upper = code.binary("shl", upper, integer(2 * width, width))
    site.write(0, code.binary("or", upper, lower), f"b{2 * width}")


def _random(site: Site, format_: str) -> tuple[Value, Value]:
    """Return the random bits for the upper and the lower result; 13 each for ``f16``."""
    code = site.code
    whole = code.resize(site.read(3, "b32"), 64)
    mask = integer(64, (1 << (13 if format_ == "f16" else 16)) - 1)
    upper = code.binary("lshr", whole, integer(64, 16))
    return code.binary("and", upper, mask), code.binary("and", whole, mask)


def _read_pair(site: Site, source: str) -> tuple[Value, Value]:
    """Return the operands for the upper and the lower result as ``float``."""
    if source == "f32":
        return site.read(1, source), site.read(2, source)
    format_ = source.removesuffix("x2")
    if format_ in ("f16", "bf16"):
        low, high = half.unpack(site, site.read(1, source))
        return half.widen(site, high, format_), half.widen(site, low, format_)
    width = 4 if format_ == "e2m1" else 8
    code = site.code
    both = code.resize(site.read(1, f"b{2 * width}"), 32)
    upper = code.binary("lshr", both, integer(32, width))
    decoded = decode_power if format_ == "ue8m0" else decode
    if format_ != "ue8m0" and format_ not in FORMATS:
        raise site.refuse(f"has the type .{source}, which the CPU target does not have here")
    return decoded(code, upper, format_), decoded(code, both, format_)


def _power_of_two(site: Site, value: Value, mode: str) -> Value:
    """Return the exponent of a ``float`` as a ``ue8m0``, an ``i32``, its sign ignored.

    What is at most 2^-127 is 0; too large numbers are NaN, or 254 with ``.satfinite``
    (cuda_fp8.hpp, ``__nv_cvt_float_to_e8m0``).
    """
    code = site.code
    size = code.binary("and", pattern(code, value), integer(32, 0x7FFFFFFF))
    result = code.binary("lshr", size, integer(32, 23))
    infinity = integer(32, 0x7F800000)
    if mode == "rp":
        rest = code.binary("and", size, integer(32, 0x7FFFFF))
        up = code.icmp("ne", rest, integer(32, 0))
        up = code.binary("and", up, code.icmp("ugt", size, integer(32, 0x400000)))
        up = code.binary("and", up, code.icmp("ult", size, infinity))
        result = code.binary("add", result, code.resize(up, 32))
    if not site.has("satfinite"):
        return result
    limited = code.call("i32", "llvm.umin.i32", result, integer(32, 254))
    return code.select(code.icmp("ule", size, infinity), limited, result)


LOWERINGS: Lowerings = {"cvt": _convert}
