"""Runs the kernels of ``tests/native/cpu_kernels.cpp`` on the CPU engine, through ctypes."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "runtime" / "native" / "cpurt"
KERNELS = ROOT / "tests" / "native" / "cpu_kernels.cpp"

FLAGS = ("-O2",)
"""With ``-O1 -g -fsanitize=address`` or ``thread`` the tests run under a sanitizer, if its library
is preloaded; its handler of SIGSEGV and detection of leaks must be off."""

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
class Outcome:
    """What a launch gave: its ``gpucc_status`` and its message."""

    status: int
    message: str


def _build(library: Path) -> None:
    compiler = shutil.which("g++")
    assert compiler, "g++ is needed"
    library.parent.mkdir(parents=True, exist_ok=True)
    engine = [path for path in sorted(SOURCES.glob("*.cpp")) if path.name[:6] != "cudart"]
    sources = [*engine, KERNELS]
    common = [compiler, "-std=c++17", "-fPIC", "-Wall", "-Wextra", "-Werror", *FLAGS]
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        objects = [f"{folder}/{path.stem}.o" for path in sources]
        jobs = [
            subprocess.Popen(
                [*common, "-ffp-contract=off", f"-I{SOURCES}", "-c", str(path), "-o", target]
            )
            for path, target in zip(sources, objects, strict=True)
        ]
        status = [job.wait() for job in jobs]
        assert not any(status), "the engine does not compile"
        made = f"{folder}/{library.name}"
        # Each symbol bound within the library, as in the one that gpucc makes.
        link = [*common, "-shared", "-Wl,-Bsymbolic", *objects, "-lpthread", "-o", made]
        subprocess.run(link, check=True)
        os.replace(made, library)


def engine() -> Engine:
    """Return the engine; it is built once for each content of its sources."""
    sources = [*sorted(SOURCES.iterdir()), KERNELS]
    key = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources))
    key.update(repr(FLAGS).encode())
    library = ROOT / "build" / "tests" / f"cpu-{key.hexdigest()[:16]}.so"
    if not library.exists():
        _build(library)
    return Engine(library)


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
        loop: str | None = None,
        shared: int = 4096,
        stack: int = 0,
        workers: int = 0,
        order: int = FORWARD,
        seed: int = 0,
        fibers: bool = False,
    ) -> None:
        """Launch, and fail unless it ends well."""
        outcome = self.launch(
            name,
            grid,
            block,
            *parameters,
            loop=loop,
            shared=shared,
            stack=stack,
            workers=workers,
            order=order,
            seed=seed,
            fibers=fibers,
        )
        assert outcome == Outcome(OK, ""), outcome
