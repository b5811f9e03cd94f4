"""Which registers may hold any NaN, and that nothing but arithmetic sees what they hold."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
import pytest

from gpucc.analysis.cfg import build_cfg
from gpucc.cpu import floating, native
from gpucc.cpu.code import Code, Unit, Value
from gpucc.cpu.nans import loose_registers
from gpucc.cpu.site import Site
from gpucc.cpu.types import llvm_type
from gpucc.frontend.parser import parse
from gpucc.ptx.module import Instruction

REGISTERS = ".reg .pred %p<4>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;"


def loose(body: str) -> dict[str, str]:
    text = ".version 8.6\n.target sm_100a\n.address_size 64\n"
    text += f".visible .entry k(.param .u64 a) {{ {REGISTERS}\n{body}\nret; }}\n"
    found = [dict(loose_registers(f, build_cfg(f).scopes)) for f in parse(text).functions]
    return {name: type_ for function in found for name, type_ in function.items()}


CASES = {
    "results of arithmetic": ("add.f32 %f1, %f2, %f3; fma.rn.f64 %d1, %d1, %d2, %d3;",
                              {"%f1": "f32", "%d1": "f64"}),
    "loads": ("ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;", {"%f2": "f32"}),
    "both": ("ld.global.f32 %f1, [%rd1]; add.f32 %f1, %f1, %f1;", {}),
    "vectors": ("ld.global.v2.f32 {%f1, %f2}, [%rd1]; add.f32 %f1, %f1, %f1;", {}),
    "copies": ("add.f32 %f1, %f3, %f3; mov.f32 %f2, %f1; selp.f32 %f4, %f1, %f2, %p1;",
               {"%f1": "f32", "%f2": "f32", "%f4": "f32"}),
    "copies of loads": ("ld.global.f32 %f1, [%rd1]; mov.f32 %f2, %f1; mov.f32 %f3, %f2;", {}),
    "a loop": ("mov.f32 %f1, 0f00000000; L: add.f32 %f2, %f1, %f3; mov.f32 %f1, %f2; bra L;",
               {"%f1": "f32", "%f2": "f32"}),
    "a loop over copies alone": ("L: mov.f32 %f1, %f2; mov.f32 %f2, %f1; bra L;", {}),
    "a loop with a load": (
        "ld.global.f32 %f1, [%rd1]; L: add.f32 %f2, %f1, %f3; mov.f32 %f1, %f2; bra L;",
        {"%f2": "f32"},
    ),
    "constants that are NaNs": ("mov.f32 %f1, 0f7FC00001; add.f32 %f2, %f1, %f1; mov.f32 %f2, %f1;",
                                {}),
    "minus one as bits": ("mov.b32 %r1, -1; add.f32 %r1, %r1, %r1;", {}),
    "untyped registers": ("add.f32 %r1, %r2, %r3; mul.f64 %rd1, %rd2, %rd3;",
                          {"%r1": "f32", "%rd1": "f64"}),
    "integers": ("add.f32 %r1, %r2, %r3; add.u32 %r1, %r1, 1;", {}),
    "wider registers": ("cvt.f32.f16 %rd1, %r1;", {}),
    "bits of singles": (
        "neg.f32 %f1, %f2; min.xorsign.abs.f32 %f3, %f1, %f1; min.f32 %f4, %f1, %f3;",
        {"%f1": "f32", "%f4": "f32"},
    ),
    "bits of doubles": ("neg.f64 %d1, %d2; min.f64 %d3, %d1, %d1; cvt.f64.f64 %d4, %d1;", {}),
    "conversions": ("cvt.f32.f32 %f1, %f2; cvt.rn.f32.s32 %f3, %r1; cvt.sat.f32.f32 %f4, %f1;",
                    {"%f3": "f32", "%f4": "f32"}),
    "doubles of singles": ("cvt.f64.f32 %d1, %f1; cvt.f64.f16 %d2, %r1;", {"%d2": "f64"}),
    "singles of doubles": ("cvt.rn.f32.f64 %f1, %d1;", {}),
    "packed": ("add.f32x2 %rd1, %rd2, %rd3;", {}),
    "results of functions": (
        "} .func (.reg .f32 %out) g (.reg .f32 %in) { add.f32 %in, %in, %in; mov.f32 %out, %in;",
        {},
    ),
    "a call": ("call (%f1), g, (%r1); add.f32 %f1, %f1, %f1;", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_registers_are_loose_if_only_arithmetic_writes_them(name: str) -> None:
    body, expected = CASES[name]
    assert loose(body) == expected


class _Frame:
    """Two registers that are loose, as ``type_`` says, in a function of two pointers."""

    def __init__(self, code: Code, type_: str) -> None:
        self.code = code
        self.type = type_
        self.slots = {name: code.slot(llvm_type(type_), zero=True) for name in ("%a", "%b")}

    def register(self, name: str) -> tuple[Value, str]:
        return self.slots[name], self.type

    def read_register(self, name: str) -> Value:
        return self.code.load(llvm_type(self.type), self.slots[name])

    def write_register(self, name: str, value: Value) -> None:
        self.code.store(value, self.slots[name])

    def loose(self, name: str) -> str:
        return self.type if name == "%b" else ""

    def components(self, name: str) -> tuple[str, ...]:
        return ()


@pytest.mark.parametrize(
    ("type_", "viewed", "expected"),
    [("f32", "b32", 0x7FFFFFFF), ("f32", "f32", 0x7FFFFFFF), ("f64", "b64", 0xFFF8 << 48)],
)
def test_what_is_not_arithmetic_sees_the_same_nan(type_: str, viewed: str, expected: int) -> None:
    unit = Unit()
    code = Code(unit)
    frame = _Frame(code, type_)
    source, target = Value("ptr", "%source"), Value("ptr", "%target")
    code.store(code.load(llvm_type(type_), source), frame.slots["%a"])
    for text in (f"add.{type_} %b, %a, %a", f"mul.{type_} %b, %b, %b", f"mov.{viewed} %a, %b"):
        opcode, _, args = text.partition(" ")
        site = Site(Instruction("", opcode, args, text), frame)  # pyright: ignore
        if opcode.startswith("mov"):
            code.store(site.read(1, viewed), target)
        else:
            floating.LOWERINGS[opcode[:3]](site)
    code.end("ret void")
    code.finish("define void @f(ptr %source, ptr %target)")
    assert unit.text.count("fcmp uno") == 1, "only what is viewed is replaced"
    data = native.compile_ir(unit.text)
    machine = llvm.Target.from_default_triple().create_target_machine()
    loaded = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    loaded.add_object_file(llvm.ObjectFileRef.from_data(data))
    loaded.finalize_object()
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(
        loaded.get_function_address("f")
    )
    given = ctypes.c_uint64(0xFF812345 if type_ == "f32" else 0xFFF0000000012345)
    got = ctypes.c_uint64(0)
    function(ctypes.addressof(given), ctypes.addressof(got))
    assert got.value == expected
