"""Instructions as the pointer analysis sees them: what is moved, combined, loaded and stored.

Compiled once per function; :mod:`gpucc.analysis.pointsto` runs the steps.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gpucc.analysis.scopes import Scopes, build_scopes
from gpucc.analysis.transfer import integer_type, opcode_parts
from gpucc.ptx.isa import AddressUse, MemoryEffect, effects, registers_read, registers_written
from gpucc.ptx.module import (
    Address,
    Displaced,
    Element,
    Function,
    Group,
    Immediate,
    Instruction,
    Module,
    Name,
    Negated,
    Not,
    Operand,
    Pair,
    Signature,
    Variable,
    Vector,
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """The address of something declared, displaced by ``offset`` (None: by anything).

    ``object`` is a local variable or a parameter, by its key in the function.
    """

    kind: Literal["object", "shared", "variable", "function"]
    name: str
    offset: int | None = 0


Source: TypeAlias = "str | Symbol | None"
"""A register's key, an address, or a constant or anything else that is no pointer (None)."""

StepKind: TypeAlias = Literal[
    "move", "add", "sub", "mad", "keep", "low", "high", "part", "split", "pack", "scale", "call",
    "any",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """One memory operand: ``size`` is that of one element, in bytes; 0 if it is not known."""

    address: Source
    offset: int | None
    space: str
    effect: MemoryEffect
    size: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A call: ``target`` is a register or a function; arguments and results in order."""

    target: Source
    arguments: tuple[Source, ...]
    results: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What one instruction does to pointers.

    The results of ``kind`` over ``sources`` go to ``results``.  With ``uses`` it also moves values
    between registers and memory.  ``amount`` is what ``add`` adds; ``wide`` says whether
    it computes 64 bits (for ``keep``: whether it may put a pointer together).  ``low``, ``high``
    and ``part`` take bits out of a value.
    """

    kind: StepKind
    at: int
    results: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    uses: tuple[MemoryUse, ...] = ()
    amount: int = 0
    wide: bool = True
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class FunctionSteps:
    """A function's steps, and which of them read each register.

    ``variables`` are the variables of the body and the parameters, by key.
    """

    function: Function
    signature: Signature
    steps: tuple[Step, ...]
    readers: Mapping[str, tuple[int, ...]]
    variables: Mapping[str, Variable]


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """What names mean at module scope; ``variables`` gives state spaces."""

    functions: frozenset[str]
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


def formal(variable: Variable) -> Source:
    """Return where a function finds its parameter ``variable``."""
    return variable.name if variable.space == ".reg" else Symbol("object", variable.name)


def module_names(module: Module) -> ModuleNames:
    """Collect the names that ``module`` declares."""
    variables = {
        variable.name: variable.space
        for declaration in module.declarations
        for variable in declaration.variables
    }
    return ModuleNames(frozenset(f.name for f in module.functions), variables)


def function_steps(function: Function, names: ModuleNames) -> FunctionSteps:
    """Compile ``function``."""
    return _Compiler(function, names).run()


_MOVES = frozenset({"mov", "cvta", "selp", "slct", "shfl", "mapa"})
_KEEPS = frozenset(
    {
        *("and", "or", "xor", "not", "lop3", "min", "max", "abs", "neg", "prmt", "bfi", "shf"),
        *("addc", "subc", "redux", "szext"),
    }
)
_COMBINES = frozenset({"or", "xor", "lop3", "prmt", "bfi", "addc"})
_WITHOUT_POINTERS = frozenset(
    {
        *("setp", "testp", "isspacep", "istypep", "elect", "bra", "ret", "exit", "bar", "trap"),
        *("fma", "mma", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"),
    }
)
_FLOATING = frozenset({"f16", "f16x2", "bf16", "bf16x2", "f32", "f64"})


@functools.lru_cache(maxsize=4096)
def _carries_nothing(opcode: str) -> bool:
    """Return whether an instruction cannot make a pointer: comparisons, floating point, control."""
    parts = opcode_parts(opcode)
    if parts[0] in _WITHOUT_POINTERS:
        return True
    arithmetic = ("add", "sub", "mul", "min", "max", "neg", "abs", "div", "cvt", "copysign")
    return parts[0] in arithmetic and not _FLOATING.isdisjoint(parts)


class _Compiler:
    def __init__(self, function: Function, names: ModuleNames) -> None:
        self._function = function
        self._names = names
        self._scopes: Scopes = build_scopes(function)
        self._meanings: dict[str, Source] = {}
        self._signature = function.signature
        self._variables: dict[str, Variable] = {
            name if block == 0 else f"{name}@{block}": variable
            for name, by_block in self._scopes.variables.items()
            for block, variable in by_block.items()
            if variable.space != ".reg"
        }
        for variable in (*self._signature.params, *self._signature.returns):
            if variable.space != ".reg":
                self._variables.setdefault(variable.name, variable)

    def run(self) -> FunctionSteps:
        steps: list[Step] = []
        for index, statement in enumerate(self._function.statements):
            if isinstance(statement, Instruction):
                step = self._step(statement, index)
                if step is not None:
                    steps.append(step)
        readers: dict[str, list[int]] = {}
        for number, step in enumerate(steps):
            for register in _registers(step):
                readers.setdefault(register, []).append(number)
        return FunctionSteps(
            self._function,
            self._signature,
            tuple(steps),
            {register: tuple(dict.fromkeys(where)) for register, where in readers.items()},
            self._variables,
        )

    # --- operands -----------------------------------------------------------------------------

    def _name(self, name: str, at: int) -> Source:
        if name in self._scopes.nested:
            return self._meaning(name, self._scopes.key(name, at))
        if name not in self._meanings:
            self._meanings[name] = self._meaning(name, name)
        return self._meanings[name]

    def _meaning(self, name: str, key: str) -> Source:
        variable = self._variables.get(key)
        if variable is not None:
            if variable.space == ".shared":
                return Symbol("shared", "")
            if variable.space in (".local", ".param"):
                return Symbol("object", key)
            return Symbol("variable", f"{self._function.name}:{key}")
        space = self._names.variables.get(name)
        if space is not None:
            return Symbol("shared", "") if space == ".shared" else Symbol("variable", name)
        if name in self._names.functions:
            return Symbol("function", name)
        return key

    def _source(self, operand: Operand, at: int) -> Source:
        match operand:
            case Name(name):
                return self._name(name, at)
            case Displaced(base, offset):
                return _displaced(self._name(base.name, at), offset.value)
            case Element(inner) | Negated(inner):
                return _displaced(self._name(inner.name, at), None)
            case _:
                return None

    def _sources(self, operands: tuple[Operand, ...], at: int) -> tuple[Source, ...]:
        found: list[Source] = []
        for operand in operands:
            if isinstance(operand, Vector):
                found += [self._source(item, at) for item in operand.items]
            else:
                found.append(self._source(operand, at))
        return tuple(found)

    def _results(self, operand: Operand, at: int) -> tuple[str, ...]:
        """Return the keys of the registers in a result; ``""`` for a sink, to keep the places."""
        match operand:
            case Name(name):
                return (self._scopes.key(name, at),)
            case Vector(items):
                return tuple(
                    self._scopes.key(item.name, at) if isinstance(item, Name) else ""
                    for item in items
                )
            case Pair(first, _):
                return self._results(first, at)
            case _:
                return ()

    def _use(
        self, operand: Operand, space: str, effect: MemoryEffect, at: int, size: int = 0
    ) -> MemoryUse:
        if not isinstance(operand, Address):
            return MemoryUse(self._source(operand, at), None, space, effect)
        base = operand.base
        offset = operand.offset.value if operand.offset is not None else 0
        amount = offset if isinstance(offset, int) else None
        if isinstance(base, Name):
            return MemoryUse(self._name(base.name, at), amount, space, effect, size)
        return MemoryUse(None, None, space, effect, size)

    # --- instructions -------------------------------------------------------------------------

    def _step(self, instruction: Instruction, at: int) -> Step | None:
        if _carries_nothing(instruction.opcode):
            return None
        parts = opcode_parts(instruction.opcode)
        mnemonic = parts[0]
        operands = instruction.operands
        if mnemonic in ("ld", "ldu") and len(operands) >= 2:
            size = _element_size(parts)
            use = self._use(operands[1], _space(parts), MemoryEffect.READ, at, size)
            return Step("move", at, self._results(operands[0], at), (), (use,))
        if mnemonic == "st" and len(operands) >= 2 and parts[1:2] not in (("async",), ("bulk",)):
            use = self._use(
                operands[0], _space(parts), MemoryEffect.WRITE, at, _element_size(parts)
            )
            return Step("move", at, (), self._sources(operands[1:2], at), (use,))
        if mnemonic == "call":
            return self._call(operands, at)
        known = effects(instruction)
        if not known.known or known.memory & MemoryEffect.UNKNOWN:
            return self._anything(instruction, at)
        if known.addresses:
            return self._access(instruction, operands, known.addresses, at)
        if not operands:
            return None
        if mnemonic == "alloca":
            key = f"alloca@{at}"
            return Step("move", at, self._results(operands[0], at), (Symbol("object", key, None),))
        results = self._results(operands[0], at)
        if 0 not in known.writes or not results:
            return None
        if len(known.writes) > 1:
            return self._anything_computed(instruction, at)
        return self._compute(parts, operands, results, at)

    def _compute(
        self,
        parts: tuple[str, ...],
        operands: tuple[Operand, ...],
        results: tuple[str, ...],
        at: int,
    ) -> Step | None:
        mnemonic = parts[0]
        kind = integer_type(parts[-1])
        wide = kind is None or kind[0] >= 64
        sources = self._sources(operands[1:], at)
        if not any(sources):
            return None
        if mnemonic == "mov":
            if isinstance(operands[0], Vector):
                return Step("split", at, results, sources)
            return Step("pack" if len(sources) > 1 else "move", at, results, sources, wide=wide)
        if mnemonic in ("selp", "slct"):
            return Step("move", at, results, sources[:2])
        if mnemonic in _MOVES:
            return Step("move", at, results, sources[:1])
        if kind is None:
            return Step("scale", at, results, sources)
        if mnemonic in ("add", "sub") and len(operands) == 3:
            if isinstance(operands[2], Immediate):
                value = operands[2].value
                amount = value if isinstance(value, int) else 0
                amount = -amount if mnemonic == "sub" else amount
                return Step("add", at, results, sources[:1], amount=amount, wide=wide)
            return Step("add" if mnemonic == "add" else "sub", at, results, sources, wide=wide)
        if mnemonic == "mad" and len(sources) >= 3:
            return Step("mad", at, results, sources[:3], wide=wide or parts[1] == "wide")
        if mnemonic in _KEEPS:
            return Step("keep", at, results, sources, wide=wide and mnemonic in _COMBINES)
        if mnemonic == "cvt":
            source_type = integer_type(parts[-1])
            to = integer_type(parts[-2])
            if source_type and to:
                narrows = to[0] < source_type[0]
                return Step("low" if narrows else "keep", at, results, sources, wide=False)
        if mnemonic in ("shl", "shr", "bfe") and len(operands) > 2:
            amount = operands[2].value if isinstance(operands[2], Immediate) else None
            if isinstance(amount, int) and amount % 8 == 0:  # as pointers are taken apart
                if amount == 0:
                    return Step("keep", at, results, sources[:1], wide=False)
                part = "high" if mnemonic != "shl" and amount >= 32 else "part"
                return Step(part, at, results, sources[:1], wide=False)
        return Step("scale", at, results, sources)

    def _access(
        self,
        instruction: Instruction,
        operands: tuple[Operand, ...],
        addresses: tuple[AddressUse, ...],
        at: int,
    ) -> Step:
        """Compile an instruction with memory operands other than ``ld`` and ``st``."""
        uses = tuple(
            self._use(operands[use.operand], use.space, use.access, at)
            for use in addresses
            if use.operand < len(operands)
        )
        indexes = {use.operand for use in addresses}
        values = tuple(
            operand
            for index, operand in enumerate(operands)
            if index not in indexes and index in effects(instruction).reads
        )
        results = tuple(self._scopes.key(name, at) for name in registers_written(instruction))
        return Step("scale", at, results, self._sources(values, at), uses)

    def _anything_computed(self, instruction: Instruction, at: int) -> Step:
        results = tuple(self._scopes.key(name, at) for name in registers_written(instruction))
        sources = tuple(self._name(name, at) for name in registers_read(instruction))
        return Step("scale", at, results, sources)

    def _anything(self, instruction: Instruction, at: int) -> Step:
        """Compile an instruction that nothing is known of: every operand may be anything."""
        sources: list[Source] = []
        results: list[str] = []
        for operand in instruction.operands:
            for name in _names(operand):
                source = self._name(name, at)
                sources.append(source)
                if isinstance(source, str):
                    results.append(source)
        return Step("any", at, tuple(results), tuple(sources))

    def _call(self, operands: tuple[Operand, ...], at: int) -> Step:
        rest = list(operands)
        results: tuple[Source, ...] = ()
        if isinstance(rest[0], Group):
            results = self._sources(rest.pop(0).items, at)  # pyright: ignore
        target = self._source(rest.pop(0), at)
        arguments: tuple[Source, ...] = ()
        if rest and isinstance(rest[0], Group):
            arguments = self._sources(rest[0].items, at)
        written = tuple(result for result in results if isinstance(result, str))
        return Step("call", at, written, (), (), call=Call(target, arguments, results))


def sure_pointers(kernel: FunctionSteps, word: int) -> set[tuple[str, int]]:
    """Return the words of parameters, as (name, byte), that are pointers beyond doubt.

    By ``.ptr``, or because they go straight through ``cvta.to.global``.  ``word`` is the size of an
    address.
    """
    parameters = {variable.name for variable in kernel.signature.params}
    sure = {(v.name, 0) for v in kernel.signature.params if v.pointer is not None}
    loaded: dict[str, tuple[str, int]] = {}
    for step in kernel.steps:
        if step.kind != "move" or len(step.results) != 1:
            continue
        if step.uses and not step.sources:
            place = _parameter_word(step.uses[0], word)
            if place is not None and place[0] in parameters:
                loaded[step.results[0]] = place
        elif step.sources and step.sources[0] in loaded:
            statement = kernel.function.statements[step.at]
            assert isinstance(statement, Instruction)
            if statement.opcode.startswith("cvta.to.global"):
                sure.add(loaded[str(step.sources[0])])
    return sure


def _parameter_word(use: MemoryUse, word: int) -> tuple[str, int] | None:
    """Return the variable and the byte that a load of a word from parameter space reads."""
    place = use.address
    if use.space != "param" or use.size != word or not isinstance(place, Symbol):
        return None
    if place.offset is None or use.offset is None:
        return None
    return place.name, place.offset + use.offset


def _displaced(source: Source, offset: int | float | None) -> Source:
    if not isinstance(source, Symbol):
        return source
    if source.offset is None or not isinstance(offset, int):
        return Symbol(source.kind, source.name, None)
    return Symbol(source.kind, source.name, source.offset + offset)


def _registers(step: Step) -> list[str]:
    """Return the registers that a step reads."""
    found = [source for source in step.sources if isinstance(source, str)]
    found += [use.address for use in step.uses if isinstance(use.address, str)]
    if step.call is not None:
        read = (step.call.target, *step.call.arguments)
        found += [source for source in read if isinstance(source, str)]
    return found


def _names(operand: Operand) -> list[str]:
    match operand:
        case Name(name):
            return [name]
        case Not(inner) | Negated(inner) | Displaced(inner) | Element(inner):
            return [inner.name]
        case Pair(first, second):
            return [*_names(first), *_names(second)]
        case Vector(items) | Group(items):
            return [name for item in items for name in _names(item)]
        case Address(base, _, extra):
            inside = [] if isinstance(base, Immediate) else _names(base)
            return inside + [name for item in extra for name in _names(item)]
        case _:
            return []


@functools.lru_cache(maxsize=4096)
def _space(parts: tuple[str, ...]) -> str:
    spaces = ("global", "shared", "local", "const", "param")
    return next((part for part in parts if part in spaces), "generic")


_SIZES = {"f16": 2, "bf16": 2, "f16x2": 4, "bf16x2": 4, "f32": 4, "f64": 8, "b128": 16}


@functools.lru_cache(maxsize=4096)
def _element_size(parts: tuple[str, ...]) -> int:
    kind = integer_type(parts[-1])
    return kind[0] // 8 if kind else _SIZES.get(parts[-1], 0)
