"""Who uses a memory access's cache lines again, as far as its address alone tells.

Every global load, store and reduction of a kernel gets a :class:`MemoryRole`.  *Streamed* means
that the grid touches each byte once through this instruction and no other load shares its lines:
the index dimensions of the address (threads, blocks, loops) form a mixed-radix number whose lowest
digit is the lane and whose unit is the access itself::

    x[blockIdx.x*blockDim.x + threadIdx.x]    4*tid.x + 4*ntid.x*ctaid.x   unit 4, then 4*ntid.x
    a[row*n + k],  row = blockIdx.y           uniform over the lanes: reused inside the warp

Two assumptions are made, which can cost speed and never meaning: rows of a two-dimensional array
do not overlap (a parameter that multiplies an index is at least as large as what is below it), and
a constant block stride covers the block.
"""

from __future__ import annotations

import enum
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gpucc.analysis.addresses import Addresses, AddressExpr
from gpucc.analysis.affine import Affine, Symbol, SymbolKind, number, of
from gpucc.ptx.module import Function, Instruction, Module

SECTOR_BYTES = 32
"""What a cache fetches at least (CUDA C++ Best Practices Guide, section on coalesced access)."""


class Reuse(enum.Enum):
    """Who touches the same cache lines again."""

    STREAMED = "streamed once"
    WARP = "reused inside a warp"
    BLOCK = "reused across a block"
    GRID = "reused across blocks"
    UNKNOWN = "unknown"


AccessKind: TypeAlias = Literal["load", "store", "reduction", "atomic"]
_KINDS: dict[str, AccessKind] = {
    "ld": "load",
    "ldu": "load",
    "st": "store",
    "red": "reduction",
    "atom": "atomic",
}


@dataclass(frozen=True, slots=True)
class MemoryRole:
    """One global access: what is known of the reuse of its lines, and why.

    ``partner`` is the statement of the other access that the reuse is with, -1 if there is none.
    """

    statement: int
    kind: AccessKind
    address: AddressExpr
    reuse: Reuse
    why: str
    partner: int = -1


def memory_roles(kernel: Function, module: Module | None = None) -> tuple[MemoryRole, ...]:
    """Classify every ``ld``, ``st``, ``red`` and ``atom`` in the global state space of ``kernel``.

    In order of the text.  ``module`` tells the state space of module variables.
    """
    addresses = Addresses(kernel, module)
    alone = _Alone(addresses, _axes(kernel))
    found = [
        alone.access(_KINDS[_mnemonic(kernel, address)], address)
        for address in addresses.all_of(space="global")
    ]
    by_base: dict[object, list[_Access]] = defaultdict(list)
    for access in found:
        by_base[access.role.address.base].append(access)
    return tuple(_among(access, by_base[access.role.address.base]) for access in found)


def _mnemonic(kernel: Function, address: AddressExpr) -> str:
    statement = kernel.statements[address.statement]
    assert isinstance(statement, Instruction)
    return statement.mnemonic


_AXIS = re.compile(r"%((?:tid|ctaid)\.[xyz])")


def _axes(kernel: Function) -> frozenset[str]:
    """Return the thread and block dimensions that the kernel reads: those it is launched over."""
    return frozenset(
        name
        for statement in kernel.statements
        if type(statement) is Instruction and "id." in statement.args
        for name in _AXIS.findall(statement.args)
    )


