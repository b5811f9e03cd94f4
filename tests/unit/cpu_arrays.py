"""Runs single instructions on the CPU over whole arrays: many spellings, compiled in one module.

Values are bit patterns in arrays of ``uint64``, whatever their type.
"""

from __future__ import annotations

import ctypes
import itertools
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gpucc.cpu import native
from gpucc.cpu.code import Code, Unit, Value, integer
from gpucc.cpu.site import Refused, Site
from gpucc.cpu.types import llvm_type
from gpucc.ptx import isa
from gpucc.ptx.module import Instruction

ENGINE = Path(__file__).parents[2] / "runtime" / "native" / "cpurt"


@dataclass(frozen=True, slots=True)
class Spelling:
    """An opcode, the type of its result, and those of its operands: ``f32``, ``f32*4``, ``pred``.

    ``widened`` is added to the bits of registers where the table lets them be wider.
    """

    opcode: str
    result: str
    operands: tuple[str, ...]
    wider: tuple[bool, ...] = ()
    widened: bool = False

    def __str__(self) -> str:
        return self.opcode

    @property
    def words(self) -> list[str]:
        """The modifiers."""
        return self.opcode.split(".")[1:]


def spellings(mnemonic: str) -> list[Spelling]:
    """Return every spelling that the instruction table has of ``mnemonic``; each once."""
    found: dict[str, Spelling] = {}
    for form in isa.forms(mnemonic):
        choices = [[*slot.choices, *([""] if slot.optional else [])] for slot in form.slots]
        for words in itertools.product(*choices):
            opcode = ".".join([*form.head, *filter(None, words)])
            named = {s.name: w for s, w in zip(form.slots, words, strict=True) if s.name}
            patterns = [
                pattern
                for pattern in form.operands
                if not pattern.only_with or pattern.only_with in words
            ]
            types = [
                named.get(pattern.type, pattern.type)
                + (f"*{pattern.count}" if pattern.count else "")
                for pattern in patterns
            ]
            wider = tuple(pattern.wider for pattern in patterns)
            found.setdefault(opcode, Spelling(opcode, types[0], tuple(types[1:]), wider))
    return list(found.values())


_BITS = re.compile(r"[busf]+f?(\d+)(?:x(\d))?")
_ODD = {
    "e4m3x2": 16, "e5m2x2": 16, "e2m3x2": 16, "e3m2x2": 16, "ue8m0x2": 16, "s2f6x2": 16,
    "e2m1x2": 8, "e2m1x4": 16, "e4m3x4": 32, "e5m2x4": 32, "e2m3x4": 32, "e3m2x4": 32, "tf32": 32,
}  # fmt: skip


def register_type(type_: str) -> str:
    """Return a type that a register for values of ``type_`` may have."""
    if type_ in ("f32", "f64", "pred"):
        return type_
    if type_ in _ODD:
        return f"b{_ODD[type_]}"
    found = _BITS.fullmatch(type_)
    assert found, type_
    return f"b{max(16, int(found[1]) * int(found[2] or 1))}"


class _Frame:
    """A function whose registers are the operands of one instruction."""

    def __init__(self, code: Code, registers: dict[str, str]) -> None:
        self.code = code
        self.registers = {
            name: (code.slot(llvm_type(type_), zero=True), type_)
            for name, type_ in registers.items()
        }

    def register(self, name: str) -> tuple[Value, str] | None:
        return self.registers.get(name)

    def read_register(self, name: str) -> Value:
        slot, type_ = self.registers[name]
        return self.code.load(llvm_type(type_), slot)

    def write_register(self, name: str, value: Value) -> None:
        self.code.store(value, self.registers[name][0])

    def components(self, name: str) -> tuple[str, ...]:
        return ()

    def loose(self, name: str) -> str:
        return ""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"arithmetic asks for {name}")


Lowering = Callable[[Site], None]


