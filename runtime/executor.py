"""What runs kernels, whatever it is: a job, its outcome, and what can do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

import numpy.typing as npt

from gpucc.runtime.image import Image, Source
from gpucc.runtime.launch import Geometry, Timing
from gpucc.runtime.signature import Signature


@dataclass(frozen=True, slots=True)
class Job:
    """A kernel, how to launch it, and what with."""

    image: Image
    symbol: str
    geometry: Geometry
    arguments: tuple[Any, ...]
    """NumPy arrays and numbers, bytes, None."""
    repeats: int
    """Runs to time, after the one whose results are told; 0 for none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a job computed."""

    arrays: Mapping[int, npt.NDArray[Any]]
    """By argument, the arrays that the kernel may have written, after its first run."""
    timing: Timing | None


Target: TypeAlias = Literal["gpu", "cpu"]


class Executor(Protocol):
    """Something that runs kernels."""

    notice: ClassVar[str]
    """What the user is to know before it runs anything; empty if nothing."""

    @property
    def arch(self) -> str:
        """What to compile for."""
        ...

    def build(self, source: Source, arch: str, passes: str) -> Image:
        """Compile a source for it; raises :class:`GpuccError`."""
        ...

    def signatures(self, image: Image) -> Mapping[str, Signature]:
        """Return the kernels of an image, by symbol."""
        ...

    def run(self, job: Job) -> Outcome:
        """Run a job; raises :class:`GpuccError`."""
        ...
