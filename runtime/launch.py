"""Launches: checked geometry and arguments to one call of the CUDA driver."""

from __future__ import annotations

import ctypes
import operator
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpucc.cubin import CubinKernel
from gpucc.errors import GpuccError
from gpucc.models.devices import (
    DEFAULT_SHARED_PER_BLOCK,
    MAX_BLOCK,
    MAX_GRID,
    MAX_THREADS_PER_BLOCK,
    Architecture,
)
from gpucc.models.occupancy import occupancy
from gpucc.runtime import device, memory
from gpucc.runtime.marshal import Bound
from gpucc.runtime.signature import Signature

Dim = tuple[int, int, int]

_PORTABLE_CLUSTER = 8
"""Blocks of a cluster that every GPU with clusters can hold (CUDA Programming Guide)."""


class LaunchError(GpuccError):
    """A launch that cannot work as it was asked for."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a kernel is launched.  ``grid`` counts blocks, also when they form clusters."""

    grid: Dim
    block: Dim
    shared_bytes: int = 0
    """Dynamic shared memory per block."""
    cooperative: bool = False
    """All blocks are resident at once, so that the grid can synchronise."""
    cluster: Dim | None = None
    """Blocks of a cluster."""

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return self.block[0] * self.block[1] * self.block[2]

    def __str__(self) -> str:
        shared = f", {self.shared_bytes}" if self.shared_bytes else ""
        return f"<<<{_show(self.grid)}, {_show(self.block)}{shared}>>>"


def _show(dim: Dim) -> str:
    kept = dim if dim[2] != 1 else dim[:2] if dim[1] != 1 else dim[:1]
    return str(kept[0]) if len(kept) == 1 else f"({', '.join(map(str, kept))})"


def dimension(value: Any, what: str) -> Dim:
    """Return ``4``, ``(4,)``, ``(4, 2)`` or ``(4, 2, 1)`` as three numbers from 1.

    Raises :class:`LaunchError`, which names ``what`` (``grid``).
    """
    parts: tuple[Any, ...] = tuple(value) if type(value) in (tuple, list) else (value,)
    if not 1 <= len(parts) <= 3:
        raise LaunchError(f"{what} has {len(parts)} dimensions", hint="one to three")
    numbers: list[int] = []
    for part in parts:
        try:
            numbers.append(operator.index(part))
        except TypeError:
            raise LaunchError(
                f"{what} is to be whole numbers, got a {type(part).__name__}",
                hint="for a number of blocks: (n + 255) // 256",
            ) from None
    if min(numbers) < 1:
        raise LaunchError(
            f"{what} {_show_given(numbers)} is empty", hint="each extent is at least 1"
        )
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


