"""Stretches of host code whose GPU work runs in one known order, so that it can be placed anew.

A region is a chain of blocks, each the next place that all paths lead to which stay inside: paths
that leave the function on the way (``if (error) return 1;``) are exits, at which the work so far
must be in order.  What lies between two blocks of the chain has no GPU work and no call that could
order or touch any; otherwise the region ends there, and that is what its ``boundary`` says.

A blocking copy brings to light what went wrong in any work before it.  So the host waits for all
work at the last one before the program may ask (``cudaGetLastError``, or whatever comes after the
region); only those before it may wait for less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpucc.analysis.access import Access, KernelAccess
from gpucc.analysis.dependence import NOTHING, Footprint, Objects
from gpucc.analysis.dominators import DominatorTree, dominator_tree
from gpucc.host.effects import Effects
from gpucc.host.ir import HostFunction, Instr
from gpucc.host.names import readable
from gpucc.host.pointers import Pointers
from gpucc.host.schedule import Work
from gpucc.host.statuses import Statuses
from gpucc.host.variables import Variables

PUSH, COPY, FILL = "@__cudaPushCallConfiguration", "@cudaMemcpy", "@cudaMemset"
_HOST_TO_DEVICE, _DEVICE_TO_HOST, _DEVICE_TO_DEVICE = _KINDS = "1", "2", "3"
_ACTS = ("call", "atomic")
"""Instructions that may do more than compute."""
_SIZES = {"ptr": 8, "i64": 8, "double": 8, "i32": 4, "float": 4, "i16": 2, "half": 2, "i8": 1}
"""Bytes of an argument by its type; structs that the ABI takes apart are not among them."""

_OWN_STREAM = (
    "its stream is not the constant 0; what runs on a stream of your own, you have ordered"
)
_BUSY_ARGUMENTS = "computing its arguments may use the GPU, or throw"
_NO_KERNEL = "which kernel it starts is not known in this file"


@dataclass(frozen=True, slots=True)
class Site:
    """A call that puts work on the GPU; ``call`` is where it is renamed.

    ``trouble`` says why it must keep its place, if it must.
    """

    call: Instr
    work: Work
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """Sites in order; ``exits`` as :func:`gpucc.host.schedule.schedule` takes them.

    ``boundary`` says what ends it, and where.
    """

    function: str
    sites: tuple[Site, ...]
    exits: frozenset[int]
    boundary: str


def regions(
    function: HostFunction,
    effects: Effects,
    kernels: Mapping[str, KernelAccess],
) -> tuple[Region, ...]:
    """Return the regions of ``function``; ``kernels`` are access modes by host symbol."""
    finder = _Finder(function, effects, kernels)
    return tuple(finder.find())


@dataclass(slots=True)
class _Open:
    """The region that is being followed: sites so far, and after which of them something happens.

    ``asked``: there the program may see whether earlier work went wrong.
    """

    function: str
    sites: list[Site] = field(default_factory=list[Site])
    exits: set[int] = field(default_factory=set[int])
    asked: set[int] = field(default_factory=set[int])

    def leave(self, *, after_failure: bool) -> None:
        """Note a way out; ``after_failure``: whoever takes it has seen an error already."""
        self.exits.add(len(self.sites) - 1)
        if not after_failure:
            self.ask()

    def ask(self) -> None:
        """Note that the program may look for errors."""
        self.asked.add(len(self.sites) - 1)

    def close(self, boundary: str) -> Iterator[Region]:
        """Yield what there is, if anything, and begin anew."""
        if self.sites:
            sites = _showing_errors(self.sites, self.asked)
            yield Region(self.function, sites, frozenset(self.exits), boundary)
        self.sites.clear()
        self.exits.clear()
        self.asked.clear()


def _showing_errors(sites: Sequence[Site], asked: set[int]) -> tuple[Site, ...]:
    """Let the host wait for all work at each blocking copy that no other follows in time."""
    shown: list[Site] = []
    wanted = True  # behind the last one, by whatever comes after the region
    for index in reversed(range(len(sites))):
        site = sites[index]
        wanted = wanted or index in asked
        if site.work.blocks_host:
            site = replace(site, work=replace(site.work, waits_for_all=wanted))
            wanted = False
        shown.append(site)
    return tuple(reversed(shown))


class _Finder:
    def __init__(
        self, function: HostFunction, effects: Effects, kernels: Mapping[str, KernelAccess]
    ) -> None:
        self._function = function
        self._effects = effects
        self._kernels = kernels
        variables = Variables(function)
        self._pointers = Pointers(variables)
        self._statuses = Statuses(function, variables)
        self._launches: dict[int, Instr] = {}  # by line of a push: the call of the kernel's stub
        self._kept: dict[int, str] = {}  # by line of a push: why the launch keeps its place
        self._onward: list[tuple[int, ...]] = []  # by block: its successors inside, no way back
        self._of_sites: set[int] = set()  # lines of calls that belong to a site
        self._pair_launches()

    # --- sites ----------------------------------------------------------------------------------

    def _pair_launches(self) -> None:
        """Find the stub that each push is followed by; those in between are of arguments."""
        open_pushes: list[tuple[Instr, str | None]] = []  # and why it keeps its place
        for instruction in self._function.instructions():
            if instruction.kind not in _ACTS:
                continue
            if instruction.callee == PUSH:
                if open_pushes:
                    push, trouble = open_pushes[-1]
                    open_pushes[-1] = push, trouble or _BUSY_ARGUMENTS
                own_stream = instruction.args[5] != "null"
                open_pushes.append((instruction, _OWN_STREAM if own_stream else None))
            elif not open_pushes:
                continue
            elif instruction.callee[1:].strip('"') in self._kernels:
                push, trouble = open_pushes.pop()
                self._launches[push.line] = instruction
                if trouble is None:
                    self._of_sites.add(instruction.line)
                else:
                    self._kept[push.line] = trouble
            else:
                effect = self._effects.of(instruction)
                push, trouble = open_pushes[-1]
                if trouble is None and (effect.throws or not effect.passive):
                    open_pushes[-1] = push, _BUSY_ARGUMENTS
        for push, trouble in open_pushes:
            self._kept[push.line] = _OWN_STREAM if trouble == _OWN_STREAM else _NO_KERNEL

    def _site(self, call: Instr) -> Site | None:
        """Return the site that a call is, if it is one that may move."""
        if call.callee == PUSH:
            launch = self._launches.get(call.line)
            if launch is None:
                return Site(call, Work("a launch", Footprint(None, None)), self._kept[call.line])
            kernel = self._kernels[launch.callee[1:].strip('"')]
            if call.line in self._kept:
                return Site(call, Work(kernel.kernel, Footprint(None, None)), self._kept[call.line])
            footprint = self._launch_footprint(launch, kernel)
            trouble = None if footprint.is_known else _cannot_tell(kernel)
            return Site(call, Work(kernel.kernel, footprint), trouble)
        if call.callee == COPY and call.args[3] in _KINDS:
            to, source, _, kind = call.args
            reads: Objects = NOTHING
            writes: Objects = NOTHING
            if kind in (_DEVICE_TO_HOST, _DEVICE_TO_DEVICE):
                reads = self._pointers.objects(source)
            if kind in (_HOST_TO_DEVICE, _DEVICE_TO_DEVICE):
                writes = self._pointers.objects(to)
            work = Work("cudaMemcpy", Footprint(reads, writes), kind != _DEVICE_TO_DEVICE)
            known = work.footprint.is_known
            return Site(call, work, None if known else "its device pointer cannot be traced")
        if call.callee == FILL:
            work = Work("cudaMemset", Footprint(NOTHING, self._pointers.objects(call.args[0])))
            known = work.footprint.is_known
            return Site(call, work, None if known else "its device pointer cannot be traced")
        return None

    def _launch_footprint(self, launch: Instr, kernel: KernelAccess) -> Footprint:
        reads: Objects = None if kernel.other_read else NOTHING
        writes: Objects = None if kernel.other_write else NOTHING
        if len(launch.args) != len(kernel.params):  # a struct was taken apart by the ABI
            return Footprint(None, None)
        for value, typed, param in zip(launch.args, launch.typed, kernel.params, strict=True):
            type_name = typed.split(None, 1)[0]
            if "byval" not in typed and _SIZES.get(type_name, param.size) != param.size:
                return Footprint(None, None)  # so was one, while another has no members
            mode = param.access
            if mode is Access.NONE and not param.fields:
                continue
            objects = None if "byval" in typed else self._pointers.objects(value)
            if Access.ESCAPES in mode:
                return Footprint(None, None)
            if Access.READ in mode:
                reads = _union(reads, objects)
            if Access.WRITE in mode:
                writes = _union(writes, objects)
        return Footprint(reads, writes)

    # --- the chain ------------------------------------------------------------------------------

    def find(self) -> Iterator[Region]:
        """Yield the regions, in order of the text."""
        function = self._function
        with_sites = [
            number
            for number, block in enumerate(function.blocks)
            if any(self._site(i) for i in block.instructions if i.kind == "call")
        ]
        if not with_sites:
            return
        predecessors = function.predecessors
        inside = _reaching(with_sites, predecessors)
        successors = [b.successors for b in function.blocks]
        forward = dominator_tree(0, successors, predecessors)
        if _has_entry_into_loop(forward, successors):
            yield from self._apart(with_sites)
            return
        bodies = _loop_bodies(forward, successors, predecessors)
        loops = _loops(bodies, len(successors))
        self._onward = _onward(bodies, successors, inside)
        after = _post_dominators(inside, self._onward)
        done: set[int] = set()
        for start in sorted(with_sites):
            if start not in done and forward.reached(start):
                yield from self._follow(start, inside, forward, after, loops, done)

    def _apart(self, blocks: Sequence[int]) -> Iterator[Region]:
        """Yield every site as a region of its own."""
        for number in blocks:
            for instruction in self._function.blocks[number].instructions:
                if instruction.kind == "call" and (site := self._site(instruction)):
                    boundary = "a jump into the middle of a loop of this function"
                    yield Region(self._function.name, (site,), frozenset(), boundary)

    def _follow(
        self,
        start: int,
        inside: frozenset[int],
        forward: DominatorTree,
        after: Mapping[int, int],
        loops: Sequence[frozenset[int]],
        done: set[int],
    ) -> Iterator[Region]:
        region = _Open(self._function.name)
        block: int | None = start
        first = start
        boundary = "the end of the function's GPU work"
        while block is not None and block not in done:
            done.add(block)
            for instruction in self._function.blocks[block].instructions:
                if instruction.kind not in _ACTS or instruction.line in self._of_sites:
                    continue
                site = self._site(instruction)
                if site is not None:
                    if not region.sites:
                        first = block
                    if site.trouble:
                        yield from region.close(
                            f"{readable(site.work.name)} at {instruction.location}"
                        )
                        yield Region(self._function.name, (site,), frozenset(), site.trouble)
                    else:
                        region.sites.append(site)
                elif not self._pass(instruction, region):
                    yield from region.close(
                        f"{readable(instruction.callee)} at {instruction.location}"
                    )
            self._note_ways_out(block, inside, region)
            following = after.get(block)
            why = self._obstacle(block, following, inside, region)
            if (
                why is None
                and following is not None
                and (loops[following] != loops[block] or not forward.dominates(first, following))
            ):
                why = "the begin or end of a loop or branch"
            if why is not None:
                boundary = why
                break
            block = following
        yield from region.close(boundary)

    def _pass(self, instruction: Instr, region: _Open) -> bool:
        """Return whether a region goes on behind a call; note what the call may do."""
        effect = self._effects.of(instruction)
        if not effect.passive:
            return False
        if effect.asks:
            region.ask()
        if effect.throws:
            region.leave(after_failure=self._statuses.are_handed_to(instruction))
        return True

    def _note_ways_out(self, number: int, inside: frozenset[int], region: _Open) -> None:
        """Note if the region may be left behind a block.

        An ``invoke`` of what never throws does not take its second way.
        """
        block = self._function.blocks[number]
        last = block.instructions[-1] if block.instructions else None
        returns = last is not None and (
            last.line in self._of_sites
            or self._site(last) is not None
            or (last.kind == "call" and not self._effects.of(last).throws)
        )
        ways = [s for s in block.successors if not (returns and s == block.unwind)]
        out = [way for way in ways if way not in inside]
        if out:
            region.leave(after_failure=out == [self._statuses.failing_way(number)])

    def _obstacle(
        self,
        block: int,
        following: int | None,
        inside: frozenset[int],
        region: _Open,
    ) -> str | None:
        """Return what stands between a block and the next of the chain; note the ways out there."""
        seen: set[int] = set()
        ahead = list(self._onward[block])
        while ahead:
            number = ahead.pop()
            if number == following or number in seen:
                continue
            seen.add(number)
            between = self._function.blocks[number]
            for instruction in between.instructions:
                if instruction.kind not in _ACTS or instruction.line in self._of_sites:
                    continue
                if self._site(instruction) is not None:
                    return f"a branch or loop with GPU work at {instruction.location}"
                if not self._pass(instruction, region):
                    return f"{readable(instruction.callee)} at {instruction.location}"
            self._note_ways_out(number, inside, region)
            ahead.extend(self._onward[number])
        return None


def _union(one: Objects, other: Objects) -> Objects:
    return None if one is None or other is None else one | other


def _cannot_tell(kernel: KernelAccess) -> str:
    if kernel.other_read or kernel.other_write:
        return "the kernel uses memory that no parameter points to"
    if any(Access.ESCAPES in param.access for param in kernel.params):
        names = ", ".join(p.name for p in kernel.params if Access.ESCAPES in p.access)
        return f"what the kernel does with {names} cannot be told"
    return "its pointers cannot be traced to allocations of this function"


def _reaching(targets: Sequence[int], predecessors: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return the blocks from which one of ``targets`` can be reached, with the targets."""
    seen = set(targets)
    waiting = list(targets)
    while waiting:
        for before in predecessors[waiting.pop()]:
            if before not in seen:
                seen.add(before)
                waiting.append(before)
    return frozenset(seen)


