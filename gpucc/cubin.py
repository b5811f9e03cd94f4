"""Reads cubins: what ptxas says about the kernels in them.

A cubin is a 64-bit ELF file for machine 190 (EM_CUDA).  Per kernel it has a ``.text.NAME`` section
with the code, ``.nv.shared.NAME`` with its static shared memory and ``.nv.info.NAME`` with
attributes; ``.nv.info`` holds the attributes of all functions that the linker sums up (registers,
stack).  NVIDIA does not document the attributes: their names are printed by ``cuobjdump -elf``, and
the encodings below were read from cubins of ptxas 12.9, 13.0 and 13.5 beside that output.

Everything here is a function from bytes to values; no GPU and no NVIDIA tool is needed.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from gpucc.errors import GpuccError
from gpucc.models.devices import KIB

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Param:
    """One kernel parameter: its place and size, in bytes, in the parameter space."""

    ordinal: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class CubinKernel:
    """What a cubin tells about one kernel.  Sizes are bytes."""

    name: str
    registers: int
    """Per thread, at launch."""
    shared_bytes: int
    """Static shared memory per block, without what the system reserves of it."""
    stack_bytes: int
    """Local memory per thread: spills, arrays, and calls."""
    params: tuple[Param, ...]
    code_bytes: int
    barriers: int
    """Named barriers used by a block."""
    max_threads: int | None
    """Largest block (``__launch_bounds__``, ``.maxntid``); None if nothing was said."""
    required_block: tuple[int, int, int] | None
    """The only block that may be launched (``.reqntid``)."""
    required_cluster: tuple[int, int, int] | None
    """The only cluster that may be launched (``.reqnctapercluster``), in blocks."""

    @property
    def param_bytes(self) -> int:
        """Bytes of the whole parameter space."""
        return max((p.offset + p.size for p in self.params), default=0)


@dataclass(frozen=True, slots=True)
class Cubin:
    """A cubin: the architecture it is for and its kernels, in the order of their names."""

    arch: str
    """With the suffix ``a``, where the cubin tells it (from ptxas 13 on)."""
    kernels: tuple[CubinKernel, ...]
    relocatable: bool
    """Whether it must be linked before it can be loaded (``-dc``, ``ptxas -c``)."""

    def kernel(self, name: str) -> CubinKernel:
        """Return the kernel ``name``; raises :class:`GpuccError` if there is none."""
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel
        names = ", ".join(k.name for k in self.kernels) or "none"
        raise GpuccError(f"no kernel '{name}' in the cubin", hint=f"kernels are: {names}")


def is_cubin(data: bytes) -> bool:
    """Tell whether ``data`` begins as a cubin does."""
    return data[:4] == b"\x7fELF" and data[18:20] == _EM_CUDA.to_bytes(2, "little")


def is_fatbin(data: bytes) -> bool:
    """Tell whether ``data`` begins as a fatbin (cubins and PTX for several GPUs) does."""
    return data[:4] == b"\x50\xed\x55\xba"


def read_cubin(data: bytes) -> Cubin:
    """Read a cubin.  Raises :class:`GpuccError` if ``data`` is not one, or is cut off."""
    return _checked(data, _read)


def _checked(data: bytes, read: Callable[[bytes], _Value]) -> _Value:
    if not is_cubin(data):
        raise GpuccError("this is not a cubin (an ELF file for NVIDIA GPUs)")
    try:
        return read(data)
    except (struct.error, IndexError, ValueError, OverflowError) as fault:
        raise GpuccError(f"the cubin is damaged or cut off: {fault}") from None


# --- ELF ------------------------------------------------------------------------------------------

_EM_CUDA = 190
_ET_REL = 1
_NO_CONTENTS = frozenset({8, 0x70000007, 0x70000009, 0x7000000A})
"""Section types without bytes in the file: SHT_NOBITS, and those that relocatable objects have for
global, local and shared memory (seen in objects of ptxas 13.5)."""
_SYMBOL_BYTES = 24
_ENTRY = 0x10
"""Bit of a symbol's ``st_other`` that makes a function a kernel."""


