"""Parses the inside of one statement: operands, declarations, signatures, constants.

``ptx.lark`` is the grammar.  Nearly all operands are registers, numbers and ``[register+number]``;
those are recognised by one regular expression first, which takes a tenth of the grammar's time and
gives the same values (a property test holds the two together).

Over 500 lines because the grammar's values and the evaluation of its constants belong beside it.
"""

from __future__ import annotations

import functools
import operator
import re
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import lark

from gpucc.errors import GpuccError
from gpucc.ptx.module import (
    Address,
    Displaced,
    Element,
    Group,
    Immediate,
    Name,
    Negated,
    Not,
    Operand,
    Pair,
    Signature,
    Sink,
    Variable,
    Vector,
)

_SINK = Sink()


class Malformed(GpuccError):
    """Text inside a statement that is not PTX; ``offset`` is where, from the text's start."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


# --- operands -----------------------------------------------------------------------------------

_NUMBER = r"-?(?:0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?|\d+U?)(?![\w.])"
_FAST = re.compile(
    rf"""\s*(?:
        (?P<name>[A-Za-z_$%][\w$]*+(?>(?:\.\w+)*))(?!\s*[|\[+-])
      | (?P<number>{_NUMBER})
      | \[\s*(?P<base>[A-Za-z_$%][\w$]*+(?>(?:\.\w+)*))\s*(?:\+\s*(?P<offset>{_NUMBER})\s*)?\]
      | \{{(?P<vector>[^{{}}|:?]*[^{{}}|:?\s][^{{}}|:?]*)\}}
      | (?P<first>[A-Za-z_$%][\w$]*)\s*\|\s*(?P<second>[A-Za-z_$%][\w$]*)
    )\s*(?:,(?!\s*$)|$)""",
    re.X,
)
_name = functools.lru_cache(maxsize=65536)(Name)


def _register(name: str) -> Name | Sink:
    return _SINK if name == "_" else _name(name)


def parse_operands(text: str, *, is_call: bool = False) -> tuple[Operand, ...]:
    """Parse the operand text of an instruction.

    Parentheses group arguments in a call and constants elsewhere.  Raises :class:`Malformed`.
    """
    operands: list[Operand] = []
    at, end = 0, len(text)
    match = _FAST.match
    while at < end:
        found = match(text, at)
        if found is None:
            return _parse_operands_by_grammar(text, is_call)
        name, number, base, offset, vector, first, second = found.groups()
        if name is not None:
            operands.append(_register(name))
        elif number is not None:
            operands.append(Immediate(number))
        elif base is not None:
            operands.append(Address(_name(base), Immediate(offset) if offset else None))
        elif vector is not None:
            operands.append(Vector(parse_operands(vector)))
        else:
            operands.append(Pair(_register(first), _register(second)))
        at = found.end()
    return tuple(operands)


@functools.lru_cache(maxsize=4096)
def _parse_operands_by_grammar(text: str, is_call: bool) -> tuple[Operand, ...]:
    parsed: tuple[Operand, ...] = _parse("operands", text)
    if not is_call:
        parsed = tuple(_as_constant(operand) for operand in parsed)
    return parsed


def _as_constant(operand: Operand) -> Operand:
    if isinstance(operand, Group) and len(operand.items) == 1:
        inner = operand.items[0]
        if isinstance(inner, Immediate):
            return Immediate(f"({inner})")
    return operand


class _Build(lark.Transformer[lark.Token, Any]):
    """Builds IR values bottom-up.  A constant expression becomes one Immediate, kept as text."""

    def operands(self, items: list[Operand | None]) -> tuple[Operand, ...]:
        return tuple(item for item in items if item is not None)

    def name(self, items: list[lark.Token]) -> Operand:
        text = str(items[0])
        return _SINK if text == "_" else _name(text)

    def number(self, items: list[lark.Token]) -> Operand:
        return Immediate(str(items[0]))

    def element(self, items: list[Operand]) -> Operand:
        base, index = items
        return Element(_want(base, Name), _want(index, Immediate, Name))

    def paren(self, items: list[tuple[Operand, ...]]) -> Operand:
        return Group(items[0])

    def vector(self, items: list[tuple[Operand, ...]]) -> Operand:
        if not items[0]:
            raise _Reject("an empty vector")
        return Vector(items[0])

    def address(self, items: list[Any]) -> Operand:
        operands: tuple[Operand, ...] = items[0]
        if not operands:
            raise _Reject("an empty address")
        first, *extra = operands
        first, unified = _as_constant(first), len(items) > 1
        if isinstance(first, Displaced):
            return Address(first.base, first.offset, tuple(extra), unified)
        return Address(_want(first, Name, Immediate), None, tuple(extra), unified)

    def bar(self, items: list[Operand]) -> Operand:
        if all(isinstance(item, (Name, Sink)) for item in items):
            return Pair(items[0], items[1])
        return self._join(items[0], "|", items[1])

    def negation(self, items: list[Operand]) -> Operand:
        operand = items[0]
        return Not(operand) if isinstance(operand, Name) else self._join(None, "!", operand)

    def binary(self, items: list[Any]) -> Operand:
        left, operator, right = items
        if isinstance(left, Name) and operator == "-":
            raise _Reject(f"'-' after '{left}', where '+-' would stand")
        if isinstance(left, Name) and operator == "+":
            return Displaced(left, Immediate(_constant(right).text))
        if isinstance(left, Displaced) and operator in ("+", "-"):
            return Displaced(left.base, self._join(left.offset, str(operator), right))
        return self._join(left, str(operator), right)

    def binary_or_else(self, items: list[Operand]) -> Operand:
        return self._join(items[0], "||", items[1])

    def binary_and_also(self, items: list[Operand]) -> Operand:
        return self._join(items[0], "&&", items[1])

    def binary_xor(self, items: list[Operand]) -> Operand:
        return self._join(items[0], "^", items[1])

    def binary_and(self, items: list[Operand]) -> Operand:
        return self._join(items[0], "&", items[1])

    def unary(self, items: list[Any]) -> Operand:
        if isinstance(items[1], Name) and items[0] == "-":
            return Negated(items[1])
        return self._join(None, str(items[0]), items[1])

    def complement(self, items: list[Operand]) -> Operand:
        return self._join(None, "~", items[0])

    def cast(self, items: list[Any]) -> Operand:
        return self._join(None, f"({items[0]})", items[1])

    def ternary(self, items: list[Operand]) -> Operand:
        condition, yes, no = map(_constant, items)
        return Immediate(f"{condition}?{yes}:{no}")

    def _join(self, left: Operand | None, operator: str, right: Operand) -> Immediate:
        before = "" if left is None else _constant(left).text
        return Immediate(f"{before}{operator}{_constant(right).text}")

    # declarations

    def bank(self, items: list[lark.Token]) -> tuple[str, str]:
        return "bank", str(items[0])

    def align(self, items: list[lark.Token]) -> tuple[str, int]:
        return "align", _integer(items[0])

    def vector_size(self, items: list[lark.Token]) -> tuple[str, str]:
        return "vector", str(items[0])

    def type(self, items: list[lark.Token]) -> tuple[str, str]:
        return "type", str(items[0])

    def pointer(self, items: list[lark.Token]) -> tuple[str, str]:
        words = [".ptr"]
        for token in items:
            words += [".align", str(token)] if token.type == "NUMBER" else [str(token)]
        return "pointer", " ".join(words)

    def attribute(self, items: list[lark.Token]) -> tuple[str, str]:
        return "attributes", str(items[0])

    def count(self, items: list[lark.Token]) -> tuple[str, int]:
        return "count", _integer(items[0])

    def extent(self, items: list[Operand | None]) -> tuple[str, int | None]:
        if items[0] is None:
            return "extent", None
        value = _constant(items[0]).value
        if not isinstance(value, int) or value < 0:
            raise _Reject("an array extent that is not a non-negative constant")
        return "extent", value

    def declarator(self, items: list[Any]) -> dict[str, Any]:
        made: dict[str, Any] = {"name": str(items[0]), "dimensions": ()}
        for item in items[1:]:
            if isinstance(item, lark.Token):
                made["initializer"] = int(item.end_pos or 0)
            elif item[0] == "count":
                made["count"] = item[1]
            else:
                made["dimensions"] = (*made["dimensions"], item[1])
        return made

    def declaration(self, items: list[Any]) -> tuple[Variable, ...]:
        common, declarators = _specifiers(items)
        return tuple(Variable(**common, **declarator) for declarator in declarators)

    def parameter(self, items: list[Any]) -> Variable:
        common, (declarator,) = _specifiers(items)
        return Variable(**common, **declarator)

    def returns(self, items: list[Variable | None]) -> tuple[str, tuple[Variable, ...]]:
        return "returns", tuple(item for item in items if item is not None)

    def params(self, items: list[Variable | None]) -> tuple[str, tuple[Variable, ...]]:
        return "params", tuple(item for item in items if item is not None)

    def directive_value(self, items: list[lark.Token]) -> str:
        return str(items[0])

    def directive(self, items: list[Any]) -> tuple[str, tuple[str, str]]:
        values = ", ".join(str(item) for item in items[1:] if item is not None)
        return "directive", (str(items[0]), values)

    def signature(self, items: list[Any]) -> Signature:
        linkage: list[str] = []
        kind = name = ""
        returns: tuple[Variable, ...] = ()
        params: tuple[Variable, ...] = ()
        directives: list[tuple[str, str]] = []
        for item in items:
            if isinstance(item, lark.Token):
                if item.type == "LINKAGE":
                    linkage.append(str(item))
                elif item.type == "KIND":
                    kind = str(item)
                elif item.type == "ATTRIBUTE":
                    directives.append((".attribute", str(item)[len(".attribute") :].strip()))
                else:
                    name = str(item)
            elif item[0] == "returns":
                returns = item[1]
            elif item[0] == "params":
                params = item[1]
            else:
                directives.append(item[1])
        return Signature(tuple(linkage), kind, name, returns, params, tuple(directives))


def _specifiers(items: list[Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Sort the parts of a declaration into what all its names share, and the names."""
    common: dict[str, Any] = {"space": "", "type": ""}
    declarators: list[dict[str, Any]] = []
    for item in items:
        if isinstance(item, dict):
            declarators.append(cast("dict[str, Any]", item))
        elif isinstance(item, lark.Token):
            if item.type == "SPACE":
                common["space"] = str(item)
        elif item[0] == "bank":
            common["space"] += f"[{item[1]}]"
        elif (item[0] in common and item[0] != "type") or (item[0] == "type" and common["type"]):
            raise _Reject(f"a second {item[0]}")
        else:
            common[item[0]] = item[1]
    if not common["type"]:
        raise _Reject("a declaration without a type")
    return common, declarators


class _Reject(Exception):
    """The grammar took it, but it is not PTX."""


def _want(operand: Operand, *kinds: type) -> Any:
    if not isinstance(operand, kinds):
        raise _Reject(f"'{operand}' where it cannot stand")
    return operand


def _constant(operand: Operand) -> Immediate:
    if isinstance(operand, Group) and len(operand.items) == 1:
        return Immediate(f"({_constant(operand.items[0])})")
    return _want(operand, Immediate)


def _integer(token: lark.Token) -> int:
    value = constant_value(str(token))
    if not isinstance(value, int):
        raise _Reject(f"'{token}' where an integer must stand")
    return value


@functools.cache
def _grammar_text() -> str:
    return (Path(__file__).parent / "ptx.lark").read_text()


@functools.cache
def _grammar() -> lark.Lark:
    return lark.Lark(
        _grammar_text(),
        parser="lalr",
        lexer="contextual",
        start=["operands", "declaration", "signature"],
        maybe_placeholders=True,
        transformer=_Build(),
    )


def load_grammar() -> None:
    """Build the parser now (about 0.1 s), where there is time, and not at its first use."""
    _grammar()


def _parse(start: str, text: str) -> Any:
    try:
        return cast("Any", _grammar()).parse(text, start=start)
    except lark.exceptions.UnexpectedInput as error:
        at = error.pos_in_stream
        at = len(text.rstrip()) if at is None or at < 0 else at
        found = text[at : at + 1]
        raise Malformed(f"unexpected '{found}'" if found else "unexpected end", at) from None
    except lark.exceptions.VisitError as error:
        if isinstance(error.orig_exc, _Reject):
            raise Malformed(f"unexpected {error.orig_exc}", 0) from None
        raise
    except _Reject as error:
        raise Malformed(f"unexpected {error}", 0) from None


# --- declarations and signatures ------------------------------------------------------------------

_INITIALIZER = re.compile(r"=\s*(?P<list>\{)?")


@functools.lru_cache(maxsize=4096)
def parse_declaration(text: str) -> tuple[Variable, ...]:
    """Parse ``.shared .align 4 .b8 tile[1024]`` (no semicolon); raises :class:`Malformed`."""
    stripped, initializers = _cut_initializers(text)
    variables: tuple[Variable, ...] = _parse("declaration", stripped)
    if not initializers:
        return variables
    return tuple(
        replace(v, initializer=initializers[cast("int", v.initializer)])
        if v.initializer is not None
        else v
        for v in variables
    )


def _cut_initializers(text: str) -> tuple[str, dict[int, str]]:
    """Replace each ``= value`` by ``=``; return the values by the offset after their ``=``."""
    kept: list[str] = []
    length = at = 0
    initializers: dict[int, str] = {}
    while found := _INITIALIZER.search(text, at):
        start = found.start("list") if found["list"] else found.end()
        end = _end_of_list(text, start) if found["list"] else _end_of_value(text, start)
        piece = text[at : found.start() + 1]
        kept.append(piece)
        length += len(piece)
        initializers[length] = text[start:end].strip()
        at = end
    kept.append(text[at:])
    return "".join(kept), initializers


def _end_of_list(text: str, start: int) -> int:
    depth = 0
    for found in re.finditer(r"[{}]", text[start:]):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return start + found.end()
    raise Malformed("an initialiser without its '}'", start)


def _end_of_value(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if text[at] == "," and depth == 0:
            return at
    return len(text)


@functools.lru_cache(maxsize=4096)
def parse_signature(text: str) -> Signature:
    """Parse a function head or ``.callprototype`` text (no brace, no semicolon).

    Raises :class:`Malformed`.
    """
    return _parse("signature", text)


# --- constants ------------------------------------------------------------------------------------

_PLAIN_INTEGER = re.compile(r"-?\d+")


def constant_value(text: str) -> int | float | None:
    """Return the value of a constant expression, or None if it depends on an address.

    Integers follow PTX ISA section 4.5: 64 bits, unsigned where written with ``U`` or too large
    for a signed one, and reported in that signedness.
    """
    if _PLAIN_INTEGER.fullmatch(text) and (text == "0" or not text.lstrip("-").startswith("0")):
        return _wrap(int(text), unsigned=int(text) > _MAX_SIGNED)
    if text[:2] in ("0f", "0F") and len(text) == 10:
        return struct.unpack(">f", bytes.fromhex(text[2:]))[0]
    if text[:2] in ("0d", "0D") and len(text) == 18:
        return struct.unpack(">d", bytes.fromhex(text[2:]))[0]
    return _evaluate(text)


_MAX_SIGNED = (1 << 63) - 1


def _wrap(value: int, *, unsigned: bool) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if not unsigned and value > _MAX_SIGNED else value


@functools.lru_cache(maxsize=4096)
def _evaluate(text: str) -> int | float | None:
    try:
        tree = cast("Any", _tree_grammar()).parse(text, start="operands")
        results: list[object] = _Evaluate().transform(tree)
    except (lark.exceptions.LarkError, ArithmeticError, RecursionError):  # 50 000 signs, say
        return None
    match results:
        case [(int() | float() as value, bool())]:
            return value
        case _:
            return None


_Constant = tuple[int | float, bool]
"""A value and whether it is unsigned (floats: False)."""


class _Evaluate(lark.Transformer[lark.Token, Any]):
    def operands(self, items: list[_Constant]) -> list[_Constant]:
        return items

    def number(self, items: list[lark.Token]) -> _Constant:
        text = str(items[0])
        if text[:2] in ("0f", "0F", "0d", "0D") and len(text) in (10, 18):
            return constant_value(text) or 0.0, False
        if re.search(r"[.]|^\d+[eE]", text):
            return float(text), False
        digits = text.rstrip("U")
        octal = digits.startswith("0") and digits.isdecimal()
        value = int(digits, 8 if octal else 0)
        unsigned = text.endswith("U") or value > _MAX_SIGNED
        return _wrap(value, unsigned=unsigned), unsigned

    def paren(self, items: list[list[_Constant]]) -> _Constant:
        return items[0][0]

    def cast(self, items: list[Any]) -> _Constant:
        unsigned = str(items[0]) == ".u64"
        return _wrap(int(items[1][0]), unsigned=unsigned), unsigned

    def unary(self, items: list[Any]) -> _Constant:
        sign, (value, unsigned) = items
        value = -value if sign == "-" else value
        return (value if isinstance(value, float) else _wrap(value, unsigned=unsigned)), unsigned

    def complement(self, items: list[_Constant]) -> _Constant:
        value, unsigned = items[0]
        return _wrap(~int(value), unsigned=unsigned), unsigned

    def negation(self, items: list[_Constant]) -> _Constant:
        return int(not items[0][0]), False

    def ternary(self, items: list[_Constant]) -> _Constant:
        return items[1] if items[0][0] else items[2]

    def binary(self, items: list[Any]) -> _Constant:
        return _apply(items[0], str(items[1]), items[2])

    def bar(self, items: list[_Constant]) -> _Constant:
        return _apply(items[0], "|", items[1])

    def binary_xor(self, items: list[_Constant]) -> _Constant:
        return _apply(items[0], "^", items[1])

    def binary_and(self, items: list[_Constant]) -> _Constant:
        return _apply(items[0], "&", items[1])

    def binary_or_else(self, items: list[_Constant]) -> _Constant:
        return int(bool(items[0][0] or items[1][0])), False

    def binary_and_also(self, items: list[_Constant]) -> _Constant:
        return int(bool(items[0][0] and items[1][0])), False


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << (b & 63),
    ">>": lambda a, b: a >> (b & 63),
    "/": lambda a, b: a / b if isinstance(a, float) else _quotient(a, b),
    "%": lambda a, b: a - b * _quotient(a, b),
}


def _quotient(a: int, b: int) -> int:
    """Divide, rounding toward zero as C does."""
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def _apply(left: _Constant, sign: str, right: _Constant) -> _Constant:
    (a, a_unsigned), (b, b_unsigned) = left, right
    if sign in _COMPARE:
        return int(_COMPARE[sign](a, b)), False
    unsigned = a_unsigned if sign in ("<<", ">>") else a_unsigned or b_unsigned
    if isinstance(a, float) or isinstance(b, float):
        return float(_ARITHMETIC[sign](float(a), float(b))), False
    if unsigned:
        a, b = _wrap(a, unsigned=True), _wrap(b, unsigned=True)
    return _wrap(_ARITHMETIC[sign](a, b), unsigned=unsigned), unsigned


@functools.cache
def _tree_grammar() -> lark.Lark:
    return lark.Lark(_grammar_text(), parser="lalr", lexer="contextual", start=["operands"])
