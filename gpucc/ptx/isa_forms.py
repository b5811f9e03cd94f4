"""The language that the instruction table is written in: how its lines are read and matched.

A line is one form of an instruction::

    setp  <cmp> .ftz? .f32  : =pred|pred?, f32, f32          @ 1.0 ; note
    head  modifiers         : operands                       @ needs ; flags

**Head**: the words that name the instruction (``cp.async.bulk``), in this order.  The modifiers
after it may come in any order, as ptxas has it; only types, state spaces and matrix layouts keep
theirs.

**Modifiers**: ``.x`` must be there, ``.x?`` may, ``.a/.b`` is a choice, ``<name>`` a set of choices
defined by a line ``name := .a/.b``; ``T=.u32/.s32`` names the slot; ``.*``: any others;
``.n{8..24:8}`` stands for ``.n8/.n16/.n24``.
``{.a T=.u32|.b T=.b32}`` gives a line for each alternative, of any number of modifiers.
``$name`` stands for the text that a line ``$name := …`` defines.  ``.x[8.0,sm_90]`` is a choice
with a need of its own, ``.x[name]`` one with the need that a line ``%name := 8.0 sm_90`` defines.

**Operands**, separated by commas (``-``: none):

===============  =================================================================================
``T``            a source of slot T's type, or of a type written out: ``u32``, ``pred``
``=T`` ``+T``    a result; an operand that is read and written
``T>``           the register may be wider than the type (ld, st, cvt)
``2T``           twice as wide (``mul.wide``)
``T*4`` ``T*V``  a vector of 4, or of as many as slot V says (``.v2``; a scalar without it)
``T*@f``         a vector whose length the function ``f`` of :data:`COUNTS` computes
``T~``           a special register may stand here
``T_``           the sink ``_`` may stand here
``T^``           a byte or half of a register may be selected (``r.b0``: video instructions)
``T-``           a register may stand with its sign changed
``T&``           the address of a variable or function may stand here
``=T|U``         a pair of results; ``|U?`` if the second may be missing
``#`` ``#4/8``   an integer constant; one of these; ``#0..15``: from this range; ``#0..64:8``: and a
                 multiple of 8
``u32:0..15``    a constant, if one stands here, is from this range
``[r]``          an address that is read; ``[w]`` written, ``[rw]`` both, at once if ``[atom]``,
                 ``[-]`` neither; ``[r:shared]`` in this space, else the slot S's, else generic
``[r:tmem]``     an address in tensor memory; ``[r:tex]``, ``[r:surf]``, ``[r:tensor]`` opaque
``_``            the sink, and nothing else
``label``        also ``table``, ``any``; ``...``: any operands from here on
``x?``           it may be missing
``x?.mod``       it stands there exactly if the modifier does
===============  =================================================================================

**Flags**: ``sync`` (orders memory), ``convergent`` (all threads of a warp or block take part),
``control``, ``effect`` (has an effect besides results and memory), ``async`` (the memory access
goes on after the instruction), ``carry`` (uses the carry flag), ``unknown`` (may do anything),
``rule=name`` (a function of :mod:`gpucc.ptx.isa_rules` has a say).
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gpucc.ptx.targets import Needs, parse_needs


class MemoryEffect(enum.Flag):
    """What an instruction does to memory, as far as its opcode says.

    ``ATOMIC`` comes with READ and WRITE.  ``SYNC``: orders other accesses (barriers, fences).
    ``ASYNC``: the access is only begun here.  ``UNKNOWN``: anything.
    """

    NONE = 0
    READ = enum.auto()
    WRITE = enum.auto()
    ATOMIC = enum.auto()
    SYNC = enum.auto()
    ASYNC = enum.auto()
    UNKNOWN = enum.auto()


_TYPE = re.compile(
    r"[busf]\d{1,3}(x\d+)?|bf16(x2)?|tf32|u?e\dm\d(x\d)?|ue8m0(x2)?|s2f6x2|pred|b\dx16\w*"
)
_SPACE = re.compile(r"(global|shared|local|param|const)(::\w+)?")


@functools.cache
def _ordered_kind(word: str) -> str:
    """Return what keeps its order among its like, however the other modifiers are mixed."""
    if _TYPE.fullmatch(word):
        return "type"
    if _SPACE.fullmatch(word):
        return "space"
    return "layout" if word in ("row", "col") else ""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one modifier; ``choices`` gives what each needs."""

    name: str
    choices: Mapping[str, Needs]
    optional: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """What may stand as one operand; the module's docstring has the notation.

    ``type`` is a type (``u32``) or a slot's name; ``kind`` is ``value``, ``constant``, ``address``
    or a word of its own (``label``).
    """

    text: str
    kind: str
    reads: bool
    writes: bool
    type: str = ""
    double: bool = False
    wider: bool = False
    special: bool = False
    sink: bool = False
    symbol: bool = False
    selector: bool = False
    negated: bool = False
    count: str = ""
    second: str = ""
    second_optional: bool = False
    access: MemoryEffect = MemoryEffect.NONE
    space: str = ""
    values: frozenset[int] | range | None = None
    optional: bool = False
    only_with: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """One line of the table."""

    head: tuple[str, ...]
    slots: tuple[Slot, ...]
    operands: tuple[Pattern, ...]
    needs: Needs
    flags: frozenset[str]
    rules: tuple[str, ...]
    text: str = field(compare=False)

    @property
    def open(self) -> bool:
        """Whether other modifiers than those of its slots may stand."""
        return any(slot.name == "*" for slot in self.slots)

    def bind(self, modifiers: Sequence[str]) -> Binding | Mismatch:
        """Give each of ``modifiers`` (the words after the head) its slot."""
        taken: list[str | None] = [None] * len(self.slots)
        behind = {"": -1}  # by kind of word: the last place taken
        for index, word in enumerate(modifiers):
            kind = _ordered_kind(word)
            after = behind.get(kind, -1)
            for place, slot in enumerate(self.slots):
                if place > after and taken[place] is None and word in slot.choices:
                    taken[place] = word
                    if kind:
                        behind[kind] = place
                    break
            else:
                if not self.open:
                    return Mismatch(index, index)
        for place, slot in enumerate(self.slots):
            if taken[place] is None and not slot.optional:
                return Mismatch(len(modifiers), None, slot)
        needs = tuple(
            (word, slot.choices[word])
            for word, slot in zip(taken, self.slots, strict=True)
            if word is not None and slot.choices[word]
        )
        named = {
            slot.name: word
            for word, slot in zip(taken, self.slots, strict=True)
            if word is not None and slot.name
        }
        return Binding(self, tuple(modifiers), named, needs)


