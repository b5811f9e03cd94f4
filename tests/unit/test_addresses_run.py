"""Address expressions against the addresses that running touches, in real and made-up kernels."""

from __future__ import annotations

import functools
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from interpreter import POINTERS, Thread
from tracker import Tracker, run_and_compare, special_registers

from gpucc import toolchain
from gpucc.analysis.access import kernel_accesses
from gpucc.frontend.parser import parse
from gpucc.ptx.module import Module

INPUTS = Path(__file__).parent / "analysis_inputs"
SAMPLES = Path(__file__).parents[2] / "ptx_samples"


@functools.cache
def access_kernels(*flags: str) -> Module:
    command = [toolchain.require("nvcc"), "-ptx", "-arch=sm_90", "--extended-lambda", *flags]
    done = subprocess.run(
        [*command, INPUTS / "access.cu", "-o", "-"], check=True, capture_output=True, text=True
    )
    return parse(done.stdout)


def compare_all(module: Module, seeds: int) -> list[Tracker]:
    return [
        run_and_compare(module, kernel, access, seed)
        for kernel, access in zip(module.kernels, kernel_accesses(module), strict=True)
        for seed in range(seeds)
    ]


@pytest.mark.parametrize("flags", [(), ("-G",)], ids=["O3", "G"])
def test_addresses_of_compiled_kernels_are_those_that_they_touch(flags: tuple[str, ...]):
    trackers = compare_all(access_kernels(*flags), 2)
    assert sum(t.exact for t in trackers) > 100
    assert sum(t.equal for t in trackers) > 250


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.ptx")), ids=lambda path: path.stem)
def test_addresses_of_samples_are_those_that_they_touch(path: Path):
    trackers = compare_all(parse(path.read_text()), 16)
    assert sum(t.equal for t in trackers) > 0


# --- programs made up by Hypothesis ---------------------------------------------------------------


