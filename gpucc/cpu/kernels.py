"""What is known of a kernel that was compiled for the CPU, besides its code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KernelCode:
    """A kernel in LLVM IR or machine code.

    ``symbol`` is what to call; ``loops`` says that this runs all threads of a block, one after the
    other.  ``parameter_bytes`` is the size of the parameter buffer, ``static_shared`` that of the
    static shared memory of a block, in bytes.
    """

    name: str
    symbol: str
    loops: bool
    parameter_bytes: int
    static_shared: int
