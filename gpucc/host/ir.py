"""LLVM IR text as clang prints it, read as far as scheduling needs: blocks, calls, pointers.

The IR comes unoptimised (:mod:`gpucc.frontend.host`): local variables are ``alloca``, so a pointer
variable is a place in memory, and every call stands where the user wrote it.  Lines keep their
numbers, by which :mod:`gpucc.host.module` changes callees in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NAME = r'[\w$.\-]+|"[^"]+"'
_DEFINE = re.compile(rf"define\b[^@]*@({_NAME})\(")
_LABEL = re.compile(rf"({_NAME}):(?:\s|$)")
_RESULT = re.compile(rf"\s+(%(?:{_NAME})) = (.*)")
_CALL = re.compile(
    rf"(?:(?:tail|musttail|notail) )?(call|invoke)\b(.*?)(@(?:{_NAME})|%(?:{_NAME}))\("
)
_LABEL_USE = re.compile(rf"label (%(?:{_NAME}))")
_DEBUG = re.compile(r"!dbg !(\d+)")
_ALLOCA = re.compile(r"alloca ([^,]+)")
_LOAD = re.compile(rf"load (?:volatile )?([^,]+), ptr (%(?:{_NAME})|@(?:{_NAME}))")
_ADDRESS = re.compile(rf"ptr ((?:%|@)(?:{_NAME}))")
_ANY_CALL = re.compile(r"(?:(?:tail|musttail|notail) )?(?:call|invoke|callbr)\b")
_EMPTY_ASM = re.compile(r'\basm (?:[a-z]+ )*""')
_ATOMIC = re.compile(r"(?:atomicrmw|cmpxchg|fence|load atomic|store atomic)\b")
_GUARD = re.compile(r'load atomic i8, ptr @"?_ZGV')
_GEP = re.compile(
    rf"getelementptr (?:inbounds |nuw |nusw )*([^,]+), ptr (%(?:{_NAME})|@(?:{_NAME}))(.*)"
)
_COMPARE = re.compile(rf"icmp (eq|ne) \w+ (%(?:{_NAME})), 0\b")
_SWITCH = re.compile(rf"switch \w+ (%(?:{_NAME})), label (%(?:{_NAME})) \[(.*?)\]")
_CASE = re.compile(rf"\w+ (-?\d+), label (%(?:{_NAME}))")
_LOCATION = re.compile(
    r"!(\d+) = (?:distinct )?!DILocation\(line: (\d+), column: \d+, scope: !(\d+)"
)
_SCOPE = re.compile(r"!(\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock(?:File)?)\((.*)\)$")
_FILE = re.compile(r'!(\d+) = !DIFile\(filename: "([^"]*)"')


@dataclass(frozen=True, slots=True)
class Instr:
    """One instruction: its first line (an index into the text's lines) and what it is.

    ``kind`` is ``call`` (``invoke`` too), ``alloca``, ``load``, ``store``, ``gep``, ``compare``
    (with 0; ``callee`` is ``eq`` or ``ne``), ``switch``, ``atomic`` (what other threads may be
    synchronised by) or ``other``.  ``callee`` is a symbol
    ``@f``, a register, or ``asm`` or ``?`` where it is neither; ``args`` are the operands' last
    words (``%5``, ``null``, ``@x``, ``1``), with the whole text of each in ``typed``.  For a load:
    the address; for a store: value and address; for a gep: the base; for a switch: the value and
    the labels, the default first, with the cases' numbers in ``typed``.
    """

    line: int
    kind: str
    result: str
    callee: str = ""
    args: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    location: str | None = None
    unwinds: str | None = None
    """The label that an ``invoke`` goes to when the callee throws."""


@dataclass(frozen=True, slots=True)
class HostBlock:
    """A basic block: its instructions and the indices of its successors."""

    instructions: tuple[Instr, ...]
    successors: tuple[int, ...]
    unwind: int = -1
    """The successor that an ``invoke`` at the end goes to when its callee throws, if any."""


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function with a body; ``first`` and ``last`` are the lines of its braces.

    ``replaceable``: the linker may choose another body (``weak``).
    """

    name: str
    first: int
    last: int
    blocks: tuple[HostBlock, ...]
    replaceable: bool = False

    @property
    def predecessors(self) -> tuple[tuple[int, ...], ...]:
        """The predecessors of each block."""
        found: list[list[int]] = [[] for _ in self.blocks]
        for index, block in enumerate(self.blocks):
            for successor in block.successors:
                found[successor].append(index)
        return tuple(map(tuple, found))

    def instructions(self) -> Iterator[Instr]:
        """Yield all instructions in order of the text."""
        for block in self.blocks:
            yield from block.instructions


def functions(lines: list[str]) -> tuple[HostFunction, ...]:
    """Return the functions that ``lines`` of LLVM IR define, in order."""
    places = _Locations(lines)
    found: list[HostFunction] = []
    at = 0
    while at < len(lines):
        head = _DEFINE.match(lines[at]) if lines[at].startswith("define") else None
        if head is None:
            at += 1
            continue
        end = at + 1
        while lines[end] != "}":
            end += 1
        blocks = _blocks(lines, at + 1, end, places)
        replaceable = bool(re.search(r"\b(?:weak|linkonce|extern_weak)\b", head[0]))
        found.append(HostFunction(head[1].strip('"'), at, end, blocks, replaceable))
        at = end + 1
    return tuple(found)


def _blocks(lines: list[str], start: int, end: int, places: _Locations) -> tuple[HostBlock, ...]:
    names: list[str] = ["%"]  # the entry's label is not written
    groups: list[list[tuple[int, str]]] = [[]]
    at = start
    while at < end:
        line = lines[at]
        label = _LABEL.match(line)
        if label:
            if groups[-1] or names[-1] != "%":
                names.append("")
                groups.append([])
            names[-1] = f"%{label[1]}"
        elif line.strip() and not line.lstrip().startswith(("#dbg", ";")):
            whole = line
            first = at
            while at + 1 < end and _continues(whole, lines[at + 1]):
                at += 1
                whole += f" {lines[at].strip()}"
            groups[-1].append((first, whole))
        at += 1
    index = {name: number for number, name in enumerate(names)}
    blocks: list[HostBlock] = []
    for group in groups:
        instructions = tuple(_instruction(line, text, places) for line, text in group)
        targets = _LABEL_USE.findall(group[-1][1]) if group else []
        successors = tuple(dict.fromkeys(index[t] for t in targets if t in index))
        unwind = instructions[-1].unwinds if instructions else None
        blocks.append(HostBlock(instructions, successors, index.get(unwind or "", -1)))
    return tuple(blocks)


def _continues(whole: str, following: str) -> bool:
    """Return whether ``following`` belongs to the instruction that ``whole`` begins."""
    if whole.count("[") > whole.count("]") and "switch " in whole:
        return True
    return following.startswith(
        ("          to label", "          cleanup", "          catch", "          filter")
    )


def _instruction(line: int, text: str, places: _Locations) -> Instr:
    result = _RESULT.match(text)
    name, body = (result[1], result[2]) if result else ("", text.strip())
    debug = _DEBUG.search(text)
    location = places.of(debug[1]) if debug else None
    if (call := _CALL.match(body)) and not re.search(r"\basm ", call[2]):
        inside, rest = _balanced(body, call.end() - 1)
        typed = tuple(_split(inside))
        args = tuple(part.split()[-1] if part else "" for part in typed)
        unwind = re.search(rf"unwind label (%(?:{_NAME}))", rest)
        return Instr(
            line, "call", name, call[3], args, typed, location, unwind[1] if unwind else None
        )
    operands = tuple(re.findall(rf"(?:%|@)(?:{_NAME})", body))
    if _ANY_CALL.match(body) and not _EMPTY_ASM.search(body):
        callee = "asm" if " asm " in body else "?"
        unwind = re.search(rf"unwind label (%(?:{_NAME}))", body)
        return Instr(
            line, "call", name, callee, operands, (), location, unwind[1] if unwind else None
        )
    if _ATOMIC.match(body) and not _GUARD.match(body):
        return Instr(line, "atomic", name, body.split(None, 1)[0], operands, location=location)
    if found := _LOAD.match(body):
        return Instr(line, "load", name, args=(found[2],), typed=(found[1],), location=location)
    if body.startswith("store ") and (found := _stored(body)):
        return Instr(line, "store", "", args=found, location=location)
    if found := _GEP.match(body):
        return Instr(
            line, "gep", name, args=(found[2],), typed=(found[1], found[3]), location=location
        )
    if found := _COMPARE.match(body):
        return Instr(line, "compare", name, found[1], args=(found[2],), location=location)
    if found := _SWITCH.match(body):
        cases = _CASE.findall(found[3])
        labels = (found[2], *(label for _, label in cases))
        numbers = tuple(number for number, _ in cases)
        return Instr(line, "switch", name, args=(found[1], *labels), typed=numbers)
    if found := _ALLOCA.match(body):
        return Instr(line, "alloca", name, typed=(found[1],), location=location)
    return Instr(
        line, "other", name, callee=body.split(None, 1)[0], args=operands, location=location
    )


def _stored(body: str) -> tuple[str, str] | None:
    """Return the value (its last word) and the address of a store to a named place."""
    parts = list(_split(body))
    address = _ADDRESS.fullmatch(parts[1]) if len(parts) > 1 else None
    return (parts[0].split()[-1], address[1]) if address else None


def _balanced(text: str, opening: int) -> tuple[str, str]:
    """Return what stands in the parentheses that open at ``opening``, and what follows them."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[opening + 1 : at], text[at + 1 :]
    return text[opening + 1 :], ""


def _split(text: str) -> Iterator[str]:
    """Yield the parts of an argument list."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(
            character, 0
        )
        if character == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


class _Locations:
    """``file:line`` of debug locations, by their metadata number."""

    def __init__(self, lines: list[str]) -> None:
        self._locations: dict[str, tuple[str, str]] = {}
        self._scopes: dict[str, str] = {}
        self._files: dict[str, str] = {}
        for line in lines:
            if not line.startswith("!"):
                continue
            if found := _LOCATION.match(line):
                self._locations[found[1]] = found[2], found[3]
            elif found := _FILE.match(line):
                self._files[found[1]] = found[2]
            elif found := _SCOPE.match(line):
                self._scopes[found[1]] = found[2]

    def of(self, number: str) -> str | None:
        """Return where the metadata ``!number`` points, if it is a location."""
        if number not in self._locations:
            return None
        line, scope = self._locations[number]
        text = self._scopes.get(scope, "")
        file = re.search(r"\bfile: !(\d+)", text)
        return f"{self._files[file[1]]}:{line}" if file and file[1] in self._files else None
