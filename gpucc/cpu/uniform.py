"""Which registers hold one value for all threads of a warp, and which branches all of them take.

The threads of a warp run in step, those that take part in a block of the function marked by a mask.
A register is *uniform* if the threads that may read it all find the same value in it; it is then
kept once.  All others are *varying*.  This is the analysis of Karrenberg and Hack, "Whole-Function
Vectorization" (CGO 2011), over the names of PTX's nearly static single assignments:

* what reads a varying register or the number of the thread is varying;
* a branch on a varying predicate is divergent; a register with definitions that different divergent
  branches guard is varying, as threads come with different ones to where the paths meet;
* what is defined in a loop that threads leave one by one, and read behind it, is varying.

Threads that have ended read nothing any more, and those still in a loop have gone round it equally
often: leaving the function or a loop makes nothing else varying.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gpucc.analysis.cfg import CFG
from gpucc.analysis.dominators import dominators, post_dominators
from gpucc.analysis.loops import Loop, Loops, natural_loops
from gpucc.ptx.isa import effects, registers_read, registers_written
from gpucc.ptx.module import Immediate, Instruction, Name, Operand

_VARYING_REGISTERS = ("%tid", "%laneid", "%lanemask", "%clock", "%globaltimer")
_VARYING_RESULTS = frozenset(
    {"atom", "shfl", "match", "vote", "activemask", "elect", "redux", "call"}
)
_STRONG = frozenset({"volatile", "relaxed", "acquire", "mmio", "local"})


@dataclass(frozen=True, slots=True)
class Uniformity:
    """What :func:`uniformity` found.

    ``strides`` are those varying registers that differ by the same amount from each thread to the
    next, as far as no computation wraps and the threads lie in one row of the block.

    ``varying`` are registers by :meth:`Scopes.key`; ``kept`` those of them whose old value matters
    to threads that take no part in a definition.  ``divergent`` are blocks that end in a divergent
    branch.  ``guards[block]`` are the divergent branches that decide who runs a block;
    ``sides[branch]`` what those run who take one way there or the other.  ``constants`` are the
    registers that hold one number from their only definition on.
    """

    cfg: CFG
    loops: Loops
    order: tuple[int, ...]
    varying: frozenset[str]
    kept: frozenset[str]
    divergent: frozenset[int]
    guards: tuple[frozenset[int], ...]
    sides: Mapping[int, tuple[frozenset[int], ...]]
    strides: Mapping[str, int]
    constants: Mapping[str, int]

    def constant(self, operand: Operand, at: int) -> int | None:
        """Return the integer that an operand of statement ``at`` always is, if it is known."""
        if isinstance(operand, Immediate):
            return operand.value if isinstance(operand.value, int) else None
        if isinstance(operand, Name):
            return self.constants.get(self.cfg.scopes.key(operand.name, at))
        return None

    def leaves_one_by_one(self, loop: Loop) -> bool:
        """Return whether threads may leave the loop after different numbers of rounds."""
        return any(inside in self.divergent for inside, _ in loop.exits) or any(
            block in self.divergent for block in loop.leaves
        )


def uniformity(cfg: CFG) -> Uniformity:
    """Find what is uniform in a function."""
    return _Finder(cfg).result()


@dataclass(frozen=True, slots=True)
class _Site:
    """An instruction: what it writes and reads, by key, and whether it varies by itself."""

    block: int
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    varies: bool
    branches: bool


class _Finder:
    def __init__(self, cfg: CFG) -> None:
        self._cfg = cfg
        tree = dominators(cfg)
        self._order = tree.order
        self._loops = natural_loops(cfg, tree)
        self._post = post_dominators(cfg)
        self._sites = list(self._read())
        self._defined: dict[str, list[int]] = {}
        self._used: dict[str, list[int]] = {}
        for site in self._sites:
            for key in site.writes:
                self._defined.setdefault(key, []).append(site.block)
            for key in site.reads:
                self._used.setdefault(key, []).append(site.block)
        self._varying: set[str] = set()
        self._divergent: set[int] = set()

    def _read(self) -> Iterable[_Site]:
        scopes = self._cfg.scopes
        locals_ = {
            name
            for name, blocks in scopes.variables.items()
            if any(variable.space == ".local" for variable in blocks.values())
        }
        for at, statement in enumerate(self._cfg.function.statements):
            if not isinstance(statement, Instruction):
                continue
            writes = tuple(scopes.key(name, at) for name in registers_written(statement))
            read = registers_read(statement)
            varies = (
                any(name.startswith(_VARYING_REGISTERS) or name in locals_ for name in read)
                or statement.mnemonic in _VARYING_RESULTS
                or (statement.mnemonic == "ld" and not _STRONG.isdisjoint(statement.parts))
                or not effects(statement).known
            )
            yield _Site(
                self._cfg.block_of[at],
                writes,
                tuple(scopes.key(name, at) for name in read),
                varies,
                statement.mnemonic in ("bra", "brx", "ret", "exit") and bool(statement.guard),
            )

    # --- control ----------------------------------------------------------------------------------

    def _ends(self, block: int) -> bool:
        """Whether a block does nothing but end the thread."""
        body = self._cfg.function.statements
        here = self._cfg.blocks[block]
        return here.leaves and all(
            s.mnemonic in ("ret", "exit")
            for s in body[here.start : here.end]
            if isinstance(s, Instruction)
        )

    def _sides(self, branch: int) -> list[set[int]]:
        """Blocks that some threads of a warp run and others do not, by how they branch here.

        One set for each way that they may take.
        """
        loops = [self._loops.loops[index] for index in self._loops.around(branch)]
        successors = [s for s in self._cfg.blocks[branch].successors if not self._ends(s)]
        if len(successors) < 2:
            return []
        stop = self._post.immediate[branch]
        # Those still in a loop that others leave run it in step.
        together = set[int]().union(
            *(loop.body for loop in loops if any(inside == branch for inside, _ in loop.exits))
        )
        sides: list[set[int]] = []
        for successor in successors:
            side: set[int] = set()
            node = successor
            while node not in (stop, -1) and node < len(self._cfg.blocks):
                side.add(node)
                node = self._post.immediate[node]
            sides.append(side - together)
        return sides

    def _guards(self) -> list[set[int]]:
        guards: list[set[int]] = [set() for _ in self._cfg.blocks]
        for branch in self._divergent:
            for block in set[int]().union(*self._sides(branch)):
                guards[block].add(branch)
        changed = True
        while changed:  # whoever depends on a branch depends on what that depends on
            changed = False
            for own in guards:
                more = set[int]().union(*(guards[branch] for branch in own))
                if not more <= own:
                    own |= more
                    changed = True
        return guards

    # --- registers --------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Make varying what reads something varying."""
        changed = True
        while changed:
            changed = False
            for site in self._sites:
                if site.varies or not self._varying.isdisjoint(site.reads):
                    if not self._varying.issuperset(site.writes):
                        self._varying.update(site.writes)
                        changed = True
                    if site.branches and not self._varying.isdisjoint(site.reads):
                        self._divergent.add(site.block)

    def _outlive(self) -> set[str]:
        """Registers that are read behind a loop that threads leave one by one."""
        found: set[str] = set()
        for loop in self._loops.loops:
            if not any(inside in self._divergent for inside, _ in loop.exits):
                continue
            for key, blocks in self._defined.items():
                inside = not loop.body.isdisjoint(blocks)
                if inside and not loop.body.issuperset(self._used.get(key, ())):
                    found.add(key)
        return found

    def result(self) -> Uniformity:
        before = -1
        guards: list[set[int]] = []
        outlive: set[str] = set()
        while before != len(self._varying) + len(self._divergent):
            before = len(self._varying) + len(self._divergent)
            self._spread()
            guards = self._guards()
            outlive = self._outlive()
            self._varying |= outlive
            for key, blocks in self._defined.items():
                if any(guards[block] != guards[blocks[0]] for block in blocks[1:]):
                    self._varying.add(key)
        several = {key for key, blocks in self._defined.items() if len(blocks) > 1}
        return Uniformity(
            self._cfg,
            self._loops,
            self._order,
            frozenset(self._varying),
            frozenset(self._varying & (several | outlive)),
            frozenset(self._divergent),
            tuple(map(frozenset, guards)),
            {b: tuple(map(frozenset, self._sides(b))) for b in self._divergent},
            self._strides(guards, outlive),
            self._constants(),
        )

    def _constants(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for at, statement in enumerate(self._cfg.function.statements):
            if not isinstance(statement, Instruction) or statement.mnemonic != "mov":
                continue
            target, *source = statement.operands
            if statement.guard or not isinstance(target, Name) or len(source) != 1:
                continue
            value = source[0].value if isinstance(source[0], Immediate) else None
            key = self._cfg.scopes.key(target.name, at)
            if isinstance(value, int) and len(self._defined[key]) == 1:
                found[key] = value
        return found

    def _strides(self, guards: list[set[int]], outlive: set[str]) -> dict[str, int]:
        """Find the strides: assume the best of every register, and take back what fails."""
        scopes = self._cfg.scopes
        body = self._cfg.function.statements
        found: dict[str, int] = {}
        failed = {
            key
            for key, blocks in self._defined.items()
            if any(guards[block] != guards[blocks[0]] for block in blocks[1:])
        } | outlive
        changed = True
        while changed:
            changed = False
            for at, statement in enumerate(body):
                if not isinstance(statement, Instruction):
                    continue
                written = registers_written(statement)
                if len(written) != 1:
                    failed.update(scopes.key(name, at) for name in written)
                    continue
                key = scopes.key(written[0], at)
                if key in failed or key not in self._varying:
                    continue

                def stride_of(operand: Operand, at: int = at) -> int | None:
                    return self._stride_of(operand, at, found, failed)

                stride = None if statement.guard else _stride(statement, stride_of)
                if stride == _LATER:
                    continue
                if stride is None or abs(stride) > _LARGEST or found.get(key, stride) != stride:
                    failed.add(key)
                    found.pop(key, None)
                    changed = True
                elif key not in found:
                    found[key] = stride
                    changed = True
        return {key: stride for key, stride in found.items() if key not in failed}

    def _stride_of(
        self, operand: Operand, at: int, found: Mapping[str, int], failed: set[str]
    ) -> int | None:
        if isinstance(operand, Immediate):
            return 0
        if not isinstance(operand, Name):
            return None
        name = operand.name
        if name.startswith("%tid."):
            return 1 if name.endswith("x") else 0
        if name.startswith("%laneid"):
            return None
        key = self._cfg.scopes.key(name, at)
        if key in failed or name.startswith(_VARYING_REGISTERS):
            return None
        if key not in self._varying:
            return 0
        return found.get(key, _LATER)


_LATER = 1 << 62
"""The stride of a register of which nothing is known yet."""

_LARGEST = 1 << 16


def _stride(statement: Instruction, of: Callable[[Operand], int | None]) -> int | None:
    """Return the stride of what an instruction writes; None if it has none."""
    operands = statement.operands
    strides = [of(operand) for operand in operands[1:]]
    if None in strides:
        return None
    if _LATER in strides:
        return _LATER
    known = [stride for stride in strides if stride is not None]
    parts = statement.parts
    match statement.mnemonic:
        case "mov" | "cvta" if len(known) == 1:
            return known[0]
        case "cvt" if len(known) == 1 and len(parts) == 3 and parts[1][0] in "us":
            return known[0] if parts[2][0] in "us" else None
        case "add" if parts[-1][0] in "us" and "cc" not in parts:
            return known[0] + known[1]
        case "sub" if parts[-1][0] in "us" and "cc" not in parts:
            return known[0] - known[1]
        case "mul" | "mad" if "hi" not in parts and "cc" not in parts:
            product = _times(operands[1:3], known[:2])
            return None if product is None else product + sum(known[2:])
        case "shl":
            amount = operands[2].value if isinstance(operands[2], Immediate) else None
            if known[0] == 0:
                return 0
            return known[0] << amount if isinstance(amount, int) and 0 <= amount < 16 else None
        case _:
            return None


def _times(factors: Sequence[Operand], strides: Sequence[int]) -> int | None:
    """Return the stride of a product: that of one factor, times the other, a constant."""
    if strides[0] == 0 and strides[1] == 0:
        return 0
    for own, other in ((0, 1), (1, 0)):
        factor = factors[other]
        value = factor.value if isinstance(factor, Immediate) else None
        if strides[other] == 0 and isinstance(value, int):
            return strides[own] * value
    return None