@dataclass(frozen=True, slots=True)
class Binding:
    """A form with its slots filled: ``named`` by slot name, ``needs`` of the chosen modifiers."""

    form: Form
    modifiers: tuple[str, ...]
    named: Mapping[str, str]
    needs: tuple[tuple[str, Needs], ...]

    def type(self, pattern_type: str) -> str:
        """Return the type that ``pattern_type`` (a slot's name or a type) stands for."""
        return self.named.get(pattern_type, pattern_type)

    def count(self, pattern: Pattern) -> int | None:
        """Return how long a vector must be; None for a scalar."""
        count = pattern.count
        if not count:
            return None
        if count.isdecimal():
            return int(count)
        if count.startswith("@"):
            return COUNTS[count[1:]](self)
        vector = self.named.get(count)
        return int(vector[1:]) if vector else None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why modifiers do not fit a form: the word at ``index`` has no place, or ``missing`` has none.

    ``depth`` is how many words fitted; the form with the most explains best.
    """

    depth: int
    index: int | None
    missing: Slot | None = None


# --- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Definitions:
    """The sets, needs and pieces of text that lines may refer to."""

    sets: Mapping[str, str]
    needs: Mapping[str, Needs]
    texts: Mapping[str, str]


def read_definitions(lines: Iterable[str]) -> Definitions:
    """Collect ``name := .a/.b``, ``%name := 8.0 sm_90`` and ``$name := text`` from a table."""
    sets: dict[str, str] = {}
    needs: dict[str, Needs] = {}
    texts: dict[str, str] = {}
    for line in lines:
        name, found, value = line.partition(":=")
        if found:
            name = name.strip()
            if name.startswith("%"):
                needs[name[1:]] = parse_needs(value)
            elif name.startswith("$"):
                texts[name[1:]] = value.strip()
            else:
                sets[name] = value.strip()
    return Definitions(sets, needs, texts)


def read_forms(line: str, definitions: Definitions) -> Iterable[Form]:
    """Read one line, which stands for several forms if it has alternatives in braces.

    Raises ValueError if it is not in the table's language.
    """
    while "$" in line:
        line = _TEXT.sub(lambda found: definitions.texts[found[1]], line)
    found = _ALTERNATIVES.search(line)
    if not found:
        yield _read_form(line, definitions)
        return
    for alternative in found[1].split("|"):
        yield from read_forms(
            line[: found.start()] + alternative + line[found.end() :], definitions
        )


_TEXT = re.compile(r"\$(\w+)")
_ALTERNATIVES = re.compile(r"\{([^{}|]*\|[^{}]*)\}")


def _read_form(line: str, definitions: Definitions) -> Form:
    body, _, after = line.partition(";")
    flags = after.split()
    body, _, needs = body.partition(" @ ")
    left, colon, right = body.partition(" : ")
    if not colon:
        raise ValueError(f"no ':' in '{line}'")
    head, *slots = left.split()
    return Form(
        head=tuple(head.split(".")),
        slots=tuple(_read_slot(text, definitions) for text in slots),
        operands=tuple(read_pattern(text) for text in _operand_texts(right)),
        needs=_read_needs(needs.strip(), definitions),
        flags=frozenset(flag for flag in flags if "=" not in flag),
        rules=tuple(flag.partition("=")[2] for flag in flags if "=" in flag),
        text=" ".join(line.split()),
    )


def _operand_texts(text: str) -> list[str]:
    text = text.strip()
    return [] if text == "-" else [part.strip() for part in text.split(",")]


def _read_needs(text: str, definitions: Definitions) -> Needs:
    if not text:
        return ()
    if text in definitions.needs:
        return definitions.needs[text]
    return parse_needs(text)


_CHOICE = re.compile(r"(?:<(?P<set>\w+)>|\.(?P<word>[\w:{}.]+))(?:\[(?P<needs>[^\]]*)\])?")
_SERIES = re.compile(r"\{(\d+)\.\.(\d+):(\d+)\}")


def _read_slot(text: str, definitions: Definitions) -> Slot:
    if text == ".*":
        return Slot("*", {}, True)
    name, _, rest = text.rpartition("=")
    optional = rest.endswith("?")
    return Slot(name, dict(_choices(rest.rstrip("?"), definitions)), optional)


def _choices(text: str, definitions: Definitions) -> Iterable[tuple[str, Needs]]:
    for part in text.split("/"):
        found = _CHOICE.fullmatch(part)
        if not found:
            raise ValueError(f"'{part}' is no modifier")
        needs = _read_needs((found["needs"] or "").replace(",", " "), definitions)
        if found["set"]:
            for word, own in _choices(definitions.sets[found["set"]], definitions):
                yield word, own or needs
        elif series := _SERIES.search(found["word"]):
            first, last, step = map(int, series.groups())
            for number in range(first, last + 1, step):
                yield _SERIES.sub(str(number), found["word"]), needs
        else:
            yield found["word"], needs


_ADDRESS = re.compile(r"\[(?P<access>r|w|rw|atom|-)(?::(?P<space>[\w.]+))?\]")
_RANGE = r"(?P<first>-?\d+)\.\.(?P<last>-?\d+)(?::(?P<step>\d+))?"
_CONSTANT = re.compile(rf"#(?:{_RANGE}|(?P<list>-?\d+(?:/-?\d+)*))?")
_VALUE = re.compile(
    r"(?P<double>2?)(?P<type>[A-Za-z]\w*?)(?P<marks>[>~_&^-]*)(?:\*(?P<count>@?\w+))?"
    rf"(?:\|(?P<second>[a-z]\w*)(?P<maybe>\?)?)?(?::{_RANGE})?"
)
_ACCESS = {
    "r": MemoryEffect.READ,
    "w": MemoryEffect.WRITE,
    "rw": MemoryEffect.READ | MemoryEffect.WRITE,
    "atom": MemoryEffect.READ | MemoryEffect.WRITE | MemoryEffect.ATOMIC,
    "-": MemoryEffect.NONE,
}
_WORDS = frozenset({"label", "table", "any"})


def read_pattern(text: str) -> Pattern:
    """Read one operand pattern."""
    if text == "...":
        return Pattern(text, "rest", reads=True, writes=False)
    if text == "_":
        return Pattern(text, "sink", reads=False, writes=True)
    body, only_with, optional = text, "", False
    if "?." in body:
        body, _, only_with = body.partition("?.")
    elif body.endswith("?") and "|" not in body:
        body, optional = body[:-1], True
    if found := _ADDRESS.fullmatch(body):
        return Pattern(
            text,
            "address",
            reads=True,
            writes=False,
            access=_ACCESS[found["access"]],
            space=found["space"] or "",
            optional=optional,
            only_with=only_with,
        )
    if found := _CONSTANT.fullmatch(body):
        values = _values(found)
        if found["list"]:
            values = frozenset(map(int, found["list"].split("/")))
        return Pattern(
            text,
            "constant",
            reads=False,
            writes=False,
            values=values,
            optional=optional,
            only_with=only_with,
        )
    role = body[:1] if body[:1] in ("=", "+") else ""
    found = _VALUE.fullmatch(body[len(role) :])
    if not found:
        raise ValueError(f"'{text}' is no operand pattern")
    marks = found["marks"]
    return Pattern(
        text,
        found["type"] if found["type"] in _WORDS else "value",
        reads=role != "=",
        writes=bool(role),
        type=found["type"],
        double=bool(found["double"]),
        wider=">" in marks,
        special="~" in marks,
        sink="_" in marks,
        symbol="&" in marks,
        selector="^" in marks,
        negated="-" in marks,
        count=found["count"] or "",
        second=found["second"] or "",
        second_optional=bool(found["maybe"]),
        values=_values(found),
        optional=optional,
        only_with=only_with,
    )


def _values(found: re.Match[str]) -> range | frozenset[int] | None:
    if found["first"] is None:
        return None
    return range(int(found["first"]), int(found["last"]) + 1, int(found["step"] or 1))


# --- lengths of vectors ---------------------------------------------------------------------------

_BITS = {
    "f64": 64, "f32": 32, "s32": 32, "tf32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8,
    "e3m2": 8, "e2m3": 8, "e2m1": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
}  # fmt: skip
"""Bits that an element of a matrix takes in registers."""


def _shape(binding: Binding) -> tuple[int, int, int]:
    found = re.fullmatch(r"m(\d+)n(\d+)k(\d+)", binding.named["SHAPE"])
    assert found
    return int(found[1]), int(found[2]), int(found[3])


def _wgmma_d(binding: Binding) -> int:
    """Registers of a thread's part of D: 64 x N elements over 128 threads."""
    elements = _shape(binding)[1] // 2
    return elements // 2 if binding.named["D"] == "f16" else elements


