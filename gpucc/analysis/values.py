"""What registers hold, as integer expressions (:mod:`gpucc.analysis.affine`).

Evaluated on demand: from a register backwards through the instructions that compute it, and no
further.  A register that a loop advances by the same amount each time round becomes its first value
plus the loop's iteration count times that amount.  Other places where definitions meet are known
only if all of them agree.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gpucc.analysis.affine import Affine, SymbolKind, number
from gpucc.analysis.cfg import CFG, build_cfg
from gpucc.analysis.defuse import DefUse, Phi, Source, def_use, result_names
from gpucc.analysis.dominators import dominators
from gpucc.analysis.induction import TripCount, advance, count_trips, meet_around_loop
from gpucc.analysis.loops import Loops, natural_loops
from gpucc.analysis.moves import move_in_parts
from gpucc.analysis.symbols import ANYTHING, Symbols
from gpucc.analysis.transfer import (
    TRANSFERS,
    Transfer,
    integer_type,
    opcode_parts,
    simple_words,
)
from gpucc.ptx.module import (
    Address,
    Declaration,
    Function,
    Instruction,
    Name,
    Variable,
)
from gpucc.ptx.names import special_register
from gpucc.ptx.syntax import constant_value

_MAX_DEPTH = 40
_WIDE_SPECIAL = ("sreg.u64", "sreg.any")
"""Classes of special registers of up to 64 bits (:mod:`gpucc.ptx.names`)."""
_ANY_64 = (-(1 << 63), (1 << 63) - 1)

_Plan: TypeAlias = "tuple[Transfer | None, tuple[str, ...], list[Affine | Source]]"
"""How to compute a value: a function of the opcode's parts and of sources.