_DESCRIBES_TEXT = re.compile(
    r"(?:\.nv\.merc)?(?:\.rela?)?\.(?:(?:nv_)?debug|(?:sym|str|shstr)tab)|\.note"
    r"|(?:\.nv\.merc)?\.nv\.(?:prototype|callgraph)"
)
"""Sections that record lines of the PTX text, its names, places in the table of names (which
``.nv.prototype`` and ``.nv.callgraph`` have), or the assembler's command line."""


def program_sections(data: bytes) -> dict[str, tuple[int, int, bytes]]:
    """Return all that decides what a cubin does: flags, size and contents of sections, by name.

    Code, constants, initialised data, sizes of other memory, attributes, relocations.  Left out
    are debug sections, notes, tables of symbols and names and what points into the latter: they
    follow the PTX text.
    Raises :class:`GpuccError` if ``data`` is not a cubin, or is cut off.
    """
    return {
        section.name: (section.flags, section.size, section.data)
        for section in _checked(data, _sections)
        if not _DESCRIBES_TEXT.match(section.name)
    }


@dataclass(frozen=True, slots=True)
class _Section:
    name: str
    flags: int
    size: int
    data: bytes
    link: int
    info: int


def _sections(data: bytes) -> list[_Section]:
    (table_at,) = struct.unpack_from("<Q", data, 40)
    count, names_index = struct.unpack_from("<HH", data, 60)
    headers = [struct.unpack_from("<IIQQQQII", data, table_at + 64 * i) for i in range(count)]
    names_at = headers[names_index][4]
    sections: list[_Section] = []
    for name_at, kind, flags, _address, at, size, link, info in headers:
        contents = b"" if kind in _NO_CONTENTS else data[at : at + size]
        if kind not in _NO_CONTENTS and len(contents) != size:
            raise ValueError(f"a section of {size} bytes at {at} in {len(data)} bytes")
        sections.append(
            _Section(_name(data, names_at + name_at), flags, size, contents, link, info)
        )
    return sections


