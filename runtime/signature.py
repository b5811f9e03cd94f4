"""What a kernel takes: its parameters' places, sizes and types, put together from three sources.

* the cubin has offset and size of every parameter, and nothing else;
* the PTX tells floats from integers, and pointers where its compiler marks them (``.ptr``);
* a mangled C++ name tells everything; an ``extern "C"`` name nothing.

The C++ type is taken where there is one and it fits the cubin's sizes, else the PTX type, else the
parameter is so many bytes.  What a kernel does with the memory behind a pointer comes from the
access analysis over the PTX, and from ``const``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from gpucc.cubin import Param
from gpucc.runtime.elements import ELEMENTS, Element
from gpucc.runtime.mangled import CppType, MangledFunction, demangle

if TYPE_CHECKING:
    from gpucc.analysis.access import KernelAccess
    from gpucc.ptx.module import Variable

POINTER_BYTES = 8

ParamKind = Literal["pointer", "scalar", "integer", "word", "bytes", "bits"]


@dataclass(frozen=True, slots=True)
class ParamType:
    """What a parameter may be given.

    ========= ==========================================================================
    kind      meaning
    ========= ==========================================================================
    pointer   an address; ``element`` is what it points to, ``lanes`` how many make one
              (``float4``: 4); None where any array will do (``void``, ``char``, classes)
    scalar    a number of the type ``element``
    integer   an integer of this size; whether signed is not known
    word      64 bits that may be an address or an integer
    bytes     a structure or vector, passed by value
    bits      so many bytes of which nothing is known
    ========= ==========================================================================
    """

    kind: ParamKind
    text: str
    """For messages: ``float const*``, ``.u32``."""
    element: Element | None = None
    lanes: int = 1
    read_only: bool = False
    """Nothing is written through this pointer: it is ``const``, or the PTX was seen not to."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kernel."""

    index: int
    """From 0."""
    name: str | None
    """As written by hand or by Numba; nvcc and LLVM only number them."""
    offset: int
    size: int
    """Bytes."""
    type: ParamType

    def __str__(self) -> str:
        name = f" '{self.name}'" if self.name else ""
        return f"parameter {self.index + 1}{name} ({self.type.text})"


@dataclass(frozen=True, slots=True)
class Signature:
    """A kernel's name and parameters."""

    symbol: str
    """As in the cubin: mangled."""
    name: str
    """As a person writes it: ``ns::scale<float>``."""
    params: tuple[Parameter, ...]
    size: int
    """Bytes of the whole parameter space."""

    def __str__(self) -> str:
        return f"{self.name}({', '.join(p.type.text for p in self.params)})"


def signature(
    symbol: str,
    layout: Sequence[Param],
    declared: Sequence[Variable] = (),
    access: KernelAccess | None = None,
) -> Signature:
    """Return the signature of the kernel ``symbol`` with the cubin's ``layout``.

    ``declared`` are the parameters in the PTX that the cubin was assembled from, and ``access`` is
    what that does with them, where these are known.
    """
    demangled = demangle(symbol)
    cpp = _fitting(demangled, layout)
    params: list[Parameter] = []
    for index, place in enumerate(layout):
        variable = declared[index] if len(declared) == len(layout) else None
        found = cpp_type(cpp[index]) if cpp else None
        if found is None and variable is not None:
            found = _ptx_type(variable, place.size)
        if found is None:
            found = ParamType("bits", f"{place.size} bytes")
        if access is not None and found.kind in ("pointer", "word"):
            found = replace(found, read_only=found.read_only or _only_read(access, index))
        name = variable.name if variable and not _numbered(variable.name) else None
        params.append(Parameter(index, name, place.offset, place.size, found))
    size = max((p.offset + p.size for p in layout), default=0)
    return Signature(symbol, demangled.name if demangled else symbol, tuple(params), size)


def _only_read(access: KernelAccess, index: int) -> bool:
    from gpucc.analysis.access import Access

    return any(
        p.index == index and not p.access & (Access.WRITE | Access.ESCAPES) for p in access.params
    )


