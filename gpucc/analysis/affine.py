"""Integer expressions as sums of products of symbols.

A register of w bits whose expression is E holds E modulo 2^w.  Addition, subtraction and
multiplication keep that exactly, whatever overflows.  Where an instruction looks at the value
itself (widening, shifting right, comparing bits), bounds of the symbols decide whether it equals E;
what stays undecided becomes a *computed* symbol, or is assumed (``Affine.assumed``).
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gpucc.errors import GpuccError

MAX_TERMS = 40
MAX_DEGREE = 4


class SymbolKind(enum.Enum):
    """What a symbol stands for."""

    SPECIAL = "special register"
    PARAMETER = "parameter"
    VARIABLE = "address of a variable"
    ITERATION = "how often a loop has gone round"
    LAST = "how often a loop had gone round when it was left"
    LOADED = "loaded value"
    COMPUTED = "computed, but not a sum of products"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A factor of an expression; there is one object for each in a function.

    The value lies between ``low`` and ``high``; the bits that may be set are within ``bits``
    (-1: any; otherwise the value is not negative).  ``varies`` names what it depends on: special
    registers (``tid.x``), ``loop<n>`` (the n-th loop of the function) and ``memory``; what depends
    on parameters alone is the same for all threads.  ``statement`` is the instruction that
    makes a LOADED, COMPUTED or UNKNOWN value; ``reason`` says why it is unknown.
    """

    text: str
    kind: SymbolKind
    low: int
    high: int
    bits: int
    varies: frozenset[str] = frozenset()
    statement: int = -1
    reason: str = ""
    operation: Operation | None = None

    def __str__(self) -> str:
        return self.text


Monomial: TypeAlias = tuple[Symbol, ...]
Bounds: TypeAlias = tuple[int, int]
Limits: TypeAlias = Mapping[Symbol, Bounds]


@dataclass(frozen=True, slots=True)
class Operation:
    """What a computed symbol is: ``name`` applied to operands of ``width`` bits.

    :func:`compute` has the names.
    """

    name: str
    operands: tuple[Affine, ...]
    width: int


