"""The symbols of one function's integer expressions, and arithmetic that makes new ones.

:class:`Symbols` hands out one object per symbol and knows its bounds.  Its arithmetic (shifts,
masks, division, widening) returns sums of products where bounds allow, else computed symbols.

What is assumed, and where: a 32-bit value that is widened to 64 bits (``mul.wide``, ``cvt.s64``)
is taken not to have overflowed if its bounds cannot tell.  C++ promises that for ``int``; for
``unsigned`` it is what an index that stays inside its array needs.  Each such place is listed in
:attr:`Affine.assumed`.  A large factor is taken for a hash, where overflow is meant: that value
becomes a computed symbol, exactly.  The same is assumed of special registers and loop counts that
are shifted right or divided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gpucc.analysis.affine import (
    ZERO,
    Affine,
    Bounds,
    Operation,
    Symbol,
    SymbolKind,
    disjoint_bits,
    number,
    of,
    possible_bits,
    reads_signed,
)
from gpucc.models.devices import MAX_BLOCK, MAX_GRID, MAX_THREADS_PER_BLOCK, WARP_SIZE
from gpucc.ptx.module import Function

_HASH_FACTOR = 1 << 24
_TEXT_LIMIT = 160
_COUNTED = frozenset({SymbolKind.SPECIAL, SymbolKind.ITERATION, SymbolKind.LAST})
ANYTHING = frozenset(
    {
        *("tid.x", "tid.y", "tid.z", "laneid", "warpid", "ctaid.x", "ctaid.y", "ctaid.z"),
        *("clusterid.x", "clusterid.y", "clusterid.z", "cluster_ctaid.x", "cluster_ctaid.y"),
        *("cluster_ctaid.z", "cluster_ctarank", "smid", "time", "memory"),
    }
)
"""What an unknown value may depend on, beside the loops that it is computed in."""

_VARIES = {
    "lanemask_eq": "laneid",
    "lanemask_lt": "laneid",
    "lanemask_le": "laneid",
    "lanemask_gt": "laneid",
    "lanemask_ge": "laneid",
    "clock": "time",
    "clock_hi": "time",
    "clock64": "time",
    "globaltimer": "time",
    "globaltimer_lo": "time",
    "globaltimer_hi": "time",
}
_UNIFORM = re.compile(r"n(tid|ctaid|clusterid|warpid|smid)|cluster_n|gridid|envreg|.*smem_size")


def block_shape(function: Function) -> tuple[int, int, int] | None:
    """Return the block's shape where ``.reqntid`` fixes it."""
    found = re.search(r"\.reqntid\s+([\d\s,]+)", function.head)
    if not found:
        return None
    extents = [int(word) for word in found.group(1).split(",") if word.strip()]
    x, y, z = [*extents, 1, 1][:3]
    return x, y, z


def _most_threads(function: Function) -> int:
    """Return the most threads that a block can have.

    ``.maxntid`` limits the product of the extents only (PTX ISA, performance-tuning directives).
    """
    found = re.search(r"\.maxntid\s+([\d\s,]+)", function.head)
    if not found:
        return MAX_THREADS_PER_BLOCK
    most = 1
    for word in found.group(1).split(","):
        most *= int(word) if word.strip() else 1
    return min(most, MAX_THREADS_PER_BLOCK)


def special_bounds(function: Function) -> Mapping[str, Bounds]:
    """Return the least and greatest value of special registers, by name without ``%``.

    From the limits of compute capabilities 3.0 and up, and the directives of ``function``.
    """
    threads = _most_threads(function)
    shape = block_shape(function)
    extents = shape or tuple(min(threads, most) for most in MAX_BLOCK)
    bounds: dict[str, Bounds] = {
        "laneid": (0, WARP_SIZE - 1),
        "warpid": (0, 63),
        "nwarpid": (1, 64),
        "cluster_ctarank": (0, 31),
        "cluster_nctarank": (1, 32),
    }
    for axis, extent, most in zip("xyz", extents, MAX_GRID, strict=True):
        bounds[f"tid.{axis}"] = (0, extent - 1)
        bounds[f"ntid.{axis}"] = (extent if shape else 1, extent)
        for blocks in ("ctaid", "clusterid"):
            bounds[f"{blocks}.{axis}"] = (0, most - 1)
            bounds[f"n{blocks}.{axis}"] = (1, most)
        bounds[f"cluster_ctaid.{axis}"] = (0, 31)
        bounds[f"cluster_nctaid.{axis}"] = (1, 32)
    return bounds


