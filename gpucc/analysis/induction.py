"""How values change from one round of a loop to the next, and how many rounds there are.

The parts of :mod:`gpucc.analysis.values` that know about loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpucc.analysis.affine import Affine, SymbolKind, number
from gpucc.analysis.defuse import Phi
from gpucc.analysis.symbols import Symbols
from gpucc.analysis.transfer import integer_type, opcode_parts, simple_words
from gpucc.ptx.module import Instruction

if TYPE_CHECKING:
    from gpucc.analysis.values import Values


@dataclass(frozen=True, slots=True)
class TripCount:
    """How often a loop goes back to its header: ``max(0, ceil(span / step))`` times, step > 0."""

    span: Affine
    step: Affine

    @property
    def constant(self) -> int | None:
        """The number, if it is known."""
        span, step = self.span.constant, self.step.constant
        return None if span is None or step is None else max(0, -(-span // step))


def advance(
    symbols: Symbols, first: Affine, then: Affine, marker: Affine, loop: int
) -> Affine | None:
    """Return the value in iteration k of a register that is ``first`` when ``loop`` is entered.

    ``then`` is its next value where it is ``marker``, a symbol.  None if it does not advance by
    the same amount each time.
    """
    (symbol,) = marker.symbols()
    count = symbols.iteration(loop)
    if not then.varies_with(symbol.text):  # the next value of another register, one round late
        (k,) = count.symbols()
        result = symbols.substitute(then, k, count.plus(number(-1)))
        start = symbols.substitute(result, k, number(0))
        if start.terms != first.terms or start.varies_with(f"loop{loop}"):
            return None
        return result.assuming(first.assumed)
    step = then.plus(marker, -1)
    if any(symbol.text in s.varies or f"loop{loop}" in s.varies for s in step.symbols()):
        return None
    advanced = count.product(step)
    return None if advanced is None else first.plus(advanced)


def meet_around_loop(symbols: Symbols, arriving: Mapping[int, Affine], block: int) -> Affine | None:
    """Return the value at ``block``, where a loop and a way around it meet.

    ``arriving`` is what comes from each block before.  Unrolled loops are made so.  What comes from
    the loop depends on how often that went round; if with 0 rounds it is what comes the other way,
    the value is known but for the number of rounds.
    """
    distinct = list({str(form): form for form in arriving.values()}.values())
    if len(distinct) != 2:
        return None
    for skipped, gone in (distinct, distinct[::-1]):
        ways = ",".join(str(b) for b, form in arriving.items() if form.terms == gone.terms)
        lasts = {s for s in gone.symbols() if s.kind is SymbolKind.LAST}
        if len(lasts) != 1:
            continue
        (last,) = lasts
        for name, extra in (("rounds", 1), ("last", 0)):
            text = f"{last.text.partition('.')[0]}.{name}@{ways}>{block}"
            rounds = symbols.make(text, SymbolKind.LAST, (0, last.high), last.varies)
            met = symbols.substitute(gone, last, rounds.plus(number(-extra)))
            (symbol,) = rounds.symbols()
            if symbols.substitute(met, symbol, number(0)).terms == skipped.terms:
                return met.assuming(skipped.assumed)
    return None


# --- trip counts ----------------------------------------------------------------------------------

_RELATIONS: Mapping[str, str] = {
    **{name: name for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "lo": "lt",
    "ls": "le",
    "hi": "gt",
    "hs": "ge",
}
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}


def count_trips(values: Values, number_: int) -> TripCount | None:
    """Return how often loop ``number_`` goes round again, if one test in each round decides it."""
    loop = values.loops.loops[number_]
    cfg = values.cfg
    if len(loop.exits) != 1 or loop.leaves or loop.body & values.loops.irreducible:
        return None
    ((inside, _),) = loop.exits
    if not all(values.defuse.dominators.dominates(inside, latch) for latch in loop.latches):
        return None
    at = cfg.blocks[inside].end - 1
    branch = values.function.statements[at]
    if not isinstance(branch, Instruction) or branch.predicate is None:
        return None
    target = cfg.scopes.label(branch.args.strip(), at)
    if target is None:
        return None
    stays_if = cfg.block_of[target] in loop.body
    predicate, wanted = branch.predicate
    test = _comparison(values, predicate, wanted is stays_if, at, number_)
    return test and _rounds(values.symbols, *test, number_, at)


def _comparison(
    values: Values, predicate: str, wanted: bool, at: int, loop: int
) -> tuple[str, Affine] | None:
    """Return ``(relation, a - b)`` such that the predicate is ``wanted`` if a relation b."""
    for _ in range(4):
        source = values.defuse.source(predicate, at)
        if source is None or isinstance(source, Phi):
            return None
        where = values.defuse.statement(source)
        setter = values.function.statements[where]
        words = simple_words(setter.args) if isinstance(setter, Instruction) else None
        if not isinstance(setter, Instruction) or setter.guard or not words or len(words) < 2:
            return None
        if setter.opcode == "not.pred":
            predicate, wanted, at = words[1], not wanted, where
            continue
        parts = opcode_parts(setter.opcode)
        kind = integer_type(parts[-1])
        relation = _RELATIONS.get(parts[1]) if len(parts) == 3 else None
        if parts[0] != "setp" or kind is None or relation is None or len(words) < 3:
            return None
        if values.loops.innermost[values.cfg.block_of[where]] != loop:
            return None  # decided before the loop, or in a loop inside
        relation = relation if wanted else _OPPOSITE[relation]
        width, is_signed = kind[0], kind[1] or relation in ("eq", "ne")
        a, b = (values.at(word, where) for word in words[1:3])
        if not _counts_by_one(values.symbols, relation, a, b, width, is_signed, loop):
            a, b = (values.symbols.extend(form, width, is_signed, where) for form in (a, b))
        return relation, a.plus(b, -1)
    return None


def _counts_by_one(
    symbols: Symbols, relation: str, a: Affine, b: Affine, width: int, is_signed: bool, loop: int
) -> bool:
    """Return whether a loop that goes on while ``a relation b`` counts by 1 from one to the other.

    Then the count ends at the bound at the latest, and does not overflow.
    """
    if relation not in ("lt", "gt"):
        return False
    low, high = (a, b) if relation == "lt" else (b, a)
    (k,) = symbols.iteration(loop).symbols()
    up, down = low.terms.get((k,), 0), high.terms.get((k,), 0)
    if (up, down) not in ((1, 0), (0, -1)):
        return False
    ends = low.without(k), high.without(k)
    return all(symbols.fits(form, width, is_signed) for form in ends)


def _rounds(
    symbols: Symbols, relation: str, difference: Affine, loop: int, at: int
) -> TripCount | None:
    """Count the iterations k = 0, 1, … for which ``difference relation 0`` holds."""
    (k,) = symbols.iteration(loop).symbols()
    step = difference.coefficient(k)
    start = difference.without(k)
    if step is None or start.varies_with(f"loop{loop}") or relation == "eq":
        return None
    low, high = symbols.bounds(step)
    if relation in ("gt", "ge") or (relation == "ne" and high < 0):
        step, start, low = step.scaled(-1), start.scaled(-1), -high
    if low <= 0:
        return None
    span = start.scaled(-1)
    if relation in ("le", "ge"):
        span = span.plus(number(1))
    if relation == "ne":  # taken to be met exactly
        span = span.assuming((at,))
    return TripCount(span, step)
