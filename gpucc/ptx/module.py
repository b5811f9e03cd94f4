"""The PTX IR: a module as frozen values that remember how they were written.

A function's body is a flat sequence of statements; nested blocks show as :class:`Brace` pairs.
Every statement holds its exact source text (``raw``, with the white space and comments before it)
and where it stood (``at``), so printing unchanged statements is concatenation, and a statement can
move between functions and modules.  What a statement says (opcode, operands, declared variables)
is plain text until somebody asks; the parsed form is then computed by :mod:`gpucc.ptx.syntax`.

Edits go through :meth:`Instruction.change`, :meth:`Function.with_body` and
:meth:`Module.with_functions`; nothing is modified in place.

Over 500 lines because the values refer to each other: operands, declarations, statements, modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

from gpucc.ptx.scanner import LINKAGE_WORDS, leading_trivia

# --- operands -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """A register, variable, label, function or special register: ``%r1``, ``%tid.x``, ``foo``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Immediate:
    """A constant, kept as written: ``42``, ``0x10U``, ``-1``, ``0f3F800000``, ``(1<<4)|3``."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def value(self) -> int | float | None:
        """Its value; None where it depends on a symbol (``a-b``, ``generic(x)``)."""
        from gpucc.ptx.syntax import constant_value

        return constant_value(self.text)


@dataclass(frozen=True, slots=True)
class Not:
    """A negated predicate: ``!%p1``."""

    operand: Name

    def __str__(self) -> str:
        return f"!{self.operand}"


@dataclass(frozen=True, slots=True)
class Negated:
    """A register with its sign changed: ``-%r1`` (of ``vmad``)."""

    operand: Name

    def __str__(self) -> str:
        return f"-{self.operand}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two results of one instruction: ``%p1|%p2``; either may be the sink ``_``."""

    first: Operand
    second: Operand

    def __str__(self) -> str:
        return f"{self.first}|{self.second}"


@dataclass(frozen=True, slots=True)
class Sink:
    """``_``: a result nobody wants, or an absent operand."""

    def __str__(self) -> str:
        return "_"


@dataclass(frozen=True, slots=True)
class Displaced:
    """The address of a variable plus a constant, as a value: ``table+16``."""

    base: Name
    offset: Immediate

    def __str__(self) -> str:
        return f"{self.base}+{self.offset}"


@dataclass(frozen=True, slots=True)
class Element:
    """An array element by constant index: ``table[3]``."""

    base: Name
    index: Immediate

    def __str__(self) -> str:
        return f"{self.base}[{self.index}]"


@dataclass(frozen=True, slots=True)
class Address:
    """A memory operand ``[base+offset]``, or ``[tensor, {x, y}]`` with ``extra`` parts.

    ``unified``: it is written ``[a].unified``, an address that names one place for all GPUs.
    """

    base: Name | Immediate
    offset: Immediate | None = None
    extra: tuple[Operand, ...] = ()
    unified: bool = False

    def __str__(self) -> str:
        inner = f"{self.base}+{self.offset}" if self.offset is not None else str(self.base)
        tail = ".unified" if self.unified else ""
        return f"[{', '.join([inner, *map(str, self.extra)])}]{tail}"


@dataclass(frozen=True, slots=True)
class Vector:
    """``{%f1, %f2}``."""

    items: tuple[Operand, ...]

    def __str__(self) -> str:
        return f"{{{', '.join(map(str, self.items))}}}"


