"""Source to a loadable image: what loading and ``gpucc run`` do before they need a GPU."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from gpucc import toolchain
from gpucc.cubin import CubinKernel, Param, is_cubin, is_fatbin, read_cubin
from gpucc.errors import GpuccError
from gpucc.frontend.llvm import bytes_to_ptx
from gpucc.frontend.llvm_worker import is_bitcode
from gpucc.passmanager import Context, Pipeline, Target, parse_pipeline, run_device_passes
from gpucc.runtime.mangled import demangle
from gpucc.runtime.signature import Signature, signature

Language = Literal["cuda", "ptx", "llvm", "cubin", "fatbin"]

_BY_SUFFIX: Mapping[str, Language] = {
    ".cu": "cuda",
    ".ptx": "ptx",
    ".ll": "llvm",
    ".bc": "llvm",
    ".cubin": "cubin",
    ".fatbin": "fatbin",
}


@dataclass(frozen=True, slots=True)
class Image:
    """Machine code and what is known of its kernels."""

    name: str
    """Where it came from, for messages."""
    binary: bytes
    """A cubin or a fatbin."""
    arch: str | None
    """What the cubin is for; None for a fatbin."""
    ptx: str | None = None
    """What the cubin was assembled from, if that is known."""
    signatures: Mapping[str, Signature] = field(default_factory=dict[str, Signature])
    """By symbol; empty for a fatbin, of which the driver tells."""
    kernels: Mapping[str, CubinKernel] = field(default_factory=dict[str, CubinKernel])
    """By symbol; empty for a fatbin."""
    extra_shared: Mapping[str, int] = field(default_factory=dict[str, int])
    """Dynamic shared memory (bytes) that passes added to kernels, by symbol."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something to load: its language and where it is."""

    language: Language
    name: str
    data: bytes
    path: Path | None


def read_source(source: str | os.PathLike[str] | bytes, language: Language | None = None) -> Source:
    """Find out what ``source`` is.

    Bytes are contents.  A string with a line break is contents, any other a path.  Binaries are
    known by their first bytes, files by their suffix, texts by what they say: PTX has ``.version``,
    LLVM IR ``define`` or ``target triple``, and the rest is CUDA C++.
    """
    if isinstance(source, str) and "\n" not in source:
        source = Path(source)
    if isinstance(source, str):
        return Source(language or _language_of(source.encode()), "<text>", source.encode(), None)
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
        return Source(language or _language_of(data), "<bytes>", data, None)
    path = Path(source)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GpuccError(f"cannot read {path}: {error.strerror}") from None
    found = language or _binary_language(data) or _BY_SUFFIX.get(path.suffix)
    if found is None:
        raise GpuccError(
            f"{path}: not a kind of file that can be loaded",
            hint=f"loaded are {', '.join(_BY_SUFFIX)}",
        )
    return Source(found, str(path), data, path)


def _binary_language(data: bytes) -> Language | None:
    if is_cubin(data):
        return "cubin"
    if is_fatbin(data):
        return "fatbin"
    return "llvm" if is_bitcode(data) else None


def _language_of(data: bytes) -> Language:
    if binary := _binary_language(data):
        return binary
    if re.search(rb"^\s*\.version\s+\d", data, re.M):
        return "ptx"
    if re.search(rb"^(?:define\s[^\n]*@|target (?:triple|datalayout) = )", data, re.M):
        return "llvm"
    return "cuda"


def build(source: Source, arch: str, passes: str = "", flags: Sequence[str] = ()) -> Image:
    """Compile ``source`` for ``arch``, through the device passes ``passes``.

    ``flags`` go to nvcc, and so are for CUDA C++ only.  Raises :class:`GpuccError`.
    """
    if source.language in ("cubin", "fatbin"):
        if _device_pipeline(passes).passes:
            raise GpuccError(f"{source.name}: passes work on PTX, and this is machine code")
        return _binary_image(source)
    ptx, extra_shared = _compiled(source, arch, passes, flags)
    return _ptx_image(source.name, ptx, arch, extra_shared)


def build_ptx(source: Source, arch: str, passes: str = "", flags: Sequence[str] = ()) -> Image:
    """Compile ``source`` as :func:`build` does, but leave it PTX: for the CPU target.

    The image's ``binary`` is empty; parameters lie where PTX puts them.
    """
    from gpucc.cpu.frame import kernel_offsets
    from gpucc.cpu.storage import size
    from gpucc.frontend.parser import parse

    if source.language in ("cubin", "fatbin"):
        raise GpuccError(f"{source.name} is machine code for a GPU; the CPU target takes PTX")
    ptx, extra_shared = _compiled(source, arch, passes, flags)
    signatures: dict[str, Signature] = {}
    for kernel in parse(ptx, source.name).kernels:
        declared, offsets = kernel.signature.params, kernel_offsets(kernel)
        layout = [Param(i, offsets[v.name], size(v)) for i, v in enumerate(declared)]
        signatures[kernel.name] = signature(kernel.name, layout, declared)
    return Image(source.name, b"", arch, ptx, signatures, {}, extra_shared)


