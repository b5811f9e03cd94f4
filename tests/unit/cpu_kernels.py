"""Runs the kernels of ``tests/native/cpu_kernels.cpp`` on the CPU engine, through ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "runtime" / "native" / "cpurt"
KERNELS = ROOT / "tests" / "native" / "cpu_kernels.cpp"

OK, TRAP, DEADLOCK, REFUSED, FAULT, ASSERT = range(6)
FORWARD, REVERSED, PERMUTED = range(3)

Parameter = int | npt.NDArray[np.generic]


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
class Outcome:
    """What a launch gave: its ``gpucc_status`` and its message."""

    status: int
    message: str


def build(folder: Path, flags: Sequence[str] = ("-O2",)) -> Path:
    """Compile the engine with the kernels into one shared library in ``folder``; return it."""
    compiler = shutil.which("g++")
    assert compiler, "g++ is needed"
    library = folder / "cpu_kernels.so"
    engine = [path for path in sorted(SOURCES.glob("*.cpp")) if path.name[:6] != "cudart"]
    sources = [*engine, KERNELS]
    objects = [folder / f"{path.stem}.o" for path in sources]
    common = [compiler, "-std=c++17", "-fPIC", "-Wall", "-Wextra", "-Werror", *flags]
    jobs = [
        subprocess.Popen(
            [*common, "-ffp-contract=off", f"-I{SOURCES}", "-c", str(path), "-o", str(target)]
        )
        for path, target in zip(sources, objects, strict=True)
    ]
    assert all(job.wait() == 0 for job in jobs)
    # Each symbol bound within the library, as in one that gpucc makes.
    subprocess.run(
        [*common, "-shared", "-Wl,-Bsymbolic", *map(str, objects), "-lpthread", "-o", str(library)],
        check=True,
    )
    return library


class Engine:
    """The engine and the kernels in one library."""

    def __init__(self, library: Path) -> None:
        self.path = library
        self.library = ctypes.CDLL(str(library))

    def launch(
        self,
        name: str,
        grid: int | tuple[int, ...],
        block: int | tuple[int, ...],
        *parameters: Parameter,
        loop: str | None = None,
        shared: int = 4096,
        stack: int = 0,
        workers: int = 0,
        order: int = FORWARD,
        seed: int = 0,
        fibers: bool = False,
        sites: tuple[str, ...] = (),
    ) -> Outcome:
        """Launch kernel ``name`` with numbers and arrays (as pointers) for parameters."""
        values = [
            value if isinstance(value, int) else int(value.ctypes.data) for value in parameters
        ]
        packed = (ctypes.c_uint64 * max(1, len(values)))(*(value % 2**64 for value in values))
        texts = (ctypes.c_char_p * max(1, len(sites)))(*(site.encode() for site in sites))
        kernel = _Kernel(
            name.encode(),
            ctypes.cast(self.library[name], ctypes.c_void_p),
            ctypes.cast(self.library[loop], ctypes.c_void_p) if loop else None,
            0,
            8 * len(values),
            stack,
            texts if sites else None,
            len(sites),
        )
        shapes = [(size,) if isinstance(size, int) else size for size in (grid, block)]
        whole = [(ctypes.c_uint32 * 3)(*(*shape, 1, 1)[:3]) for shape in shapes]
        launch = _Launch(*whole, shared, shared, 1)
        options = _Options(workers, order, seed, fibers, 0)
        message = ctypes.create_string_buffer(4096)
        status = self.library.gpucc_cpu_launch(
            ctypes.byref(kernel), ctypes.byref(launch), packed, ctypes.byref(options), message, 4096
        )
        return Outcome(status, message.value.decode())

    def run(
        self,
        name: str,
        grid: int | tuple[int, ...],
        block: int | tuple[int, ...],
        *parameters: Parameter,
        **options: object,
    ) -> None:
        """Launch, and fail unless it ends well."""
        outcome = self.launch(name, grid, block, *parameters, **options)  # pyright: ignore[reportArgumentType]
        assert outcome == Outcome(OK, ""), outcome


def in_scratch() -> Path:
    """Return a folder for this process's builds."""
    return Path(tempfile.mkdtemp(prefix="gpucc-cpu-"))
