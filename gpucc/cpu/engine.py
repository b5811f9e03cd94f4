"""Kernels on the CPU: a module compiled for this machine, and its launches.

    module = load(Path("saxpy.ptx").read_text())
    module["saxpy"].launch(grid=(4,), block=(256,), parameters=packed)

Parameters are a buffer in PTX's layout (:func:`gpucc.cpu.frame.kernel_offsets`), with addresses of
this process for pointers.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from enum import IntEnum
from pathlib import Path

from gpucc.cpu import native
from gpucc.cpu.kernels import KernelCode
from gpucc.errors import GpuccError

_MESSAGE_BYTES = 1 << 16


class Order(IntEnum):
    """In which order blocks, warps of a block and threads of a warp take their turns."""

    FORWARD = 0
    REVERSED = 1
    PERMUTED = 2


@dataclass(frozen=True, slots=True)
class Options:
    """How a grid is run.

    ``workers``: threads of this process that run blocks; 0 for one on each core.  ``seed`` is that
    of a permuted order.
    """

    workers: int = 0
    order: Order = Order.FORWARD
    seed: int = 0


class CpuError(GpuccError):
    """A kernel that failed while it ran: a trap, a failed assertion, threads that wait for ever."""


class _Launch(ctypes.Structure):
    _fields_ = (
        ("grid", ctypes.c_uint32 * 3),
        ("block", ctypes.c_uint32 * 3),
        ("shared_bytes", ctypes.c_uint32),
        ("dynamic_bytes", ctypes.c_uint32),
        ("grid_id", ctypes.c_uint64),
        ("workspace", ctypes.c_uint64),
    )


class _Kernel(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("thread", ctypes.c_void_p),
        ("loop", ctypes.c_void_p),
        ("static_shared", ctypes.c_uint32),
        ("parameter_bytes", ctypes.c_uint32),
        ("stack_bytes", ctypes.c_uint64),
        ("sites", ctypes.POINTER(ctypes.c_char_p)),
        ("site_count", ctypes.c_uint32),
        ("lanes", ctypes.c_uint32),
        ("start", ctypes.c_void_p),
    )


class _Options(ctypes.Structure):
    _fields_ = (
        ("workers", ctypes.c_uint32),
        ("order", ctypes.c_uint32),
        ("seed", ctypes.c_uint64),
        ("fibers", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    )


@dataclass(frozen=True, slots=True)
class Compiled:
    """A module as machine code: an object file, its kernels, and the places that reports name."""

    data: bytes
    kernels: Mapping[str, KernelCode]
    sites: tuple[str, ...]

    def pack(self) -> bytes:
        """Return this as bytes, for the cache."""
        head = {
            "kernels": [asdict(kernel) for kernel in self.kernels.values()],
            "sites": self.sites,
        }
        return json.dumps(head).encode() + b"\n" + self.data

    @staticmethod
    def unpack(packed: bytes) -> Compiled:
        """Read what :meth:`pack` returned."""
        head, _, data = packed.partition(b"\n")
        said = json.loads(head)
        kernels = [KernelCode(**kernel) for kernel in said["kernels"]]
        return Compiled(data, {kernel.name: kernel for kernel in kernels}, tuple(said["sites"]))


def compile_ptx(
    text: str,
    *,
    path: str = "<ptx>",
    kernels: Collection[str] | None = None,
    loops: bool = True,
) -> Compiled:
    """Compile the PTX module ``text``, or some of its kernels, for this machine.

    ``path`` is its name in messages.  Without ``loops`` all kernels take the form that may wait,
    which is slower and defines what is right.  Raises :class:`gpucc.errors.SourceError` at what is
    not PTX and at what the CPU target does not have.
    """
    wanted = "*" if kernels is None else ",".join(sorted(kernels))
    key = native.key_of(
        fingerprint(), native.processor(), text, path, wanted, "loops" if loops else "fibers"
    )
    if (kept := native.cached(key)) is not None:
        return Compiled.unpack(kept)
    from gpucc.cpu.lower import lower
    from gpucc.frontend.parser import parse

    lowered = lower(parse(text, path=path), kernels, loops=loops)
    made = Compiled(native.compile_ir(lowered.text), lowered.kernels, lowered.sites)
    native.keep(key, made.pack())
    return made


@functools.cache
def fingerprint() -> str:
    """Return what changes whenever the code that makes objects does."""
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for path in sorted([*package.glob("*.py"), *(package.parent / "ptx").glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class CpuKernel:
    """A kernel that can be launched on the CPU."""

    def __init__(self, module: CpuModule, about: KernelCode, address: int) -> None:
        self.about = about
        self._module = module  # keeps the code alive
        self._raw = _Kernel(
            name=about.name.encode(),
            thread=None if about.loops or about.resumes else address,
            loop=address if about.loops else None,
            static_shared=about.static_shared,
            parameter_bytes=about.parameter_bytes,
            stack_bytes=0,
            sites=module.sites,
            site_count=module.site_count,
            lanes=about.lanes,
            start=address if about.resumes else None,
        )

    def launch(
        self,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        parameters: bytes = b"",
        *,
        shared_bytes: int = 0,
        options: Options | None = None,
    ) -> None:
        """Run a whole grid and return when it is done.

        ``grid`` and ``block`` are one to three numbers, ``shared_bytes`` is the dynamic shared
        memory of a block.  Raises :class:`CpuError`.
        """
        about = self.about
        if len(parameters) != about.parameter_bytes:
            raise GpuccError(
                f"kernel '{about.name}' takes {about.parameter_bytes} bytes of parameters,"
                f" not {len(parameters)}"
            )
        options = options or Options()
        launch = _Launch(
            grid=_three(grid),
            block=_three(block),
            shared_bytes=about.static_shared + shared_bytes,
            dynamic_bytes=shared_bytes,
            grid_id=0,
            workspace=0,
        )
        raw = _Options(options.workers, options.order, options.seed, 0, 0)
        message = ctypes.create_string_buffer(_MESSAGE_BYTES)
        buffer = ctypes.create_string_buffer(parameters, max(len(parameters), 1))
        status: int = native.library().gpucc_cpu_launch(
            ctypes.byref(self._raw),
            ctypes.byref(launch),
            buffer,
            ctypes.byref(raw),
            message,
            ctypes.c_size_t(_MESSAGE_BYTES),
        )
        if status:
            raise CpuError(message.value.decode(errors="replace"))


def _three(size: tuple[int, ...]) -> tuple[int, ...]:
    return (*size, 1, 1)[:3]


class CpuModule:
    """A compiled module, loaded into this process; kernels by their name in the PTX."""

    def __init__(self, compiled: Compiled) -> None:
        self._code = native.NativeCode(compiled.data)
        self._sites = [site.encode() for site in compiled.sites]
        self.sites = (ctypes.c_char_p * max(len(self._sites), 1))(*self._sites)
        self.site_count = len(self._sites)
        self.kernels: Mapping[str, CpuKernel] = {
            name: CpuKernel(self, about, self._code.address(about.symbol))
            for name, about in compiled.kernels.items()
        }

    def __getitem__(self, name: str) -> CpuKernel:
        """Return a kernel; raises KeyError."""
        return self.kernels[name]


def load(
    text: str,
    *,
    path: str = "<ptx>",
    kernels: Collection[str] | None = None,
    loops: bool = True,
) -> CpuModule:
    """Compile PTX (:func:`compile_ptx`) and load it."""
    return CpuModule(compile_ptx(text, path=path, kernels=kernels, loops=loops))
