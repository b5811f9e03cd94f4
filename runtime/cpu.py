"""Kernels on the CPU for ``gpucc run``: compiled for this machine, launched in this process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gpucc import toolchain
from gpucc.cpu.engine import CpuKernel, Options, load
from gpucc.runtime.executor import Job, Outcome
from gpucc.runtime.image import Image, Source, build_ptx
from gpucc.runtime.launch import Geometry, LaunchError, Timing
from gpucc.runtime.marshal import bind
from gpucc.runtime.signature import Signature


class CpuExecutor:
    """This machine's processor (:mod:`gpucc.cpu`)."""

    notice: ClassVar[str] = "note: there is no GPU in use: this runs on the CPU"

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()

    @property
    def arch(self) -> str:
        """What CUDA C++ and LLVM IR become PTX for."""
        return toolchain.default_arch()

    def build(self, source: Source, arch: str, passes: str) -> Image:
        """Compile to PTX; the rest is done when the kernel is known."""
        return build_ptx(source, arch, passes)

    def signatures(self, image: Image) -> Mapping[str, Signature]:
        """Return the kernels of an image."""
        return image.signatures

    def run(self, job: Job) -> Outcome:
        """Launch once and keep what the arrays hold, then time more launches.

        The job's own arrays are not written to.  Raises :class:`gpucc.cpu.engine.CpuError`.
        """
        geometry, image = job.geometry, job.image
        if geometry.cluster or geometry.cooperative:
            what = "clusters" if geometry.cluster else "launches that synchronise the whole grid"
            raise LaunchError(f"the CPU target does not have {what}")
        assert image.ptx is not None
        kernel = load(image.ptx, path=image.name, kernels=[job.symbol])[job.symbol]
        signature = image.signatures[job.symbol]
        copies: dict[int, npt.NDArray[Any]] = {
            index: value.copy() for index, value in enumerate(job.arguments) if _is_array(value)
        }
        arguments = [copies.get(index, value) for index, value in enumerate(job.arguments)]
        bound = bind(signature, arguments)
        addresses = [array.address for array in bound.host_arrays]
        parameters = bytes(bound.with_addresses(addresses))
        extra = image.extra_shared.get(job.symbol, 0)
        self._launch(kernel, geometry, parameters, extra)
        kinds = [parameter.type for parameter in signature.params]
        arrays = {
            index: value.copy()
            for index, value in copies.items()
            if kinds[index].kind != "bytes" and not kinds[index].read_only
        }
        times: list[float] = []
        for _ in range(job.repeats):
            start = time.perf_counter()
            self._launch(kernel, geometry, parameters, extra)
            times.append((time.perf_counter() - start) * 1e3)
        return Outcome(arrays, Timing(tuple(times)) if times else None)

    def _launch(self, kernel: CpuKernel, geometry: Geometry, parameters: bytes, extra: int) -> None:
        kernel.launch(
            geometry.grid,
            geometry.block,
            parameters,
            shared_bytes=geometry.shared_bytes + extra,
            options=self._options,
        )


def _is_array(value: Any) -> bool:
    kind: type = np.ndarray
    return isinstance(value, kind)