def _numbered(name: str) -> bool:
    return re.search(r"_param_\d+$", name) is not None


# --- C++ types ------------------------------------------------------------------------------------

_CPP_ELEMENTS: Mapping[str, str] = {
    "bool": "bool",
    "signed char": "i8",
    "unsigned char": "u8",
    "short": "i16",
    "unsigned short": "u16",
    "int": "i32",
    "unsigned int": "u32",
    "long": "i64",
    "unsigned long": "u64",
    "long long": "i64",
    "unsigned long long": "u64",
    "float": "f32",
    "double": "f64",
    "__half": "f16",
    "_Float16": "f16",
    "__nv_bfloat16": "bf16",
    "std::bfloat16_t": "bf16",
}
_CPP_VECTORS: Mapping[str, tuple[str, int]] = {
    "__half2": ("f16", 2),
    "__nv_bfloat162": ("bf16", 2),
} | {
    f"{scalar}{lanes}": (element, lanes)
    for scalar, element in {
        "char": "i8",
        "uchar": "u8",
        "short": "i16",
        "ushort": "u16",
        "int": "i32",
        "uint": "u32",
        "long": "i64",
        "ulong": "u64",
        "longlong": "i64",
        "ulonglong": "u64",
        "float": "f32",
        "double": "f64",
    }.items()
    for lanes in (1, 2, 3, 4)
}


def cpp_type(found: CppType) -> ParamType | None:
    """Return what a parameter of a C++ type may be given; None if the name does not tell."""
    if found.pointee is not None:
        pointee = found.pointee
        element, lanes = _pointed_at(pointee)
        return ParamType("pointer", found.text, element, lanes, read_only=pointee.const)
    base = found.base or ""
    if base == "char":  # its sign is rarely meant
        return ParamType("integer", "char")
    if name := _CPP_ELEMENTS.get(base):
        return ParamType("scalar", found.text, ELEMENTS[name])
    if base in _CPP_VECTORS:
        return ParamType("bytes", found.text)
    if found.text.endswith(")"):
        return ParamType("word", found.text)  # a pointer to a function
    # A structure, or an enumeration: the PTX shows which.
    return None


def _pointed_at(pointee: CppType) -> tuple[Element | None, int]:
    if pointee.pointee is not None:
        return ELEMENTS["u64"], 1  # an array of addresses
    base = pointee.base or ""
    if base in _CPP_VECTORS:
        name, lanes = _CPP_VECTORS[base]
        return ELEMENTS[name], lanes
    name = _CPP_ELEMENTS.get(base)
    return (ELEMENTS[name], 1) if name else (None, 1)


def _fitting(demangled: MangledFunction | None, layout: Sequence[Param]) -> tuple[CppType, ...]:
    """Return the C++ parameter types if they can be those of ``layout``, else nothing.

    Numba mangles the types of its own arrays, each of which becomes seven parameters.
    """
    if demangled is None or len(demangled.params) != len(layout):
        return ()
    for found, place in zip(demangled.params, layout, strict=True):
        element = _CPP_ELEMENTS.get(found.base or "")
        size = POINTER_BYTES if found.pointee else ELEMENTS[element].size if element else None
        if size not in (None, place.size):
            return ()
    return demangled.params


# --- PTX types ------------------------------------------------------------------------------------


def _ptx_type(variable: Variable, size: int) -> ParamType | None:
    if variable.pointer is not None:
        return ParamType("pointer", "pointer")
    if variable.dimensions:
        return ParamType("bytes", f"{size} bytes by value")
    found = re.fullmatch(r"\.([a-z]+)(\d+)", variable.type)
    if found is None:
        return None
    kind, bits = found.groups()
    if kind == "f":
        return ParamType("scalar", variable.type, ELEMENTS[f"f{bits}"])
    if kind in ("u", "s", "b") and size == POINTER_BYTES:
        return ParamType("word", variable.type)
    if kind in ("u", "s"):
        return ParamType("integer", variable.type)
    return None