@dataclass(frozen=True, slots=True)
class Affine:
    """A sum of products; ``terms`` maps a product's symbols, sorted, to its coefficient, not 0.

    The constant has the key ``()``.  ``assumed`` lists statements at which a 32-bit value was taken
    not to overflow although its bounds allow it.
    """

    terms: Mapping[Monomial, int]
    assumed: frozenset[int] = frozenset()

    @property
    def constant(self) -> int | None:
        """The value, if it is the same always."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def symbol(self) -> Symbol | None:
        """The symbol, if the expression is just one."""
        if len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            if len(monomial) == 1 and coefficient == 1:
                return monomial[0]
        return None

    def symbols(self) -> Iterator[Symbol]:
        """Yield the symbols; some may come more than once."""
        for monomial in self.terms:
            yield from monomial

    def plus(self, other: Affine, times: int = 1) -> Affine:
        """Return ``self + times * other``."""
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            total = terms.get(monomial, 0) + times * coefficient
            if total:
                terms[monomial] = total
            else:
                terms.pop(monomial, None)
        return Affine(terms, self.assumed | other.assumed if other.assumed else self.assumed)

    def scaled(self, factor: int) -> Affine:
        """Return ``factor * self``."""
        if factor == 0:
            return ZERO
        return Affine({m: c * factor for m, c in self.terms.items()}, self.assumed)

    def product(self, other: Affine) -> Affine | None:
        """Return ``self * other``; None if it has too many terms to be of use."""
        if len(other.terms) == 1 and () in other.terms:
            return self.scaled(other.terms[()])
        if len(self.terms) * len(other.terms) > MAX_TERMS:
            return None
        terms: dict[Monomial, int] = {}
        for left, c in self.terms.items():
            for right, d in other.terms.items():
                both = left + right
                if len(both) > MAX_DEGREE:
                    return None
                key = tuple(sorted(both, key=_by_text)) if left and right else both
                total = terms.get(key, 0) + c * d
                if total:
                    terms[key] = total
                else:
                    terms.pop(key, None)
        return Affine(terms, self.assumed | other.assumed)

    def assuming(self, statements: Iterable[int]) -> Affine:
        """Return this expression with more assumptions."""
        return Affine(self.terms, self.assumed.union(statements))

    def bounds(self, limits: Limits) -> Bounds:
        """Return the least and the greatest value; ``limits`` overrides symbols' own bounds."""
        low = high = 0
        for monomial, coefficient in self.terms.items():
            least = most = coefficient
            for symbol in monomial:
                a, b = limits.get(symbol) or (symbol.low, symbol.high)
                if a >= 0 and least >= 0:
                    least, most = least * a, most * b
                else:
                    corners = (least * a, least * b, most * a, most * b)
                    least, most = min(corners), max(corners)
            low += least
            high += most
        return low, high

    def coefficient(self, symbol: Symbol) -> Affine | None:
        """Return what ``symbol`` is multiplied with; None if it is not linear in it."""
        terms: dict[Monomial, int] = {}
        for monomial, coefficient in self.terms.items():
            count = monomial.count(symbol)
            if count > 1 or any(
                other is not symbol and not other.varies.isdisjoint(_primitive(symbol))
                for other in monomial
            ):
                return None
            if count:
                terms[tuple(s for s in monomial if s is not symbol)] = coefficient
        return Affine(terms, self.assumed)

    def without(self, symbol: Symbol) -> Affine:
        """Return the terms in which ``symbol`` is no factor."""
        kept = {m: c for m, c in self.terms.items() if symbol not in m}
        return Affine(kept, self.assumed)

    def varies_with(self, name: str) -> bool:
        """Return whether the value may depend on ``tid.x``, ``loop2``, ``memory``, …."""
        return any(name in symbol.varies for symbol in self.symbols())

    def evaluate(self, values: Mapping[str, int]) -> int:
        """Compute the value from those of the symbols, by their text.

        Computed symbols are computed.  Raises :class:`GpuccError` if a value is missing.
        """
        total = 0
        for monomial, coefficient in self.terms.items():
            for symbol in monomial:
                coefficient *= _value(symbol, values)
            total += coefficient
        return total

    def replace(self, substitute: Callable[[Symbol], Affine | None]) -> Affine:
        """Return this expression with some symbols replaced; None keeps a symbol.

        A product that becomes too large keeps its symbols, so the caller must not rely on a symbol
        being gone.
        """
        result = Affine({}, self.assumed)
        for monomial, coefficient in self.terms.items():
            term = Affine({(): coefficient})
            for symbol in monomial:
                new = substitute(symbol)
                factor = of(symbol) if new is None else new
                term = term.product(factor) or term.product(of(symbol)) or ZERO
            result = result.plus(term)
        return result

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        words: list[str] = []
        for monomial, coefficient in sorted(self.terms.items(), key=_order):
            factors = [symbol.text for symbol in monomial]
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            sign = "-" if coefficient < 0 else "+"
            words.append(f"{sign} {'*'.join(factors)}" if words else "*".join(factors))
            if len(words) == 1 and coefficient < 0:
                words[0] = f"-{words[0]}"
        return " ".join(words)


def _by_text(symbol: Symbol) -> str:
    return symbol.text


def _order(item: tuple[Monomial, int]) -> tuple[bool, int, list[str]]:
    monomial, _ = item
    return not monomial, -len(monomial), [symbol.text for symbol in monomial]


def _primitive(symbol: Symbol) -> frozenset[str]:
    return symbol.varies or frozenset({symbol.text})


ZERO = Affine({})


@functools.lru_cache(maxsize=4096)
def number(value: int) -> Affine:
    """Return the expression of a constant."""
    return Affine({(): value}) if value else ZERO


