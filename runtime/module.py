"""Loaded modules and their kernels.

::

    module = gpucc.load("saxpy.cu")
    module.saxpy[blocks, 256](n, 2.0, x, y)

``kernel[grid, block]`` is Numba's way to say CUDA's ``<<<grid, block>>>``; a stream and dynamic
shared memory (bytes) may follow, in Numba's order.  ``kernel.configure(…)`` takes everything by
name.  What comes out is called with the arguments, as often as wanted.

A call returns at once, like a launch in C++, unless a NumPy array is among the arguments: these are
copied to the GPU, and back after the kernel has run (see :mod:`gpucc.runtime.marshal`).
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpucc.cubin import CubinKernel, Param
from gpucc.errors import GpuccError
from gpucc.models.devices import runs_on
from gpucc.models.occupancy import Occupancy, occupancy
from gpucc.runtime import device
from gpucc.runtime.image import Image, Language, build, find_kernel, read_source, readable
from gpucc.runtime.launch import Function, Geometry, Timing, check, dimension
from gpucc.runtime.marshal import bind
from gpucc.runtime.signature import Signature, signature


def load(
    source: str | os.PathLike[str] | bytes,
    *,
    passes: str = "",
    arch: str | None = None,
    language: Language | None = None,
    flags: Sequence[str] = (),
) -> Module:
    """Compile ``source``, if need be, and load it onto the current GPU.

    ``source`` is a path or contents: a cubin, a fatbin, PTX, LLVM IR or CUDA C++ (a string with a
    line break is contents).  ``passes`` is a pipeline of device passes.  ``arch`` is what to
    compile for; by default the current GPU with all its features (``sm_90a``).  ``flags`` go to
    nvcc.  Raises :class:`gpucc.errors.GpuccError`: :class:`~gpucc.runtime.device.NoGpuError` if
    there is no GPU.
    """
    found = read_source(source, language)
    here = device.current_arch()
    return Module(build(found, arch or here, passes, flags))


class Module:
    """Kernels that are loaded; they stay loaded as long as this object, or one of them, lives.

    Kernels are attributes (``module.saxpy``) or items (``module["ns::scale<float>"]``).
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        device.ensure_context()
        if image.arch is not None and not runs_on(image.arch, device.current_arch()):
            # The driver would say so only when a kernel is first used.
            status = "CUDA_ERROR_NO_BINARY_FOR_GPU"
            hint = f"it is for {image.arch}; the GPU here is {device.current_arch()}"
            raise device.DriverError(f"{image.name}: no code for this GPU", status, hint=hint)
        try:
            self._library = device.call("cuLibraryLoadData", image.binary, [], [], 0, [], [], 0)
        except device.DriverError as error:
            raise device.DriverError(
                f"{image.name}: {error.message}", error.status, hint=_load_hint(error)
            ) from None
        self._unload = weakref.finalize(self, _unload, self._library)
        self._unload.atexit = False  # the driver does that by itself
        self._symbols = tuple(image.signatures) or _kernel_symbols(self._library)
        self._kernels: dict[str, Kernel] = {}

    @property
    def kernels(self) -> tuple[str, ...]:
        """The kernels' names, as a person writes them."""
        return tuple(map(readable, self._symbols))

    @property
    def signatures(self) -> dict[str, Signature]:
        """What each kernel takes, by symbol."""
        return {symbol: self[symbol].signature for symbol in self._symbols}

    def __getitem__(self, name: str) -> Kernel:
        symbol = find_kernel(self._symbols, name, self.image.name)
        if symbol not in self._kernels:
            self._kernels[symbol] = self._kernel(symbol)
        return self._kernels[symbol]

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("__") or "_symbols" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self[name]
        except GpuccError as error:
            raise AttributeError(f"{error.message} ({error.hint})") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self.kernels if name.isidentifier())]

    def __repr__(self) -> str:
        return f"<module {self.image.name}: {', '.join(self.kernels)}>"

    def _kernel(self, symbol: str) -> Kernel:
        handle = device.call("cuLibraryGetKernel", self._library, symbol.encode())
        known = self.image.signatures.get(symbol) or _driver_signature(symbol, handle)
        info = self.image.kernels.get(symbol)
        return Kernel(self, handle, known, info, self.image.extra_shared.get(symbol, 0))


def _unload(library: Any) -> None:
    device.driver().cuLibraryUnload(library)


def _load_hint(error: device.DriverError) -> str | None:
    if error.status in ("CUDA_ERROR_NO_BINARY_FOR_GPU", "CUDA_ERROR_INVALID_SOURCE"):
        return f"it holds nothing for this GPU, which is {device.current_arch()}"
    return error.hint


def _kernel_symbols(library: Any) -> tuple[str, ...]:
    count = device.call("cuLibraryGetKernelCount", library)
    handles: list[Any] = device.call("cuLibraryEnumerateKernels", count, library) if count else []
    return tuple(sorted(device.call("cuKernelGetName", handle).decode() for handle in handles))