# --- one access by itself -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Digit:
    """One index of the address: ``coefficient`` bytes apart, ``extent`` values (None: unknown)."""

    symbol: Symbol
    coefficient: Affine
    extent: Affine | None


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What the terms that vary tell; for a streamed access the digits from the lowest up."""

    reuse: Reuse
    why: str
    digits: tuple[_Digit, ...] = ()


@dataclass(frozen=True, slots=True)
class _Access:
    """A role and, for a streamed access, the digits of its address from the lowest up."""

    role: MemoryRole
    digits: tuple[_Digit, ...] = ()


class _Alone:
    """Classifies single accesses of a kernel that is launched over ``axes``.

    Accesses whose addresses differ by a uniform amount (the copies of an unrolled one) have the
    same verdict, but for where in a line they start; so each varying part is judged once.
    """

    def __init__(self, addresses: Addresses, axes: frozenset[str]) -> None:
        self._addresses = addresses
        self._axes = sorted(axes - {"tid.x"})
        self._verdicts: dict[object, _Verdict] = {}

    def access(self, kind: AccessKind, address: AddressExpr) -> _Access:
        if (reason := address.reason) or not address.size:
            why = reason or "an access of unknown size"
            return _Access(MemoryRole(address.statement, kind, address, Reuse.UNKNOWN, why))
        varying = {
            monomial: coefficient
            for monomial, coefficient in address.offset.terms.items()
            if any(s.varies or s.kind is SymbolKind.LAST for s in monomial)
        }
        loops = self._addresses.values.loops.around(self._addresses.cfg.block_of[address.statement])
        key = frozenset(varying.items()), address.size, tuple(loops)
        verdict = self._verdicts.get(key)
        if verdict is None:
            verdict = self._verdicts[key] = self._judge(Affine(varying), address.size, loops)
        constant = address.offset.terms.get((), 0)
        if verdict.reuse is Reuse.STREAMED and constant % SECTOR_BYTES:
            why = f"it starts {constant} bytes into a line that others begin"
            verdict = _Verdict(Reuse.BLOCK, why)
        role = MemoryRole(address.statement, kind, address, verdict.reuse, verdict.why)
        return _Access(role, verdict.digits)

    def _judge(self, offset: Affine, size: int, loops: Iterable[int]) -> _Verdict:
        """Tell from the terms of an address that vary how its lines are reused."""
        digits = _digits(self._addresses, offset)
        if digits is None:
            return _Verdict(Reuse.UNKNOWN, "an index is multiplied with another one")
        lane = next((d for d in digits if d.symbol.text in ("tid.x", "laneid")), None)
        step = lane.coefficient.constant if lane else 0
        if step is None:
            apart = lane.coefficient if lane else "?"
            return _Verdict(Reuse.UNKNOWN, f"lanes are {apart} bytes apart")
        if abs(step) < size:
            same = "read the same bytes" if step == 0 else "overlap"
            return _Verdict(Reuse.WARP, f"the lanes of a warp {same}")
        for axis in self._axes:
            if not offset.varies_with(axis):
                who = Reuse.GRID if axis.startswith("ctaid") else Reuse.BLOCK
                return _Verdict(who, f"it does not depend on %{axis}")
        for loop in loops:
            if not offset.varies_with(f"loop{loop}"):
                return _Verdict(Reuse.BLOCK, f"every iteration of loop {loop} repeats it")
        if step != size:
            why = f"lanes are {step} bytes apart: the lines are shared with others"
            return _Verdict(Reuse.UNKNOWN, why)
        ordered = _order(digits, size)
        if ordered is None:
            return _Verdict(Reuse.BLOCK, "neighbouring threads or iterations overlap")
        for monomial, coefficient in offset.terms.items():
            last = next((s for s in monomial if s.kind is SymbolKind.LAST), None)
            if last is not None:
                rest = tuple(s for s in monomial if s is not last)
                if not _is_whole(Affine({rest: coefficient}), ordered):
                    return _Verdict(Reuse.UNKNOWN, f"it starts where another loop ended ({last})")
        why = f"each thread has its own {size} bytes, side by side"
        return _Verdict(Reuse.STREAMED, why, ordered)


def _digits(addresses: Addresses, offset: Affine) -> list[_Digit] | None:
    """Return the indices in an address; None if it is not linear in one of them."""
    digits: list[_Digit] = []
    terms = offset.terms.items()
    # The count of a loop that ended is the same for all iterations: where this one goes on from.
    form = Affine({m: c for m, c in terms if all(s.kind is not SymbolKind.LAST for s in m)})
    for symbol in dict.fromkeys(s for s in form.symbols() if s.varies):
        coefficient = form.coefficient(symbol)
        if coefficient is None or len(coefficient.terms) != 1:
            return None
        digits.append(_Digit(symbol, coefficient, _extent(addresses, symbol)))
    return digits


def _extent(addresses: Addresses, symbol: Symbol) -> Affine | None:
    name, _, axis = symbol.text.partition(".")
    if name in ("tid", "ctaid"):
        return addresses.values.symbols.special(f"n{name}.{axis}", 32)
    if symbol.text == "laneid":
        return number(32)
    if symbol.kind is SymbolKind.ITERATION:
        trips = addresses.values.trip_count(int(symbol.text[4:]))
        if trips and trips.constant is not None:
            return number(trips.constant + 1)
    return None


def _order(digits: Sequence[_Digit], unit: int) -> tuple[_Digit, ...] | None:
    """Order the digits from the lowest up; None if two of them overlap.

    Digits that the same parameters multiply (a row pitch) form a number of their own, which stands
    above the one without parameters.
    """
    groups: dict[tuple[Symbol, ...], list[_Digit]] = defaultdict(list)
    for digit in digits:
        (monomial,) = digit.coefficient.terms
        groups[tuple(s for s in monomial if s.kind is SymbolKind.PARAMETER)].append(digit)
    ordered: list[_Digit] = []
    for parameters in sorted(groups, key=len):
        base = number(unit)
        for symbol in parameters:
            base = base.product(of(symbol)) or base
        chained = _chain(groups[parameters], base)
        if chained is None:
            return None
        ordered += chained
    return tuple(ordered)


def _chain(digits: Sequence[_Digit], unit: Affine) -> list[_Digit] | None:
    """Order digits so that each one's step is a multiple of the whole range of those below."""
    left = list(digits)
    chained: list[_Digit] = []
    floor: Affine | None = unit
    while left:
        best: _Digit | None = None
        for digit in left:
            below = chained[-1].coefficient if chained else unit
            fits = (
                _multiple(digit.coefficient, floor) is not None
                if floor is not None
                else (_multiple(digit.coefficient, below) or 0) > 1
            ) or (bool(chained) and _covers(digit.coefficient, below))
            if fits and (best is None or _multiple(best.coefficient, digit.coefficient)):
                best = digit
        if best is None:
            return None
        left.remove(best)
        chained.append(best)
        floor = best.coefficient.product(best.extent) if best.extent is not None else None
    return chained


