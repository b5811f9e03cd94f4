"""What may be declared where: variables, function heads, initialisers.

Each function returns what is wrong as (message, what to point at); the caller finds the place of
that word in the text.  The rules are those that ptxas 13.5 enforces (PTX ISA 9.4, sections 5 and
11).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gpucc.ptx.module import Declaration, Function, Signature, Variable
from gpucc.ptx.names import OPAQUE_TYPES, UNDECLARED
from gpucc.ptx.targets import NEWEST_VERSION, Needs, Version, parse_needs, unmet

Complaint: TypeAlias = tuple[str, str]
"""A message, and the word in the statement that it is about."""

_STORED_BITS = {
    f".{kind}{bits}": bits for kind in "bus" for bits in (8, 16, 32, 64) for kind in (kind,)
} | {".f16": 16, ".f32": 32, ".f64": 64, ".f16x2": 32, ".b128": 128}
"""Bits of the types that a variable or a register may have."""
_TYPE_NEEDS: Mapping[str, Needs] = {
    ".b128": parse_needs("8.3 sm_70"),
    ".f16": parse_needs("4.2 sm_53"),
    ".f16x2": parse_needs("4.2 sm_53"),
}
_VECTOR_LENGTHS = {".v2": 2, ".v4": 4}
_MODULE_SPACES = frozenset({".global", ".const", ".shared"})
_BODY_SPACES = frozenset({".reg", ".local", ".shared", ".param", ".global", ".const"})
_INITIALISED = frozenset({".global", ".const"})


def variable_faults(
    variable: Variable, target: str, version: Version, *, where: str, linkage: tuple[str, ...] = ()
) -> Iterator[Complaint]:
    """Complain about one declared variable; ``where`` is "module", "body", "entry" or "func"."""
    name = variable.name
    yield from _type_faults(variable, target, version, where)
    if variable.align is not None and (variable.align <= 0 or variable.align & variable.align - 1):
        yield f"the alignment {variable.align} is no power of two", name
    space = variable.space.partition("[")[0]
    if "[" in variable.space and version >= (2, 2):
        yield "constant banks ended with PTX 2.1", variable.space
    if where == "module" and space not in _MODULE_SPACES:
        yield f"a {space} variable outside a function", name
    if where == "body" and (space not in _BODY_SPACES or linkage):
        yield f"'{linkage[0] if linkage else space}' inside a function", name
    if where == "entry" and space != ".param":
        yield f"a kernel's parameter in {space} space", name
    if where == "func" and space not in (".param", ".reg"):
        yield f"a parameter in {space} space", name
    if space == ".reg" and variable.dimensions:
        yield "an array of registers", name
    if variable.initializer is not None and space not in _INITIALISED:
        yield f"an initialiser in {space} space", name
    if None in variable.dimensions and variable.initializer is None:
        external = ".extern" in linkage or where == "func"
        if not external:
            yield "an array of unknown length", name
    if ".managed" in variable.attributes and space != ".global":
        yield f"'.managed' in {space} space", name


def _type_faults(
    variable: Variable, target: str, version: Version, where: str
) -> Iterator[Complaint]:
    type_, vector = variable.type, variable.vector
    if type_ == ".pred":
        if variable.space != ".reg":
            yield f"a predicate in {variable.space} space", variable.name
        elif vector:
            yield "a vector of predicates", variable.name
        return
    if type_ in OPAQUE_TYPES:
        if vector:
            yield f"a vector of {type_}", variable.name
        if where not in ("module", "entry"):
            yield f"a {type_} that is neither global nor a kernel's parameter", variable.name
        return
    bits = _STORED_BITS.get(type_)
    if bits is None or (type_ == ".f16x2" and variable.space == ".param"):
        yield f"a variable of type {type_}", type_
        return
    if vector:
        length = _VECTOR_LENGTHS.get(vector)
        if length is None or length * bits > 128:
            yield f"a {vector} of {type_}, where 128 bits are the most", variable.name
    missing = unmet(_TYPE_NEEDS.get(type_, ()), target, version)
    if missing:
        yield f"'{type_}' {missing}", type_


def linkage_faults(declaration: Declaration) -> Iterator[Complaint]:
    """Complain about ``.visible``, ``.extern``, ``.weak`` and ``.common``."""
    linkage = declaration.linkage
    if len(linkage) > 1:
        yield f"'{linkage[1]}' after '{linkage[0]}'", linkage[1]
    if linkage[:1] == (".common",) and declaration.space != ".global":
        yield f"'.common' in {declaration.space} space", ".common"


# --- initialisers ---------------------------------------------------------------------------------

_WORD = re.compile(r"(?<![\w.$%])[A-Za-z_$%][\w$]*")
_WRITTEN = frozenset({"generic", "mask", "_"})
_LONG = 1 << 16  # characters; longer initialisers hold numbers only, and are not looked into


def initializer_faults(
    variable: Variable, lookup: Callable[[str], str | None]
) -> Iterator[Complaint]:
    """Complain about the value of a variable; ``lookup`` gives the class of a name."""
    value = variable.initializer
    if value is None or variable.type in OPAQUE_TYPES or len(value) > _LONG:
        return
    for found in _WORD.finditer(value):
        word = found.group()
        kind = lookup(word)
        if word not in _WRITTEN and (kind is None or kind == UNDECLARED):
            yield f"'{word}' is not declared", word
            return
    items = value.strip("{} \t\r\n").split(",") if "{" not in value[1:] else []
    if variable.type in (".f32", ".f64"):
        for item in items:
            if re.fullmatch(r"\s*-?(?:[1-9]\d*|0|0[xX][0-9a-fA-F]+)U?\s*", item):
                yield f"the integer {item.strip()} in a variable of type {variable.type}", item
                return
    extent = variable.dimensions[0] if len(variable.dimensions) == 1 else None
    if extent is not None and len(items) > extent:
        yield f"{len(items)} values for {extent} elements", variable.name


# --- function heads -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _HeadDirective:
    """A directive between parameters and body: on what, with how many numbers, since when."""

    kernels: bool
    functions: bool
    least: int
    most: int
    needs: Needs = ()


def _entry(least: int, most: int, needs: str = "") -> _HeadDirective:
    return _HeadDirective(True, False, least, most, parse_needs(needs) if needs else ())


_HEAD_DIRECTIVES: Mapping[str, _HeadDirective] = {
    ".maxntid": _entry(1, 3),
    ".reqntid": _entry(1, 3, "2.1"),
    ".maxnreg": _entry(1, 1),
    ".minnctapersm": _entry(1, 1, "2.0"),
    ".maxnctapersm": _entry(1, 1),
    ".reqnctapercluster": _entry(1, 3, "7.8 sm_90"),
    ".explicitcluster": _entry(0, 0, "7.8 sm_90"),
    ".maxclusterrank": _entry(1, 1, "7.8 sm_90"),
    ".blocksareclusters": _entry(0, 0, "9.0 sm_90"),
    ".minperctamemory": _entry(1, 1, "9.4"),
    ".noreturn": _HeadDirective(False, True, 0, 0, parse_needs("6.4 sm_30")),
    ".abi_preserve": _HeadDirective(False, True, 1, 1, parse_needs("9.0 sm_80")),
    ".abi_preserve_control": _HeadDirective(False, True, 1, 1, parse_needs("9.0 sm_80")),
    ".language": _HeadDirective(True, True, 0, 99, parse_needs("9.2")),
    ".pragma": _HeadDirective(True, False, 1, 99),
    ".attribute": _HeadDirective(True, True, 1, 1),
}
_DIRECTIVES_SINCE_OLD = (".maxnctapersm",)


def head_faults(function: Function, target: str, version: Version) -> Iterator[Complaint]:
    """Complain about linkage, parameters and directives of a function; it must parse."""
    signature = function.signature
    if len(signature.linkage) > 1:
        yield f"'{signature.linkage[1]}' after '{signature.linkage[0]}'", signature.linkage[1]
    if ".common" in signature.linkage:
        yield "'.common' on a function", ".common"
    if function.is_kernel and signature.returns:
        yield "a kernel that returns a value", signature.returns[0].name
    where = "entry" if function.is_kernel else "func"
    for variable in (*signature.returns, *signature.params):
        yield from variable_faults(variable, target, version, where=where)
    yield from _directive_faults(signature, function.is_kernel, target, version)


def _directive_faults(
    signature: Signature, is_kernel: bool, target: str, version: Version
) -> Iterator[Complaint]:
    seen: dict[str, str] = {}
    for name, values in signature.directives:
        known = _HEAD_DIRECTIVES.get(name)
        if known is None:
            if version <= NEWEST_VERSION:
                yield f"'{name}' is no directive of a function", name
            continue
        if not (known.kernels if is_kernel else known.functions):
            yield f"'{name}' on a {'kernel' if is_kernel else 'device function'}", name
            continue
        missing = unmet(known.needs, target, version)
        if missing:
            yield f"'{name}' {missing}", name
        if name == ".maxnctapersm" and version >= (2, 1):
            yield "'.maxnctapersm' ended with PTX 2.0; it is '.minnctapersm' now", name
        if seen.get(name, values) != values and name != ".pragma":
            yield f"'{name}' twice, with different values", name
        seen[name] = values
        yield from _value_faults(name, values, known)
    if ".maxntid" in seen and ".reqntid" in seen:
        yield "'.maxntid' beside '.reqntid'", ".maxntid"
    if ".blocksareclusters" in seen and not {".reqntid", ".reqnctapercluster"} <= seen.keys():
        yield (
            "'.blocksareclusters' without '.reqntid' and '.reqnctapercluster'",
            ".blocksareclusters",
        )


def _value_faults(name: str, values: str, known: _HeadDirective) -> Iterator[Complaint]:
    if name in (".pragma", ".attribute", ".language"):
        return
    parts = [part.strip() for part in values.split(",")] if values.strip() else []
    if not known.least <= len(parts) <= known.most:
        wanted = f"{known.least} to {known.most}" if known.least < known.most else f"{known.most}"
        yield f"'{name}' with {len(parts)} values, where it takes {wanted}", name
        return
    for part in parts:
        if not re.fullmatch(r"[1-9]\d*U?|0[xX]0*[1-9a-fA-F][0-9a-fA-F]*U?", part):
            yield f"'{name}' of '{part}', where a positive number is expected", name
            return


def same_interface(one: Function, other: Function) -> bool:
    """Return whether two declarations of a function take and return the same."""

    def shape(function: Function) -> object:
        signature = function.signature
        return (
            function.is_kernel,
            [(v.space, v.type, v.vector, v.size) for v in signature.returns],
            [(v.space, v.type, v.vector, v.size) for v in signature.params],
        )

    return shape(one) == shape(other)
