"""Access modes against running: whatever a thread touches must be in the modes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreter import MODULE, PARAM, POINTERS, SHARED, WINDOW, Thread
from test_addresses_run import access_kernels
from tracker import arguments, special_registers

from gpucc.analysis.access import Access, KernelAccess, kernel_accesses
from gpucc.analysis.footprint import READ_ONLY_LIBRARY
from gpucc.frontend.parser import parse
from gpucc.ptx.module import Function, Module

SAMPLES = Path(__file__).parents[2] / "ptx_samples"


def check(thread: Thread, access: KernelAccess, parameters: dict[str, bytes]) -> dict[str, Access]:
    """Check each access of a thread; return what was touched, by parameter and byte."""
    windows: dict[int, tuple[str, int]] = {}
    for name, data in parameters.items():
        for offset in range(0, len(data) - 7, 8):
            value = int.from_bytes(data[offset : offset + 8], "little")
            if value >= POINTERS and value % (16 * WINDOW) == 8 * WINDOW:
                windows[value // (16 * WINDOW)] = name, offset
    constants = {at for name, at in thread.globals.items() if name.startswith(READ_ONLY_LIBRARY)}
    modes: dict[tuple[str, int], Access] = {}
    for param in access.params:
        if not param.fields:
            modes[param.name, 0] = param.access
        for offset, mode in param.fields:
            modes[param.name, offset] = mode
    seen: dict[str, Access] = {}
    for touch in thread.touched:
        mode = Access.WRITE if touch.writes else Access.READ
        address = touch.address
        if address >= POINTERS:
            owner = windows.get(address // (16 * WINDOW))
            if owner is None:
                continue  # a pointer taken for an offset: beyond what C++ allows
            allowed = modes.get(owner, Access.NONE)
            assert mode in allowed or Access.ESCAPES in allowed, (access.kernel, owner, touch)
            name = f"{owner[0]}+{owner[1]}"
            seen[name] = seen.get(name, Access.NONE) | mode
        elif address >= PARAM or SHARED <= address < MODULE:
            continue
        elif not any(at <= address < at + 4096 for at in constants):
            assert access.other_write if touch.writes else access.other_read, touch
            seen["other"] = seen.get("other", Access.NONE) | mode
    return seen


def run(
    module: Module, kernel: Function, access: KernelAccess, seed: int, *, wild: bool
) -> dict[str, Access]:
    rng = random.Random(seed)
    parameters = arguments(rng, kernel, access, wild=wild)
    thread = Thread(module, special_registers(rng, kernel), parameters, seed, limit=1500)
    thread.run(kernel)
    return check(thread, access, parameters)


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("flags", [(), ("-G",)], ids=["O3", "G"])
def test_compiled_kernels_touch_only_what_their_modes_say(flags: tuple[str, ...], wild: bool):
    module = access_kernels(*flags)
    touched = 0
    for kernel, access in zip(module.kernels, kernel_accesses(module), strict=True):
        for seed in range(4):
            touched += len(run(module, kernel, access, seed, wild=wild))
    assert touched > 100


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.ptx")), ids=lambda path: path.stem)
def test_samples_touch_only_what_their_modes_say(path: Path):
    module = parse(path.read_text())
    for kernel, access in zip(module.kernels, kernel_accesses(module), strict=True):
        for seed in range(6):
            run(module, kernel, access, seed, wild=seed % 2 == 1)


# --- made-up kernels ------------------------------------------------------------------------------

HELPERS = """
.func (.param .b64 r) second(.param .b64 x, .param .b64 y) {
    .reg .b64 %x; ld.param.b64 %x, [y]; st.param.b64 [r], %x; ret; }
.func swap(.param .b64 x, .param .b64 y) {
    .reg .b64 %x<5>; ld.param.b64 %x1, [x]; ld.param.b64 %x2, [y];
    ld.b64 %x3, [%x1]; ld.b64 %x4, [%x2]; st.b64 [%x1], %x4; st.b64 [%x2], %x3; ret; }