def _multiple(form: Affine, unit: Affine | None) -> int | None:
    """Return k >= 1 with ``form == k * unit``, if there is one; both are single products."""
    if unit is None or len(form.terms) != 1 or len(unit.terms) != 1:
        return None
    ((factors, a),) = form.terms.items()
    ((unit_factors, b),) = unit.terms.items()
    return a // b if factors == unit_factors and a % b == 0 and a // b >= 1 else None


def _covers(step: Affine, below: Affine) -> bool:
    """Return whether a constant step is at least a warp's worth of the digit below it."""
    a, b = step.constant, below.constant
    return a is not None and b is not None and a >= 32 * b and a % b == 0


# --- one access among the others at the same base -------------------------------------------------


def _among(access: _Access, others: Iterable[_Access]) -> MemoryRole:
    """Return the role of ``access``, which others at the same base may deny being streamed."""
    role = access.role
    if role.reuse is not Reuse.STREAMED:
        return role
    for other in others:
        if other is access:
            continue
        difference = other.role.address.offset.plus(role.address.offset, -1)
        if other.role.kind != "load" and role.kind == "load":
            if difference.constant == 0:
                continue  # written back in place by the same thread
            return _denied(role, other, "it is also written, elsewhere")
        if other.role.kind != role.kind:
            continue
        if difference.constant == 0:
            return _denied(role, other, "the same thread accesses it twice")
        if not _apart(difference, access.digits):
            return _denied(role, other, "another access may share its lines")
    return role


def _denied(role: MemoryRole, other: _Access, why: str) -> MemoryRole:
    return MemoryRole(
        role.statement, role.kind, role.address, Reuse.BLOCK, why, other.role.statement
    )


def _lasts(form: Affine) -> Iterator[Symbol]:
    """Yield the counts of loops that had ended, after which an address goes on."""
    return (symbol for symbol in form.symbols() if symbol.kind is SymbolKind.LAST)


def _is_whole(step: Affine, digits: Sequence[_Digit]) -> bool:
    """Return whether a step is a multiple of the range of some of the digits."""
    for digit in digits:
        whole = digit.extent and digit.coefficient.product(digit.extent)
        if whole and (_multiple(step, whole) or _multiple(step.scaled(-1), whole)):
            return True
    return False


def _goes_on(difference: Affine, digits: Sequence[_Digit]) -> bool:
    """Return whether one access goes on where the loop of the other ended, as unrolling makes it.

    The difference then holds the count of that loop, and all its terms are whole steps.
    """
    if not any(_lasts(difference)):
        return False
    counts = (SymbolKind.LAST, SymbolKind.ITERATION)
    for monomial, coefficient in difference.terms.items():
        rest = tuple(symbol for symbol in monomial if symbol.kind not in counts)
        if not _is_whole(Affine({rest: coefficient}), digits):
            return False
    return True


def _apart(difference: Affine, digits: Sequence[_Digit]) -> bool:
    """Return whether two addresses that differ by ``difference`` never meet.

    True where it is a number of steps of one digit's whole range, fewer than lead to the next, or
    where one goes on behind the other.
    """
    if _goes_on(difference, digits):
        return True
    negated = difference.scaled(-1)
    for digit, above in _with_next(digits):
        if digit.extent is None:
            continue
        whole = digit.coefficient.product(digit.extent)
        steps = _multiple(difference, whole) or _multiple(negated, whole)
        if steps is None:
            continue
        room = _multiple(above.coefficient, whole) if above else None
        if above is None or (room is not None and steps < room):
            return True
    return False


def _with_next(digits: Sequence[_Digit]) -> Iterator[tuple[_Digit, _Digit | None]]:
    for index, digit in enumerate(digits):
        yield digit, digits[index + 1] if index + 1 < len(digits) else None
