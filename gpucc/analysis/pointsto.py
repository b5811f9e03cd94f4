"""Which memory a kernel reads, writes and gives away: a pointer analysis over its call graph.

Inclusion-based (Andersen 1994) and flow-insensitive, with three refinements that real PTX wants:
a called function is analysed anew for each place that it is called from, up to a budget
(so one helper that two arrays are passed to does not mix them up); variables in local memory and
parameters are told apart by offset; and the values are those of :mod:`gpucc.analysis.pointers`.

Nothing is read off types or names: a pointer that hides in an integer is followed like any other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpucc.analysis.footprint import (
    GLOBAL_SPACES,
    READS_ARGUMENTS,
    GlobalAccess,
    KernelFootprint,
    summarize,
)
from gpucc.analysis.pointer_steps import (
    Call,
    FunctionSteps,
    MemoryUse,
    Source,
    Step,
    Symbol,
    formal,
    sure_pointers,
)
from gpucc.analysis.pointers import (
    NOTHING,
    Arithmetic,
    Memory,
    Origin,
    Origins,
    Pointers,
    join_all,
    split,
)
from gpucc.ptx.isa import MemoryEffect
from gpucc.ptx.module import Variable

_MAX_INSTANCES = 200
_MAX_STEPS = 40_000


@dataclass(slots=True)
class _Instance:
    """One function, as called from one place; ``above`` maps functions to instances around it."""

    number: int
    steps: FunctionSteps
    above: Mapping[str, _Instance]
    registers: dict[str, Pointers] = field(default_factory=dict[str, Pointers])


def footprint(
    kernel: FunctionSteps, functions: Callable[[str], FunctionSteps | None], word: int
) -> KernelFootprint:
    """Analyse ``kernel``.

    ``functions`` returns a function with a body by name, or None; ``word`` is the size of
    an address in bytes.
    """
    origins = Origins()
    sure = 0
    while True:
        analysis = _PointsTo(origins, kernel, functions, word, sure)
        found = analysis.run()
        if not found.ambiguous or found.pointers & ~sure == 0:
            return found
        sure |= found.pointers  # with these known, fewer sums have two candidates


class _PointsTo:
    """One analysis of one kernel, where the origins ``sure`` are known to be pointers."""

    def __init__(
        self,
        origins: Origins,
        kernel: FunctionSteps,
        functions: Callable[[str], FunctionSteps | None],
        word: int,
        sure: int,
    ) -> None:
        self.origins = origins
        self._word = word
        self._arithmetic = Arithmetic(origins, narrow=word == 4)
        self._arithmetic.sure = sure
        self._other = Pointers(self._arithmetic.other)
        self._shared_bit = self.origins.bit(Origin("shared"))
        self._shared = Memory()
        self._functions = functions
        self._kernel = kernel
        self._instances: list[_Instance] = []
        self._called: dict[tuple[object, ...], _Instance] = {}
        self._objects: dict[int, Memory] = {}
        self._params: dict[int, Variable] = {}
        self._escaped = NOTHING
        self._settled = False  # all pointers that can be found have been
        self._printed = NOTHING  # what printf may read
        self._other_effect = MemoryEffect.NONE
        self._todo: deque[tuple[int, int]] = deque()
        self._queued: set[tuple[int, int]] = set()
        self._step_budget = _MAX_STEPS

    def run(self) -> KernelFootprint:
        """Analyse the kernel."""
        root = self._instance(self._kernel, {})
        for variable in self._kernel.signature.params:
            self._params[self._object(root, variable.name)] = variable
        for name, number in sure_pointers(self._kernel, self._word):
            self._arithmetic.sure |= self.origins.bit(Origin("word", name, number))
        self._drain()
        self._settled = True
        for instance in self._instances:
            for number, step in enumerate(instance.steps.steps):
                if step.uses or step.call:
                    self._enqueue(instance.number, number)
        self._drain()
        return summarize(self._accesses(), self._arithmetic, self._escaped, self._other_effect)

    # --- instances and objects ------------------------------------------------------------------

    def _instance(self, steps: FunctionSteps, above: Mapping[str, _Instance]) -> _Instance:
        made = _Instance(len(self._instances), steps, above)
        self._instances.append(made)
        self._step_budget -= len(steps.steps)
        for number in range(len(steps.steps)):
            self._enqueue(made.number, number)
        return made

    def _callee(self, caller: _Instance, at: int, name: str) -> _Instance | None:
        """Return the instance of ``name`` for the call at ``at``; None without a body."""
        around = {**caller.above, caller.steps.function.name: caller}
        if name in around:
            return around[name]  # recursion
        steps = self._functions(name)
        if steps is None:
            return None
        tight = len(self._instances) >= _MAX_INSTANCES or self._step_budget <= 0
        key: tuple[object, ...] = (name,) if tight else (caller.number, at, name)
        found = self._called.get(key)
        if found is None:
            found = self._called[key] = self._instance(steps, {} if tight else around)
        return found

    def _object(self, instance: _Instance, key: str) -> int:
        bit = self.origins.bit(Origin("object", key, instance.number))
        if bit not in self._objects:
            self._objects[bit] = Memory()
        return bit

    def _enqueue(self, instance: int, step: int) -> None:
        work = instance, step
        if work not in self._queued:
            self._queued.add(work)
            self._todo.append(work)

    def _drain(self) -> None:
        while self._todo:
            work = self._todo.popleft()
            self._queued.discard(work)
            instance = self._instances[work[0]]
            self._run(instance, work[1], instance.steps.steps[work[1]])

    def _accesses(self) -> list[GlobalAccess]:
        """List the accesses to memory outside of the kernel, as found."""
        found: list[GlobalAccess] = []
        if self._printed.pointed:
            found.append(GlobalAccess("generic", self._printed, MemoryEffect.READ))
        for instance in self._instances:
            for step in instance.steps.steps:
                for use in step.uses:
                    effect = use.effect & (MemoryEffect.READ | MemoryEffect.WRITE)
                    if use.space in GLOBAL_SPACES and effect:
                        address = self._arithmetic.together(self._address(instance, use))
                        objects = self._objects_in(address)
                        maps = [self._params[b].name for b in objects if b in self._params]
                        found.append(GlobalAccess(use.space, address, effect, tuple(maps)))
        return found

    # --- values ---------------------------------------------------------------------------------

    def _value(self, instance: _Instance, source: Source) -> Pointers:
        if isinstance(source, str):
            return instance.registers.get(source, NOTHING)
        if source is None:
            return NOTHING
        match source.kind:
            case "object":
                bit = self._object(instance, source.name)
                if source.offset is None:
                    return Pointers(bit)
                return Pointers(places=frozenset({(bit, source.offset)}))
            case "shared":
                return Pointers(self._shared_bit)
            case "variable" | "function":
                return Pointers(self.origins.bit(Origin(source.kind, source.name)))

    def _set(self, instance: _Instance, register: str, value: Pointers) -> None:
        if value is NOTHING or not register:
            return
        old = instance.registers.get(register, NOTHING)
        new = old.join(value)
        if new != old:
            instance.registers[register] = new
            for step in instance.steps.readers.get(register, ()):
                self._enqueue(instance.number, step)

    # --- steps ----------------------------------------------------------------------------------

    def _run(self, instance: _Instance, number: int, step: Step) -> None:
        if step.call is not None:
            self._call(instance, number, step.at, step.call)
            return
        values = [self._value(instance, source) for source in step.sources]
        if step.kind == "any":
            self._anything(instance, step, values)
        elif not step.uses:
            self._compute(instance, step, values)
        elif step.kind == "move":
            self._load_or_store(instance, number, step, values)
        else:
            self._access(instance, number, step, values)

    def _compute(self, instance: _Instance, step: Step, values: list[Pointers]) -> None:
        arithmetic = self._arithmetic
        match step.kind:
            case "move":
                result = join_all(values)
            case "add" if len(values) == 1:
                result = values[0].displaced(step.amount)
            case "add" | "sub":
                result = arithmetic.add(*values, wide=step.wide, minus=step.kind == "sub")
            case "mad":
                product = arithmetic.scaled(values[:2])
                result = arithmetic.add(product, values[2], wide=step.wide)
            case "keep":
                result = join_all(values).somewhere()
                if step.wide:
                    result = arithmetic.together(result)
            case "low":
                result = arithmetic.cut(values[0])
            case "high":
                result = arithmetic.cut(values[0], high=True)
            case "part":
                result = arithmetic.part(values[0])
            case "split":
                for place, register in enumerate(step.results):
                    half = len(step.results) // 2
                    self._set(instance, register, arithmetic.cut(values[0], high=place >= half))
                return
            case "pack":
                result = arithmetic.packed(values) if step.wide else join_all(values).somewhere()
            case _:
                result = arithmetic.scaled(values)
        for register in step.results:
            self._set(instance, register, result)

    def _load_or_store(
        self, instance: _Instance, number: int, step: Step, values: list[Pointers]
    ) -> None:
        """Run ``ld`` or ``st``: vectors go to and from consecutive places."""
        use = step.uses[0]
        address = self._address(instance, use)
        reader = instance.number, number
        if use.effect is MemoryEffect.READ:
            for place, register in enumerate(step.results):
                moved = address.displaced(place * use.size)
                self._set(instance, register, self._load(moved, use, reader))
        else:
            for place, value in enumerate(values):
                self._store(address.displaced(place * use.size), use, value)

    def _access(self, instance: _Instance, number: int, step: Step, values: list[Pointers]) -> None:
        """Run an atomic, a copy, …: what is read or given may be stored and returned."""
        reader = instance.number, number
        moved = join_all(values)
        for use in step.uses:
            if use.effect & MemoryEffect.READ:
                moved = moved.join(self._load(self._address(instance, use), use, reader))
        for use in step.uses:
            if use.effect & MemoryEffect.WRITE:
                self._store(self._address(instance, use), use, moved)
        for register in step.results:
            self._set(instance, register, moved)

    def _anything(self, instance: _Instance, step: Step, values: list[Pointers]) -> None:
        """Run an instruction that is not known: it may read, write and keep all it is given."""
        given = join_all(values)
        self._escape(given)
        self._other_effect |= MemoryEffect.READ | MemoryEffect.WRITE
        for register in step.results:
            self._set(instance, register, given.somewhere().join(self._other))

    # --- calls ----------------------------------------------------------------------------------

    def _call(self, instance: _Instance, number: int, at: int, call: Call) -> None:
        target = self._value(instance, call.target)
        reader = instance.number, number
        functions = self.origins.members(target.pointed & self.origins.mask("function"))
        unseen = target.pointed & ~self.origins.mask("function")
        if not target.pointed:
            unseen = self._settled
        for function in functions:
            callee = self._callee(instance, at, function.name)
            if callee is None:
                self._unseen(instance, call, function.name, reader)
            else:
                self._bind(instance, call, callee, reader)
        if unseen:
            self._unseen(instance, call, "", reader)

    def _bind(
        self, instance: _Instance, call: Call, callee: _Instance, reader: tuple[int, int]
    ) -> None:
        """Pass arguments to ``callee`` and take its results."""
        signature = callee.steps.signature
        for variable, argument in zip(signature.params, call.arguments, strict=False):
            self._copy(instance, argument, callee, formal(variable), reader)
        for variable, result in zip(signature.returns, call.results, strict=False):
            self._copy(callee, formal(variable), instance, result, reader)
        extra = call.arguments[len(signature.params) :]  # a call that does not fit: do not guess
        if extra:
            self._escape(join_all([self._contents(instance, a, reader) for a in extra]))

    def _copy(
        self,
        giver: _Instance,
        source: Source,
        taker: _Instance,
        target: Source,
        reader: tuple[int, int],
    ) -> None:
        """Copy a register or a parameter, whole, from one function to another."""
        if isinstance(target, Symbol) and target.kind == "object":
            to = self._object(taker, target.name)
            if isinstance(source, Symbol) and source.kind == "object":
                memory = self._objects[self._object(giver, source.name)]
                memory.readers.add(reader)
                for (offset, size), value in list(memory.known.items()):
                    self._fill(self._objects[to], offset, size, value)
                self._fill(self._objects[to], None, 0, memory.anywhere)
            else:
                self._fill(self._objects[to], 0, 8, self._value(giver, source))
        elif isinstance(target, str):
            self._set(taker, target, self._contents(giver, source, reader))

    def _contents(self, instance: _Instance, source: Source, reader: tuple[int, int]) -> Pointers:
        """Return what an argument or result holds, whole."""
        if isinstance(source, Symbol) and source.kind == "object":
            memory = self._objects[self._object(instance, source.name)]
            memory.readers.add(reader)
            return join_all(memory.load(None, 0))
        return self._value(instance, source)

    def _unseen(self, instance: _Instance, call: Call, name: str, reader: tuple[int, int]) -> None:
        """Call code that is not here: it may do anything with what it is given."""
        given = join_all([self._contents(instance, a, reader) for a in call.arguments])
        if name in READS_ARGUMENTS:
            self._other_effect |= READS_ARGUMENTS[name]
            # the arguments of printf lie in a buffer, and may be strings
            for bit in self._objects_in(given):
                memory = self._objects[bit]
                memory.readers.add(reader)
                given = given.join(join_all(memory.load(None, 0)))
            self._printed = self._printed.join(given.somewhere())
            return
        self._other_effect |= MemoryEffect.READ | MemoryEffect.WRITE
        self._escape(given)
        back = given.somewhere().join(self._other)
        for result in call.results:
            if isinstance(result, str):
                self._set(instance, result, back)
            elif isinstance(result, Symbol) and result.kind == "object":
                self._fill(self._objects[self._object(instance, result.name)], None, 0, back)

    # --- memory ---------------------------------------------------------------------------------

    def _address(self, instance: _Instance, use: MemoryUse) -> Pointers:
        value = self._value(instance, use.address)
        return value.somewhere() if use.offset is None else value.displaced(use.offset)

    def _objects_in(self, value: Pointers) -> list[int]:
        """Return the bits of the objects that a value points into, at whatever offset."""
        return split(value.pointed & self.origins.mask("object"))

    def _leaves(self, address: Pointers, space: str) -> bool:
        """Return whether an address may lead out of the kernel's own variables."""
        if space != "generic":
            return space in GLOBAL_SPACES
        if not address.pointed:
            return self._settled  # before that, its pointer may still be on its way
        return bool(address.pointed & ~self.origins.mask("object") & ~self._shared_bit)

    def _load(self, address: Pointers, use: MemoryUse, reader: tuple[int, int]) -> Pointers:
        """Return what may be at an address."""
        found: list[Pointers] = []
        if self._leaves(address, use.space):
            found.append(self._part(self._other, use.size))
        if use.space == "shared" or (use.space == "generic" and address.direct & self._shared_bit):
            self._shared.readers.add(reader)
            found += [self._part(v, use.size) for v in self._shared.load(None, 0)]
        if use.space in ("local", "param", "generic"):
            places = list(address.places)
            loose = address.direct & self.origins.mask("object")
            if use.space == "local" and not places and not loose:
                loose = self.origins.mask("object")
            for bit, offset in places:
                found += self._load_object(bit, offset, use.size, reader)
            for bit in split(loose):
                found += self._load_object(bit, None, use.size, reader)
        return join_all(found)

    def _load_object(
        self, bit: int, offset: int | None, size: int, reader: tuple[int, int]
    ) -> list[Pointers]:
        variable = self._params.get(bit)
        if variable is not None:
            return [self._parameter(variable, offset, size)]
        memory = self._objects[bit]
        memory.readers.add(reader)
        return [self._part(value, size) for value in memory.load(offset, size or 8)]

    def _part(self, value: Pointers, size: int) -> Pointers:
        """Return what a load of ``size`` bytes leaves of a pointer."""
        return self._arithmetic.part(value) if 0 < size < self._word else value

    def _parameter(self, variable: Variable, offset: int | None, size: int) -> Pointers:
        """Return what the words of a kernel's parameter may point to."""
        whole = variable.size or 0
        if whole < self._word or variable.type in (".texref", ".samplerref", ".surfref"):
            return NOTHING
        if offset is None:
            words = range(0, whole, self._word)
            kind, step = "word", self._word
        elif size and size < self._word:
            words = range(offset - offset % 4, offset + size, 4)
            kind, step = "unit", 4
        else:
            words = range(offset - offset % self._word, offset + (size or 8), self._word)
            kind, step = "word", self._word
        mask = 0
        for number in words:
            if 0 <= number <= whole - step:
                mask |= self.origins.bit(Origin(kind, variable.name, number))
        return Pointers(pieces=mask) if kind == "unit" else Pointers(mask)

    def _store(self, address: Pointers, use: MemoryUse, value: Pointers) -> None:
        """Put a value where an address points to."""
        if value is NOTHING:
            return
        objects = self.origins.mask("object")
        if self._leaves(address, use.space):
            self._escape(value)
        if use.space == "shared" or (use.space == "generic" and address.direct & self._shared_bit):
            self._fill(self._shared, None, 0, value)
        if use.space in ("local", "param", "generic"):
            for bit, offset in address.places:
                self._fill(self._objects[bit], offset, use.size, value)
            loose = address.direct & objects
            if use.space == "local" and not address.pointed & objects:
                loose = objects
            for bit in split(loose):
                self._fill(self._objects[bit], None, 0, value)

    def _fill(self, memory: Memory, offset: int | None, size: int, value: Pointers) -> None:
        if value is NOTHING:
            return
        if offset is None:
            old = memory.anywhere
            new = memory.anywhere = old.join(value)
        else:
            key = offset, size or 8
            old = memory.known.get(key, NOTHING)
            new = memory.known[key] = old.join(value)
        if new == old:
            return
        for instance, step in memory.readers:
            self._enqueue(instance, step)
        if memory.escaped:
            self._escape(value)

    def _escape(self, value: Pointers) -> None:
        """Note that code which is not seen may use a value, and all that it leads to."""
        new = self._escaped.join(value.somewhere())
        if new == self._escaped:
            return
        self._escaped = new
        for bit in self._objects_in(new):
            memory = self._objects[bit]
            if not memory.escaped:
                memory.escaped = True
                self._fill(memory, None, 0, self._other)
                self._escape(join_all(memory.load(None, 0)))
