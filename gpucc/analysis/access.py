"""Access modes: what a kernel does with each of its pointer parameters.

Derived from the code alone (:mod:`gpucc.analysis.pointsto`), through ``cvta``, arithmetic, selects,
vectors, the stack, structs passed by value, and calls.  The answer may claim too much, never too
little, as long as pointer arithmetic stays within an allocation, which C++ requires.

What else follows from "never too little":

- a 64-bit *number* that a kernel stores somewhere may be a pointer as far as PTX can tell, so the
  parameter ESCAPES; whoever sees the host code knows better (READ and WRITE, in contrast, mean that
  it was used in an address);
- ``printf`` may read what its arguments point to, and counts as writing other memory: two kernels
  that print do not commute.  ``assert`` writes nothing; prefetches touch nothing;
- textures, surfaces, tensor maps, code that is not seen, and kernels launched from the device read
  and write other memory.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from gpucc.analysis.footprint import READ_ONLY_LIBRARY, KernelFootprint
from gpucc.analysis.pointer_steps import FunctionSteps, function_steps, module_names
from gpucc.analysis.pointers import Origin
from gpucc.analysis.pointsto import footprint
from gpucc.ptx.isa import MemoryEffect
from gpucc.ptx.module import Directive, Function, Module, Variable


class Access(enum.Flag):
    """What happens to the memory that a parameter points to.

    ``NONE`` is proven: the kernel neither reads nor writes through the parameter.  ``ESCAPES``
    means that it cannot be told (the address is stored, or handed to code that is not seen):
    consumers must assume anything.
    """

    NONE = 0
    READ = enum.auto()
    WRITE = enum.auto()
    ESCAPES = enum.auto()


@dataclass(frozen=True, slots=True)
class ParamAccess:
    """The access mode of one kernel parameter.

    ``size`` is in bytes.  For a parameter passed by value that contains pointers (a struct),
    ``fields`` gives the mode of each word (8 bytes; 4 with 32-bit addresses) that is used as an
    address or escapes, by its byte offset in the parameter; ``access`` is their union.  A tensor
    map has no fields, and the mode of what is done through it.
    """

    index: int
    name: str
    size: int
    access: Access
    fields: tuple[tuple[int, Access], ...] = ()


@dataclass(frozen=True, slots=True)
class KernelAccess:
    """Access modes of a kernel's parameters, in order, and what it touches beside them."""

    kernel: str
    params: tuple[ParamAccess, ...]
    other_read: bool = False
    """It may read global memory that no parameter points to (module variables, loaded pointers)."""
    other_write: bool = False
    """It may write such memory."""


def kernel_accesses(module: Module, others: Iterable[Module] = ()) -> tuple[KernelAccess, ...]:
    """Return the access modes of every kernel with a body in ``module``, in order.

    ``others`` are modules that it is linked with: calls into them are followed.  Raises
    :class:`gpucc.errors.GpuccError` for a module that would not pass verification.
    """
    functions = _Functions([module, *others])
    word = 4 if module.address_size == 32 else 8
    kernels = (functions.steps(kernel, 0) for kernel in module.kernels)
    return tuple(_describe(kernel, footprint(kernel, functions, word)) for kernel in kernels)


class _Functions:
    """Finds functions by name over linked modules, compiling each when first called."""

    def __init__(self, modules: list[Module]) -> None:
        self._names = [module_names(module) for module in modules]
        self._bodies: dict[str, tuple[Function, int]] = {}
        for number, module in reversed(list(enumerate(modules))):
            for function in module.functions:
                if function.body is not None:
                    self._bodies[function.name] = function, number
            for item in module.items:
                if isinstance(item, Directive) and item.name == ".alias":
                    alias, target = item.names
                    self._bodies[alias] = self._bodies[target]
        self._compiled: dict[str, FunctionSteps] = {}

    def __call__(self, name: str) -> FunctionSteps | None:
        """Return the steps of a device function; None if its body is not here."""
        found = self._bodies.get(name)
        if found is None or found[0].is_kernel:
            return None
        if name not in self._compiled:
            self._compiled[name] = self.steps(*found)
        return self._compiled[name]

    def steps(self, function: Function, module: int) -> FunctionSteps:
        return function_steps(function, self._names[module])


def _describe(kernel: FunctionSteps, found: KernelFootprint) -> KernelAccess:
    origins = found.origins
    maps = dict(found.maps)
    beside = origins.mask("other", "variable", "function")
    for origin in origins.members(origins.mask("variable")):
        if origin.name.rpartition(":")[2].startswith(READ_ONLY_LIBRARY):
            beside &= ~origins.bit(origin)

    def mode(origin: Origin) -> Access:
        bit = origins.bit(origin)
        access = Access.NONE
        if found.read & bit:
            access |= Access.READ
        if found.written & bit:
            access |= Access.WRITE
        return access | Access.ESCAPES if found.escaped & bit else access

    def param(index: int, variable: Variable) -> ParamAccess:
        words = sorted(
            origin.number
            for origin in origins.members(origins.mask("word"))
            if origin.name == variable.name
        )
        fields = tuple(
            (number, access)
            for number in words
            if (access := mode(Origin("word", variable.name, number)))
        )
        access = Access.NONE
        for _, field_access in fields:
            access |= field_access
        through = maps.get(variable.name, MemoryEffect.NONE)
        if through & MemoryEffect.READ:
            access |= Access.READ
        if through & MemoryEffect.WRITE:
            access |= Access.WRITE
        is_struct = bool(variable.dimensions)
        size = variable.size or 0
        return ParamAccess(index, variable.name, size, access, fields if is_struct else ())

    return KernelAccess(
        kernel=kernel.function.name,
        params=tuple(param(i, v) for i, v in enumerate(kernel.signature.params)),
        other_read=bool(found.read & beside),
        other_write=bool(found.written & beside),
    )
