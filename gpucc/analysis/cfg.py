"""The control-flow graph of a function: basic blocks as ranges of its statements.

A block begins at a label that something branches to or after an instruction that may leave the
straight line.  Only branches are read, so building the graph costs a fraction of parsing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from gpucc.analysis.scopes import Scopes, build_scopes
from gpucc.errors import GpuccError
from gpucc.ptx.module import Directive, Function, Instruction, Label, Module

_TRANSFERS = ("bra", "brx", "ret", "exit", "trap", "call")
_CALLEE = re.compile(r"(?:\([^()]*\)\s*,\s*)?([A-Za-z_$%][\w$]*)")


@dataclass(frozen=True, slots=True)
class Block:
    """Statements ``start`` to ``end - 1``; the neighbours are indices into ``CFG.blocks``.

    ``leaves`` says that the function may end here (``ret``, ``exit``, ``trap``, a call that does
    not return, or the closing brace).
    """

    start: int
    end: int
    successors: tuple[int, ...]
    predecessors: tuple[int, ...]
    leaves: bool


@dataclass(frozen=True, slots=True)
class CFG:
    """Blocks in the order of the text; execution begins in block 0.

    ``block_of[i]`` is the block of statement ``i``.  A block may be unreachable.
    """

    function: Function
    scopes: Scopes
    blocks: tuple[Block, ...]
    block_of: tuple[int, ...]

    @property
    def successors(self) -> tuple[tuple[int, ...], ...]:
        """The successors of each block."""
        return tuple(block.successors for block in self.blocks)

    @property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """The predecessors of each block."""
        return tuple(block.predecessors for block in self.blocks)


def noreturn_functions(module: Module) -> frozenset[str]:
    """Return the functions of ``module`` declared with ``.noreturn``."""
    return frozenset(f.name for f in module.functions if ".noreturn" in f.head)


def build_cfg(function: Function, noreturn: Collection[str] = ()) -> CFG:
    """Build the graph of ``function``; calls to functions in ``noreturn`` end it.

    Without ``noreturn`` every call is taken to return, which only adds paths.  An indirect branch
    whose table cannot be found may go to every label.  Raises :class:`GpuccError` for a branch to
    a label that is not there.
    """
    body = function.statements
    scopes = build_scopes(function)
    transfers = [
        (index, statement)
        for index, statement in enumerate(body)
        if type(statement) is Instruction and statement.opcode.startswith(_TRANSFERS)
    ]
    targets: dict[int, tuple[int, ...]] = {}  # by transfer: where it may go
    ending: set[int] = set()  # transfers where the function may end
    for index, instruction in transfers:
        mnemonic = instruction.mnemonic
        if mnemonic == "bra":
            targets[index] = (_target(function, scopes, instruction.args.strip(), index),)
        elif mnemonic == "brx":
            targets[index] = _table(function, scopes, instruction.args, index)
        elif mnemonic != "call" or (noreturn and _callee(instruction) in noreturn):
            targets[index] = ()
            ending.add(index)
    leaders = {0}
    leaders.update(target for several in targets.values() for target in several)
    leaders.update(index + 1 for index in targets if index + 1 < len(body))
    starts = sorted(leaders)
    return _assemble(function, scopes, starts, targets, ending)


def _assemble(
    function: Function,
    scopes: Scopes,
    starts: list[int],
    targets: dict[int, tuple[int, ...]],
    ending: set[int],
) -> CFG:
    body = function.statements
    ends = [*starts[1:], len(body)]
    number = {start: block for block, start in enumerate(starts)}
    block_of: list[int] = []
    successors: list[tuple[int, ...]] = []
    predecessors: list[list[int]] = [[] for _ in starts]
    leaves: list[bool] = []
    for block, (start, end) in enumerate(zip(starts, ends, strict=True)):
        block_of.extend([block] * (end - start))
        last = end - 1
        goes_on = True
        following: list[int] = []
        if last in targets:
            statement = body[last]
            goes_on = isinstance(statement, Instruction) and bool(statement.guard)
            following = [number[target] for target in targets[last]]
        if goes_on and end < len(body):
            following.append(block + 1)
        successors.append(tuple(dict.fromkeys(following)))
        leaves.append(last in ending or (goes_on and end == len(body)))
        for successor in successors[-1]:
            predecessors[successor].append(block)
    blocks = tuple(
        Block(start, end, after, tuple(before), left)
        for start, end, after, before, left in zip(
            starts, ends, successors, predecessors, leaves, strict=True
        )
    )
    return CFG(function, scopes, blocks, tuple(block_of))


def _target(function: Function, scopes: Scopes, name: str, at: int) -> int:
    found = scopes.label(name, at)
    if found is None:
        raise GpuccError(f"function '{function.name}': branch to '{name}', which is not a label")
    return found


def _table(function: Function, scopes: Scopes, args: str, at: int) -> tuple[int, ...]:
    """Return the statements that ``brx.idx %r1, table;`` may go to."""
    name = args.rpartition(",")[2].strip()
    label = scopes.label(name, at)
    body = function.statements
    if label is not None:
        for statement in body[label + 1 : label + 2]:
            if isinstance(statement, Directive) and statement.name == ".branchtargets":
                return tuple(_target(function, scopes, target, label) for target in statement.names)
    return tuple(index for index, statement in enumerate(body) if isinstance(statement, Label))


def _callee(instruction: Instruction) -> str:
    found = _CALLEE.match(instruction.args)
    return found.group(1) if found else ""
