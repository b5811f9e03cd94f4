"""Finds the programs that compile CUDA, tells their versions, and runs them.

A toolkit is a folder with ``bin/nvcc`` (or at least ``bin/ptxas``) in it.  Toolkits are looked for
in this order, and each tool is taken from the first toolkit that has it:

1. the one named by an option,
2. ``CUDA_HOME`` or ``CUDA_PATH``,
3. the one whose ``nvcc`` is on ``PATH``,
4. ``/usr/local/cuda``,
5. the wheels from PyPI (``site-packages/nvidia/cu13``).

Looking is cheap: nothing runs until a version is asked for, and every answer is kept for the life
of the process.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpucc.errors import GpuccError, MissingToolError, ToolError

DEFAULT_ARCH = "sm_90"
"""What device code is compiled for where no GPU is found and none is named."""

SYSTEM_TOOLKIT = Path("/usr/local/cuda")
"""Where NVIDIA's installers put a toolkit."""

_CUDA_EXTRA = "pip install 'gpucc[cuda]'"
_HOST_EXTRA = "pip install 'gpucc[host]'"


@dataclass(frozen=True, slots=True)
class ToolInfo:
    """One program (or file) that gpucc uses: what for, where it may be, what brings it."""

    name: str
    purpose: str
    remedy: str
    """The command that installs it."""
    places: tuple[str, ...] = ()
    """Paths inside a toolkit, tried in order; empty for a tool that no toolkit has."""
    required: bool = True


TOOLS: tuple[ToolInfo, ...] = (
    ToolInfo("nvcc", "drives the compilation of CUDA C++", _CUDA_EXTRA, ("bin/nvcc",)),
    ToolInfo("cicc", "CUDA C++ to PTX", _CUDA_EXTRA, ("nvvm/bin/cicc",)),
    ToolInfo("ptxas", "PTX to machine code", _CUDA_EXTRA, ("bin/ptxas",)),
    ToolInfo("cudafe++", "splits host code from device code", _CUDA_EXTRA, ("bin/cudafe++",)),
    ToolInfo("fatbinary", "packs cubins and PTX", _CUDA_EXTRA, ("bin/fatbinary",)),
    ToolInfo("nvlink", "links device code", _CUDA_EXTRA, ("bin/nvlink",)),
    ToolInfo(
        "libdevice",
        "device math functions for LLVM IR",
        _CUDA_EXTRA,
        ("nvvm/libdevice/libdevice.10.bc",),
    ),
    ToolInfo(
        "cuobjdump", "takes cubins out of programs", _CUDA_EXTRA, ("bin/cuobjdump",), required=False
    ),
    ToolInfo("nvdisasm", "shows machine code", _CUDA_EXTRA, ("bin/nvdisasm",), required=False),
    ToolInfo("g++", "compiles and links host code", "apt install g++"),
    ToolInfo("clang", "host code to LLVM IR, for host passes", _HOST_EXTRA, required=False),
    ToolInfo("nvidia-smi", "tells which GPU is here", "install NVIDIA's driver", required=False),
)
_BY_NAME = {info.name: info for info in TOOLS}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that was found; ``origin`` says through what (``CUDA_HOME``, ``PATH``, ``wheel``)."""

    name: str
    path: Path
    origin: str


@dataclass(frozen=True, slots=True)
class Toolkit:
    """A folder that holds CUDA's compiler."""

    root: Path
    origin: str

    def find(self, name: str) -> Path | None:
        """Return where this toolkit has the tool ``name``, or None."""
        for place in _BY_NAME[name].places:
            if (path := self.root / place).exists():
                return path
        return None


# --- finding ------------------------------------------------------------------------------------


def toolkits(explicit: Path | None = None) -> tuple[Toolkit, ...]:
    """Return all toolkits in the order in which they are used; ``explicit`` comes first.

    Raises :class:`GpuccError` if ``explicit`` is not a toolkit.
    """
    named = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or ""
    return _toolkits(explicit, named, os.environ.get("PATH", ""))


