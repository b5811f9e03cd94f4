"""The host half of one translation unit: LLVM IR text that is changed as little as possible.

Only callees are renamed, in place, and a table is appended (D2): no block is added, moved or
edited.  :meth:`HostModule.with_schedules` is the one rewriting there is.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpucc.errors import GpuccError
from gpucc.host.ir import HostFunction, functions
from gpucc.host.regions import COPY, FILL, PUSH, Region
from gpucc.host.schedule import Schedule

_WRAPPERS = {PUSH: "@gpucc_rt_push", COPY: "@gpucc_rt_memcpy", FILL: "@gpucc_rt_memset"}
_LAUNCHES = ("@__cudaLaunchKernel", "@cudaLaunchKernel")
_REGISTER = re.compile(
    r'@__cudaRegisterFunction\(ptr [^,]+, ptr [^@]*@([\w$.]+|"[^"]+"), ptr [^@]*@([\w$.]+)'
)
_STRING = re.compile(r'@([\w$.]+) = private unnamed_addr constant \[\d+ x i8\] c"([^"]*)\\00"')

_BEGINS, _RECORD, _JOIN, _SYNC, _SYNC_ALL = 1, 2, 4, 8, 16
"""Flags of an entry, as ``runtime/native/rt/gpucc_rt.h`` has them."""

_TYPE = "%gpucc_site = type { ptr, ptr, i32, i32, i32, i32 }"
_DECLARATIONS = """\
declare i32 @gpucc_rt_push(ptr, i64, i32, i64, i32, i64, ptr)
declare i32 @gpucc_rt_launch(ptr, ptr, i64, i32, i64, i32, ptr, i64, ptr)
declare i32 @gpucc_rt_memcpy(ptr, ptr, ptr, i64, i32)
declare i32 @gpucc_rt_memset(ptr, ptr, i32, i64)
"""


@dataclass(frozen=True)
class HostModule:
    """LLVM IR of a host half; ``text`` is the whole file."""

    text: str
    path: str

    @staticmethod
    def parse(text: str, path: str) -> HostModule:
        """Read LLVM IR as clang prints it."""
        return HostModule(text, path)

    @functools.cached_property
    def functions(self) -> tuple[HostFunction, ...]:
        """The functions that are defined here, in order."""
        return functions(self.text.split("\n"))

    @functools.cached_property
    def kernels(self) -> Mapping[str, str]:
        """The kernels' names on the device, by the host symbol they are registered with."""
        strings = dict(_STRING.findall(self.text))
        return {
            symbol.strip('"'): strings[name]
            for symbol, name in _REGISTER.findall(self.text)
            if name in strings
        }

    @property
    def has_per_thread_stream(self) -> bool:
        """Whether the default stream is each thread's own (``--default-stream per-thread``)."""
        return "_ptsz(" in self.text or "_ptds(" in self.text

    def with_schedules(self, scheduled: Sequence[tuple[Region, Schedule]]) -> HostModule:
        """Return this module with the sites of each region going through libgpucc_rt.

        Raises :class:`GpuccError` if the result is not valid IR, which would be a fault here.
        """
        lines = self.text.split("\n")
        entries: list[str] = []
        constants: list[str] = []
        total = sum(len(region.sites) for region, _ in scheduled)
        for region, schedule in scheduled:
            base = len(entries)
            for number, (site, entry) in enumerate(
                zip(region.sites, schedule.entries, strict=True)
            ):
                index = base + number
                flags = (
                    (_BEGINS if number == 0 else 0)
                    | (_RECORD if entry.records else 0)
                    | (_JOIN if entry.joins else 0)
                    | (_SYNC if site.work.blocks_host else 0)
                    | (_SYNC_ALL if site.work.waits_for_all else 0)
                )
                name = site.work.name
                constants.append(
                    f'@gpucc_name_{index} = private constant [{len(name) + 1} x i8] c"{name}\\00"'
                )
                waits = "null"
                if entry.waits:
                    waits = f"@gpucc_waits_{index}"
                    listed = ", ".join(f"i32 {base + wait}" for wait in entry.waits)
                    constants.append(
                        f"{waits} = private constant [{len(entry.waits)} x i32] [{listed}]"
                    )
                entries.append(
                    f"%gpucc_site {{ ptr @gpucc_name_{index}, ptr {waits}, i32 {index}, "
                    f"i32 {entry.queue}, i32 {len(entry.waits)}, i32 {flags} }}"
                )
                place = (
                    f"ptr getelementptr inbounds ([{total} x %gpucc_site], "
                    f"ptr @gpucc_sites, i64 0, i64 {index})"
                )
                line, callee = site.call.line, site.call.callee
                lines[line] = lines[line].replace(f"{callee}(", f"{_WRAPPERS[callee]}({place}, ", 1)
        for number, line in enumerate(lines):
            if line.startswith(" "):  # an instruction
                for launch in _LAUNCHES:
                    if f"{launch}(" in line:
                        line = line.replace(f"{launch}(", f"@gpucc_rt_launch(ptr {launch}, ", 1)
                lines[number] = line
        table = f"@gpucc_sites = private constant [{total} x %gpucc_site] [{', '.join(entries)}]"
        head = next(n for n, line in enumerate(lines) if line.startswith("target triple")) + 1
        text = "\n".join(
            [*lines[:head], _TYPE, *lines[head:], _DECLARATIONS, *constants, table, ""]
        )
        _check(text)
        return replace(self, text=text)


def _check(text: str) -> None:
    """Let LLVM read the module, so that a fault shows here and not in the host compiler."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_native_asmparser()
    try:
        llvm.parse_assembly(text).verify()
    except RuntimeError as error:
        raise GpuccError(f"the changed host IR is not valid: {error}") from None
