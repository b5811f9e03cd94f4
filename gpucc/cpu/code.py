"""LLVM IR as text: a function under construction, and the unit that it belongs to.

Written as text, because llvmlite's own builder has no types and takes five times as long.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple


class Linear(NamedTuple):
    """Thread i of a warp has ``base + i * stride``, if ``holds`` (an ``i1``).

    With ``high``, which is that of thread 16, only each half of the warp is known to do so: blocks
    of 16 x 16 threads have two rows in a warp.
    """

    base: Value
    stride: int
    holds: Value
    high: Value | None = None


class Value(NamedTuple):
    """An LLVM value: its type (``i32``) and how it is written (``%5``, ``7``)."""

    type: str
    name: str
    wide: bool = False
    """Whether there is one of them for each thread of a warp; ``type`` is that of each."""
    linear: Linear | None = None
    """How a wide value differs from thread to thread, if that is known."""

    @property
    def llvm_type(self) -> str:
        """The type as LLVM has it: a vector's if the value is wide."""
        return f"<{LANES} x {self.type}>" if self.wide else self.type

    def __str__(self) -> str:
        return f"{self.llvm_type} {self.name}"


LANES = 32
"""Threads of a warp."""


NOTHING = Value("void", "")
"""What a call without a result gives."""


def integer(bits: int, value: int) -> Value:
    """Return the constant ``value`` of ``bits`` bits, as LLVM writes it: signed."""
    value &= (1 << bits) - 1
    if bits == 1:
        return Value("i1", "true" if value else "false")
    return Value(f"i{bits}", str(value - (1 << bits) if value >> (bits - 1) else value))


@dataclass
class Unit:
    """An LLVM module under construction: globals, declarations and finished functions."""

    globals: list[str] = field(default_factory=list[str])
    functions: list[str] = field(default_factory=list[str])
    _declared: dict[str, str] = field(default_factory=dict[str, str])

    def declare(self, name: str, result: str, parameters: tuple[str, ...], attributes: str) -> None:
        """Declare an external function or intrinsic; once for each name."""
        text = f"declare {result} @{name}({', '.join(parameters)}) {attributes}".rstrip()
        known = self._declared.setdefault(name, text)
        assert known == text, f"@{name} is declared twice, differently:\n{known}\n{text}"

    def constant_words(self, words: Sequence[int]) -> Value:
        """Return the ``ptr`` to a constant array of 32-bit words."""
        name = f"@words.{len(self.globals)}"
        items = ", ".join(f"i32 {word}" for word in words)
        self.globals.append(f"{name} = private constant [{len(words)} x i32] [{items}], align 4")
        return Value("ptr", name)

    @property
    def text(self) -> str:
        """The module's text."""
        parts = [*self.globals, *self._declared.values(), *self.functions]
        return "\n".join(parts) + "\n"