def _device_pipeline(passes: str) -> Pipeline:
    pipeline = parse_pipeline(passes)
    if pipeline.host:
        raise GpuccError(
            f"'{pipeline.host[0].name}' is a pass over host code; a loaded kernel has none"
        )
    return pipeline


def _compiled(
    source: Source, arch: str, passes: str, flags: Sequence[str]
) -> tuple[str, Mapping[str, int]]:
    """Return the PTX that comes out of the passes, and the shared memory that they add."""
    pipeline = _device_pipeline(passes)
    if flags and source.language != "cuda":
        raise GpuccError(f"{source.name}: flags are for CUDA C++")
    ptx = _to_ptx(source, arch, flags)
    if pipeline.device:
        return _through_passes(source, ptx, arch, pipeline)
    return ptx, {}


def _binary_image(source: Source) -> Image:
    if source.language == "fatbin":
        return Image(source.name, source.data, None)
    cubin = read_cubin(source.data)
    if cubin.relocatable:
        raise GpuccError(
            f"{source.name} is not linked", hint="compile without -dc and -rdc=true, or link it"
        )
    return Image(
        source.name,
        source.data,
        cubin.arch,
        None,
        {k.name: signature(k.name, k.params) for k in cubin.kernels},
        {k.name: k for k in cubin.kernels},
    )


def _to_ptx(source: Source, arch: str, flags: Sequence[str]) -> str:
    if source.language == "cuda":
        return _cuda_to_ptx(source, arch, flags)
    if source.language == "llvm":
        return bytes_to_ptx(source.data, Target(arch), name=source.name)
    return source.data.decode(errors="surrogateescape")


def _cuda_to_ptx(source: Source, arch: str, flags: Sequence[str]) -> str:
    from gpucc.driver import Emit, compile_files
    from gpucc.passwork import read_text

    with tempfile.TemporaryDirectory(prefix="gpucc-load-") as folder:
        path = source.path
        if path is None or path.suffix != ".cu":
            path = Path(folder) / "text.cu"
            path.write_bytes(source.data)
            if source.path is not None:
                flags = (*flags, f"-I{source.path.parent}")
        output = Path(folder) / "module.ptx"
        compile_files([path], output, emit=Emit.PTX, archs=[arch], flags=flags)
        return read_text(output)


def _through_passes(
    source: Source, text: str, arch: str, pipeline: Pipeline
) -> tuple[str, dict[str, int]]:
    """Run the device passes over PTX; return the text, and shared memory (bytes) by kernel."""
    from gpucc.frontend.parser import parse
    from gpucc.ptx.verify import require_valid

    module = parse(text, source.name)
    if source.language == "ptx":
        require_valid(module)
    report = run_device_passes(module, pipeline, Context(Target(arch)))
    extra: dict[str, int] = {}
    for effects in report.effects:
        for kernel, size in effects.dynamic_shared_bytes.items():
            extra[kernel] = extra.get(kernel, 0) + size
    return report.ir.text, extra


def _ptx_image(name: str, text: str, arch: str, extra_shared: Mapping[str, int]) -> Image:
    from gpucc.analysis.access import kernel_accesses
    from gpucc.frontend.parser import parse

    module = parse(text, name)
    binary = toolchain.assemble(text, arch)
    cubin = read_cubin(binary)
    declared = {kernel.name: kernel.signature.params for kernel in module.kernels}
    accesses = {access.kernel: access for access in kernel_accesses(module)}
    signatures = {
        k.name: signature(k.name, k.params, declared.get(k.name, ()), accesses.get(k.name))
        for k in cubin.kernels
    }
    return Image(
        name, binary, arch, text, signatures, {k.name: k for k in cubin.kernels}, extra_shared
    )


def find_kernel(symbols: Sequence[str], wanted: str, where: str) -> str:
    """Return the symbol of the kernel that ``wanted`` names.

    That may be the symbol, or a C++ name: ``scale``, ``ns::scale``, ``ns::scale<float>``.
    Raises :class:`GpuccError` if there is none, or several.
    """
    if wanted in symbols:
        return wanted
    plain = _without_blanks(wanted)
    found = [symbol for symbol in symbols if plain in _spellings(symbol)]
    if len(found) == 1:
        return found[0]
    if found:
        raise GpuccError(
            f"{where}: {len(found)} kernels are called '{wanted}'",
            hint=f"name one of: {', '.join(map(readable, found))}",
        )
    listed = ", ".join(map(readable, symbols)) or "none"
    raise GpuccError(f"{where}: no kernel '{wanted}'", hint=f"kernels are: {listed}")


def _spellings(symbol: str) -> set[str]:
    """Return what a kernel may be called: with or without scopes and template arguments."""
    function = demangle(symbol)
    if function is None:
        return {symbol}
    arguments = function.name[len(function.scoped_name) :]
    named = (function.base_name, function.scoped_name)
    return {_without_blanks(name + tail) for name in named for tail in ("", arguments)}


def _without_blanks(name: str) -> str:
    return re.sub(r"\s+", "", name)


def readable(symbol: str) -> str:
    """Return a symbol as a person writes it: ``ns::scale<float>``."""
    function = demangle(symbol)
    return function.name if function else symbol