@dataclass(frozen=True, slots=True)
class Group:
    """A parenthesised list in a call: ``(param0, param1)``."""

    items: tuple[Operand, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


Operand: TypeAlias = (
    Name | Immediate | Not | Negated | Pair | Sink | Displaced | Element | Address | Vector | Group
)


# --- declarations -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """One declared name: registers, memory variables, parameters.

    ``count`` is the n of ``%r<n>`` (registers ``%r0`` to ``%r(n-1)``), None otherwise.
    ``dimensions`` are array extents, outermost first; None stands for ``[]``.
    ``pointer`` is the attribute text of ``.ptr`` (``.ptr .global .align 16``), if there.
    """

    name: str
    space: str
    type: str
    vector: str = ""
    align: int | None = None
    count: int | None = None
    dimensions: tuple[int | None, ...] = ()
    initializer: str | None = None
    pointer: str | None = None
    attributes: str = ""

    def covers(self, name: str) -> bool:
        """Return whether this declaration declares ``name``."""
        if self.count is None:
            return name == self.name
        number = name[len(self.name) :]
        return (
            name.startswith(self.name)
            and number.isdecimal()
            and str(int(number)) == number
            and int(number) < self.count
        )

    @property
    def size(self) -> int | None:
        """Bytes of the whole variable; None for ``[]``, opaque types and predicates."""
        width = TYPE_BYTES.get(self.type)
        if width is None:
            return None
        total = width * {"": 1, ".v2": 2, ".v4": 4, ".v8": 8}[self.vector]
        for extent in self.dimensions:
            if extent is None:
                return None
            total *= extent
        return total


TYPE_BYTES: Mapping[str, int] = {
    f".{kind}{bits}": bits // 8
    for kind, widths in {
        "b": (8, 16, 32, 64, 128),
        "u": (8, 16, 32, 64),
        "s": (8, 16, 32, 64),
        "f": (16, 32, 64),
    }.items()
    for bits in widths
} | {".f16x2": 4, ".bf16": 2, ".bf16x2": 4, ".e4m3": 1, ".e5m2": 1, ".tf32": 4}
"""Bytes of the fundamental types (PTX ISA, section 5.2)."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A parsed function head or call prototype.

    ``directives`` are what stands between the parameters and the body, as
    ``(".maxntid", "256, 1, 1")``.
    """

    linkage: tuple[str, ...]
    kind: str
    name: str
    returns: tuple[Variable, ...]
    params: tuple[Variable, ...]
    directives: tuple[tuple[str, str], ...]


# --- statements ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Instruction:
    """``@guard opcode operands;``.

    ``guard`` is ``""``, ``@%p1`` or ``@!%p1``; ``opcode`` has its dotted modifiers; ``args`` is the
    operand text as written.  Two instructions are equal if they say the same.
    """

    guard: str
    opcode: str
    args: str
    raw: str = field(compare=False)
    at: int = field(default=-1, compare=False)

    @staticmethod
    def make(opcode: str, *operands: Operand | str, guard: str = "") -> Instruction:
        """Build a new instruction, printed in the layout nvcc uses."""
        args = ", ".join(map(str, operands))
        return Instruction(guard, opcode, args, f"\n\t{_say(guard, opcode, args)}")

    def change(
        self,
        *,
        guard: str | None = None,
        opcode: str | None = None,
        operands: Iterable[Operand] | None = None,
    ) -> Instruction:
        """Return this instruction with parts replaced, in its place, with its comments."""
        guard = self.guard if guard is None else guard
        opcode = opcode or self.opcode
        args = self.args if operands is None else ", ".join(map(str, operands))
        raw = leading_trivia(self.raw) + _say(guard, opcode, args)
        return Instruction(guard, opcode, args, raw, self.at)

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands, parsed; :class:`gpucc.ptx.syntax.Malformed` if they are not PTX."""
        from gpucc.ptx.syntax import parse_operands

        return parse_operands(self.args, is_call=self.opcode.startswith("call"))

    @property
    def parts(self) -> tuple[str, ...]:
        """The opcode split at its dots: ``ld.global.f32`` -> ``("ld", "global", "f32")``."""
        return tuple(self.opcode.split("."))

    @property
    def mnemonic(self) -> str:
        """The opcode without modifiers."""
        return self.opcode.partition(".")[0]

    @property
    def predicate(self) -> tuple[str, bool] | None:
        """The guard's register and whether it must be true."""
        if not self.guard:
            return None
        name = self.guard[1:].strip()
        return (name[1:].strip(), False) if name.startswith("!") else (name, True)


def _say(guard: str, opcode: str, args: str) -> str:
    words = [word for word in (guard, opcode) if word]
    return f"{' '.join(words)} \t{args};" if args else f"{' '.join(words)};"


@dataclass(frozen=True, slots=True)
class Label:
    """``name:``."""

    name: str
    raw: str = field(compare=False)
    at: int = field(default=-1, compare=False)

    @staticmethod
    def make(name: str) -> Label:
        """Build a new label on a line of its own."""
        return Label(name, f"\n{name}:")


@dataclass(frozen=True, slots=True)
class Brace:
    """``{`` or ``}`` of a nested block."""

    opens: bool
    raw: str = field(compare=False)
    at: int = field(default=-1, compare=False)


@dataclass(frozen=True, slots=True)
class Declaration:
    """Variables: ``.reg .b32 %r<10>;``, ``.shared .align 4 .b8 tile[1024];``.

    ``space`` is ``.reg``, ``.shared``, …; ``text`` is the whole statement without the ``;``.
    """

    space: str
    text: str
    raw: str = field(compare=False)
    at: int = field(default=-1, compare=False)

    @staticmethod
    def make(text: str) -> Declaration:
        """Build a new declaration from its text without the ``;``."""
        words = text.split()
        space = next(w for w in words if w not in LINKAGE_WORDS)
        return Declaration(space, text, f"\n\t{text};")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """What is declared; :class:`gpucc.ptx.syntax.Malformed` if it is not PTX."""
        from gpucc.ptx.syntax import parse_declaration

        return parse_declaration(self.text)

    @property
    def linkage(self) -> tuple[str, ...]:
        """``.visible``, ``.extern``, ``.weak``, ``.common`` as written."""
        return tuple(word for word in self.text.split(None, 3)[:3] if word in LINKAGE_WORDS)


@dataclass(frozen=True, slots=True)
class Directive:
    """Anything else with a dot: ``.loc``, ``.file``, ``.version``, ``.pragma``, branch tables.

    ``name`` is ``.loc``; ``args`` is the text after it, without a ``;``.
    """

    name: str
    args: str
    raw: str = field(compare=False)
    at: int = field(default=-1, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The identifiers of ``.branchtargets`` and ``.calltargets``."""
        return tuple(part.strip() for part in self.args.split(","))

    @property
    def signature(self) -> Signature:
        """The parsed ``.callprototype``."""
        from gpucc.ptx.syntax import parse_signature

        return parse_signature(f"{self.name} {self.args}")


@dataclass(frozen=True, slots=True)
class Section:
    """A debug section, kept as it came: ``.section .debug_info { … }``."""

    name: str
    raw: str = field(compare=False)
    at: int = field(default=-1, compare=False)
    text: str = ""


Statement: TypeAlias = Instruction | Label | Brace | Declaration | Directive


@dataclass(frozen=True, slots=True)
class Function:
    """A kernel (``.entry``) or device function (``.func``), or its prototype (``body`` None).

    ``head`` is the text up to the brace or semicolon; ``opening`` and ``closing`` are the body's
    braces (or ``""`` and the semicolon), each with the trivia before it.
    """

    name: str
    is_kernel: bool
    head: str
    opening: str
    body: tuple[Statement, ...] | None
    closing: str
    at: int = field(default=-1, compare=False)

    @property
    def signature(self) -> Signature:
        """Linkage, parameters and directives, parsed."""
        from gpucc.ptx.syntax import parse_signature

        return parse_signature(self.head[len(leading_trivia(self.head)) :])

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The body; empty for a prototype."""
        return self.body or ()

    def with_body(self, body: Iterable[Statement]) -> Function:
        """Return this function with another body."""
        return replace(self, body=tuple(body))

    @property
    def raw(self) -> str:
        """The text, with the trivia before."""
        inner = "".join([s.raw for s in self.body]) if self.body else ""
        return f"{self.head}{self.opening}{inner}{self.closing}"


Item: TypeAlias = Directive | Declaration | Function | Section | Label


@dataclass(frozen=True, slots=True)
class Module:
    """A PTX file.

    ``source`` is the text it was parsed from, for error messages; positions (``at``) are offsets
    into it.  ``tail`` is what follows the last item.
    """

    NEWEST_MAJOR: ClassVar[int] = 9

    items: tuple[Item, ...]
    tail: str = ""
    path: str = "<ptx>"
    source: str = field(default="", compare=False, repr=False)

    @property
    def text(self) -> str:
        """The module as PTX text; what was not changed prints as it came."""
        return "".join([item.raw for item in self.items]) + self.tail

    @property
    def functions(self) -> tuple[Function, ...]:
        """All functions and prototypes, in order."""
        return tuple(item for item in self.items if isinstance(item, Function))

    @property
    def kernels(self) -> tuple[Function, ...]:
        """Kernels with a body, in order."""
        return tuple(f for f in self.functions if f.is_kernel and f.body is not None)

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """Variables at module scope."""
        return tuple(item for item in self.items if isinstance(item, Declaration))

    def _first(self, name: str) -> str | None:
        found = (i.args for i in self.items if isinstance(i, Directive) and i.name == name)
        return next(found, None)

    @property
    def version(self) -> tuple[int, int]:
        """The ``.version``: ``(9, 0)``; ``(0, 0)`` when it is missing."""
        major, _, minor = (self._first(".version") or "0.0").partition(".")
        return int(major), int(minor)

    @property
    def targets(self) -> tuple[str, ...]:
        """The words of ``.target``: ``("sm_90a", "debug")``; empty when it is missing."""
        text = self._first(".target")
        return tuple(word.strip() for word in text.split(",")) if text else ()

    @property
    def address_size(self) -> int:
        """Bits of an address: 64, or 32 (also when not stated, as PTX has it)."""
        return int(self._first(".address_size") or 32)

    def with_functions(self, changed: Mapping[str, Function]) -> Module:
        """Return this module with the bodies of some functions, by name, replaced.

        The same object comes back when ``changed`` is empty.  Prototypes are left alone.
        """
        if not changed:
            return self
        return replace(
            self,
            items=tuple(
                changed[item.name]
                if isinstance(item, Function) and item.body is not None and item.name in changed
                else item
                for item in self.items
            ),
        )