def _onward(
    bodies: Mapping[int, frozenset[int]],
    successors: Sequence[Sequence[int]],
    inside: frozenset[int],
) -> list[tuple[int, ...]]:
    """Return the successors ``inside`` that are ahead: in place of a loop's head, what follows it.

    ``bodies`` are the loops by their heads.
    """
    beyond = {
        head: {s for b in body for s in successors[b] if s not in body and s in inside}
        for head, body in bodies.items()
    }
    onward: list[tuple[int, ...]] = []
    for block, targets in enumerate(successors):
        ahead: dict[int, None] = {}
        for target in targets:
            if target in bodies and block in bodies[target]:
                ahead.update(dict.fromkeys(sorted(beyond[target])))
            elif target in inside:
                ahead[target] = None
        onward.append(tuple(ahead))
    return onward


def _post_dominators(
    inside: frozenset[int], successors: Sequence[Sequence[int]]
) -> Mapping[int, int]:
    """Return, for blocks ``inside``, the next block that all paths which stay inside lead to."""
    numbers = sorted(inside)
    index = {block: number for number, block in enumerate(numbers)}
    end = len(numbers)
    forward: list[list[int]] = [
        [index[s] for s in successors[block] if s in inside] for block in numbers
    ]
    for targets in forward:
        if not targets:
            targets.append(end)
    forward.append([])
    backward: list[list[int]] = [[] for _ in range(end + 1)]
    for source, targets in enumerate(forward):
        for target in targets:
            backward[target].append(source)
    tree = dominator_tree(end, backward, forward)
    return {
        block: numbers[found]
        for number, block in enumerate(numbers)
        if 0 <= (found := tree.immediate[number]) < end
    }


