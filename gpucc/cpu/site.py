"""One instruction being lowered: what the modules of operations see of it.

A lowering reads its operands as values of the type the instruction says, computes, and writes
results; how registers, symbols and special registers come about is the frame's business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

from gpucc.cpu.code import Code, Value, integer
from gpucc.cpu.rounding import canonical
from gpucc.cpu.types import bits, constant, is_float, is_signed, llvm_type
from gpucc.ptx.module import (
    Address,
    Displaced,
    Immediate,
    Instruction,
    Name,
    Not,
    Operand,
    Pair,
    Sink,
    Vector,
)


class Refused(Exception):
    """An instruction that the CPU target does not have; the message says which and why."""


class Frame(Protocol):
    """The function around an instruction."""

    @property
    def code(self) -> Code:
        """Where instructions go."""
        ...

    @property
    def thread(self) -> Value:
        """The ``ptr`` to the ``gpucc_thread`` that executes."""
        ...

    def register(self, name: str) -> tuple[Value, str] | None:
        """Return the slot and the PTX type of a register; None if the name is something else."""
        ...

    def read_register(self, name: str) -> Value:
        """Return what is in a register."""
        ...

    def write_register(self, name: str, value: Value) -> None:
        """Put a value of the register's type into it."""
        ...

    def loose(self, name: str) -> str:
        """Return ``f32`` or ``f64`` if a register may hold any NaN (:mod:`gpucc.cpu.nans`)."""
        ...

    def components(self, name: str) -> tuple[str, ...]:
        """Return the components of a vector register: ``%v.x``, ``%v.y``; none of anything else."""
        ...

    def symbol(self, name: str) -> Value:
        """Return the address of a variable or function: a ``ptr``, as this process has it.

        That of a shared variable is an ``i64``: the offset from the block's shared memory.
        Raises :class:`Refused` if nothing is called so.
        """
        ...

    def is_kernel_parameter(self, name: str) -> bool:
        """Return whether ``name`` is a parameter of the kernel, which never changes.

        Those of device functions, and what they are passed in, change from call to call.
        """
        ...

    def special(self, name: str, type_: str) -> Value:
        """Return a special register (``%tid.x``) as a value of the PTX type ``type_``.

        Raises :class:`Refused` for one that the CPU target does not have.
        """
        ...

    def carry(self) -> Value:
        """Return the slot (``ptr`` to an ``i1``) of the carry flag."""
        ...

    def site(self) -> Value:
        """Return the number of this instruction, an ``i32``: what reports name its place by."""
        ...