def _name(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def _symbols(sections: list[_Section]) -> list[tuple[str, int, int]]:
    """Return name, ``st_other`` and section index of every symbol, in order."""
    table = next((s for s in sections if s.name == ".symtab"), None)
    if table is None:
        raise ValueError("no symbol table")
    names = sections[table.link].data
    rows: list[tuple[str, int, int]] = []
    for at in range(0, len(table.data), _SYMBOL_BYTES):
        name_at, _info, other, section = struct.unpack_from("<IBBH", table.data, at)
        rows.append((_name(names, name_at), other, section))
    return rows


# --- .nv.info -------------------------------------------------------------------------------------

_MAX_THREADS = 0x05
_REQNTID = 0x10
_FRAME_SIZE = 0x11
_MIN_STACK_SIZE = 0x12
_KPARAM_INFO = 0x17
_REGCOUNT = 0x2F
_CTA_PER_CLUSTER = 0x3D
_KPARAM_INFO_V2 = 0x45
_NUM_BARRIERS = 0x4C

_COMPAT_ACCELERATOR_TARGET = 0x09
"""In ``.nv.compat``: 1 for a cubin that runs on its own architecture only (suffix ``a``)."""


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield code and value of each attribute; the first byte of each says how it is stored."""
    at = 0
    while at < len(data):
        form, code = data[at], data[at + 1]
        if form == 4:  # sized
            (size,) = struct.unpack_from("<H", data, at + 2)
            value, at = data[at + 4 : at + 4 + size], at + 4 + size
        elif form in (1, 2, 3):  # nothing, a byte, a half word; all take four bytes
            value, at = data[at + 2 : at + 4], at + 4
        else:
            raise ValueError(f"an attribute of unknown form {form}")
        yield code, value


def _param(code: int, value: bytes) -> Param:
    """Decode KPARAM_INFO (sizes below 16 KB, packed) or KPARAM_INFO_V2 (from 4 KB on)."""
    _index, ordinal, offset = struct.unpack_from("<IHH", value)
    if code == _KPARAM_INFO_V2:
        (size,) = struct.unpack_from("<H", value, 8)
    else:
        (packed,) = struct.unpack_from("<I", value, 8)
        size = packed >> 18
    return Param(ordinal, offset, size)


# --- assembly -------------------------------------------------------------------------------------


def _read(data: bytes) -> Cubin:
    sections = _sections(data)
    by_name = {s.name: s for s in sections}
    symbols = _symbols(sections)
    registers: dict[str, int] = {}
    stacks: dict[str, int] = {}
    if ".nv.info" in by_name:
        for code, value in _attributes(by_name[".nv.info"].data):
            if code in (_REGCOUNT, _FRAME_SIZE, _MIN_STACK_SIZE):
                symbol, amount = struct.unpack("<II", value)
                name = symbols[symbol][0]
                if code == _REGCOUNT:
                    registers[name] = amount
                else:
                    stacks[name] = max(stacks.get(name, 0), amount)
    sm = _sm(data)
    kernels: list[CubinKernel] = []
    for name, other, _ in symbols:
        text = by_name.get(f".text.{name}")
        if other & _ENTRY and text is not None:
            shared = by_name.get(f".nv.shared.{name}")
            info = by_name.get(f".nv.info.{name}")
            kernels.append(
                _kernel(
                    name,
                    text,
                    info.data if info else b"",
                    registers.get(name, 0),
                    _static_shared(shared.size if shared else 0, sm),
                    stacks.get(name, 0),
                )
            )
    relocatable = data[16:18] == _ET_REL.to_bytes(2, "little")
    return Cubin(_arch(sm, by_name), tuple(sorted(kernels, key=lambda k: k.name)), relocatable)


def _kernel(
    name: str, text: _Section, info: bytes, registers: int, shared: int, stack: int
) -> CubinKernel:
    params: list[Param] = []
    max_threads: int | None = None
    block: tuple[int, int, int] | None = None
    cluster: tuple[int, int, int] | None = None
    barriers = text.flags >> 20 & 0x7F  # where ptxas 12 keeps it
    for code, value in _attributes(info):
        if code in (_KPARAM_INFO, _KPARAM_INFO_V2):
            params.append(_param(code, value))
        elif code == _MAX_THREADS:
            x, y, z = struct.unpack("<III", value)
            max_threads = x * y * z
        elif code == _REQNTID:
            block = struct.unpack("<III", value)
        elif code == _CTA_PER_CLUSTER:
            cluster = struct.unpack("<III", value)
        elif code == _NUM_BARRIERS:
            barriers = value[0]
    if block is not None:
        max_threads = block[0] * block[1] * block[2]
    return CubinKernel(
        name,
        registers or text.info >> 24,
        shared,
        stack,
        tuple(sorted(params, key=lambda p: p.ordinal)),
        text.size,
        barriers,
        max_threads,
        block,
        cluster,
    )


def _sm(data: bytes) -> int:
    """Return the compute capability times ten, which moved within ``e_flags`` with ABI 8."""
    (flags,) = struct.unpack_from("<I", data, 48)
    abi = data[8]
    return flags >> 8 & 0xFF if abi >= 8 else flags & 0xFF


def _arch(sm: int, by_name: dict[str, _Section]) -> str:
    compat = by_name.get(".nv.compat")
    for code, value in _attributes(compat.data if compat else b""):
        if code == _COMPAT_ACCELERATOR_TARGET and value[0] == 1:
            return f"sm_{sm}a"
    return f"sm_{sm}"


def _static_shared(section_bytes: int, sm: int) -> int:
    """From Hopper on, the section begins with the 1 KB that the system reserves."""
    return section_bytes - KIB if sm >= 90 and section_bytes >= KIB else section_bytes