def of(symbol: Symbol) -> Affine:
    """Return the expression that is just ``symbol``."""
    return Affine({(symbol,): 1})


# --- bits -----------------------------------------------------------------------------------------


def term_bits(monomial: Monomial, coefficient: int, width: int, limits: Limits) -> int:
    """Return the bits that may be set in one term, as a value of ``width`` bits."""
    mask = (1 << width) - 1
    zeros = (coefficient & -coefficient).bit_length() - 1
    if not monomial:
        return coefficient & mask
    if len(monomial) == 1 and coefficient == 1 << zeros and monomial[0].bits >= 0:
        low, high = limits.get(monomial[0]) or (monomial[0].low, monomial[0].high)
        return ((monomial[0].bits & _below(high)) << zeros) & mask if low >= 0 else mask
    low, high = Affine({monomial: coefficient}).bounds(limits)
    return (_below(high) if low >= 0 else mask) & mask & -(1 << zeros)


def _below(high: int) -> int:
    return (1 << high.bit_length()) - 1


def disjoint_bits(form: Affine, width: int, limits: Limits) -> list[int] | None:
    """Return the bits that each term may set; None if two terms may set the same."""
    found: list[int] = []
    seen = 0
    for monomial, coefficient in form.terms.items():
        bits = term_bits(monomial, coefficient, width, limits)
        if bits & seen:
            return None
        seen |= bits
        found.append(bits)
    return found


def possible_bits(form: Affine, width: int, limits: Limits) -> int:
    """Return the bits that may be set in a ``width``-bit register that holds ``form``."""
    apart = disjoint_bits(form, width, limits)
    if apart is not None:
        return sum(apart)
    mask = (1 << width) - 1
    low, high = form.bounds(limits)
    zeros = min((c & -c).bit_length() - 1 for c in form.terms.values())
    return (_below(high) if low >= 0 else mask) & mask & -(1 << zeros)


# --- operations of computed symbols ---------------------------------------------------------------


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _quotient(a: int, b: int) -> int:
    """Divide, rounding toward zero; by zero as GPUs do, all bits set."""
    if b == 0:
        return -1
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def compute(operation: str, width: int, a: int, b: int = 0) -> int:
    """Apply an operation of a computed symbol; the result is right modulo 2^width.

    ``and or xor shl mul``; ``shr div rem min max mulhi extend`` with ``.u`` or ``.s`` after it
    (operands are unsigned or signed numbers of the width).  ``extend`` reads a register
    of the width as a number.
    """
    name, _, sign = operation.partition(".")
    mask = (1 << width) - 1
    a, b = a & mask, b & mask
    if sign == "s":
        a, b = _signed(a, width), _signed(b, width)
    match name:
        case "and":
            return a & b
        case "or":
            return a | b
        case "xor":
            return a ^ b
        case "shl":
            return a << (b & 0xFFFFFFFF) if b & 0xFFFFFFFF < width else 0
        case "shr":
            return a >> min(b & 0xFFFFFFFF, width)
        case "div":
            return _quotient(a, b)
        case "rem":
            return a if b == 0 else a - b * _quotient(a, b)
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case "mul":
            return a * b
        case "mulhi":
            return (a * b) >> width
        case "extend":
            return a
        case _:
            raise GpuccError(f"no operation '{operation}'")


def reads_signed(operation: str) -> bool:
    """Return whether an operation takes its operands for signed numbers."""
    return operation.endswith(".s")


def _value(symbol: Symbol, values: Mapping[str, int]) -> int:
    if symbol.text in values:
        return values[symbol.text]
    operation = symbol.operation
    if operation is None:
        raise GpuccError(f"no value for '{symbol.text}' ({symbol.kind.value})")
    operands = [operand.evaluate(values) for operand in operation.operands]
    return compute(operation.name, operation.width, *operands)