def _emit(unit: Unit, name: str, case: Spelling, lowering: Lowering) -> None:
    code = Code(unit)
    sources: list[tuple[str, str]] = []
    texts: list[str] = []
    wider = [*case.wider, *[False] * 9]
    for index, type_ in enumerate(case.operands):
        base, _, count = type_.partition("*")
        register = _wide_register(base, wider[index + 1] and case.widened)
        names = [f"%a{index}_{item}" for item in range(int(count or 1))]
        sources += [(item, register) for item in names]
        texts.append("{" + ", ".join(names) + "}" if count else names[0])
    result = _wide_register(case.result, wider[0] and case.widened)
    frame = _Frame(code, {**dict(sources), "%d": result})
    counter = code.slot("i64", zero=True)
    head, after = code.new_label(), code.new_label()
    code.place(head)
    offset = code.binary("shl", code.load("i64", counter), integer(64, 3))
    for index, (source, type_) in enumerate(sources):
        array = code.load("ptr", code.displace(Value("ptr", "%arrays"), 8 * index))
        pointer = code.displace(array, offset)
        if type_ == "pred":
            value = code.resize(code.load("i8", pointer), 1)
        else:
            value = code.load(llvm_type(type_), pointer)
        code.store(value, frame.registers[source][0])
    args = ", ".join(["%d", *texts])
    lowering(Site(Instruction("", case.opcode, args, f"{case.opcode} {args};"), frame))
    value = code.load(llvm_type(result), frame.registers["%d"][0])
    if not value.type.startswith("i"):
        value = code.cast("bitcast", value, "i32" if value.type == "float" else "i64")
    array = code.load("ptr", code.displace(Value("ptr", "%arrays"), 8 * len(sources)))
    code.store(code.resize(value, 64), code.displace(array, offset))
    following = code.binary("add", code.load("i64", counter), integer(64, 1))
    code.store(following, counter)
    code.branch(code.icmp("ult", following, Value("i64", "%count")), head, after)
    code.place(after)
    code.end("ret void")
    code.finish(f'define void @"{name}"(ptr %arrays, i64 %count)')


def _wide_register(type_: str, widened: bool) -> str:
    register = register_type(type_)
    return "b64" if widened and register != "b64" and register != "f64" else register


@cache
def _engine() -> None:
    import llvmlite.binding as llvm

    folder = Path(tempfile.mkdtemp(prefix="gpucc-arithmetic-"))
    library = folder / "arithmetic.so"
    source = ENGINE / "arithmetic.cpp"
    command = ["g++", "-O2", "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    llvm.load_library_permanently(str(library))


class Compiled:
    """Spellings in this process: ``refused`` has the reasons of those that are not supported."""

    def __init__(
        self, cases: Sequence[Spelling], lowering: Callable[[str], Lowering], level: int = 1
    ) -> None:
        import llvmlite.binding as llvm

        _engine()
        unit = Unit()
        self.refused: dict[Spelling, str] = {}
        self.names: dict[Spelling, str] = {}
        for index, case in enumerate(cases):
            before = len(unit.functions)
            try:
                _emit(unit, f"k{index}", case, lowering(case.opcode))
                self.names[case] = f"k{index}"
            except Refused as why:
                assert len(unit.functions) == before
                self.refused[case] = str(why)
        self.text = unit.text
        data = native.compile_ir(unit.text, level=level)
        machine = llvm.Target.from_default_triple().create_target_machine()
        self._code = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        self._code.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._code.finalize_object()

    def __iter__(self) -> Iterator[Spelling]:
        return iter(self.names)

    def run(self, case: Spelling, arrays: Sequence[Any]) -> Any:
        """Return the results for operands that are arrays of bit patterns."""
        count = len(arrays[0])
        result = np.zeros(count, np.uint64)
        arrays = [np.ascontiguousarray(a, np.uint64) for a in arrays]
        pointers = (ctypes.c_void_p * (len(arrays) + 1))(
            *[a.ctypes.data for a in arrays], result.ctypes.data
        )
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(
            self._code.get_function_address(self.names[case])
        )
        function(ctypes.addressof(pointers), count)
        return result

    def rows(self, case: Spelling, operands: Sequence[Sequence[int]]) -> list[int]:
        """Return the results for rows of operands."""
        return [int(value) for value in self.run(case, list(zip(*operands, strict=True)))]