def _show_given(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"({', '.join(map(str, numbers))})"


def check(
    name: str, geometry: Geometry, info: CubinKernel | None, arch: Architecture | None
) -> None:
    """Refuse what the GPU would refuse, saying why.

    ``info`` is what the cubin tells of the kernel and ``arch`` the GPU, where they are known.
    """

    def refuse(why: str, hint: str | None = None) -> None:
        raise LaunchError(f"{name}{geometry}: {why}", hint=hint)

    for given, most, what in (
        (geometry.grid, MAX_GRID, "grid"),
        (geometry.block, MAX_BLOCK, "block"),
    ):
        for extent, limit, axis in zip(given, most, "xyz", strict=True):
            if extent > limit:
                refuse(f"{what}.{axis} is {extent}, at most {limit}")
    if geometry.threads > MAX_THREADS_PER_BLOCK:
        refuse(f"a block of {geometry.threads} threads, at most {MAX_THREADS_PER_BLOCK}")
    if geometry.shared_bytes < 0:
        refuse("negative shared memory")
    cluster = geometry.cluster or (info.required_cluster if info else None)
    if cluster is not None:
        for extent, part, axis in zip(geometry.grid, cluster, "xyz", strict=True):
            if extent % part:
                refuse(f"grid.{axis} of {extent} blocks is not a multiple of the cluster's {part}")
        if arch is not None and not arch.clusters:
            refuse(f"{arch.name} has no clusters")
    if info is not None:
        _check_kernel(refuse, geometry, info)
    if info is not None and arch is not None:
        _check_resources(refuse, geometry, info, arch)


def _check_kernel(refuse: Any, geometry: Geometry, info: CubinKernel) -> None:
    if info.required_block is not None and geometry.block != info.required_block:
        refuse(f"the kernel requires blocks of {_show(info.required_block)} threads (.reqntid)")
    if info.max_threads is not None and geometry.threads > info.max_threads:
        refuse(
            f"a block of {geometry.threads} threads, and the kernel was compiled for at most"
            f" {info.max_threads}",
            "__launch_bounds__ in its source says so",
        )
    if info.required_cluster is not None and geometry.cluster not in (None, info.required_cluster):
        refuse(f"the kernel requires clusters of {_show(info.required_cluster)} blocks")


def _check_resources(
    refuse: Any, geometry: Geometry, info: CubinKernel, arch: Architecture
) -> None:
    shared = info.shared_bytes + geometry.shared_bytes
    if shared > arch.shared_per_block:
        refuse(
            f"{shared} bytes of shared memory ({info.shared_bytes} static), and {arch.name} has"
            f" {arch.shared_per_block} for a block"
        )
    fit = occupancy(
        arch,
        block_threads=geometry.threads,
        registers=info.registers,
        static_shared=info.shared_bytes,
        dynamic_shared=geometry.shared_bytes,
        barriers=info.barriers,
    )
    if fit.blocks == 0:
        refuse(
            f"a block of {geometry.threads} threads with {info.registers} registers each does not"
            f" fit on an SM of {arch.name}",
            "smaller blocks, or __launch_bounds__",
        )


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of a kernel's runs, measured on the GPU."""

    milliseconds: tuple[float, ...]
    """In the order of the runs."""

    @property
    def median_ms(self) -> float:
        """The median."""
        return statistics.median(self.milliseconds)

    @property
    def best_ms(self) -> float:
        """The shortest."""
        return min(self.milliseconds)


class Function:
    """A loaded kernel, as the driver knows it."""

    def __init__(self, handle: Any, signature: Signature, info: CubinKernel | None) -> None:
        self.handle = handle
        """A ``CUfunction`` of the current context."""
        self.signature = signature
        self.info = info
        self._shared_allowed = 0
        self._wide_clusters_allowed = False

    def launch(self, geometry: Geometry, bound: Bound, stream: int) -> None:
        """Launch once, with host arrays copied there and back.

        Returns before the kernel has run, unless there are host arrays.
        """
        self._run(geometry, bound, stream, None, 1, 0)

    def time(
        self, geometry: Geometry, bound: Bound, stream: int, *, repeats: int, warmup: int
    ) -> Timing:
        """Launch ``warmup`` + ``repeats`` times and return how long each of the latter took.

        The times are from event to event on the GPU; below some 10 us they show how fast launches
        are submitted, not how fast the kernel is.
        """
        times: list[float] = []
        self._run(geometry, bound, stream, times, repeats, warmup)
        return Timing(tuple(times))

    def _run(
        self,
        geometry: Geometry,
        bound: Bound,
        stream: int,
        times: list[float] | None,
        repeats: int,
        warmup: int,
    ) -> None:
        try:
            self._allow(geometry)
            for producer in bound.streams - {stream}:
                device.wait_for(stream, producer)
            copies = [memory.allocate(array.nbytes, stream) for array in bound.host_arrays]
            try:
                self._run_between_copies(geometry, bound, stream, copies, times, repeats, warmup)
            finally:
                for copy in copies:
                    copy.close()
        except device.DriverError as error:
            raise device.DriverError(
                f"{self.signature.name}{geometry}: {error.message}", error.status, hint=error.hint
            ) from None

    def _run_between_copies(
        self,
        geometry: Geometry,
        bound: Bound,
        stream: int,
        copies: Sequence[Any],
        times: list[float] | None,
        repeats: int,
        warmup: int,
    ) -> None:
        addresses = [int(copy.handle) for copy in copies]
        for array, address in zip(bound.host_arrays, addresses, strict=True):
            memory.copy_to_device(address, array.address, array.nbytes, stream)
        call = _Call(self, geometry, bound.with_addresses(addresses), stream)
        for _ in range(warmup):
            call.submit()
        if times is None:
            for _ in range(repeats):
                call.submit()
        else:
            times.extend(_timed(call, stream, repeats))
        for array, address in zip(bound.host_arrays, addresses, strict=True):
            if array.copy_back:
                memory.copy_from_device(array.address, address, array.nbytes, stream)
        if copies:
            device.call("cuStreamSynchronize", stream)

    def _allow(self, geometry: Geometry) -> None:
        """Opt in to what a launch asks for beyond what every kernel may have."""
        attributes = device.driver().CUfunction_attribute
        static = self.info.shared_bytes if self.info else 0
        wanted = geometry.shared_bytes
        if static + wanted > DEFAULT_SHARED_PER_BLOCK and wanted > self._shared_allowed:
            key = attributes.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            device.call("cuFuncSetAttribute", self.handle, key, wanted)
            self._shared_allowed = wanted
        x, y, z = geometry.cluster or (1, 1, 1)
        if x * y * z > _PORTABLE_CLUSTER and not self._wide_clusters_allowed:
            key = attributes.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
            device.call("cuFuncSetAttribute", self.handle, key, 1)
            self._wide_clusters_allowed = True


class _Call:
    """One launch in the form that the driver takes; it may be submitted many times."""

    def __init__(
        self, function: Function, geometry: Geometry, values: bytearray, stream: int
    ) -> None:
        self.handle = function.handle
        self.config = _config(geometry, stream)
        self._values = (ctypes.c_char * len(values)).from_buffer(values) if values else None
        base = ctypes.addressof(self._values) if self._values else 0
        params = function.signature.params
        # The driver copies each parameter from its own address.
        self._pointers = (ctypes.c_void_p * len(params))(*(base + p.offset for p in params))

    def submit(self) -> None:
        pointers = ctypes.addressof(self._pointers) if self._pointers else 0
        device.call("cuLaunchKernelEx", self.config, self.handle, pointers, 0)


def _timed(call: _Call, stream: int, repeats: int) -> list[float]:
    """Submit everything before anything is read, so that the GPU does not wait for us."""
    events: list[tuple[Any, Any]] = []
    for _ in range(repeats):
        start = device.record_event(stream)
        call.submit()
        events.append((start, device.record_event(stream)))
    return [device.elapsed_ms(start, end) for start, end in events]


def _config(geometry: Geometry, stream: int) -> Any:
    driver = device.driver()
    config = driver.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = geometry.grid
    config.blockDimX, config.blockDimY, config.blockDimZ = geometry.block
    config.sharedMemBytes = geometry.shared_bytes
    config.hStream = stream
    attributes: list[Any] = []
    if geometry.cooperative:
        attribute = driver.CUlaunchAttribute()
        attribute.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_COOPERATIVE
        attribute.value.cooperative = 1
        attributes.append(attribute)
    if geometry.cluster is not None:
        attribute = driver.CUlaunchAttribute()
        attribute.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        size = attribute.value.clusterDim
        size.x, size.y, size.z = geometry.cluster
        attributes.append(attribute)
    config.attrs = attributes
    config.numAttrs = len(attributes)
    return config