def _driver_signature(symbol: str, handle: Any) -> Signature:
    """Ask the driver for the parameters of a kernel from a fatbin."""
    params: list[Param] = []
    while True:
        try:
            offset, size = device.call("cuKernelGetParamInfo", handle, len(params))
        except device.DriverError as error:
            if error.status != "CUDA_ERROR_INVALID_VALUE":
                raise
            return signature(symbol, params)  # it has no more
        params.append(Param(len(params), int(offset), int(size)))


class Kernel:
    """A kernel of a loaded module."""

    def __init__(
        self,
        module: Module,
        handle: Any,
        known: Signature,
        info: CubinKernel | None,
        extra_shared: int,
    ) -> None:
        self.module = module
        self.signature = known
        self.info = info
        """Registers, shared memory and so on; None if only the driver knows (fatbins)."""
        self.extra_shared = extra_shared
        """Dynamic shared memory (bytes) that passes added: it comes on top of what is asked for."""
        self._handle = handle
        self._functions: dict[int, Function] = {}

    @property
    def name(self) -> str:
        """The kernel's name, as a person writes it."""
        return self.signature.name

    def __getitem__(self, how: Any) -> Launch:
        parts: list[Any] = [*how] if type(how) is tuple else [how]
        if not 2 <= len(parts) <= 4:
            raise GpuccError(
                f"{self.name}[…] takes grid and block, then perhaps a stream and shared memory",
                hint=f"{self.name}[blocks, threads](…)",
            )
        grid, block, stream, shared = (*parts, None, None)[:4]
        return self.configure(grid, block, stream=stream, shared_bytes=shared or 0)

    def configure(
        self,
        grid: Any,
        block: Any,
        *,
        shared_bytes: int = 0,
        stream: Any = None,
        cooperative: bool = False,
        cluster: Any = None,
    ) -> Launch:
        """Return the kernel with a launch configuration, to be called with the arguments.

        ``grid`` (in blocks), ``block`` (in threads) and ``cluster`` (in blocks) are numbers or up
        to three of them; ``shared_bytes`` is dynamic shared memory; ``stream`` is None for the
        default stream or any stream of cuda.core, PyTorch or CuPy.  Raises
        :class:`~gpucc.runtime.launch.LaunchError` for what cannot be launched.
        """
        geometry = Geometry(
            dimension(grid, "grid"),
            dimension(block, "block"),
            shared_bytes + self.extra_shared,
            cooperative,
            None if cluster is None else dimension(cluster, "cluster"),
        )
        check(self.name, geometry, self.info, device.current_architecture())
        return Launch(self, geometry, device.stream_handle(stream))

    def occupancy(self, block: Any, shared_bytes: int = 0) -> Occupancy:
        """Return how many blocks of this size an SM of the current GPU holds.

        Raises :class:`GpuccError` for kernels from fatbins and for GPUs that are not in the table.
        """
        arch = device.current_architecture()
        if self.info is None or arch is None:
            raise GpuccError(f"{self.name}: registers or GPU are not known")
        geometry = Geometry((1, 1, 1), dimension(block, "block"), shared_bytes + self.extra_shared)
        return occupancy(
            arch,
            block_threads=geometry.threads,
            registers=self.info.registers,
            static_shared=self.info.shared_bytes,
            dynamic_shared=geometry.shared_bytes,
            barriers=self.info.barriers,
        )

    def function(self) -> Function:
        """Return the kernel as the driver knows it in the current context."""
        device.ensure_context()
        context = int(device.call("cuCtxGetCurrent"))
        if context not in self._functions:
            handle = device.call("cuKernelGetFunction", self._handle)
            self._functions[context] = Function(handle, self.signature, self.info)
        return self._functions[context]

    def __repr__(self) -> str:
        return f"<kernel {self.signature}>"


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel with its launch configuration."""

    kernel: Kernel
    geometry: Geometry
    stream: int

    def __call__(self, *arguments: Any) -> None:
        """Launch the kernel.

        Raises :class:`~gpucc.runtime.marshal.ArgumentError` (a ``TypeError``) for wrong arguments.
        """
        bound = bind(self.kernel.signature, arguments)
        self.kernel.function().launch(self.geometry, bound, self.stream)

    def time(self, *arguments: Any, repeats: int = 20, warmup: int = 1) -> Timing:
        """Launch the kernel ``warmup`` + ``repeats`` times and time the latter on the GPU.

        Every run finds the data as the one before has left it.
        """
        if repeats < 1 or warmup < 0:
            raise GpuccError(f"{repeats} repeats after {warmup} runs to warm up")
        bound = bind(self.kernel.signature, arguments)
        return self.kernel.function().time(
            self.geometry, bound, self.stream, repeats=repeats, warmup=warmup
        )
