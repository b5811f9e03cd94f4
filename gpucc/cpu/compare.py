"""Comparison and selection (PTX ISA 9.7.6), of integers and of all floats."""

from __future__ import annotations

from gpucc.cpu import half
from gpucc.cpu.code import Value, integer
from gpucc.cpu.floating import flush
from gpucc.cpu.site import Lowerings, Site
from gpucc.cpu.types import as_bits, bits, floating, is_float, is_signed
from gpucc.ptx.module import Pair

_ORDERED = {
    "eq": "oeq",
    "ne": "one",
    "lt": "olt",
    "le": "ole",
    "gt": "ogt",
    "ge": "oge",
    "equ": "ueq",
    "neu": "une",
    "ltu": "ult",
    "leu": "ule",
    "gtu": "ugt",
    "geu": "uge",
    "num": "ord",
    "nan": "uno",
}
"""LLVM's comparisons of floats; those with ``u`` hold where an operand is NaN."""

_UNSIGNED = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
_EITHER = {"eq": "eq", "ne": "ne"}
_CONDITIONS = frozenset({*_ORDERED, *_UNSIGNED})
_HALVES = {"f16": ("f16", 1), "bf16": ("bf16", 1), "f16x2": ("f16", 2), "bf16x2": ("bf16", 2)}


def _compare(site: Site, type_: str) -> list[Value]:
    """Return the results of the comparison: one, or two of packed operands, the low one first."""
    condition = next(word for word in site.words if word in _CONDITIONS)
    first = 1
    loose = type_ in ("f32", "f64")  # whether it is a NaN is all that counts
    a, b = (site.read(index, type_, loose=loose) for index in (first, first + 1))
    if type_ in _HALVES:
        lane, count = _HALVES[type_]
        return [
            _compare_floats(site, condition, *(_lane(site, v, lane, index) for v in (a, b)))
            for index in range(count)
        ]
    if is_float(type_):
        return [_compare_floats(site, condition, a, b)]
    if type_ in ("u16x2", "s16x2", "u8x4", "s8x4"):
        raise site.refuse("is not supported on the CPU target")
    return [site.code.icmp(_integer_condition(condition, type_), a, b)]


def _lane(site: Site, value: Value, lane: str, index: int) -> Value:
    code = site.code
    if index:
        value = code.binary("lshr", value, integer(32, 16))
    return half.widen(site, code.resize(value, 16), lane)


def _compare_floats(site: Site, condition: str, a: Value, b: Value) -> Value:
    if site.has("ftz"):
        a, b = flush(site, a), flush(site, b)
    return site.code.fcmp(_ORDERED[condition], a, b)


def _integer_condition(condition: str, type_: str) -> str:
    if condition in _EITHER:
        return condition
    if condition in _UNSIGNED:
        return _UNSIGNED[condition]
    return ("s" if is_signed(type_) else "u") + condition


def _combined(site: Site, result: Value, predicate: Value | None) -> Value:
    """Combine a result with the predicate operand, if there is one."""
    if predicate is None:
        return result
    operation = next(word for word in site.words if word in ("and", "or", "xor"))
    return site.code.binary(operation, result, predicate)


def _predicate(site: Site) -> Value | None:
    return site.read(3, "pred") if len(site.operands) > 3 else None


def _set_predicate(site: Site) -> None:
    results = _compare(site, site.types[-1])
    predicate = _predicate(site)
    target = site.operands[0]
    if len(results) == 1:
        inverse = site.code.binary("xor", results[0], integer(1, 1))
        results.append(inverse)
    first, second = (_combined(site, result, predicate) for result in results)
    if isinstance(target, Pair):
        site.write(target.first, first, "pred")
        site.write(target.second, second, "pred")
    else:
        site.write(target, first, "pred")


def _set(site: Site) -> None:
    """``set``: all ones, or the number 1 of a floating type, where the comparison holds."""
    code = site.code
    to = site.types[0]
    predicate = _predicate(site)
    results = [_combined(site, r, predicate) for r in _compare(site, site.types[-1])]
    if is_float(to):
        site.write(0, code.select(results[0], floating(to, 1.0), floating(to, 0.0)), to)
        return
    if to in ("f16", "bf16", "f16x2", "bf16x2"):
        one, zero = integer(16, as_bits(1.0, to.removesuffix("x2"))), integer(16, 0)
    else:
        width = bits(to) // len(results)
        one, zero = integer(width, -1), integer(width, 0)
    parts = [code.select(result, one, zero) for result in results]
    value = parts[0]
    if len(parts) > 1:
        value = half.pack(site, parts[0], parts[1])
    site.write(0, value, to)


def _select(site: Site) -> None:
    type_ = site.types[-1]
    loose = site.is_loose(0)
    yes, no = (site.read(index, type_, loose=loose) for index in (1, 2))
    site.write(0, site.code.select(site.read(3, "pred"), yes, no), type_)


def _select_by_sign(site: Site) -> None:
    """``slct``: the first source where the third is at least zero; NaN counts as less."""
    code = site.code
    type_, by = site.types[0], site.types[1]
    sign = site.read(3, by)
    if by == "f32":
        if site.has("ftz"):
            sign = flush(site, sign)
        condition = code.fcmp("oge", sign, floating("f32", 0.0))
    else:
        condition = code.icmp("sge", sign, integer(32, 0))
    site.write(0, code.select(condition, site.read(1, type_), site.read(2, type_)), type_)


LOWERINGS: Lowerings = {
    "setp": _set_predicate,
    "set": _set,
    "selp": _select,
    "slct": _select_by_sign,
}