def _tcgen05_registers(binding: Binding) -> int:
    """Registers per thread that one load or store of tensor memory takes (PTX ISA 9.7.18.8)."""
    per_repeat = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}
    return int(binding.named["NUM"][1:]) * per_repeat[binding.named["SHAPE"]]


def _repeat(binding: Binding) -> int:
    return int(binding.named["NUM"][1:])


def _mma_part(rows: int, columns: int, slot: str) -> Callable[[Binding], int]:
    """Registers of a warp's thread for one matrix; rows and columns index (m, n, k)."""

    def count(binding: Binding) -> int:
        shape = _shape(binding)
        bits = _BITS[binding.named[slot]] * shape[rows] * shape[columns]
        return max(1, bits // (32 * 64 if binding.named[slot] == "f64" else 32 * 32))

    return count


def _sparse(words: Callable[[int, int, int, int], int]) -> Callable[[Binding], int]:
    """Registers of an operand of spdecompress, from elements per group and bits of each."""

    def count(binding: Binding) -> int:
        packed, spread = map(int, binding.named["SP"][len("sp::") :].split(":"))
        element, index = int(binding.named["E"][1:]), int(binding.named["I"][1:])
        return -(-words(packed, spread, element, index) * _repeat(binding) // 32)

    return count


COUNTS: Mapping[str, Callable[[Binding], int]] = {
    "wgmma_d": _wgmma_d,
    "tcgen05": _tcgen05_registers,
    "num": _repeat,
    "meta": lambda binding: (
        -(-_repeat(binding) * int(binding.named["I"][1:]) // int(binding.named["E"][1:]))
    ),
    "sp_data": _sparse(lambda packed, spread, element, index: spread * element),
    "sp_meta": _sparse(lambda packed, spread, element, index: packed * index),
    "sp_packed": _sparse(lambda packed, spread, element, index: packed * element),
    "offsets": lambda binding: int(binding.named["DIM"][0]) - 2,
    "lanes": lambda binding: 4 * int(binding.named["CG"][-1]),
    "2num": lambda binding: 2 * _repeat(binding),
    "mma_a": _mma_part(0, 2, "A"),
    "mma_b": _mma_part(2, 1, "B"),
    "mma_c": _mma_part(0, 1, "C"),
    "mma_d": _mma_part(0, 1, "D"),
    "mma_sp": lambda binding: _mma_part(0, 2, "A")(binding) // 2,
}
"""Functions that compute how long a vector must be from the modifiers."""