@dataclass(frozen=True)
class Site:
    """An instruction, the function around it, and where code for it goes.

    ``words`` are the modifiers without the mnemonic: ``("wide", "u32")`` of ``mul.wide.u32``.
    """

    instruction: Instruction
    frame: Frame

    @property
    def code(self) -> Code:
        """Where code goes."""
        return self.frame.code

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The modifiers, without their dots."""
        return self.instruction.parts[1:]

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The modifiers that are types, in order: ``("f16", "f32")`` of ``cvt.rn.f16.f32``."""
        return tuple(word for word in self.words if _is_type(word))

    @cached_property
    def operands(self) -> tuple[Operand, ...]:
        """The operands, parsed; vector registers are told as vectors of their components."""
        return tuple(map(self._expand, self.instruction.operands))

    def _expand(self, operand: Operand) -> Operand:
        if isinstance(operand, Name):
            components = self.frame.components(operand.name)
            return Vector(tuple(map(Name, components))) if components else operand
        return operand

    def items(self, operand: int | Operand) -> tuple[Operand, ...]:
        """Return the items of a vector, or the one operand there is."""
        if isinstance(operand, int):
            operand = self.operands[operand]
        return operand.items if isinstance(operand, Vector) else (operand,)

    def has(self, *words: str) -> bool:
        """Return whether one of ``words`` is among the modifiers."""
        return any(word in self.words for word in words)

    def refuse(self, why: str) -> Refused:
        """Return the error to raise for what is not supported: ``raise site.refuse("…")``."""
        return Refused(f"'{self.instruction.opcode}' {why}")

    # --- reading ----------------------------------------------------------------------------------

    def read(self, operand: int | Operand, type_: str, *, loose: bool = False) -> Value:
        """Return an operand (or the one with this index) as a value of the PTX type ``type_``.

        Registers that are wider are cut.  ``type_`` may be ``pred``, then ``!%p1`` is negated.
        A vector gives its items, the first one lowest, as one integer.  ``loose``: the bits of a
        NaN do not matter.
        """
        if isinstance(operand, int):
            operand = self.operands[operand]
        match operand:
            case Name(name):
                return self._read_name(name, type_, loose=loose)
            case Immediate():
                value = operand.value
                if value is None:
                    raise self.refuse(f"has an operand that is not a number: {operand}")
                return constant(type_, operand.text, value)
            case Not(inner):
                inverse = self.read(inner, type_)
                return self.code.binary("xor", inverse, integer(1, 1))
            case Displaced(base, offset):
                address = self._address(base.name)
                address = self.code.binary("add", address, integer(64, self._number(offset)))
                return self.reshape(address, type_)
            case Vector(items):
                return self._pack(items, type_)
            case _:
                raise self.refuse(f"cannot read {operand}")

    def _read_name(self, name: str, type_: str, *, loose: bool) -> Value:
        found = self.frame.register(name)
        if found is not None:
            value = self.frame.read_register(name)
            number = "" if loose else self.frame.loose(name)
            if number:
                value = canonical(self.code, self.reshape(value, number))
            return self.reshape(value, type_)
        if name.startswith("%") or name == "WARP_SZ":
            return self.frame.special(name, type_)
        return self.reshape(self._address(name), type_)

    def _address(self, name: str) -> Value:
        found = self.frame.symbol(name)
        return self.code.cast("ptrtoint", found, "i64") if found.type == "ptr" else found

    def _pack(self, items: tuple[Operand, ...], type_: str) -> Value:
        total, each = bits(type_), bits(type_) // len(items)
        packed = integer(total, 0)
        for index, item in enumerate(items):
            part = self.code.resize(self.read(item, f"b{each}"), total)
            if index:
                part = self.code.binary("shl", part, integer(total, index * each))
            packed = self.code.binary("or", packed, part)
        return self.reshape(packed, type_)

    def number(self, operand: int | Operand) -> int:
        """Return an operand that must be an integer constant."""
        if isinstance(operand, int):
            operand = self.operands[operand]
        if not isinstance(operand, Immediate):
            raise self.refuse(f"wants a constant, not {operand}")
        return self._number(operand)

    def _number(self, operand: Immediate) -> int:
        value = operand.value
        if not isinstance(value, int):
            raise self.refuse(f"wants an integer constant, not {operand}")
        return value

    # --- writing ----------------------------------------------------------------------------------

    def is_loose(self, operand: int) -> bool:
        """Return whether an operand is a register in which a NaN may have any bits."""
        found = self.operands[operand]
        return isinstance(found, Name) and bool(self.frame.loose(found.name))

    def write(
        self, operand: int | Operand, value: Value, type_: str, *, loose: bool = False
    ) -> None:
        """Write a value of the PTX type ``type_`` to a register, a vector of them, or the sink.

        A wider register is filled by sign if ``type_`` is signed, with zeros otherwise.
        ``loose``: if the value, an ``f32`` or ``f64``, is NaN, then its bits are to be those that
        arithmetic gives.
        """
        if isinstance(operand, int):
            operand = self.operands[operand]
        match operand:
            case Sink():
                return
            case Name(name):
                found = self.frame.register(name)
                if found is None:
                    raise self.refuse(f"writes to {name}, which is not a register")
                declared = found[1]
                if loose and not self.frame.loose(name):
                    value = canonical(self.code, value)
                self.frame.write_register(name, self._fill(value, type_, declared))
            case Vector(items):
                total, each = bits(type_), bits(type_) // len(items)
                whole = self.reshape(value, f"b{total}")
                for index, item in enumerate(items):
                    part = self.code.binary("lshr", whole, integer(total, index * each))
                    self.write(item, self.code.resize(part, each), f"b{each}")
            case Pair():
                raise self.refuse(f"has two results, {operand}, where one is expected")
            case _:
                raise self.refuse(f"cannot write to {operand}")

    def _fill(self, value: Value, type_: str, declared: str) -> Value:
        width = bits(declared)
        if bits(type_) != width:
            value = self.reshape(value, f"b{bits(type_)}")
            value = self.code.resize(value, width, signed=is_signed(type_))
        return self.reshape(value, declared)

    def reshape(self, value: Value, type_: str) -> Value:
        """Return the low bits of ``value`` as a value of the PTX type ``type_``.

        Never converts numbers: floats and integers become each other bit by bit.
        """
        wanted = llvm_type(type_)
        if value.type == wanted:
            return value
        if not value.type.startswith("i"):
            value = self.code.cast("bitcast", value, "i32" if value.type == "float" else "i64")
        value = self.code.resize(value, bits(type_))
        return self.code.cast("bitcast", value, wanted) if is_float(type_) else value

    # --- addresses --------------------------------------------------------------------------------

    def pointer(self, operand: int | Operand, space: str) -> Value:
        """Return an address operand ``[a+4]`` of state ``space`` (``generic``) as a host ``ptr``.

        In ``shared`` the address is an offset from the block's shared memory.
        """
        if isinstance(operand, int):
            operand = self.operands[operand]
        if not isinstance(operand, Address) or operand.extra:
            # Among them array elements, ``table[3]``, which no compiler writes.
            raise self.refuse(f"wants an address, not {operand}")
        code = self.code
        match operand.base:
            case Immediate():
                address = integer(64, self._number(operand.base))
            case Name(name) if (found := self.frame.register(name)) is not None:
                address = code.resize(self.read(operand.base, f"b{bits(found[1])}"), 64)
            case Name(name):
                address = self.frame.symbol(name)
        if space.startswith("shared"):
            if address.type == "ptr":
                raise self.refuse(f"takes {operand.base} for a shared variable")
            address = code.displace(self.shared(), address)
        elif address.type != "ptr":
            address = code.cast("inttoptr", address, "ptr")
        return code.displace(address, 0 if operand.offset is None else self._number(operand.offset))

    def is_kernel_parameter(self, index: int) -> bool:
        """Return whether the address operand ``index`` is in a parameter of the kernel."""
        operand = self.operands[index]
        base = operand.base if isinstance(operand, Address) else None
        return isinstance(base, Name) and self.frame.is_kernel_parameter(base.name)

    def block(self) -> Value:
        """Return the ``ptr`` to the ``gpucc_block`` of the thread."""
        return self.code.load("ptr", self.frame.thread)

    def shared(self) -> Value:
        """Return the ``ptr`` to the block's shared memory."""
        return self.code.load("ptr", self.code.displace(self.block(), BLOCK_SHARED), constant=True)


BLOCK_SHARED = 8
"""Where ``gpucc_block`` (runtime/native/cpurt/gpucc_cpu.h) has the pointer to shared memory."""


Lowering: TypeAlias = Callable[[Site], None]
"""Appends the code of one instruction; raises :class:`Refused` for a spelling it does not have."""

Lowerings: TypeAlias = Mapping[str, Lowering]
"""By mnemonic; each module of operations exports one as ``LOWERINGS``."""


def _is_type(word: str) -> bool:
    if word == "pred":
        return True
    head = word[:1]
    return (head in "busf" and word[1:2].isdigit()) or word.startswith(
        ("bf16", "tf32", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue8m0", "f16", "s2f6")
    )
