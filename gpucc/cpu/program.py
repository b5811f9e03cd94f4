"""The device half of a CUDA program as an object file for this machine.

The object has one symbol that the host half uses, :data:`TABLE`: what ``cudaLaunchKernel`` must
know of the kernels, and where device variables lie (``gpucc_module`` of
``runtime/native/cpurt/gpucc_cpu.h``).  :func:`registration` is the C++ text that stands in for the
fatbin which nvcc's host half registers: the runtime finds the table where the fatbin would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gpucc.cpu import native
from gpucc.cpu.engine import fingerprint
from gpucc.cpu.frame import kernel_offsets, llvm_name
from gpucc.cpu.kernels import KernelCode
from gpucc.cpu.lower import Lowered, is_exported, lower
from gpucc.cpu.storage import size
from gpucc.ptx.module import Function, Module

TABLE = "gpucc_cpu_module"
"""The symbol of a module's table; local to the object once the halves are joined."""


def compile_object(text: str, path: str, *, linked: bool) -> bytes:
    """Return the object file of the PTX module ``text``, whose name in messages is ``path``.

    ``linked``: the module is a part of a program of several (``-rdc=true``), which see each other's
    functions and variables.  Raises :class:`gpucc.errors.SourceError`.
    """
    from gpucc.frontend.parser import parse

    kind = "linked" if linked else "whole"
    key = native.key_of(fingerprint(), native.processor(), "program", kind, text, path)
    if (kept := native.cached(key)) is not None:
        return kept
    module = parse(text, path=path)
    lowered = lower(module, linked=linked)
    made = native.compile_ir(
        f"{lowered.text}\n{_table(module, lowered)}",
        linkage={TABLE: "external", **(_exports(module) if linked else {})},
    )
    native.keep(key, made)
    return made


def _exports(module: Module) -> Mapping[str, str]:
    """Return the LLVM linkage of what other modules see, by symbol."""
    found: dict[str, tuple[str, ...]] = {}
    for function in module.functions:
        if function.body is not None and not function.is_kernel:
            found[function.name] = function.signature.linkage
    for declaration in module.declarations:
        if declaration.space in (".global", ".const"):
            found |= {v.name: declaration.linkage for v in declaration.variables}
    return {
        llvm_name(name).strip('"'): "external" if ".visible" in linkage else "weak_any"
        for name, linkage in found.items()
        if is_exported(linkage)
    }


# --- the table ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Text:
    """LLVM globals under construction."""

    lines: list[str]

    def string(self, text: str) -> str:
        """Return the ``ptr`` to a constant string."""
        data = text.encode(errors="replace") + b"\0"
        said = "".join(f"\\{byte:02x}" for byte in data)
        return self.constant(f"[{len(data)} x i8]", f'c"{said}"')

    def constant(self, type_: str, value: str) -> str:
        """Return the ``ptr`` to a constant."""
        name = f"@gpucc.table.{len(self.lines)}"
        self.lines.append(f"{name} = private constant {type_} {value}")
        return f"ptr {name}"

    def array(self, type_: str, items: Iterable[str]) -> str:
        """Return the ``ptr`` to a constant array; null if it is empty."""
        values = [f"{type_} {item}" for item in items]
        if not values:
            return "ptr null"
        return self.constant(f"[{len(values)} x {type_}]", f"[{', '.join(values)}]")


_KERNEL = "{ ptr, ptr, ptr, i32, i32, i64, ptr, i32, i32, ptr }"
_ENTRY = f"{{ {_KERNEL}, ptr, i32, i32 }}"
_VARIABLE = "{ ptr, ptr, i64 }"


def _table(module: Module, lowered: Lowered) -> str:
    text = _Text([])
    sites = text.array("ptr", (text.string(s).removeprefix("ptr ") for s in lowered.sites))
    by_name = {kernel.name: kernel for kernel in module.kernels}
    entries = text.array(
        _ENTRY,
        [
            _entry(text, by_name[name], code, sites, len(lowered.sites))
            for name, code in lowered.kernels.items()
        ],
    )
    defined = {
        variable.name: size(variable)
        for declaration in module.declarations
        if declaration.space in (".global", ".const") and ".extern" not in declaration.linkage
        for variable in declaration.variables
    }
    variables = text.array(
        _VARIABLE,
        [
            f"{{ {text.string(name)}, ptr @{llvm_name(name)}, i64 {extent} }}"
            for name, extent in defined.items()
        ],
    )
    table = (
        f"@{TABLE} = hidden constant {{ i64, i32, i32, ptr, ptr }} {{ i64 {_MAGIC},"
        f" i32 {len(lowered.kernels)}, i32 {len(defined)}, {entries}, {variables} }}"
    )
    return "\n".join([*text.lines, table, ""])


_MAGIC = int.from_bytes(b"gpucccpu", "little")


def _entry(text: _Text, kernel: Function, code: KernelCode, sites: str, site_count: int) -> str:
    function, no = f'ptr @"{code.symbol}"', "ptr null"
    thread, loop = (no if code.loops or code.resumes else function), function if code.loops else no
    start = function if code.resumes else no
    offsets = kernel_offsets(kernel)
    signature = kernel.signature
    parameters = text.array(
        "[2 x i32]",
        (f"[i32 {offsets[v.name]}, i32 {size(v)}]" for v in signature.params),
    )
    head = (
        f"{{ {text.string(code.name)}, {thread}, {loop}, i32 {code.static_shared},"
        f" i32 {code.parameter_bytes}, i64 0, {sites}, i32 {site_count},"
        f" i32 {code.lanes}, {start} }}"
    )
    most = _most_threads(dict(signature.directives))
    return f"{{ {_KERNEL} {head}, {parameters}, i32 {len(signature.params)}, i32 {most} }}"


def _most_threads(directives: Mapping[str, str]) -> int:
    """Return the threads of the largest block that ``.maxntid`` or ``.reqntid`` allow."""
    product = 1
    for extent in directives.get(".reqntid", directives.get(".maxntid", "1024")).split(","):
        product *= int(extent)
    return min(product, 1024)


# --- the host half --------------------------------------------------------------------------------


def registration(cuda_version: tuple[int, int], *, linked: bool) -> str:
    """Return what the host half includes in the place of its fatbin.

    ``cuda_version`` is that of the headers, by which the runtime tells apart functions whose
    parameters changed.  With ``linked`` the host half registers itself too, which nvcc leaves to
    code made when it links.
    """
    major, minor = cuda_version
    text = _WRAPPER.replace("TABLE", TABLE).replace("VERSION", str(major * 1000 + minor * 10))
    return text + (_LINKED if linked else "")


_WRAPPER = """\
#include "fatbinary_section.h"
extern "C" {
extern const unsigned long long TABLE[] __attribute__((visibility("hidden")));
static const __fatBinC_Wrapper_t __fatDeviceText __attribute__((aligned(8))) =
    {0x466243b1, 1, TABLE, (void *)VERSION};
}
"""

_LINKED = """\
extern "C" void __REGISTERFUNCNAME(__NV_MODULE_ID)(
    void (*callback)(void **), void *, void *, void (*)(void *)) {
    __cudaFatCubinHandle = __cudaRegisterFatBinary((void *)&__fatDeviceText);
    callback(__cudaFatCubinHandle);
    __cudaRegisterFatBinaryEnd(__cudaFatCubinHandle);
}
#undef __FATIDNAME
#define __FATIDNAME(X) __fatDeviceText
"""