def _has_entry_into_loop(forward: DominatorTree, successors: Sequence[Sequence[int]]) -> bool:
    """Return whether a cycle can be entered elsewhere than at its head (irreducible)."""
    order = {block: rank for rank, block in enumerate(forward.order)}
    return any(
        order[head] <= order[block] and not forward.dominates(head, block)
        for block in forward.order
        for head in successors[block]
    )


def _loop_bodies(
    forward: DominatorTree,
    successors: Sequence[Sequence[int]],
    predecessors: Sequence[Sequence[int]],
) -> dict[int, frozenset[int]]:
    """Return the blocks of each cycle by its head, the target of the edge that closes it."""
    order = {block: rank for rank, block in enumerate(forward.order)}
    bodies: dict[int, set[int]] = {}
    for block in forward.order:
        for head in successors[block]:
            if order[head] > order[block]:
                continue
            body = bodies.setdefault(head, {head})
            waiting = [block]
            while waiting:
                number = waiting.pop()
                if number not in body:
                    body.add(number)
                    waiting.extend(p for p in predecessors[number] if p in order)
    return {head: frozenset(body) for head, body in bodies.items()}


def _loops(bodies: Mapping[int, frozenset[int]], count: int) -> list[frozenset[int]]:
    """Return, for each of ``count`` blocks, the heads of the cycles around it."""
    return [
        frozenset(head for head, body in bodies.items() if block in body) for block in range(count)
    ]
