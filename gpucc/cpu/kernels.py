"""What is known of a kernel that was compiled for the CPU, besides its code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KernelCode:
    """A kernel in LLVM IR or machine code.

    ``symbol`` is what to call.  ``loops`` says that it runs all threads of a block, ``resumes``
    that it is a coroutine, which runs a warp up to where that waits for others.  What does not loop
    runs ``lanes`` threads in a call: one, or a warp.  ``parameter_bytes`` is the size of the
    parameter buffer, ``static_shared`` that of a block's static shared memory, in bytes.
    """

    name: str
    symbol: str
    loops: bool
    resumes: bool
    lanes: int
    parameter_bytes: int
    static_shared: int
