"""The host half of a program: its LLVM IR, what it launches, and the runtime it is linked with."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import gpucc
from gpucc import toolchain
from gpucc.errors import MissingToolError

_INSTALLED = Path(gpucc.__file__).parent / "lib" / "libgpucc_rt.a"
_SOURCES = Path(gpucc.__file__).resolve().parent.parent / "runtime" / "native" / "rt"


def runtime_library() -> Path:
    """Return ``libgpucc_rt.a``: the installed one, or in a checkout one built from its sources.

    The latter is kept in the user's cache folder, by the content of the sources.  Raises
    :class:`MissingToolError` if there is no C++ compiler, and
    :class:`~gpucc.errors.ToolError` if it fails.
    """
    if not _SOURCES.is_dir():
        return _INSTALLED
    sources = sorted(_SOURCES.iterdir())
    key = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    library = base / "gpucc" / f"rt-{key}" / "libgpucc_rt.a"
    if not library.exists():
        _build([path for path in sources if path.suffix == ".cpp"], library)
    return library


def _build(sources: list[Path], library: Path) -> None:
    compiler, archiver = shutil.which("g++"), shutil.which("ar")
    if compiler is None or archiver is None:
        raise MissingToolError("building libgpucc_rt needs g++ and ar", hint="apt install g++")
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        objects = [f"{folder}/{source.stem}.o" for source in sources]
        made = f"{folder}/libgpucc_rt.a"
        commands = [
            [compiler, "-std=c++17", "-O2", "-fPIC", "-c", str(source), "-o", target]
            for source, target in zip(sources, objects, strict=True)
        ]
        for command in (*commands, [archiver, "rcs", made, *objects]):
            toolchain.run(command, what="building libgpucc_rt")
        os.replace(made, library)
