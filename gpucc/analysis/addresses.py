"""Where memory instructions point: a base and an offset, as far as that can be told.

``Addresses(function).of(index)`` gives the address of the instruction at that index of the body::

    ld.global.f32 %f1, [%rd4+8];      base: parameter a,  offset: 4*ctaid.x*ntid.x + 4*tid.x + 8

Offsets are sums of products over special registers (``tid.x``), scalar parameters and loop
iteration counts (``loop0``).  Other values (loaded, computed bit by bit, unknown) stand in them
as symbols that say what they are.  :mod:`gpucc.analysis.symbols` states what is assumed about
overflow.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gpucc.analysis.affine import Affine, Symbol, SymbolKind, number
from gpucc.analysis.cfg import CFG
from gpucc.analysis.transfer import integer_type
from gpucc.analysis.values import Values
from gpucc.errors import GpuccError
from gpucc.ptx.isa import effects
from gpucc.ptx.module import Address, Function, Instruction, Module, Name
from gpucc.ptx.syntax import constant_value

_MEMORY = re.compile(r"\[\s*([A-Za-z_$%][\w$]*)\s*(?:\+\s*(-?\d+)\s*)?[,\]]")
_SPACES = frozenset({"global", "shared", "local", "const", "param"})
_REGULAR = frozenset(
    {SymbolKind.SPECIAL, SymbolKind.PARAMETER, SymbolKind.ITERATION, SymbolKind.LAST}
)


@dataclass(frozen=True, slots=True)
class Base:
    """What an address starts from.

    ``parameter``: the pointer in the parameter ``name`` of the function, ``position`` bytes inside
    it (0 except for structs).  ``variable``: the variable ``name`` in state space ``space``.
    ``loaded``: a pointer that statement ``position`` loaded from memory.
    """

    kind: Literal["parameter", "variable", "loaded"]
    name: str
    position: int = 0
    space: str = ""

    def __str__(self) -> str:
        if self.kind == "parameter" and self.position:
            return f"{self.name}+{self.position}"
        return self.name


@dataclass(frozen=True, slots=True)
class AddressExpr:
    """The address that a statement accesses: ``base + offset``, in bytes.

    ``base`` is None if it cannot be told; ``offset`` is then the whole address.  ``space`` is the
    instruction's state space, ``""`` for a generic address.  ``size`` is how many bytes each thread
    accesses (0 where the opcode does not say).
    """

    statement: int
    base: Base | None
    offset: Affine
    space: str
    size: int

    @property
    def reason(self) -> str | None:
        """Why the offset is not a sum of products of known quantities; None if it is."""
        if self.base is None:
            irregular = next(self.irregular(), None)
            return _say(irregular) if irregular else "no pointer, or several, in the address"
        return next((_say(symbol) for symbol in self.irregular()), None)

    def irregular(self) -> Iterator[Symbol]:
        """Yield the symbols that are not special registers, parameters or loop counts."""
        for symbol in self.offset.symbols():
            if symbol.kind not in _REGULAR:
                yield symbol

    @property
    def loads(self) -> tuple[int, ...]:
        """The loads that the address depends on (indirect access), in order of the text."""
        return tuple(sorted(_loads(self.offset)))

    @property
    def is_exact(self) -> bool:
        """Whether no overflow had to be ruled out by assumption."""
        return not self.offset.assumed

    def __str__(self) -> str:
        base = str(self.base) if self.base else "?"
        return base if self.offset.constant == 0 else f"{base} + {self.offset}"


def _say(symbol: Symbol) -> str:
    if symbol.kind is SymbolKind.COMPUTED:
        return f"not a sum of products: {symbol}"
    return symbol.reason or symbol.kind.value


def _loads(form: Affine) -> set[int]:
    found: set[int] = set()
    for symbol in form.symbols():
        if symbol.kind is SymbolKind.LOADED:
            found.add(symbol.statement)
        elif symbol.operation is not None:
            for operand in symbol.operation.operands:
                found |= _loads(operand)
    return found


class Addresses:
    """The addresses in ``function``, found when asked for and remembered.

    ``module`` gives the state space of module variables; without it their space is unknown.
    """

    def __init__(
        self, function: Function, module: Module | None = None, cfg: CFG | None = None
    ) -> None:
        self.function = function
        self.values = Values(function, cfg)
        self._module = module
        self._found: dict[tuple[int, int], AddressExpr] = {}

    @property
    def cfg(self) -> CFG:
        """The graph that the analysis stands on."""
        return self.values.cfg

    def of(self, index: int, which: int | None = None) -> AddressExpr:
        """Return the address that the instruction at ``index`` of the body accesses.

        ``which`` counts the instruction's memory operands from 0.  Without it: the first one
        that leads to global memory (the source of ``cp.async``), if there is one.  Raises
        :class:`GpuccError` if there is no such operand.
        """
        instruction = self.function.statements[index]
        if not isinstance(instruction, Instruction):
            raise GpuccError(f"statement {index} of '{self.function.name}' is no instruction")
        if which is None:
            which = _global_operand(instruction.opcode)
        key = index, which
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._address(instruction, index, which)
        return found

    def all_of(self, *, space: str = "global") -> Iterator[AddressExpr]:
        """Yield the addresses of all ``ld``, ``st``, ``atom`` and ``red`` in a state space.

        ``space`` ``""`` means generic addresses.
        """
        for index, statement in enumerate(self.function.statements):
            if type(statement) is Instruction and _accesses(statement.opcode, space):
                yield self.of(index)

    # --- one address ----------------------------------------------------------------------------

    def _address(self, instruction: Instruction, index: int, which: int) -> AddressExpr:
        form = self._form(instruction, index, which)
        base, offset = self._split(form)
        opcode = instruction.opcode
        return AddressExpr(index, base, offset, _space(opcode), access_size(opcode))

    def _form(self, instruction: Instruction, index: int, which: int) -> Affine:
        simple = _MEMORY.findall(instruction.args)
        if len(simple) == instruction.args.count("[") > which:
            base, offset = simple[which]
            form = self.values.at(base, index)
            return form.plus(number(constant_value(offset))) if offset else form  # pyright: ignore
        addresses = [o for o in instruction.operands if isinstance(o, Address)]
        if which >= len(addresses):
            raise GpuccError(f"'{instruction.opcode}' has no memory operand {which}")
        address = addresses[which]
        form = number(0)
        if isinstance(address.base, Name):
            form = self.values.at(address.base.name, index)
        else:
            value = address.base.value
            form = number(value if isinstance(value, int) else 0)
        displacement = address.offset.value if address.offset else 0
        return form.plus(number(displacement)) if isinstance(displacement, int) else form

    def _split(self, form: Affine) -> tuple[Base | None, Affine]:
        """Tell the pointer in an address from what is added to it."""
        candidates = [
            monomial[0]
            for monomial, coefficient in form.terms.items()
            if len(monomial) == 1 and coefficient == 1 and _may_point(monomial[0])
        ]
        if len(candidates) > 1:
            candidates = (
                [s for s in candidates if s.kind is SymbolKind.VARIABLE]
                or [s for s in candidates if s in self._pointers]
                or candidates
            )
        if len(candidates) != 1 or candidates[0].kind is SymbolKind.UNKNOWN:
            return None, form
        symbol = candidates[0]
        return self._base(symbol), form.without(symbol)

    def _base(self, symbol: Symbol) -> Base:
        if symbol.kind is SymbolKind.VARIABLE:
            return Base("variable", symbol.text, 0, self._variable_space(symbol.text))
        if symbol.kind is SymbolKind.LOADED:
            return Base("loaded", symbol.text, symbol.statement)
        name, _, position = symbol.text.partition("+")
        return Base("parameter", name, int(position or 0))

    def _variable_space(self, name: str) -> str:
        if name in self.values.parameters:
            return "param"
        for blocks in (self.cfg.scopes.variables.get(name, {}),):
            for variable in blocks.values():
                return variable.space[1:]
        for declaration in self._module.declarations if self._module else ():
            if name in declaration.text:
                for variable in declaration.variables:
                    if variable.name == name:
                        return variable.space[1:]
        return ""

    @functools.cached_property
    def _pointers(self) -> frozenset[Symbol]:
        """Symbols that are known to be pointers: by ``.ptr``, or because ``cvta`` takes them."""
        found: set[Symbol] = set()
        for index, statement in enumerate(self.function.statements):
            if type(statement) is Instruction and statement.opcode.startswith("cvta."):
                words = statement.args.split(",")
                symbol = (
                    self.values.at(words[-1].strip(), index).symbol if len(words) == 2 else None
                )
                if symbol is not None:
                    found.add(symbol)
        for name, variable in self.values.parameters.items():
            if variable.pointer is not None:
                found.update(
                    self.values.symbols.make(
                        name, SymbolKind.PARAMETER, (-(1 << 63), (1 << 63) - 1), frozenset()
                    ).symbols()
                )
        return frozenset(found)


@functools.lru_cache(maxsize=4096)
def _accesses(opcode: str, space: str) -> bool:
    return opcode.startswith(("ld.", "st.", "atom.", "red.", "ldu.")) and _space(opcode) == space


def _may_point(symbol: Symbol) -> bool:
    """Return whether a pointer of 64 bits (or a variable's address) may be in ``symbol``."""
    if symbol.kind is SymbolKind.VARIABLE:
        return True
    wide = symbol.high > 1 << 40
    return wide and symbol.kind in (
        SymbolKind.PARAMETER,
        SymbolKind.LOADED,
        SymbolKind.UNKNOWN,
    )


@functools.lru_cache(maxsize=4096)
def _space(opcode: str) -> str:
    """Return the state space of a memory access, ``""`` if it is generic."""
    if opcode.startswith("cp."):
        return "global"
    return next((p for p in re.split(r"\.|::", opcode) if p in _SPACES), "")


@functools.lru_cache(maxsize=4096)
def _global_operand(opcode: str) -> int:
    if opcode.startswith(("ld", "st", "atom", "red")):
        return 0
    uses = effects(Instruction.make(opcode)).addresses
    wanted = ("global", "generic", "tensor")
    return next((i for i, use in enumerate(uses) if use.space in wanted), 0)


@functools.lru_cache(maxsize=4096)
def access_size(opcode: str) -> int:
    """Return how many bytes ``ld``, ``st``, ``atom`` or ``red`` accesses, 0 if it is not known."""
    parts = opcode.split(".")
    kind = integer_type(parts[-1]) or _FLOATS.get(parts[-1])
    if kind is None:
        return 0
    vector = next((int(part[1:]) for part in parts if part in ("v2", "v4", "v8")), 1)
    return kind[0] // 8 * vector


_FLOATS = {
    "f16": (16, False),
    "bf16": (16, False),
    "f16x2": (32, False),
    "bf16x2": (32, False),
    "f32": (32, False),
    "f64": (64, False),
    "b128": (128, False),
}
