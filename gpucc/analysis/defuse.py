"""Definitions and uses of registers, and which definition a use sees.

PTX from compilers is nearly in SSA form: most registers are written once.  Those cost one
dictionary entry; for the others, the place where definitions meet is found when first asked for
(Cytron et al. 1991: at the iterated dominance frontier of the definitions).

A register is known by its *key* (:meth:`Scopes.key`): its name, unless a nested block declares it.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gpucc.analysis.cfg import CFG
from gpucc.analysis.dominators import DominatorTree, dominators
from gpucc.ptx.module import Instruction

_IDENTIFIER = re.compile(r"[A-Za-z_$%][\w$]*")
_WRITES_NOTHING = frozenset(
    {
        *("bar", "barrier", "bra", "brkpt", "brx", "call", "cp", "discard", "exit", "fence"),
        *("griddepcontrol", "mbarrier", "membar", "nanosleep", "pmevent", "prefetch", "prefetchu"),
        *("red", "ret", "setmaxnreg", "st", "stackrestore", "trap"),
    }
)
"""Mnemonics whose first operand, where it is a register, is read (exceptions: below)."""
_WRITES_AFTER_ALL = re.compile(
    r"(?:bar|barrier)(?:\.\w+)*?\.red\.|mbarrier\.(?:arrive|test_wait|try_wait|pending_count)"
)


@functools.lru_cache(maxsize=4096)
def _writes_first(opcode: str) -> bool:
    mnemonic = opcode.partition(".")[0]
    if mnemonic in _WRITES_NOTHING:
        return bool(_WRITES_AFTER_ALL.match(opcode))
    return not opcode.startswith("tcgen05.dealloc")


def result_names(instruction: Instruction) -> list[str]:
    """Return the names that ``instruction`` writes, as written; sinks are left out.

    The first operand is the result, except of the few opcodes that have none.  What a call writes
    are registers, or parameters declared around it.
    """
    args = instruction.args
    if args[:1] in ("", "["):
        return []
    if not _writes_first(instruction.opcode):
        is_call = instruction.opcode.startswith("call") and args[0] == "("
        first = args[: args.find(")")] if is_call else ""
    elif args[0] == "{":
        first, _, rest = args.partition("}")
        if rest.lstrip()[:1] == "|":
            first += rest.partition(",")[0]
    else:
        first = args.partition(",")[0]
    return [name for name in _IDENTIFIER.findall(first) if name != "_"]


@dataclass(frozen=True, slots=True)
class Phi:
    """The value of a register at the start of a block where several definitions meet."""

    register: str
    block: int


Source: TypeAlias = "str | tuple[str, int] | Phi"
"""A value: of the register that is written once; as this statement writes the register; a phi."""


@dataclass(frozen=True)
class DefUse:
    """Where registers are written, and what a use sees.

    The parameters that calls write count as registers here.
    """

    cfg: CFG
    dominators: DominatorTree
    _first: Mapping[str, int]
    _several: Mapping[str, list[int]]
    _phis: dict[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]])

    @functools.cached_property
    def _frontiers(self) -> tuple[frozenset[int], ...]:
        return self.dominators.frontiers(self.cfg.predecessors)

    def key(self, name: str, at: int) -> str:
        """Return the key of the register that ``name`` means at statement ``at``."""
        return self.cfg.scopes.key(name, at)

    @property
    def registers(self) -> Collection[str]:
        """The keys of all registers that are written somewhere."""
        return self._first.keys()

    def definitions(self, register: str) -> tuple[int, ...]:
        """Return the statements that write ``register``, in order of the text."""
        if register in self._several:
            return tuple(self._several[register])
        return (self._first[register],) if register in self._first else ()

    def unique_definition(self, register: str) -> int | None:
        """Return the one statement that writes ``register``; None if it is not exactly one."""
        return None if register in self._several else self._first.get(register)

    def source(self, name: str, at: int) -> Source | None:
        """Return which value the register ``name`` has before statement ``at``.

        None if nothing wrote it on any path, or, where only one statement writes it, not on every
        path.  A statement under a guard counts as writing it always: look at the guard, and ask
        again at that statement for the value that it may leave in place.
        """
        register = self.key(name, at) if name in self.cfg.scopes.nested else name
        several = self._several.get(register)
        if several is not None:
            found = self._reaching(register, several, at)
            return (register, found) if isinstance(found, int) else found
        only = self._first.get(register)
        if only is None:
            return None
        there, here = self.cfg.block_of[only], self.cfg.block_of[at]
        seen = only < at if there == here else self.dominators.dominates(there, here)
        return register if seen else None

    def statement(self, source: str | tuple[str, int]) -> int:
        """Return the statement that makes a value."""
        return self._first[source] if isinstance(source, str) else source[1]

    def block(self, source: Source) -> int:
        """Return the block where a value is made."""
        if isinstance(source, Phi):
            return source.block
        return self.cfg.block_of[self.statement(source)]

    def _reaching(self, register: str, found: list[int], at: int) -> int | Phi | None:
        block = self.cfg.block_of[at]
        position = bisect_left(found, at)
        if position and self.cfg.block_of[found[position - 1]] == block:
            return found[position - 1]
        return self._at_start(register, found, block)

    def incoming(self, phi: Phi) -> Iterator[tuple[int, Source | None]]:
        """Yield what meets at ``phi``: for each block before it, what the register holds."""
        several = self._several[phi.register]
        for before in self.cfg.blocks[phi.block].predecessors:
            if self.dominators.reached(before):
                found = self._at_end(phi.register, several, before)
                yield before, (phi.register, found) if isinstance(found, int) else found

    def _at_start(self, register: str, found: list[int], block: int) -> int | Phi | None:
        phis = self._phis.get(register)
        if phis is None:
            phis = self._phis[register] = self._place(found)
        if not self.dominators.reached(block):
            return None
        if block in phis:
            return Phi(register, block)
        above = self.dominators.immediate[block]
        while above >= 0:
            last = self._last_in(found, above)
            if last is not None:
                return last
            if above in phis:
                return Phi(register, above)
            above = self.dominators.immediate[above]
        return None

    def _at_end(self, register: str, found: list[int], block: int) -> int | Phi | None:
        last = self._last_in(found, block)
        return self._at_start(register, found, block) if last is None else last

    def _last_in(self, found: list[int], block: int) -> int | None:
        position = bisect_left(found, self.cfg.blocks[block].end)
        if position and found[position - 1] >= self.cfg.blocks[block].start:
            return found[position - 1]
        return None

    def _place(self, found: list[int]) -> frozenset[int]:
        """Return the blocks where these definitions meet."""
        todo = [self.cfg.block_of[index] for index in found]
        placed: set[int] = set()
        while todo:
            for block in self._frontiers[todo.pop()]:
                if block not in placed:
                    placed.add(block)
                    todo.append(block)
        return frozenset(placed)

    def uses(self) -> Mapping[str, tuple[int, ...]]:
        """Return by register key the statements that read it; computed anew at each call.

        Guards and the registers inside addresses are reads; so is a result that the instruction
        also names as a source.
        """
        found: dict[str, list[int]] = {}
        for index, statement in enumerate(self.cfg.function.statements):
            if type(statement) is not Instruction:
                continue
            text = statement.args
            names = _IDENTIFIER.findall(f"{statement.guard} {text}" if statement.guard else text)
            for written in result_names(statement):
                names.remove(written)
            for name in dict.fromkeys(names):
                key = self.key(name, index)
                if key in self._first:
                    found.setdefault(key, []).append(index)
        return {register: tuple(where) for register, where in found.items()}


def def_use(cfg: CFG, dominator_tree: DominatorTree | None = None) -> DefUse:
    """Find the definitions of all registers of ``cfg.function``."""
    nested = cfg.scopes.nested
    first: dict[str, int] = {}
    several: dict[str, list[int]] = {}
    for index, statement in enumerate(cfg.function.statements):
        if type(statement) is not Instruction:
            continue
        result = statement.args.partition(",")[0]
        if result[1:].isalnum() and result not in first and result not in nested:
            if _writes_first(statement.opcode):  # by far the most
                first[result] = index
        elif result[:1] != "[":
            for name in result_names(statement):
                if name in nested:
                    name = cfg.scopes.key(name, index)
                if name not in first:
                    first[name] = index
                elif name in several:
                    several[name].append(index)
                else:
                    several[name] = [first[name], index]
    return DefUse(cfg, dominator_tree or dominators(cfg), first, several)
