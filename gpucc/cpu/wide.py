"""Kernels of which a whole warp runs at a time: the fast form.

The threads of a warp go through the blocks of the function together, each block with a mask of
those that take part; loops go on while any thread is in them.  Divergence costs what it does on a
GPU, warp operations are operations on vectors, and where there are barriers of the block each warp
is a coroutine, which LLVM makes of the function.  A kernel that this cannot express
(:func:`why_not`) keeps the form with a fiber for each thread, which defines what is right.

Threads may also meet at different instructions of one kind; where both sides of a divergent branch
have such, the kernel keeps its fibers.  Two things that PTX allows are not seen here, and end the
kernel with an error that says so: a warp operation that waits for threads which are elsewhere, and
a barrier that part of a warp reaches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gpucc.analysis.cfg import CFG
from gpucc.analysis.loops import Loop
from gpucc.cpu import control, wide_warp
from gpucc.cpu.code import Value, integer
from gpucc.cpu.operations import lowering
from gpucc.cpu.polling import polling_branches
from gpucc.cpu.site import Site
from gpucc.cpu.uniform import Uniformity
from gpucc.cpu.wide_code import WideCode
from gpucc.cpu.wide_frame import WideFrame
from gpucc.ptx.isa import registers_read, registers_written
from gpucc.ptx.module import Instruction

_ONE_BY_ONE = frozenset({"atom", "red", "cp", "mbarrier", "stacksave", "stackrestore", "alloca"})
"""Done for one thread after the other."""

_ORDERED = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})
_NEVER = frozenset({"brx", "call", "alloca", "stacksave", "stackrestore", "mbarrier", "nanosleep"})


def why_not(cfg: CFG, found: Uniformity) -> str | None:
    """Return what keeps a kernel from this form; None if nothing does."""
    if found.loops.irreducible:
        return "it has a cycle that is no loop"
    if polling_branches(cfg):
        return "it has a loop that waits for other threads"
    body = cfg.function.statements
    meetings: dict[int, int] = {}
    for at, statement in enumerate(body):
        if not isinstance(statement, Instruction):
            continue
        if statement.mnemonic in wide_warp.LOWERINGS or "warp" in statement.parts:
            block = cfg.block_of[at]
            meetings[block] = meetings.get(block, 0) | wide_warp.named(statement, at, found)
        if statement.mnemonic in _NEVER:
            return f"it has '{statement.opcode}'"
        if statement.mnemonic in ("bar", "barrier") and "warp" not in statement.parts:
            block = cfg.block_of[at]
            most = 2 if "red" in statement.parts else 0
            partial = statement.args.count(",") > most
            if partial or "arrive" in statement.parts or "popc" in statement.parts:
                return f"it has '{statement.opcode} {statement.args}'"
            if statement.guard or found.guards[block] or _in_uneven_loop(found, block):
                return "part of a warp may reach a barrier"
        elif statement.mnemonic in wide_warp.UNSUPPORTED:
            return f"it has '{statement.opcode}'"
    if any(_meet(meetings, sides) for sides in found.sides.values()):
        return "the threads of a warp may meet from both sides of a branch"
    return None


def has_rows(cfg: CFG) -> bool:
    """Return whether a kernel is for blocks of several rows."""
    return any(
        isinstance(statement, Instruction) and "%tid.y" in statement.args
        for statement in cfg.function.statements
    )


def has_barriers(cfg: CFG) -> bool:
    """Return whether warps wait for each other."""
    return any(
        isinstance(statement, Instruction)
        and statement.mnemonic in ("bar", "barrier")
        and "warp" not in statement.parts
        for statement in cfg.function.statements
    )


def _meet(meetings: Mapping[int, int], sides: Iterable[Iterable[int]]) -> bool:
    """Return whether a thread may be named on two sides of a branch."""
    seen = 0
    for side in sides:
        here = 0
        for block in side:
            here |= meetings.get(block, 0)
        if seen & here:
            return True
        seen |= here
    return False


def _in_uneven_loop(found: Uniformity, block: int) -> bool:
    loops = (found.loops.loops[index] for index in found.loops.around(block))
    return any(found.leaves_one_by_one(loop) for loop in loops)


class WideLowering:
    """Appends the body of a kernel to ``frame.code``, for the threads of one warp."""

    def __init__(self, frame: WideFrame, found: Uniformity) -> None:
        self._frame = frame
        self._code: WideCode = frame.wide
        self._found = found
        self._cfg = found.cfg
        blocks = range(len(self._cfg.blocks))
        self._masks = {block: self._code.slot("i32", zero=True) for block in blocks}
        self._rank = {block: place for place, block in enumerate(found.order)}

    def run(self, mask: Value) -> None:
        """Lower the whole body, for the threads in ``mask``."""
        self._code.store(mask, self._masks[0])
        self._code.store(mask, self._code.live)
        self._region(self._items(None))

    # --- the order of blocks ----------------------------------------------------------------------

    def _items(self, around: int | None) -> list[int | Loop]:
        """Return the blocks of a loop (None: of the function) and the loops inside it, in order.

        Sorted by reverse postorder of the first blocks, which puts what is jumped to behind.
        """
        loops = self._found.loops
        parent = -1 if around is None else around
        inner = [loop for loop in loops.loops if loop.parent == parent]
        own = [b for b in self._found.order if loops.innermost[b] == parent]
        items: list[int | Loop] = [*own, *inner]
        return sorted(items, key=lambda i: self._rank[i if isinstance(i, int) else i.header])

    def _region(self, items: Iterable[int | Loop]) -> None:
        code = self._code
        for item in items:
            first = item if isinstance(item, int) else item.header
            begin, after = code.new_label(), code.new_label()
            some = code.icmp("ne", code.load("i32", self._masks[first]), integer(32, 0))
            code.branch(some, begin, after)
            code.place(begin)
            if isinstance(item, int):
                self._block(item)
            else:
                self._region(self._items(self._found.loops.loops.index(item)))
                again = code.icmp("ne", code.load("i32", self._masks[first]), integer(32, 0))
                code.branch(again, begin, after)
            code.place(after)

    # --- blocks -----------------------------------------------------------------------------------

    def _block(self, block: int) -> None:
        code, frame = self._code, self._frame
        slot = self._masks[block]
        code.mask = code.load("i32", slot)
        code.store(integer(32, 0), slot)
        here = self._cfg.blocks[block]
        statements = self._cfg.function.statements
        for at in range(here.start, here.end):
            statement = statements[at]
            frame.at = at
            if isinstance(statement, Instruction):
                if statement.mnemonic in ("bra", "ret", "exit", "trap"):
                    self._leave(block, statement)
                    return
                self._instruction(statement)
        self._go_on(block, code.mask)

    def _go_on(self, block: int, mask: Value) -> None:
        """The threads in ``mask`` fall through to the next block, if there is one."""
        following = block + 1
        if following < len(self._cfg.blocks):
            self._send(following, mask)

    def _send(self, block: int, mask: Value) -> None:
        slot = self._masks[block]
        self._code.store(self._code.binary("or", self._code.load("i32", slot), mask), slot)

    def _leave(self, block: int, statement: Instruction) -> None:
        """A branch, or the end of threads: divide the mask."""
        code, frame = self._code, self._frame
        site = Site(statement, frame)
        taken, rest = code.mask, integer(32, 0)
        if statement.guard:
            condition = code.bits(control.guard(site))
            taken = code.binary("and", code.mask, condition)
            rest = code.binary("and", code.mask, code.binary("xor", condition, integer(32, -1)))
        match statement.mnemonic:
            case "bra":
                index = frame.scopes.label(statement.args.strip(), frame.at)
                assert index is not None, statement.args
                self._send(self._cfg.block_of[index], taken)
            case "trap":
                with code.when(code.icmp("ne", taken, integer(32, 0))):
                    control.trap(site)
            case _:
                ended = code.binary("xor", taken, integer(32, -1))
                code.store(code.binary("and", code.load("i32", code.live), ended), code.live)
        if statement.guard:
            self._go_on(block, rest)

    # --- instructions -----------------------------------------------------------------------------

    def _instruction(self, statement: Instruction) -> None:
        code, frame = self._code, self._frame
        site = Site(statement, frame)
        before = code.mask
        after: str | None = None
        if statement.guard:
            condition = control.guard(site)
            code.mask = code.binary("and", before, code.bits(condition))
            begin, after = code.new_label(), code.new_label()
            code.branch(code.icmp("ne", code.mask, integer(32, 0)), begin, after)
            code.place(begin)
        if statement.mnemonic in wide_warp.LOWERINGS:
            wide_warp.operation(site, code)
        elif statement.mnemonic in ("bar", "barrier"):
            wide_warp.barrier(site, code)
        elif self._one_by_one(site):
            self._each(site)
        else:
            lowering(site)(site)
        if after is not None:
            code.place(after)
            code.mask = before

    def _one_by_one(self, site: Site) -> bool:
        name = site.instruction.mnemonic
        if name in ("ld", "st") and not _ORDERED.isdisjoint(site.words):
            return True
        return name in _ONE_BY_ONE

    def _each(self, site: Site) -> None:
        """Lower an instruction in a loop over the threads that take part."""
        code, frame = self._code, self._frame
        if site.instruction.mnemonic == "cp" and not site.has("shared", "shared::cta"):
            lowering(site)(site)  # waits for copies, which are done
            return
        mask = code.mask
        left = code.slot("i32")
        code.store(mask, left)
        again, done = code.new_label(), code.new_label()
        instruction = site.instruction
        names = {*registers_read(instruction), *registers_written(instruction)}
        with frame.one_by_one(sorted(name for name in names if frame.register(name))):
            code.place(again)
            bits = code.load("i32", left)
            frame.lane = code.call("i32", "llvm.cttz.i32", bits, integer(1, 1))
            try:
                lowering(site)(site)
            finally:
                frame.lane = None
            rest = code.binary("and", bits, code.binary("sub", bits, integer(32, 1)))
            code.store(rest, left)
            code.branch(code.icmp("eq", rest, integer(32, 0)), done, again)
            code.place(done)