.func (.param .b64 r) deep(.param .b64 x, .param .b32 n) {
    .reg .b64 %x<3>; .reg .b32 %n; .reg .pred %p;
    ld.param.b64 %x1, [x]; ld.param.b32 %n, [n]; setp.le.s32 %p, %n, 0; @%p bra END;
    { .param .b64 p0; st.param.b64 [p0], %x1; .param .b32 p1; add.s32 %n, %n, -1;
      st.param.b32 [p1], %n; .param .b64 r0; call (r0), deep, (p0, p1); ld.param.b64 %x1, [r0]; }
    add.s64 %x1, %x1, 8;
    END: st.param.b64 [r], %x1; ret; }
"""


class PointerWriter:
    """Writes kernels that move pointers about in every way, and access memory through them."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.lines: list[str] = []
        self.count = 0
        self.labels = 0
        self.pointers: list[str] = []
        self.kept: list[str] = []

    def new(self, kind: str) -> str:
        self.count += 1
        return f"%{kind}{self.count}"

    def pick(self, items: list[str]) -> str:
        return self.draw(st.sampled_from(items))

    def number(self, below: int) -> int:
        return self.draw(st.integers(0, below - 1))

    def pointer(self) -> str:
        return self.pick(self.pointers)

    def statement(self, depth: int) -> None:
        made = self.new("w")
        a, b = self.pointer(), self.pointer()
        slot = 8 * self.number(4)
        r1, r2 = self.new("n"), self.new("n")
        kinds = [
            *("displace", "index", "select", "mask", "halves", "shift", "difference", "spill"),
            *("slot", "second", "swap", "deep", "load", "load", "store", "atomic", "keep", "flip"),
        ]
        if depth:
            kinds += ["branch", "loop"]
        kind = self.pick(kinds)
        text = {
            "displace": f"add.s64 {made}, {a}, {8 * self.number(9) - 32};",
            "index": f"mul.wide.u32 {made}, %n, 4; add.s64 {made}, {made}, {a};",
            "select": f"setp.lt.u32 %p0, %n, {self.number(99)}; selp.b64 {made}, {a}, {b}, %p0;",
            "mask": f"and.b64 {made}, {a}, -8;",
            "halves": f"mov.b64 {{{r1}, {r2}}}, {a}; add.s32 {r1}, {r1}, 8; "
            f"mov.b64 {made}, {{{r1}, {r2}}};",
            "shift": f"cvt.u32.u64 {r1}, {a}; shr.u64 {made}, {a}, 32; shl.b64 {made}, {made}, 32; "
            f"cvt.u64.u32 %wt, {r1}; or.b64 {made}, {made}, %wt;",
            "difference": f"sub.s64 %wt, {a}, {b}; add.s64 {made}, {b}, %wt;",
            "flip": f"xor.b64 %wt, {a}, {b}; xor.b64 {made}, %wt, {b};",
            "spill": f"st.local.u64 [%stack+{slot}], {a}; ld.local.u64 {made}, [%stack+{slot}];",
            "slot": f"and.b32 {r1}, %n, 24; cvt.u64.u32 %wt, {r1}; add.s64 %wt, %stack, %wt; "
            f"st.local.u64 [%wt], {a}; ld.local.u64 {made}, [%stack+{slot}];",
            "second": f"{{ .param .b64 p0; .param .b64 p1; .param .b64 r0; st.param.b64 [p0], {a}; "
            f"st.param.b64 [p1], {b}; call (r0), second, (p0, p1); ld.param.b64 {made}, [r0]; }}",
            "deep": f"{{ .param .b64 p0; .param .b32 p1; .param .b64 r0; st.param.b64 [p0], {a}; "
            f"st.param.b32 [p1], {self.number(3)}; call (r0), deep, (p0, p1); "
            f"ld.param.b64 {made}, [r0]; }}",
            "swap": f"st.local.u64 [%stack], {a}; st.local.u64 [%stack+8], {b}; "
            "{ .param .b64 p0; .param .b64 p1; add.s64 %wt, %generic, 8; "
            "st.param.b64 [p0], %generic; st.param.b64 [p1], %wt; call swap, (p0, p1); } "
            f"ld.local.u64 {made}, [%stack];",
            "load": f"ld.u32 {r1}, [{a}+{self.number(64) * 4}]; mov.u64 {made}, {a};",
            "store": f"st.u32 [{a}+{self.number(64) * 4}], %n; mov.u64 {made}, {a};",
            "atomic": f"atom.add.u32 {r1}, [{a}], 1; mov.u64 {made}, {a};",
            "keep": f"st.u64 [{a}], {b}; ld.u64 {made}, [{a}];",
        }
        if kind == "branch":
            self.branch(depth)
        elif kind == "loop":
            self.loop(depth)
        else:
            self.lines.append(text[kind])
            self.pointers.append(made)

    def branch(self, depth: int) -> None:
        self.labels += 1
        label, made = f"L{self.labels}", self.new("w")
        self.lines.append(f"mov.u64 {made}, {self.pointer()};")
        self.lines.append(f"setp.gt.u32 %p0, %n, {self.number(99)}; @%p0 bra {label};")
        before = list(self.pointers)
        for _ in range(self.number(3)):
            self.statement(depth - 1)
        self.lines.append(f"mov.u64 {made}, {self.pointer()};")
        self.pointers = [*before, made]
        self.lines.append(f"{label}:")

    def loop(self, depth: int) -> None:
        self.labels += 1
        label, made, count = f"L{self.labels}", self.new("w"), self.new("n")
        self.lines.append(f"mov.u64 {made}, {self.pointer()}; mov.u32 {count}, 0; {label}:")
        before = list(self.pointers)
        self.pointers.append(made)
        for _ in range(self.number(4)):
            self.statement(depth - 1)
        self.lines.append(f"mov.u64 {made}, {self.pointer()}; add.s32 {count}, {count}, 1;")
        self.lines.append(f"setp.lt.s32 %p0, {count}, 3; @%p0 bra {label};")
        self.pointers = [*before, made]

    def module(self) -> str:
        self.pointers = [f"%w_{name}" for name in "abcde"]
        for _ in range(self.draw(st.integers(2, 12))):
            self.statement(2)
        self.lines.append(f"ld.u32 %n, [{self.pointer()}]; st.u32 [{self.pointer()}], %n;")
        wide = " ".join(f".reg .b64 %w{i};" for i in range(1, self.count + 1))
        narrow = " ".join(f".reg .b32 %n{i};" for i in range(1, self.count + 1))
        loads = " ".join(
            f"ld.param.u64 %w_{name}, [{place}];"
            for name, place in zip("abcde", ("a", "b", "c", "s", "s+16"), strict=True)
        )
        return (
            f".version 8.0\n.target sm_80\n.address_size 64\n{HELPERS}\n"
            ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n,"
            " .param .align 8 .b8 s[32])\n{\n.local .align 8 .b8 depot[32];\n"
            ".reg .b64 %stack; .reg .b64 %generic; .reg .b64 %wt; .reg .b32 %n; .reg .pred %p0;\n"
            ".reg .b64 %w_a; .reg .b64 %w_b; .reg .b64 %w_c; .reg .b64 %w_d; .reg .b64 %w_e;\n"
            f"{wide}\n{narrow}\nmov.u64 %stack, depot; cvta.local.u64 %generic, %stack;\n"
            f"ld.param.u32 %n, [n]; {loads}\n" + "\n".join(self.lines) + "\nret;\n}\n"
        )


@given(st.data(), st.integers(0, 1 << 20))
@settings(max_examples=120, deadline=None)
def test_made_up_kernels_touch_only_what_their_modes_say(data: st.DataObject, seed: int):
    module = parse(PointerWriter(data.draw).module())
    (kernel,) = module.kernels
    (access,) = kernel_accesses(module)
    everything = KernelAccess(  # so that all five words are pointers
        access.kernel,
        tuple(
            type(p)(p.index, p.name, p.size, Access.READ, ((0, Access.READ), (16, Access.READ)))
            for p in access.params
        ),
    )
    rng = random.Random(seed)
    parameters = arguments(rng, kernel, everything)
    thread = Thread(module, special_registers(rng, kernel), parameters, seed, limit=800)
    thread.run(kernel)
    check(thread, access, parameters)