class Code:
    """A function under construction: instructions are appended where it stands.

    Slots (:meth:`slot`) go to the entry block, wherever they are asked for.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._slots: list[str] = []
        self._lines: list[str] = []
        self._numbers = 0
        self._ended = False
        self.called: set[str] = set()
        """External functions and intrinsics that are called."""

    # --- text -------------------------------------------------------------------------------------

    def fresh(self) -> str:
        """Return a new local name."""
        self._numbers += 1
        return f"%v{self._numbers}"

    def line(self, text: str) -> None:
        """Append an instruction without a result; nothing if the block has ended."""
        if not self._ended:
            self._lines.append(f"  {text}")

    def op(self, type_: str, text: str) -> Value:
        """Append an instruction with a result of ``type_``."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return Value(type_, name)

    def finish(self, head: str, *, first: Sequence[str] = ()) -> None:
        """Give the function to the unit: ``head`` is all before its brace.

        ``first`` are lines before those of the slots.
        """
        body = ["entry:", *first, *self._slots, "  br label %start", "start:", *self._lines]
        self.unit.functions.append("\n".join([head + " {", *body, "}"]))

    # --- blocks -----------------------------------------------------------------------------------

    def new_label(self) -> str:
        """Return a label that does not stand anywhere yet."""
        self._numbers += 1
        return f"l{self._numbers}"

    def place(self, label: str) -> None:
        """Begin the block ``label`` here; the block before it goes on into it."""
        self.jump(label)
        self._lines.append(f"{label}:")
        self._ended = False

    def jump(self, label: str) -> None:
        """End the block with a jump."""
        self.end(f"br label %{label}")

    def branch(self, condition: Value, yes: str, no: str) -> None:
        """End the block with a conditional jump."""
        self.end(f"br {condition}, label %{yes}, label %{no}")

    def end(self, text: str) -> None:
        """End the block with the terminator ``text``; what follows up to a label is dropped."""
        self.line(text)
        self._ended = True

    @contextmanager
    def when(self, condition: Value) -> Generator[None]:
        """Execute what is appended inside only where ``condition`` (``i1``) holds."""
        yes, after = self.new_label(), self.new_label()
        self.branch(condition, yes, after)
        self.place(yes)
        yield
        self.place(after)

    # --- instructions -----------------------------------------------------------------------------

    def binary(self, operation: str, a: Value, b: Value) -> Value:
        """``operation`` of two values of one type: ``add``, ``fmul``, ``and``, ``shl``."""
        assert a.type == b.type, f"{operation} of {a} and {b}"
        return self.op(a.type, f"{operation} {a}, {b.name}")

    def unary(self, operation: str, a: Value) -> Value:
        """``operation`` of one value: ``fneg``."""
        return self.op(a.type, f"{operation} {a}")

    def cast(self, operation: str, a: Value, type_: str) -> Value:
        """``trunc``, ``zext``, ``bitcast``, ``fptosi``, …; nothing if the type is right."""
        return a if a.type == type_ else self.op(type_, f"{operation} {a} to {type_}")

    def resize(self, a: Value, bits: int, *, signed: bool = False) -> Value:
        """Make an integer ``bits`` wide: cut, or extended by sign or zeros."""
        have = int(a.type[1:])
        operation = "trunc" if bits < have else "sext" if signed else "zext"
        return self.cast(operation, a, f"i{bits}")

    def icmp(self, condition: str, a: Value, b: Value) -> Value:
        """Compare integers: ``eq``, ``ult``, ``sge``, …; an ``i1``."""
        assert a.type == b.type, f"icmp {condition} of {a} and {b}"
        return self.op("i1", f"icmp {condition} {a}, {b.name}")

    def fcmp(self, condition: str, a: Value, b: Value) -> Value:
        """Compare floats: ``oeq``, ``ult``, ``uno``, …; an ``i1``."""
        assert a.type == b.type, f"fcmp {condition} of {a} and {b}"
        return self.op("i1", f"fcmp {condition} {a}, {b.name}")

    def select(self, condition: Value, yes: Value, no: Value) -> Value:
        """``yes`` where ``condition`` (``i1``) holds, else ``no``."""
        assert yes.type == no.type, f"select of {yes} and {no}"
        return self.op(yes.type, f"select {condition}, {yes}, {no}")

    def call(self, result: str, name: str, *arguments: Value, attributes: str = "") -> Value:
        """Call the external function or intrinsic ``name``, which is declared by this.

        ``attributes`` are of its declaration: ``nounwind memory(none)``.
        """
        self.called.add(name)
        self.unit.declare(name, result, tuple(a.type for a in arguments), attributes)
        text = f"call {result} @{name}({', '.join(map(str, arguments))})"
        if result == "void":
            self.line(text)
            return NOTHING
        return self.op(result, text)

    def extract(self, aggregate: Value, index: int, type_: str) -> Value:
        """Field ``index`` of a structure."""
        return self.op(type_, f"extractvalue {aggregate}, {index}")

    def lane(self, vector: Value, index: int, type_: str) -> Value:
        """Element ``index`` of a vector."""
        return self.op(type_, f"extractelement {vector}, i32 {index}")

    def with_lane(self, vector: Value, index: int, element: Value) -> Value:
        """``vector`` with one element replaced."""
        return self.op(vector.type, f"insertelement {vector}, {element}, i32 {index}")

    # --- memory -----------------------------------------------------------------------------------

    def slot(self, type_: str, *, align: int = 0, zero: bool = False) -> Value:
        """A place on the stack of the function, for one value of ``type_``; a ``ptr``.

        ``zero``: it holds zeros when the function begins.
        """
        name = self.fresh()
        self._slots.append(f"  {name} = alloca {type_}" + (f", align {align}" if align else ""))
        if zero:
            self._slots.append(f"  store {type_} zeroinitializer, ptr {name}")
        return Value("ptr", name)

    def load(
        self, type_: str, pointer: Value, *, align: int = 0, how: str = "", constant: bool = False
    ) -> Value:
        """Load; ``how`` is ``volatile``, or ``acquire`` and the like for an atomic load.

        ``constant`` says that what stands there never changes while the kernel runs.
        """
        tail = _tail(how, align) + (", !invariant.load !{}" if constant else "")
        return self.op(type_, f"load {_how(how)}{type_}, {pointer}{tail}")

    def store(self, value: Value, pointer: Value, *, align: int = 0, how: str = "") -> None:
        """Store; ``how`` as in :meth:`load`."""
        self.line(f"store {_how(how)}{value}, {pointer}{_tail(how, align)}")

    def displace(self, pointer: Value, offset: Value | int) -> Value:
        """``pointer`` plus ``offset`` bytes."""
        if isinstance(offset, int):
            if not offset:
                return pointer
            offset = integer(64, offset)
        return self.op("ptr", f"getelementptr i8, {pointer}, {offset}")


_PLAIN = frozenset({"", "volatile"})


def _how(how: str) -> str:
    return f"{how} " if how == "volatile" else "" if how in _PLAIN else "atomic "


def _tail(how: str, align: int) -> str:
    order = "" if how in _PLAIN else f" {how}"
    return order + (f", align {align}" if align else "")