Sources are known expressions or values still to be found.  Without a function, all the sources
must agree.
"""


class Values:
    """Evaluates registers of ``function``, remembering what it found."""

    def __init__(self, function: Function, cfg: CFG | None = None) -> None:
        self.function = function
        self.cfg = cfg or build_cfg(function)
        self.symbols = Symbols(function, lambda symbol: self.trip_count(int(symbol.text[4:])))
        self._forms: dict[Source, Affine] = {}
        self._in_loops: set[Source] = set()  # of the above: made inside a loop
        self._open: dict[Phi, Affine] = {}  # being solved: what stands for them meanwhile
        self._since_open: list[Source] = []
        self._depth = 0
        self._trips: dict[int, TripCount | None] = {}

    @functools.cached_property
    def defuse(self) -> DefUse:
        """Definitions and uses."""
        return def_use(self.cfg, dominators(self.cfg))

    @functools.cached_property
    def loops(self) -> Loops:
        """The natural loops."""
        return natural_loops(self.cfg, self.defuse.dominators)

    @functools.cached_property
    def parameters(self) -> dict[str, Variable]:
        """The function's parameters, by name."""
        signature = self.function.signature
        return {variable.name: variable for variable in (*signature.params, *signature.returns)}

    @functools.cached_property
    def _named_registers(self) -> frozenset[str]:
        """Words in declarations of registers: what is not one of them is no register."""
        return frozenset(
            word
            for statement in self.function.statements
            if isinstance(statement, Declaration) and statement.space == ".reg"
            for word in re.findall(r"[\w$]+", statement.text)
        )

    # --- what a name means ----------------------------------------------------------------------

    def at(self, name: str, statement: int) -> Affine:
        """Return what ``name`` (register, number, variable, ``%tid.x``) is before a statement."""
        source = self._source(name, statement)
        if isinstance(source, Affine):
            return source
        if self._depth >= _MAX_DEPTH:
            return self._unknown(statement, "computed in too many steps to follow", name)
        self._depth += 1
        try:
            return self._leave_loops(self._evaluate(source), source, statement)
        finally:
            self._depth -= 1

    def _source(self, word: str, at: int) -> Affine | Source:
        """Return the value of an operand if it is known at once, else what to evaluate."""
        if word[:1] == "%" or not (word[:1].isdecimal() or word[:1] == "-"):
            return self.defuse.source(word, at) or self._free(word, at)
        value = int(word) if word.isdecimal() and word[0] != "0" else constant_value(word)
        return number(value) if isinstance(value, int) else self._unknown(at, "a float")

    def _free(self, word: str, at: int) -> Affine:
        """Return the value of a name that nothing before statement ``at`` writes."""
        if self.defuse.definitions(self.defuse.key(word, at)):
            return self._unknown(at, "read before it is written", word)
        special = special_register(word) if word[:1] == "%" else None
        if special is not None and not special[0].startswith("sreg.v4"):
            return self.symbols.special(word[1:], 64 if special[0] in _WIDE_SPECIAL else 32)
        if word == "WARP_SZ":
            return number(32)
        if word[:1] in ("%", "") or word in self._named_registers:
            return self._unknown(at, "never written", word)
        return self.symbols.make(word, SymbolKind.VARIABLE, (0, (1 << 63) - 1), frozenset())

    def _varying(self, block: int) -> frozenset[str]:
        return ANYTHING.union(f"loop{loop}" for loop in self.loops.around(block))

    def _unknown(self, at: int, reason: str, name: str = "") -> Affine:
        varies = self._varying(self.cfg.block_of[at])
        text = f"{name}?{at}"
        return self.symbols.make(text, SymbolKind.UNKNOWN, _ANY_64, varies, at, reason)

    # --- evaluation -----------------------------------------------------------------------------

    def _evaluate(self, wanted: Source) -> Affine:
        """Evaluate ``wanted`` and all that it needs, without recursion but for phis."""
        forms = self._forms
        found = forms.get(wanted)
        if found is not None:
            return found
        stack: list[tuple[Source, _Plan | None]] = [(wanted, None)]
        while stack:
            source, plan = stack.pop()
            if source in forms:
                continue
            if isinstance(source, Phi):
                self._keep(source, self._open.get(source) or self._solve(source))
                continue
            if isinstance(source, str):
                register, at = source, self.defuse.statement(source)
            else:
                register, at = source
            if plan is None:
                made = self._plan(register, at)
                if isinstance(made, Affine):
                    self._keep(source, made)
                    continue
                plan = made
                missing = [s for s in made[2] if not isinstance(s, Affine) and s not in forms]
                if missing:
                    stack.append((source, made))
                    stack.extend([(s, None) for s in missing])
                    continue
            self._keep(source, self._apply(plan, register, at))
        return forms[wanted]

    def _keep(self, source: Source, form: Affine) -> None:
        self._forms[source] = form
        if self.loops.loops and self.loops.innermost[self.defuse.block(source)] >= 0:
            self._in_loops.add(source)
        if self._open:
            self._since_open.append(source)

    def _apply(self, plan: _Plan, register: str, at: int) -> Affine:
        transfer, parts, sources = plan
        forms: list[Affine] = []
        for source in sources:
            if isinstance(source, Affine):
                forms.append(source)
            elif source in self._in_loops:
                forms.append(self._leave_loops(self._forms[source], source, at))
            else:
                forms.append(self._forms[source])
        if transfer is None:
            return self._agreed(forms) or self._unknown(at, "one of several values", register)
        result = transfer(self.symbols, at, parts, forms)
        if result is None:
            return self._unknown(at, f"result of {'.'.join(parts)}", register)
        return result

    @staticmethod
    def _agreed(forms: Iterable[Affine]) -> Affine | None:
        """Return the one expression that all of ``forms`` are."""
        found: Affine | None = None
        for form in forms:
            if found is None:
                found = form
            elif form.terms != found.terms:
                return None
            elif form.assumed - found.assumed:
                found = found.assuming(form.assumed)
        return found

    def _plan(self, register: str, at: int) -> _Plan | Affine:
        """Find out how the instruction at ``at`` computes ``register``."""
        instruction = self.function.statements[at]
        assert isinstance(instruction, Instruction)
        plan = self._unguarded(instruction, register, at)
        if not instruction.guard:
            return plan
        if self.defuse.source(register.partition("@")[0], at) is None:
            return plan
        if isinstance(plan, Affine):
            # a loaded value stays one if the load may not happen
            symbol = plan.symbol
            if symbol is not None and symbol.kind is SymbolKind.LOADED:
                return plan
        return self._unknown(at, f"written only if {instruction.guard[1:]}", register)

    def _unguarded(self, instruction: Instruction, register: str, at: int) -> _Plan | Affine:
        parts = opcode_parts(instruction.opcode)
        mnemonic = parts[0]
        if mnemonic in ("ld", "ldu", "atom"):
            return self._loaded(instruction, parts, register, at)
        words = simple_words(instruction.args)
        if words is None:
            found = move_in_parts(self, instruction, register, at)
            if found is None:
                return self._unknown(at, f"result of {instruction.opcode}", register)
            return found
        if mnemonic == "selp" and len(words) > 2:
            return self._selected(words, parts, at)
        count, transfer = TRANSFERS.get(mnemonic, (0, None))
        is_integer = parts[-1][:1] not in ("f", "p")  # floating point, predicates
        if transfer is None or not is_integer or len(words) <= count or "_" in words:
            return self._unknown(at, f"result of {instruction.opcode}", register)
        return transfer, parts, [self._source(word, at) for word in words[1:]]

    def _selected(self, words: list[str], parts: tuple[str, ...], at: int) -> _Plan:
        """Evaluate ``selp``: known if both values are the same.

        A choice between a value and 0 is taken to be the value, and that is noted as assumed:
        so Numba writes ``for i in range(…)``, where 0 is what nobody uses at the end.
        """
        sources = [self._source(word, at) for word in words[1:3]]
        for position in (0, 1):
            zero = sources[position]
            if isinstance(zero, Affine) and zero.constant == 0:
                return _assume, parts, [sources[1 - position]]
        return None, parts, sources

    def _loaded(
        self, instruction: Instruction, parts: tuple[str, ...], register: str, at: int
    ) -> Affine:
        names = result_names(instruction)
        place = next((i for i, n in enumerate(names) if self.defuse.key(n, at) == register), 0)
        kind = integer_type(parts[-1])
        width, is_signed = kind or (64, True)
        if len(parts) > 1 and parts[1].startswith("param") and kind:
            found = self._parameter(instruction, at, place * width // 8, width, is_signed)
            if found is not None:
                return found
            return self._unknown(at, "result of a call, or a parameter by index", register)
        bounds = _register_bounds(width, is_signed)
        text = f"load@{at}" if len(names) == 1 else f"load@{at}.{place}"
        varies = self._varying(self.cfg.block_of[at])
        reason = f"loaded by {instruction.opcode}"
        return self.symbols.make(text, SymbolKind.LOADED, bounds, varies, at, reason)

    def _parameter(
        self, instruction: Instruction, at: int, skip: int, width: int, is_signed: bool
    ) -> Affine | None:
        """Return a parameter of this function as ``ld.param`` reads it."""
        place = self._parameter_place(instruction, at)
        if place is None:
            return None
        declared, offset = place
        offset += skip
        text = declared.name if offset == 0 else f"{declared.name}+{offset}"
        if width // 8 != (declared.size if not declared.dimensions else 8):
            text = f"{text}:{width}"
        bounds = _register_bounds(width, is_signed)
        return self.symbols.make(text, SymbolKind.PARAMETER, bounds, frozenset())

    def _parameter_place(self, instruction: Instruction, at: int) -> tuple[Variable, int] | None:
        """Return which parameter of this function ``ld.param`` reads, and at which byte."""
        address = instruction.operands[-1]
        if not isinstance(address, Address) or not isinstance(address.base, Name):
            return None
        name = address.base.name
        offset = address.offset.value if address.offset else 0
        if name[0] == "%":  # the parameter's address, plus a constant
            form = self.at(name, at)
            symbols = [s for s in form.symbols() if s.kind is SymbolKind.VARIABLE]
            if len(symbols) != 1 or form.terms.get((symbols[0],)) != 1:
                return None
            name = symbols[0].text
            moved = form.without(symbols[0]).constant
            offset = None if moved is None or not isinstance(offset, int) else offset + moved
        declared = self.parameters.get(name)
        if declared is None or self.cfg.scopes.variable(name, at) or not isinstance(offset, int):
            return None
        return declared, offset

    # --- loops ----------------------------------------------------------------------------------

    def _leave_loops(self, form: Affine, source: Source, at: int) -> Affine:
        """Return ``form``, computed at ``source``, as it is at statement ``at``.

        Outside a loop, what was computed inside is the value of the last time round.
        """
        innermost = self.loops.innermost
        inside, here = self.defuse.block(source), self.cfg.block_of[at]
        loop = innermost[inside]
        if loop < 0 or loop == innermost[here]:
            return form
        for number_ in self.loops.around(inside):
            if here not in self.loops.loops[number_].body and form.varies_with(f"loop{number_}"):
                form = self._last(form, number_)
        return form

    def _last(self, form: Affine, loop: int) -> Affine:
        """Replace the iteration count of ``loop`` by its last value."""
        (count,) = self.symbols.iteration(loop).symbols()
        return self.symbols.substitute(form, count, self._last_count(loop))

    def _last_count(self, loop: int) -> Affine:
        trips = self.trip_count(loop)
        constant = trips.constant if trips else None
        if constant is not None:
            return number(constant)
        header = self.loops.loops[loop].header
        varies = self._varying(header) - {f"loop{loop}"}
        text = f"loop{loop}.last"
        return self.symbols.make(text, SymbolKind.LAST, (0, (1 << 63) - 1), varies)

    def _solve(self, phi: Phi) -> Affine:
        """Return what definitions that meet make together."""
        where = self.cfg.blocks[phi.block]
        loop = self.loops.innermost[phi.block]
        is_header = loop >= 0 and self.loops.loops[loop].header == phi.block
        if len(self._open) >= _MAX_DEPTH:
            return self._unknown(where.start, "merged too often to follow", phi.register)
        body = self.loops.loops[loop].body if is_header else frozenset[int]()
        token = f"{phi.register}?phi{phi.block}"
        marker = self.symbols.make(
            token, SymbolKind.UNKNOWN, _ANY_64, self._varying(phi.block) | {token}, where.start
        )
        self._open[phi] = marker
        mark = len(self._since_open)
        entering: dict[int, Affine] = {}
        again: list[Affine] = []
        for before, source in self.defuse.incoming(phi):
            form = self._incoming(phi, before, source)
            if form is not None and form.terms != marker.terms:
                if before in body:
                    again.append(form)
                else:
                    entering[before] = form
        del self._open[phi]
        first = self._agreed(entering.values())
        if first is None:
            first = meet_around_loop(self.symbols, entering, phi.block)
        if first is None and entering and is_header:
            first = self._unknown(where.start, "different on different paths", phi.register)
        result = first
        if again:
            then = self._agreed(again)
            result = first and then and advance(self.symbols, first, then, marker, loop)
        if result is None or result.varies_with(token):
            result = self._unknown(where.start, _reason(again), phi.register)
        self._forget(token, mark)
        return result

    def _incoming(self, phi: Phi, before: int, source: Source | None) -> Affine | None:
        """Return what arrives from block ``before``; None if nothing was written on that way."""
        if source is not None:
            here = self.cfg.blocks[phi.block].start  # the edge to here may leave a loop
            return self._leave_loops(self._evaluate(source), source, here)
        if ".reg" in self.function.head:  # it may be a parameter
            last = self.cfg.blocks[before].end - 1
            return self._unknown(last, "never written", phi.register)
        return None

    def _forget(self, token: str, mark: int) -> None:
        """Forget what was computed from a phi before it was solved."""
        recent = self._since_open[mark:]
        del self._since_open[mark:]
        for source in recent:
            if self._forms[source].varies_with(token):
                del self._forms[source]
            elif self._open:
                self._since_open.append(source)
        self.symbols.forget(token)

    # --- trip counts ----------------------------------------------------------------------------

    def trip_count(self, loop: int) -> TripCount | None:
        """Return how often ``loop`` goes round again, if one test at one place decides it."""
        if loop in self._trips:
            return self._trips[loop]
        self._trips[loop] = None  # what it depends on must not ask again
        found = count_trips(self, loop)
        if self._open and (found is None or self._tokens() & _varies(found.span)):
            del self._trips[loop]  # a phi that is not solved yet stands in the way
            return None
        self._trips[loop] = found
        if found is not None and not (found.span.assumed or found.step.assumed):
            most = self.symbols.bounds(found.span)[1]
            (symbol,) = self.symbols.iteration(loop).symbols()
            least_step = self.symbols.bounds(found.step)[0]
            self.symbols.limits[symbol] = (0, max(0, -(-most // least_step)))
        return found

    def _tokens(self) -> frozenset[str]:
        return frozenset(s.text for marker in self._open.values() for s in marker.symbols())


def _assume(symbols: Symbols, at: int, parts: tuple[str, ...], forms: Sequence[Affine]) -> Affine:
    return forms[0].assuming((at,)) if forms[0].constant != 0 else forms[0]


def _varies(form: Affine) -> frozenset[str]:
    return frozenset[str]().union(*(symbol.varies for symbol in form.symbols()))


def _reason(again: Sequence[Affine]) -> str:
    if any(s.kind is SymbolKind.LOADED for form in again for s in form.symbols()):
        return "advanced in a loop by loaded values"
    if again:
        return "not advanced by the same amount in each iteration"
    return "different on different paths"


def _register_bounds(width: int, is_signed: bool) -> tuple[int, int]:
    """Bound what a load of this type leaves in the register.

    Registers of 32 bits and more hold no sign; they are read as signed, as most indices are.
    """
    if width < 32 and not is_signed:
        return 0, (1 << width) - 1
    return -(1 << (width - 1)), (1 << (width - 1)) - 1