class Writer:
    """Writes a random kernel: arithmetic, branches and loops around loads from two arrays."""

    def __init__(self, draw: st.DrawFn, operations: list[str]):
        self.draw = draw
        self.operations = operations
        self.lines: list[str] = []
        self.narrow = ["%n0", "%n1"]
        self.wide = ["%w0"]
        self.count = 10
        self.labels = 0

    def pick(self, items: Sequence[str]) -> str:
        return self.draw(st.sampled_from(items))

    def new(self, kind: str) -> str:
        self.count += 1
        return f"%{kind}{self.count}"

    def source(self, pool: list[str]) -> str:
        constants = st.one_of(
            st.integers(-8, 64), st.sampled_from([0x7FFFFFFF, -0x80000000, 1 << 16])
        )
        if self.draw(st.integers(0, 3)):
            return self.pick(pool)
        return str(self.draw(constants))

    def arithmetic(self) -> None:
        operation = self.pick(self.operations)
        if operation == "special":
            made = self.new("n")
            register = self.pick(["tid.x", "tid.y", "ctaid.x", "ntid.x", "nctaid.x", "laneid"])
            self.lines.append(f"mov.u32 {made}, %{register};")
            self.narrow.append(made)
            return
        width = self.pick(["32", "32", "64"])
        pool = self.narrow if width == "32" else self.wide
        made = self.new("n" if width == "32" else "w")
        a, b = self.pick(pool), self.source(pool)
        sign = self.pick(["s", "u"])
        amount = self.draw(st.integers(0, 40))
        lines = {
            "add": f"add.s{width} {made}, {a}, {b};",
            "sub": f"sub.s{width} {made}, {a}, {b};",
            "mul": f"mul.lo.s{width} {made}, {a}, {b};",
            "mad": f"mad.lo.s{width} {made}, {a}, {b}, {self.source(pool)};",
            "shl": f"shl.b{width} {made}, {a}, {amount % 8};",
            "shr": f"shr.{sign}{width} {made}, {a}, {amount};",
            "and": f"and.b{width} {made}, {a}, {b};",
            "mask": f"and.b{width} {made}, {a}, {(1 << amount % 31) - 1};",
            "or": f"or.b{width} {made}, {a}, {b};",
            "xor": f"xor.b{width} {made}, {a}, {b};",
            "not": f"not.b{width} {made}, {a};",
            "min": f"min.{sign}{width} {made}, {a}, {b};",
            "max": f"max.{sign}{width} {made}, {a}, {b};",
            "div": f"div.{sign}{width} {made}, {a}, {amount + 1};",
            "rem": f"rem.{sign}{width} {made}, {a}, {amount + 1};",
            "bfe": f"bfe.u{width} {made}, {a}, {amount % 32}, {1 + amount % 7};",
            "bfi": f"bfi.b{width} {made}, {a}, {self.pick(pool)}, {amount % 30}, {1 + amount % 9};",
        }
        if operation == "wide":
            made = self.new("w")
            a = self.pick(self.narrow)
            self.lines.append(f"mul.wide.{sign}32 {made}, {a}, {self.source(self.narrow)};")
            self.wide.append(made)
        elif operation == "extend":
            made = self.new("w")
            self.lines.append(f"cvt.{sign}64.{sign}32 {made}, {self.pick(self.narrow)};")
            self.wide.append(made)
        elif operation == "cut":
            made = self.new("n")
            narrow = self.pick(["u32.u64", "u32.u16", "s32.s8", "u32.u8"])
            of = self.wide if narrow.endswith("64") else self.narrow
            self.lines.append(f"cvt.{narrow} {made}, {self.pick(of)};")
            self.narrow.append(made)
        else:
            self.lines.append(lines[operation])
            pool.append(made)

    def access(self, index: str | None = None) -> None:
        """Load from an array at some offset, or at a 32-bit ``index``."""
        address, loaded = self.new("w"), self.new("n")
        base = self.pick(["%a", "%b"])
        if index is None:
            self.lines.append(f"add.s64 {address}, {base}, {self.pick(self.wide)};")
        else:
            self.lines.append(f"mad.wide.s32 {address}, {index}, 4, {base};")
        displacement = self.draw(st.integers(-16, 16))
        self.lines.append(f"ld.global.u32 {loaded}, [{address}+{displacement}];")
        self.narrow.append(loaded)

    def block(self, depth: int) -> None:
        for _ in range(self.draw(st.integers(1, 6))):
            kind = self.draw(st.integers(0, 9))
            if kind < 6:
                self.arithmetic()
            elif kind < 8 or depth == 0:
                self.access()
            elif kind == 8:
                self.branch(depth)
            else:
                self.loop(depth)

    def branch(self, depth: int) -> None:
        """``if``: what is defined inside is used inside; one register is changed for after."""
        self.labels += 1
        label, condition = f"IF{self.labels}", self.new("p")
        changed = self.new("n")
        self.lines.append(f"mov.u32 {changed}, {self.pick(self.narrow)};")
        test = self.pick(["lt", "eq", "ge"])
        self.lines.append(f"setp.{test}.s32 {condition}, {self.pick(self.narrow)}, 7;")
        self.lines.append(f"@{condition} bra {label};")
        self.scope(depth, changed)
        self.lines.append(f"{label}:")
        self.narrow.append(changed)
        self.access(changed)

    def loop(self, depth: int) -> None:
        """A loop of a few rounds with two induction registers, tested at its end or its start."""
        self.labels += 1
        label, condition = f"LOOP{self.labels}", self.new("p")
        count, wide, narrow = self.new("n"), self.new("w"), self.new("n")
        first = self.pick(["0", "0", "2147483645", self.pick(self.narrow)])
        self.lines.append(f"mov.u32 {count}, {first};")
        self.lines.append(f"mov.u64 {wide}, {self.pick(self.wide)};")
        self.lines.append(f"mov.u32 {narrow}, {self.pick(self.narrow)};")
        wide_step, narrow_step = self.source(self.wide), self.source(self.narrow)
        rounds = str(self.draw(st.integers(0, 4)))
        if not self.draw(st.integers(0, 2)):  # perhaps very many: the run stops, the claims stand
            rounds = self.pick(self.narrow)
        by = self.pick(["1", "1", "2", "-1"])
        at_start = self.draw(st.booleans())
        self.lines.append(f"{label}:")
        if at_start:
            self.lines.append(f"setp.ge.s32 {condition}, {count}, {rounds};")
            self.lines.append(f"@{condition} bra END{label};")
        inside = (list(self.narrow), list(self.wide))
        self.narrow += [count, narrow]
        self.wide.append(wide)
        self.scope(depth, narrow if self.draw(st.booleans()) else None)
        self.lines.append(f"add.s64 {wide}, {wide}, {wide_step};")
        self.lines.append(f"add.s32 {narrow}, {narrow}, {narrow_step};")
        self.lines.append(f"add.s32 {count}, {count}, {by};")
        if at_start:
            self.lines += [f"bra {label};", f"END{label}:"]
        else:
            test = self.pick(["lt.s32", "lt.s32", "lt.u32", "ne.s32"])
            self.lines.append(f"setp.{test} {condition}, {count}, {rounds};")
            self.lines.append(f"@{condition} bra {label};")
        self.narrow, self.wide = inside
        self.narrow += [count, narrow]
        self.wide.append(wide)
        self.access(self.pick([count, narrow]))

    def scope(self, depth: int, changed: str | None) -> None:
        narrow, wide = list(self.narrow), list(self.wide)
        self.block(depth - 1)
        if changed is not None:
            self.lines.append(f"add.s32 {changed}, {self.pick(self.narrow)}, 1;")
        self.narrow, self.wide = narrow, wide

    def module(self) -> str:
        self.block(2)
        self.access()
        registers = sorted(set(re.findall(r"%[nwp]\d+", " ".join(self.lines))))
        types = {"n": ".b32", "w": ".b64", "p": ".pred"}
        declared = [f".reg {types[r[1]]} {r};" for r in registers]
        return "\n".join(
            [
                ".version 8.0\n.target sm_80\n.address_size 64",
                ".visible .entry made(.param .u64 pa, .param .u64 pb,",
                ".param .u32 pn, .param .u32 pm, .param .u64 ps)\n{",
                ".reg .b64 %a; .reg .b64 %b;",
                *declared,
                "ld.param.u64 %a, [pa]; ld.param.u64 %b, [pb]; ld.param.u32 %n0, [pn];",
                "ld.param.u32 %n1, [pm]; ld.param.u64 %w0, [ps];",
                *self.lines,
                "ret;\n}\n",
            ]
        )


