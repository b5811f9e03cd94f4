"""The native libraries of ``runtime/native``: where they are, and building them in a checkout."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gpucc
from gpucc import toolchain
from gpucc.errors import MissingToolError

_INSTALLED = Path(gpucc.__file__).parent / "lib"
_SOURCES = Path(gpucc.__file__).resolve().parent.parent / "runtime" / "native"
_FOLDERS: Mapping[str, str] = {
    "libgpucc_rt.a": "rt",
    "libgpucc_cpu.so": "cpurt",
    "libgpucc_cpurt.a": "cpurt",
}
"""By library: the folder of its sources."""

_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-pthread")
_SHARED = ("-shared", "-pthread", "-static-libstdc++", "-static-libgcc", "-Wl,-z,nodelete")
"""As in CMakeLists.txt, which builds the libraries of an installation."""


def native_library(name: str) -> Path:
    """Return a library: the installed one, or in a checkout one built from its sources.

    The latter is kept in the user's cache folder, by the content of the sources.  Raises
    :class:`MissingToolError` if there is no C++ compiler, and
    :class:`~gpucc.errors.ToolError` if it fails.
    """
    folder = _SOURCES / _FOLDERS[name]
    if not folder.is_dir():
        return _INSTALLED / name
    sources = sorted(path for path in folder.iterdir() if path.is_file())
    if name.endswith(".so"):
        # A process that loads it may have NVIDIA's functions of the same names.
        sources = [path for path in sources if not path.name.startswith("cudart")]
    key = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    library = base / "gpucc" / f"{_FOLDERS[name]}-{key}" / name
    if not library.exists():
        _build([path for path in sources if path.suffix == ".cpp"], library)
    return library


def _build(sources: list[Path], library: Path) -> None:
    compiler, archiver = shutil.which("g++"), shutil.which("ar")
    if compiler is None or archiver is None:
        raise MissingToolError(f"building {library.name} needs g++ and ar", hint="apt install g++")
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        objects = [f"{folder}/{source.stem}.o" for source in sources]
        made = f"{folder}/{library.name}"

        def run(command: list[str]) -> None:
            toolchain.run(command, what=f"building {library.name}")

        with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
            list(
                pool.map(
                    run,
                    (
                        [compiler, *_FLAGS, "-c", str(source), "-o", target]
                        for source, target in zip(sources, objects, strict=True)
                    ),
                )
            )
        if library.suffix == ".a":
            run([archiver, "rcs", made, *objects])
        else:
            exports = f"-Wl,--version-script={sources[0].parent / 'exports.map'}"
            run([compiler, *_SHARED, exports, *objects, "-o", made])
        os.replace(made, library)