@functools.cache
def _toolkits(explicit: Path | None, named: str, path: str) -> tuple[Toolkit, ...]:
    candidates: list[Toolkit] = []
    if explicit is not None:
        given = Toolkit(explicit.absolute(), "option")
        if given.find("nvcc") is None and given.find("ptxas") is None:
            raise GpuccError(
                f"no CUDA toolkit in {explicit}", hint="it should have bin/nvcc or bin/ptxas"
            )
        candidates.append(given)
    if named:
        candidates.append(Toolkit(Path(named), "CUDA_HOME"))
    if nvcc := shutil.which("nvcc", path=path):
        candidates.append(Toolkit(_root_of(Path(nvcc)), "PATH"))
    candidates.append(Toolkit(SYSTEM_TOOLKIT, str(SYSTEM_TOOLKIT)))
    candidates.extend(Toolkit(root, "wheel") for root in _wheel_roots())
    found: dict[Path, Toolkit] = {}
    for kit in candidates:
        if kit.find("nvcc") or kit.find("ptxas"):
            found.setdefault(kit.root.resolve(), kit)
    return tuple(found.values())


def _root_of(nvcc: Path) -> Path:
    """Return the toolkit's folder of an ``nvcc`` that may be a link or a wrapper script."""
    real = nvcc.resolve()
    if (real.parent / "nvcc.profile").exists():
        return real.parent.parent
    shown = subprocess.run(
        [nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null"],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    top = re.search(r"^#\$ TOP=(.+)$", shown.stderr, re.MULTILINE)
    return Path(top[1].strip()).resolve() if top else real.parent.parent


def _wheel_roots() -> tuple[Path, ...]:
    """Return the toolkits that ``pip install nvidia-cuda-nvcc`` made, newest first."""
    namespace = importlib.util.find_spec("nvidia")
    if namespace is None or namespace.submodule_search_locations is None:
        return ()
    roots = [
        root
        for place in namespace.submodule_search_locations
        for root in Path(place).glob("cu[0-9]*")
    ]
    return tuple(sorted(roots, key=lambda root: root.name, reverse=True))


def find(name: str, explicit: Path | None = None) -> Tool | None:
    """Return the tool ``name`` of :data:`TOOLS`, or None if it is not on this machine."""
    if name == "clang":
        clang = find_clang()
        return Tool("clang", clang.program, clang.origin) if clang else None
    if not _BY_NAME[name].places:
        found = shutil.which(name)
        return Tool(name, Path(found), "PATH") if found else None
    for kit in toolkits(explicit):
        if path := kit.find(name):
            return Tool(name, path, kit.origin)
    found = shutil.which(name)
    return Tool(name, Path(found), "PATH") if found else None


def require(name: str, explicit: Path | None = None) -> Path:
    """Return the path of the tool ``name``.

    Raises :class:`MissingToolError`, which names the command that brings it.
    """
    if tool := find(name, explicit):
        return tool.path
    info = _BY_NAME[name]
    raise MissingToolError(f"{name} was not found ({info.purpose})", hint=info.remedy)


# --- the host's clang -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HostClang:
    """A clang that compiles host code to LLVM IR against g++'s C++ library.

    ``arguments`` stand before all others.  ``links`` says whether it may also link: the clang of
    the ``ziglang`` wheel has no libraries of its own, so g++ links what it compiled.
    """

    program: Path
    arguments: tuple[str, ...]
    origin: str
    links: bool

    def write_wrapper(self, folder: Path) -> Path:
        """Write a ``clang++`` in ``folder`` that nvcc can be given as ``-ccbin``."""
        wrapper = folder / "clang++"
        words = shlex.join([str(self.program), *self.arguments])
        wrapper.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        wrapper.chmod(0o755)
        return wrapper


NEWEST_CLANG = 22
"""The newest clang whose LLVM IR our LLVM (llvmlite 0.50) reads."""


@functools.cache
def find_clang() -> HostClang | None:
    """Return the clang for host passes: a ``clang++`` on ``PATH``, else the ziglang wheel's."""
    names = ["clang++", *(f"clang++-{major}" for major in range(NEWEST_CLANG, 15, -1))]
    for name in names:
        if (found := shutil.which(name)) and 16 <= _major(version(Path(found))) <= NEWEST_CLANG:
            return HostClang(Path(found), (), "PATH", links=True)
    return _zig_clang()


def _zig_clang() -> HostClang | None:
    """Return the clang inside the ``ziglang`` wheel.

    ``zig c++`` would use a C++ library of its own, whose names do not link with objects that g++
    made.  ``zig clang`` is clang itself; it lacks only the folder of its built-in headers, and is
    told which gcc's library to use.
    """
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    arguments = [
        "clang",
        f"--target={platform.machine()}-linux-gnu",
        "-resource-dir",
        str(folder / "lib"),
        "-fno-sanitize=all",
    ]
    if gcc := shutil.which("g++"):
        library = run([gcc, "-print-libgcc-file-name"], what="g++").strip()
        arguments.append(f"--gcc-install-dir={Path(library).parent}")
    return HostClang(folder / "zig", tuple(arguments), "wheel", links=False)


def is_clang(compiler: Path) -> bool:
    """Tell whether the host compiler ``compiler`` is a clang."""
    return "clang version" in _version_output(compiler)


# --- versions -------------------------------------------------------------------------------------

_VERSIONS = (
    re.compile(r"release [\d.]+, V([\d.]+)"),
    re.compile(r"clang version (\d+(?:\.\d+)*)"),
    re.compile(r"\) (\d+\.\d+(?:\.\d+)*)"),
    re.compile(r"Driver Version\s*:\s*([\d.]+)", re.IGNORECASE),
)


def version(program: Path) -> str | None:
    """Return the version that ``program`` tells of itself (``13.5.37``), or None."""
    output = _version_output(program)
    for pattern in _VERSIONS:
        if found := pattern.search(output):
            return found[1]
    return None


@functools.cache
def _version_output(program: Path) -> str:
    # The wheel's zig is asked as the clang that it is used as.
    command = [str(program), *(["clang"] if program.name == "zig" else []), "--version"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def _major(text: str | None) -> int:
    return int(text.split(".")[0]) if text else 0


@functools.cache
def ptx_version(ptxas: Path) -> tuple[int, int]:
    """Return the newest PTX ``.version`` that ``ptxas`` reads, as (major, minor)."""
    with tempfile.TemporaryDirectory(prefix="gpucc-ptxas-") as folder:
        probe = Path(folder, "probe.ptx")
        probe.write_text(".version 99.0\n.target sm_90\n")
        command = [ptxas, "-o", probe.with_suffix(".cubin"), probe]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"current version is '(\d+)\.(\d+)'", done.stderr + done.stdout)
    if not found:
        raise ToolError(
            "ptxas does not say which PTX version it reads",
            command=command,
            status=done.returncode,
            output=done.stderr,
        )
    return int(found[1]), int(found[2])


def ptxas_for(text: str, *, first: Path | None = None) -> Tool:
    """Return a ptxas that reads the ``.version`` of the PTX ``text``.

    That is ``first`` if it can, else the first one in the order of toolkits.  Raises
    :class:`MissingToolError` if there is none; the hint brings the newest.
    """
    found = [Tool("ptxas", path, kit.origin) for kit in toolkits() if (path := kit.find("ptxas"))]
    tools = [*([Tool("ptxas", first, "option")] if first else []), *found]
    if not tools:
        tools = [Tool("ptxas", require("ptxas"), "PATH")]
    declared = re.search(r"^\s*\.version\s+(\d+)\.(\d+)", text, re.MULTILINE)
    if declared is None:
        return tools[0]
    wanted = int(declared[1]), int(declared[2])
    for tool in tools:
        if ptx_version(tool.path) >= wanted:
            return tool
    newest = max(ptx_version(tool.path) for tool in tools)
    raise MissingToolError(
        f"PTX .version {wanted[0]}.{wanted[1]} is newer than any ptxas here"
        f" (the newest reads {newest[0]}.{newest[1]})",
        hint=f"{_CUDA_EXTRA} --upgrade",
    )


def assemble(text: str, arch: str, *options: str, ptxas: Path | None = None) -> bytes:
    """Return the cubin that ptxas makes of the PTX ``text`` for ``arch`` (``sm_90a``).

    Raises :class:`ToolError` with ptxas's own message; the PTX is kept where the command says.
    """
    program = ptxas_for(text, first=ptxas).path
    folder = Path(tempfile.mkdtemp(prefix="gpucc-ptxas-"))
    source, cubin = folder / "module.ptx", folder / "module.cubin"
    source.write_bytes(text.encode(errors="surrogateescape"))
    run([program, f"-arch={arch}", *options, source, "-o", cubin], what="ptxas")
    binary = cubin.read_bytes()
    shutil.rmtree(folder)
    return binary


def which(program: str, environment: Mapping[str, str]) -> Path:
    """Return the file that running ``program`` in ``environment`` would start."""
    return Path(shutil.which(program, path=environment.get("PATH", "")) or program)


# --- the GPU here ---------------------------------------------------------------------------------


@functools.cache
def gpu_arch() -> str | None:
    """Return the architecture of the first GPU on this machine (``sm_90``), or None."""
    smi = shutil.which("nvidia-smi")
    if smi is None:
        return None
    try:
        done = subprocess.run(
            [smi, "--query-gpu=compute_cap", "--format=csv,noheader"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.match(r"\s*(\d+)\.(\d+)", done.stdout)
    return f"sm_{found[1]}{found[2]}" if done.returncode == 0 and found else None


def default_arch() -> str:
    """Return the architecture of the GPU here, or :data:`DEFAULT_ARCH` where there is none."""
    return gpu_arch() or DEFAULT_ARCH


# --- running --------------------------------------------------------------------------------------


def run(
    command: Sequence[str | Path],
    *,
    what: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> str:
    """Run ``command`` to its end and return what it printed on stdout.

    Raises :class:`ToolError` if it fails, and :class:`MissingToolError` if there is no such
    program; ``what`` names the tool in both.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            env=None if env is None else dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except FileNotFoundError:
        remedy = _BY_NAME[what].remedy if what in _BY_NAME else None
        raise MissingToolError(f"{what} was not found: {words[0]}", hint=remedy) from None
    if done.returncode != 0:
        raise ToolError(
            f"{what} failed",
            command=words,
            status=done.returncode,
            output=done.stdout + done.stderr,
        )
    return done.stdout


# --- what is here ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ToolStatus:
    """One line of ``gpucc doctor``."""

    info: ToolInfo
    tool: Tool | None
    version: str | None


def inventory(explicit: Path | None = None) -> tuple[ToolStatus, ...]:
    """Return every tool of :data:`TOOLS` with what was found of it."""
    from concurrent.futures import ThreadPoolExecutor

    def status(info: ToolInfo) -> ToolStatus:
        tool = find(info.name, explicit)
        return ToolStatus(info, tool, _tool_version(tool, explicit) if tool else None)

    with ThreadPoolExecutor(max_workers=4) as pool:
        return tuple(pool.map(status, TOOLS))


def _tool_version(tool: Tool, explicit: Path | None) -> str | None:
    """Return a tool's version; cicc and libdevice tell none, so it is that of their toolkit."""
    if tool.name in ("cicc", "libdevice"):
        for kit in toolkits(explicit):
            if kit.find(tool.name) == tool.path and (nvcc := kit.find("nvcc")):
                return version(nvcc)
        return None
    return version(tool.path)
