"""Variables of a module: where shared ones lie, and global ones as LLVM globals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gpucc.cpu.code import Value
from gpucc.cpu.site import Refused
from gpucc.cpu.types import as_bits, bits
from gpucc.ptx.module import Immediate, Variable

DYNAMIC = -1
"""The offset that stands for the dynamic part of shared memory, whose begin the launch knows."""

_DYNAMIC_ALIGN = 16


def alignment(variable: Variable) -> int:
    """Return the bytes that a variable is aligned to: as declared, or to its type."""
    lanes = {"": 1, ".v2": 2, ".v4": 4, ".v8": 8}[variable.vector]
    natural = max(bits(variable.type[1:]) // 8, 1) * lanes
    return max(variable.align or natural, 1)


def size(variable: Variable) -> int:
    """Return the bytes of a variable; raises :class:`Refused` for one of opaque type."""
    found = variable.size
    if found is None:
        raise Refused(f"a variable of type {variable.type} ('{variable.name}')")
    return found


@dataclass(frozen=True, slots=True)
class SharedLayout:
    """Offsets of shared variables, and the bytes that the static ones take, rounded up to 16."""

    offsets: dict[str, int]
    bytes: int


def shared_layout(variables: Iterable[tuple[str, Variable, bool]]) -> SharedLayout:
    """Lay variables out one after the other, given as key, declaration, whether ``.extern``.

    Those of no size of their own (``.extern … buffer[]``) begin where the static ones end.
    """
    offsets: dict[str, int] = {}
    end = 0
    for key, variable, extern in variables:
        if extern or variable.size is None:
            offsets[key] = DYNAMIC
            continue
        align = alignment(variable)
        end = -(-end // align) * align
        offsets[key] = end
        end += size(variable)
    return SharedLayout(offsets, -(-end // _DYNAMIC_ALIGN) * _DYNAMIC_ALIGN)


# --- initial values -------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*([{}]|,|[^{},()]*(?:\([^()]*\)[^{},()]*)*)")
_SYMBOL = re.compile(r"(?:generic\(\s*)?([A-Za-z_$%][\w$]*)\s*\)?\s*(?:\+\s*(\w+))?")
_MASK = re.compile(r"(0x[0-9a-fA-F]+|\d+)\s*\((.*)\)")


def global_text(name: str, variable: Variable, *, constant: bool, symbols: dict[str, str]) -> str:
    """Return the definition of ``variable`` as the LLVM global ``name``.

    ``symbols`` gives the LLVM name of each variable and function that an address may be of.
    Raises :class:`Refused` for an initial value that it does not know how to say.
    """
    total, align = size(variable), alignment(variable)
    kind = "constant" if constant else "global"
    if variable.initializer is None:
        return f"@{name} = {kind} [{total} x i8] zeroinitializer, align {align}"
    each = bits(variable.type[1:]) // 8
    extents = [extent or 0 for extent in variable.dimensions]
    leaves = list(_leaves(variable.initializer, extents))
    parts = [_leaf(variable, leaf, each, symbols) for leaf in leaves]
    rest = total - each * len(parts)
    if rest > 0:
        parts.append(f"[{rest} x i8] zeroinitializer")
    types = [part.partition("] ")[0] + "]" if part[0] == "[" else part.split()[0] for part in parts]
    value = f"<{{ {', '.join(types)} }}> <{{ {', '.join(parts)} }}>"
    return f"@{name} = {kind} {value}, align {align}"


def _leaves(text: str, extents: Sequence[int]) -> Iterator[str | None]:
    """Yield the values of an initialiser in memory order; None for one that is left out."""
    tokens = [found.group(1).strip() for found in _TOKEN.finditer(text)]
    tree, _ = _tree([token for token in tokens if token and token != ","], 0)
    yield from _flatten(tree, extents)


_Tree: TypeAlias = "str | list[_Tree]"


def _tree(tokens: Sequence[str], at: int) -> tuple[_Tree, int]:
    if tokens[at] != "{":
        return tokens[at], at + 1
    items: list[_Tree] = []
    at += 1
    while tokens[at] != "}":
        item, at = _tree(tokens, at)
        items.append(item)
    return items, at + 1


def _flatten(tree: _Tree, extents: Sequence[int]) -> Iterator[str | None]:
    if isinstance(tree, str):
        yield tree
        return
    inner = 1
    for extent in extents[1:]:
        inner *= extent
    for item in tree:
        leaves = list(_flatten(item, extents[1:]))
        yield from leaves
        if isinstance(item, list):
            yield from [None] * (inner - len(leaves))


def _leaf(variable: Variable, leaf: str | None, each: int, symbols: dict[str, str]) -> str:
    if leaf is None:
        return f"i{each * 8} 0"
    value = Immediate(leaf).value
    if value is not None:
        type_ = variable.type[1:]
        if type_[0] == "f" or isinstance(value, float):
            kind = {2: "f16", 4: "f32", 8: "f64"}[each]
            return f"i{each * 8} {as_bits(value, kind)}"
        return f"i{each * 8} {value & ((1 << each * 8) - 1)}"
    return _address(variable, leaf, each, symbols)


def _address(variable: Variable, leaf: str, each: int, symbols: dict[str, str]) -> str:
    """Say an address, or the part of one that a mask picks: ``0xff00(generic(table)+4)``."""
    masked = _MASK.fullmatch(leaf)
    found = _SYMBOL.fullmatch(masked[2].strip() if masked else leaf)
    if not found or found[1] not in symbols:
        raise Refused(f"the initial value '{leaf}' of '{variable.name}'")
    address = Value("ptr", f"@{symbols[found[1]]}")
    offset = int(found[2], 0) if found[2] else 0
    said = f"ptrtoint (ptr getelementptr (i8, {address}, i64 {offset}) to i64)"
    if masked:
        raise Refused(f"the initial value '{leaf}' of '{variable.name}', a part of an address")
    return f"i64 {said}" if each == 8 else f"i{each * 8} trunc (i64 {said} to i{each * 8})"