class Symbols:
    """Makes and keeps the symbols of ``function``.

    ``limits`` holds bounds learnt later (trip counts); they override those in the symbols.
    ``learn`` is called for an iteration count whose bounds would help, to put them there.
    """

    def __init__(self, function: Function, learn: Callable[[Symbol], object]) -> None:
        self._learn = learn
        self._learning = False
        self.limits: dict[Symbol, Bounds] = {}
        self.shape = block_shape(function)
        self._bounds = special_bounds(function)
        self._made: dict[str, Symbol] = {}

    def bounds(self, form: Affine) -> Bounds:
        """Return the least and the greatest value of ``form``."""
        return form.bounds(self.limits)

    # --- symbols ------------------------------------------------------------------------------

    def make(
        self,
        text: str,
        kind: SymbolKind,
        bounds: Bounds,
        varies: frozenset[str],
        statement: int = -1,
        reason: str = "",
    ) -> Affine:
        """Return the symbol named ``text``, made if it is new."""
        symbol = self._made.get(text)
        if symbol is None:
            low, high = bounds
            bits = (1 << high.bit_length()) - 1 if low >= 0 else -1
            symbol = Symbol(text, kind, low, high, bits, varies, statement, reason)
            self._made[text] = symbol
        return of(symbol)

    def forget(self, token: str) -> None:
        """Drop the symbols that vary with ``token``."""
        for key in [key for key, symbol in self._made.items() if token in symbol.varies]:
            del self._made[key]

    def special(self, name: str, width: int) -> Affine:
        """Return a special register, by its name without ``%``; a constant if it is fixed."""
        low, high = self._bounds.get(name) or (0, (1 << width) - 1)
        if low == high:
            return number(low)
        varies = () if _UNIFORM.match(name) else (_VARIES.get(name, name),)
        return self.make(name, SymbolKind.SPECIAL, (low, high), frozenset(varies))

    def iteration(self, loop: int) -> Affine:
        """Return how often loop number ``loop`` has gone back to its header: 0 the first time."""
        text = f"loop{loop}"
        return self.make(text, SymbolKind.ITERATION, (0, (1 << 63) - 1), frozenset({text}))

    def computed(self, name: str, operands: tuple[Affine, ...], width: int, at: int) -> Affine:
        """Return ``name`` (see :func:`compute`) applied to ``operands``, computed at ``at``."""
        assumed = frozenset[int]().union(*(operand.assumed for operand in operands))
        constants = [operand.constant for operand in operands]
        operation = Operation(name, operands, width)
        key = text = f"{name}{width}({', '.join(map(str, operands))})"
        if len(text) > _TEXT_LIMIT:
            text = f"{name}{width}@{at}.{len(self._made)}"
        symbol = self._made.get(key)
        if symbol is None:
            bounds = self._range(operation)
            bits = self._bits(operation, bounds)
            varies = frozenset[str]().union(*(s.varies for o in operands for s in o.symbols()))
            symbol = Symbol(text, SymbolKind.COMPUTED, *bounds, bits, varies, at, "", operation)
            if None not in constants:
                return number(of(symbol).evaluate({}))
            self._made[key] = symbol
        return Affine({(symbol,): 1}, assumed)

    def _range(self, operation: Operation) -> Bounds:
        """Bound the result of an operation; operands are read as its table says."""
        width = operation.width
        is_signed = reads_signed(operation.name)
        natural = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, _ones(width))
        read = [_within(self.bounds(operand), natural) for operand in operation.operands]
        (low, high), (a, b) = read[0], read[-1]
        match operation.name.partition(".")[0]:
            case "and":
                return 0, min(high, b)
            case "or" | "xor":
                return 0, _ones(max(high.bit_length(), b.bit_length()))
            case "shr" if a == b:
                return low >> min(a, width), high >> min(a, width)
            case "div" if a == b > 0:
                return (-(-low // a) if low < 0 else low // a), high // a
            case "rem" if a == b > 0:
                return (-(a - 1) if low < 0 else 0), a - 1
            case "min":
                return min(low, a), min(high, b)
            case "max":
                return max(low, a), max(high, b)
            case "mul":
                return 0, _ones(2 * width)
            case "shl":
                return 0, _ones(2 * width)
            case _:
                return natural

    def _bits(self, operation: Operation, bounds: Bounds) -> int:
        low, high = bounds
        if low < 0:
            return -1
        bits = _ones(high.bit_length())
        if operation.name == "and":
            for operand in operation.operands:
                bits &= possible_bits(operand, operation.width, self.limits)
        return bits

    def substitute(self, form: Affine, symbol: Symbol, value: Affine) -> Affine:
        """Return ``form`` with ``symbol`` replaced by ``value``, inside computed symbols too."""

        def replacement(here: Symbol) -> Affine | None:
            if here is symbol:
                return value
            operation = here.operation
            if operation is None:
                return None
            operands = tuple(operand.replace(replacement) for operand in operation.operands)
            if all(a.terms == b.terms for a, b in zip(operands, operation.operands, strict=True)):
                return None
            return self.computed(operation.name, operands, operation.width, here.statement)

        return form.replace(replacement)

    # --- arithmetic ---------------------------------------------------------------------------

    def product(self, a: Affine, b: Affine, width: int, at: int) -> Affine:
        """Return ``a * b``."""
        return a.product(b) or self.computed("mul", (a, b), width, at)

    def extend(self, form: Affine, width: int, is_signed: bool, at: int) -> Affine:
        """Return what a ``width``-bit register that holds ``form`` is as a number."""
        if self.fits(form, width, is_signed):
            return form
        factors = (c for monomial, c in form.terms.items() if monomial)
        if (
            width < 32
            or any(abs(c) >= _HASH_FACTOR for c in factors)
            or not form.terms.keys() - {()}
        ):
            return self.computed("extend.s" if is_signed else "extend.u", (form,), width, at)
        return form.assuming((at,))

    def fits(self, form: Affine, width: int, is_signed: bool) -> bool:
        """Return whether ``form`` is surely a number that a register of this width can hold."""
        least, most = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
        low, high = self.bounds(form)
        if least <= low and high < most:
            return True
        counts = {s for s in form.symbols() if s.kind is SymbolKind.ITERATION} - self.limits.keys()
        if not counts or self._learning:
            return False
        self._learning = True
        for symbol in counts:
            self._learn(symbol)
        self._learning = False
        low, high = self.bounds(form)
        return least <= low and high < most

    def _exact(self, form: Affine, width: int, is_signed: bool, at: int) -> Affine | None:
        """Return ``form`` as the number in the register, with an assumption if need be."""
        if self.fits(form, width, is_signed):
            return form
        return form.assuming((at,)) if _counted(form) else None

    def shift_left(self, form: Affine, amount: Affine, width: int, at: int) -> Affine:
        """Return ``form << amount``."""
        count = amount.constant
        if count is None:
            return self.computed("shl", (form, amount), width, at)
        return form.scaled(1 << count) if 0 <= count < width else ZERO

    def shift_right(
        self, form: Affine, amount: Affine, width: int, is_signed: bool, at: int
    ) -> Affine:
        """Return ``form >> amount``."""
        name = "shr.s" if is_signed else "shr.u"
        count = amount.constant
        exact = self._exact(form, width, is_signed, at)
        if count is None or count < 0 or exact is None:
            return self.computed(name, (form, amount), width, at)
        whole, rest = _split(exact, 1 << min(count, width))
        low, high = self.bounds(rest)
        if not whole.terms:  # it is known, or assumed, to fit
            high = min(high, (1 << (width - is_signed)) - 1)
        if low >= 0 and high >> count == 0:
            return whole
        if high < 0 and low >> count == -1:
            return whole.plus(number(-1))
        if not self.fits(rest, width, is_signed):
            return self.computed(name, (form, amount), width, at)
        return whole.plus(self.computed(name, (rest, amount), width, at))

    def quotient(self, a: Affine, b: Affine, width: int, is_signed: bool, at: int) -> Affine:
        """Return ``a / b``, rounded toward zero."""
        parts = self._divide(a, b, width, is_signed, at)
        if parts is None:
            return self.computed("div.s" if is_signed else "div.u", (a, b), width, at)
        whole, rest, divisor = parts
        if self.bounds(rest)[1] < divisor:
            return whole
        return whole.plus(self.computed("div.u", (rest, b), width, at))

    def remainder(self, a: Affine, b: Affine, width: int, is_signed: bool, at: int) -> Affine:
        """Return what is left of ``a`` after dividing by ``b``."""
        parts = self._divide(a, b, width, is_signed, at)
        if parts is None:
            return self.computed("rem.s" if is_signed else "rem.u", (a, b), width, at)
        _, rest, divisor = parts
        if self.bounds(rest)[1] < divisor:
            return rest
        return self.computed("rem.u", (rest, b), width, at)

    def _divide(
        self, a: Affine, b: Affine, width: int, is_signed: bool, at: int
    ) -> tuple[Affine, Affine, int] | None:
        """Return q, r and the divisor d with a = q*d + r, where a, r and d are not negative."""
        divisor = b.constant
        exact = self._exact(a, width, is_signed, at)
        if divisor is None or divisor <= 0 or exact is None or self.bounds(exact)[0] < 0:
            return None
        whole, rest = _split(exact, divisor)
        return (whole, rest, divisor) if self.fits(rest, width, False) else None

    def minimum(
        self, a: Affine, b: Affine, width: int, is_signed: bool, at: int, *, most: bool = False
    ) -> Affine:
        """Return the smaller of two values; the larger one if ``most``."""
        if self.fits(a, width, is_signed) and self.fits(b, width, is_signed):
            low, high = self.bounds(a.plus(b, -1))
            if low >= 0:
                return a if most else b
            if high <= 0:
                return b if most else a
        name = f"{'max' if most else 'min'}.{'s' if is_signed else 'u'}"
        return self.computed(name, (a, b), width, at)

    def bit_and(self, a: Affine, b: Affine, width: int, at: int) -> Affine:
        """Return the bits that both have."""
        if a.constant is not None:
            a, b = b, a
        if b.constant is None:
            return self.computed("and", (a, b), width, at)
        mask = b.constant & _ones(width)
        possible = possible_bits(a, width, self.limits)
        if possible & mask == 0:
            return ZERO
        if possible & ~mask == 0:
            return a
        if width == 64 and mask == _ones(32) and _counted(a):
            return self.extend(a, 32, False, at)
        apart = disjoint_bits(a, width, self.limits)
        if apart is not None:
            return self._by_term(a, apart, mask, "and", width, at)
        if mask & (mask + 1) == 0:
            _, low = _split(a, mask + 1)
            if len(low.terms) < len(a.terms):
                return self.bit_and(low, number(mask), width, at)
        return self.computed("and", (a, number(mask)), width, at)

    def _by_term(
        self, form: Affine, apart: list[int], mask: int, name: str, width: int, at: int
    ) -> Affine:
        """Apply ``and``/``or``/``xor`` with ``mask`` to terms whose bits do not meet.

        Terms that are kept whole or vanish do so; those that the mask cuts stay together.
        """
        kept: dict[tuple[Symbol, ...], int] = {}
        cut: dict[tuple[Symbol, ...], int] = {}
        for (monomial, coefficient), bits in zip(form.terms.items(), apart, strict=True):
            touched = bits & ~mask if name == "and" else bits & mask
            gone = bits & mask == 0 if name == "and" else name == "or" and bits & ~mask == 0
            if not touched:
                kept[monomial] = coefficient
            elif not gone:
                cut[monomial] = coefficient
        result = Affine(kept, form.assumed)
        if cut:
            return result.plus(self.computed(name, (Affine(cut), number(mask)), width, at))
        return result if name == "and" else result.plus(number(mask))

    def bit_or(self, a: Affine, b: Affine, width: int, at: int, *, name: str = "or") -> Affine:
        """Return the bits that one of them has; with ``name`` ``xor``, just one."""
        if a.constant is not None:
            a, b = b, a
        bits = possible_bits(a, width, self.limits)
        if bits & possible_bits(b, width, self.limits) == 0:
            return a.plus(b)
        if b.constant is not None:
            mask = b.constant & _ones(width)
            if name == "xor" and mask == _ones(width):
                return number(-1).plus(a, -1)
            apart = disjoint_bits(a, width, self.limits)
            if apart is not None:
                return self._by_term(a, apart, mask, name, width, at)
        return self.computed(name, (a, b), width, at)


def _counted(form: Affine) -> bool:
    return all(symbol.kind in _COUNTED for symbol in form.symbols())


def _ones(width: int) -> int:
    return (1 << width) - 1


def _within(bounds: Bounds, natural: Bounds) -> Bounds:
    """Return the bounds of a value after it is read as a register; all it can hold if unsure."""
    return bounds if natural[0] <= bounds[0] and bounds[1] <= natural[1] else natural


def _split(form: Affine, divisor: int) -> tuple[Affine, Affine]:
    """Return q and r with form = q*divisor + r, where r has the terms that do not divide."""
    whole: dict[tuple[Symbol, ...], int] = {}
    rest: dict[tuple[Symbol, ...], int] = {}
    for monomial, coefficient in form.terms.items():
        if coefficient % divisor == 0:
            whole[monomial] = coefficient // divisor
        elif monomial:
            rest[monomial] = coefficient
        else:
            rest[()] = coefficient % divisor
            whole[()] = coefficient // divisor
    whole = {monomial: c for monomial, c in whole.items() if c}
    return Affine(whole, form.assumed), Affine(rest, form.assumed)