ALL = [
    *("special", "special", "add", "sub", "mul", "mad", "shl", "shr", "and", "mask", "or", "xor"),
    *("not", "min", "max", "div", "rem", "bfe", "bfi", "wide", "wide", "extend", "extend", "cut"),
]
LINEAR = ["special", "special", "add", "sub", "mul", "mad", "shl", "wide", "wide", "extend"]


def run_made(text: str, seed: int, *, wild: bool) -> Tracker:
    module = parse(text)
    (kernel,) = module.kernels
    rng = random.Random(seed)
    special = special_registers(rng, kernel)
    if wild:
        special["nctaid.x"] = rng.randrange(1, 1 << 31)
        special["ctaid.x"] = rng.randrange(special["nctaid.x"])

    def scalar(size: int) -> bytes:
        value = rng.randrange(1 << (8 * size)) if wild and rng.random() < 0.6 else rng.randrange(64)
        return value.to_bytes(size, "little")

    parameters = {
        "pa": (POINTERS + 5).to_bytes(8, "little"),
        "pb": (POINTERS << 1).to_bytes(8, "little"),
        "pn": scalar(4),
        "pm": scalar(4),
        "ps": scalar(8),
    }
    tracker = Tracker(module, kernel, special)
    tracker.only_exact = wild
    thread = Thread(
        module,
        special,
        parameters,
        seed,
        step=tracker.step,
        touching=tracker.touching,
        limit=600,
        largest=1 << 32 if wild else 64,
    )
    tracker.start(thread)
    thread.run(kernel)
    return tracker


@given(st.data(), st.integers(0, 1 << 20))
@settings(max_examples=150, deadline=None)
def test_exact_addresses_hold_whatever_the_numbers(data: st.DataObject, seed: int):
    text = Writer(data.draw, ALL).module()
    run_made(text, seed, wild=True)


@given(st.data(), st.integers(0, 1 << 20))
@settings(max_examples=150, deadline=None)
def test_assumed_addresses_hold_but_for_overflow(data: st.DataObject, seed: int):
    text = Writer(data.draw, LINEAR).module()
    run_made(text, seed, wild=False)
