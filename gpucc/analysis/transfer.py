"""What each arithmetic instruction computes, as integer expressions.

:data:`TRANSFERS` gives a function by mnemonic.  It takes the symbols, the statement's index, the
opcode's parts, and the expressions of the source operands in order; it returns None for what it
does not cover: floating point, saturation, carry chains.  PTX ISA, sections 9.7.1 (integer
arithmetic), 9.7.8 (logic and shift) and 9.7.9 (data movement and conversion).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gpucc.analysis.affine import Affine, number
from gpucc.analysis.symbols import Symbols

Forms: TypeAlias = Sequence[Affine]
Transfer: TypeAlias = Callable[[Symbols, int, tuple[str, ...], Forms], Affine | None]


@functools.lru_cache(maxsize=256)
def integer_type(word: str) -> tuple[int, bool] | None:
    """Return width and signedness of ``s32``, ``u64``, ``b16``; None for other types."""
    if word[:1] in ("s", "u", "b") and word[1:] in ("8", "16", "32", "64"):
        return int(word[1:]), word[0] == "s"
    return None


@functools.lru_cache(maxsize=4096)
def opcode_parts(opcode: str) -> tuple[str, ...]:
    """Split an opcode at its dots and double colons."""
    return tuple(opcode.replace("::", ".").split("."))


_CLOSED = re.compile(r"[^{}\[\]()|+]*+")


def simple_words(args: str) -> list[str] | None:
    """Split operands that are all names and numbers; None if there are others."""
    if not _CLOSED.fullmatch(args):
        return None
    return [word.strip() for word in args.split(",")] if args else []


def _plain(parts: tuple[str, ...], length: int) -> tuple[int, bool] | None:
    """Return the type of an opcode that has just ``length`` parts."""
    return integer_type(parts[-1]) if len(parts) == length else None


def _same(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    return forms[0]


def _add(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    return forms[0].plus(forms[1]) if _plain(parts, 2) else None


def _sub(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    return forms[0].plus(forms[1], -1) if _plain(parts, 2) else None


def _neg(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    return forms[0].scaled(-1) if _plain(parts, 2) else None


def _not(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    return number(-1).plus(forms[0], -1) if _plain(parts, 2) else None


def _abs(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    if not kind:
        return None
    minus = forms[0].scaled(-1)
    return symbols.minimum(forms[0], minus, kind[0], True, at, most=True)


def _mul(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 3)
    if not kind:
        return None
    width, is_signed = kind
    a, b = forms[0], forms[1]
    if parts[1] == "lo":
        return symbols.product(a, b, width, at)
    if parts[1] == "wide":
        a = symbols.extend(a, width, is_signed, at)
        b = symbols.extend(b, width, is_signed, at)
        return symbols.product(a, b, 2 * width, at)
    return symbols.computed(f"mulhi.{'s' if is_signed else 'u'}", (a, b), width, at)


def _mad(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    product = _mul(symbols, at, ("mul", *parts[1:]), forms)
    return None if product is None else product.plus(forms[2])


def _div(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    return kind and symbols.quotient(forms[0], forms[1], *kind, at)


def _rem(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    return kind and symbols.remainder(forms[0], forms[1], *kind, at)


def _min(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    return kind and symbols.minimum(forms[0], forms[1], *kind, at, most=parts[0] == "max")


def _shl(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    return kind and symbols.shift_left(forms[0], forms[1], kind[0], at)


def _shr(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    return kind and symbols.shift_right(forms[0], forms[1], *kind, at)


def _logic(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    if not kind:
        return None
    if parts[0] == "and":
        return symbols.bit_and(forms[0], forms[1], kind[0], at)
    return symbols.bit_or(forms[0], forms[1], kind[0], at, name=parts[0])


def _bfe(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    position, length = forms[1].constant, forms[2].constant
    if not kind or kind[1] or position is None or length is None:
        return None
    position, length = position & 0xFF, length & 0xFF
    shifted = symbols.shift_right(forms[0], number(position), kind[0], False, at)
    if length >= kind[0]:
        return shifted
    return symbols.bit_and(shifted, number((1 << length) - 1), kind[0], at)


def _bfi(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    kind = _plain(parts, 2)
    position, length = forms[2].constant, forms[3].constant
    if not kind or position is None or length is None or not 0 <= position < kind[0]:
        return None
    field = ((1 << (length & 0xFF)) - 1) << position & ((1 << kind[0]) - 1)
    moved = symbols.shift_left(forms[0], number(position), kind[0], at)
    inside = symbols.bit_and(moved, number(field), kind[0], at)
    outside = symbols.bit_and(forms[1], number(~field & ((1 << kind[0]) - 1)), kind[0], at)
    return symbols.bit_or(outside, inside, kind[0], at)


def _cvt(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    if len(parts) != 3:
        return None
    to, source = integer_type(parts[1]), integer_type(parts[2])
    if not to or not source:
        return None
    form = forms[0]
    if to[0] > source[0] or source[0] < 32:
        form = symbols.extend(form, *source, at)
    if to[0] < 32:  # the register may be wider, and holds the extended value then
        form = symbols.extend(form, *to, at)
    return form


def _lop3(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Forms) -> Affine | None:
    """``lop3.b32 d, a, b, c, table``: the tables of two operations in a row."""
    table = forms[3].constant
    if len(parts) != 2 or table is None:
        return None
    a, b, c = forms[:3]
    for first in ("and", "or", "xor"):
        for second in ("and", "or", "xor"):
            for x, y, z, masks in (
                (a, b, c, (0xF0, 0xCC, 0xAA)),
                (a, c, b, (0xF0, 0xAA, 0xCC)),
                (b, c, a, (0xCC, 0xAA, 0xF0)),
            ):
                if table == _truth(second, _truth(first, masks[0], masks[1]), masks[2]):
                    inner = _logic(symbols, at, (first, "b32"), (x, y))
                    return inner and _logic(symbols, at, (second, "b32"), (inner, z))
    return None


def _truth(operation: str, a: int, b: int) -> int:
    return {"and": a & b, "or": a | b, "xor": a ^ b}[operation]


TRANSFERS: Mapping[str, tuple[int, Transfer]] = {
    "abs": (1, _abs),
    "add": (2, _add),
    "and": (2, _logic),
    "bfe": (3, _bfe),
    "bfi": (4, _bfi),
    "cvt": (1, _cvt),
    "cvta": (1, _same),
    "div": (2, _div),
    "lop3": (4, _lop3),
    "mad": (3, _mad),
    "max": (2, _min),
    "min": (2, _min),
    "mov": (1, _same),
    "mul": (2, _mul),
    "neg": (1, _neg),
    "not": (1, _not),
    "or": (2, _logic),
    "rem": (2, _rem),
    "shl": (2, _shl),
    "shr": (2, _shr),
    "sub": (2, _sub),
    "xor": (2, _logic),
}
"""By mnemonic: how many source operands there are at least, and the function."""
