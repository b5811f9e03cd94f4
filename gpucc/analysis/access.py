"""Access modes: what a kernel does with each of its pointer parameters."""

from __future__ import annotations

import enum
from dataclasses import dataclass


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

    ``offset`` and ``size`` are bytes within the kernel's parameter space.  For a parameter
    passed by value that contains pointers (a struct), ``fields`` gives the mode of each 8-byte
    word that is used as an address, by its byte offset in the parameter; ``access`` is their union.
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
