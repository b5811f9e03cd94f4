"""The host half of a program: its LLVM IR, what it launches, and the runtime it is linked with."""

from __future__ import annotations

from pathlib import Path

from gpucc.native import native_library


def runtime_library() -> Path:
    """Return ``libgpucc_rt.a`` (:func:`gpucc.native.native_library`)."""
    return native_library("libgpucc_rt.a")
