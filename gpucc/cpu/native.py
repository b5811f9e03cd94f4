"""LLVM IR to machine code for this machine, kept on disk, loaded into this process.

LLVM is that of llvmlite.  Objects are cached by the content of what they were made from; a damaged
or foreign file in the cache is made anew.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpucc.errors import GpuccError
from gpucc.native import native_library


@functools.cache
def _llvm() -> Any:
    llvm = importlib.import_module("llvmlite.binding")  # which has no types
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    return llvm


@functools.cache
def _machine() -> Any:
    llvm = _llvm()
    features: str = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, reloc="pic", codemodel="default"
    )


def processor() -> str:
    """Return what the code is compiled for: LLVM's version, the processor and its features."""
    llvm = _llvm()
    version = ".".join(map(str, llvm.llvm_version_info))
    features: str = llvm.get_host_cpu_features().flatten()
    return f"{version} {llvm.get_host_cpu_name()} {features}"


def compile_ir(text: str, *, level: int = 3, linkage: Mapping[str, str] | None = None) -> bytes:
    """Return the object file of the LLVM IR ``text``, optimised at ``level`` (0 to 3).

    ``linkage`` has the LLVM linkage of the symbols that others see (all, if it is None).
    Raises AssertionError if LLVM does not accept it, which is a fault of the lowering.
    """
    llvm = _llvm()
    machine = _machine()
    try:
        module = llvm.parse_assembly(text)
        module.triple = llvm.get_default_triple()
        module.data_layout = str(machine.target_data)
        if linkage is not None:
            _restrict(module, linkage)
        module.verify()
    except RuntimeError as error:
        raise AssertionError(f"LLVM does not accept what was made of the kernel: {error}") from None
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    tuning.loop_vectorization = tuning.slp_vectorization = level >= 2
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)


def _restrict(module: Any, linkage: Mapping[str, str]) -> None:
    """Make every definition internal that is not in ``linkage``, and hide the others."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.linkage.name != "private":
            value.linkage = linkage.get(value.name, "internal")
            if value.name in linkage:
                value.visibility = "hidden"


# --- the cache ------------------------------------------------------------------------------------


def cache_folder() -> Path:
    """Return where objects are kept: ``$XDG_CACHE_HOME/gpucc/cpu``, else under ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gpucc" / "cpu"


def key_of(*parts: str) -> str:
    """Return the name under which what was made from ``parts`` is kept."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def cached(key: str) -> bytes | None:
    """Return what is kept under ``key``; None if it is missing or damaged."""
    try:
        data = (cache_folder() / key).read_bytes()
    except OSError:
        return None
    digest, content = data[:32], data[32:]
    return content if hashlib.sha256(content).digest() == digest else None


def keep(key: str, content: bytes) -> None:
    """Keep ``content`` under ``key``; a cache that cannot be written is no error."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(hashlib.sha256(content).digest() + content)
        Path(file.name).replace(folder / key)
    except OSError:
        return


# --- loading --------------------------------------------------------------------------------------


@functools.cache
def library() -> ctypes.CDLL:
    """Return the engine, loaded; its functions are known to code that is loaded afterwards.

    Raises :class:`MissingToolError` or :class:`ToolError` if it has to be built and cannot be.
    """
    path = str(native_library("libgpucc_cpu.so"))
    _llvm().load_library_permanently(path)
    return ctypes.CDLL(path)


class NativeCode:
    """An object file in this process."""

    def __init__(self, data: bytes) -> None:
        llvm = _llvm()
        library()
        empty = llvm.parse_assembly("")
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._engine = llvm.create_mcjit_compiler(empty, machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()

    def address(self, symbol: str) -> int:
        """Return where a function or variable lies; raises :class:`GpuccError` if there is none."""
        found: int = self._engine.get_function_address(symbol)
        if not found:
            raise GpuccError(f"the compiled module has no '{symbol}'")
        return found
