"""Arithmetic on the CPU target gives what this GPU gives: every spelling that it has.

Bit for bit, NaNs included; approximate instructions within the bounds of PTX ISA (section 9.7.3).
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))

from cpu_arrays import Compiled, Spelling, register_type, spellings
from cpu_exact import BF16, F16, F32, F64

import gpucc
from gpucc.cpu import convert, floating, half
from gpucc.ptx import isa
from gpucc.ptx.module import Instruction
from gpucc.runtime import device, synchronize, to_device

pytestmark = pytest.mark.gpu

ROWS = 512
FORMATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
HALVES = {"f16", "bf16", "f16x2", "bf16x2"}
FLOATS = {"f32", "f64", "f32x2"}

BOUNDS = {
    "sin": ("absolute", 2**-20.5), "cos": ("absolute", 2**-20.5), "tanh": ("relative", 2**-10.9),
    "lg2": ("either", 2**-22), "ex2": ("relative", 2**-21), "rcp": ("relative", 2**-22),
    "sqrt": ("relative", 2**-22), "rsqrt": ("relative", 2**-22), "div": ("relative", 2**-21),
}  # fmt: skip
"""How far approximate results of singles may be off."""
COARSE = {"f16": 2**-9.8, "bf16": 2**-6.9, "f64": 2**-19}


def lowering(opcode: str) -> Any:
    words = opcode.split(".")
    if words[0] == "cvt":
        return convert.LOWERINGS["cvt"]
    return (half if HALVES & set(words) else floating).LOWERINGS[words[0]]


def cases(mnemonic: str) -> list[Spelling]:
    """Return the spellings of floating point that this GPU has and the CPU target lowers."""
    here = device.current_arch()
    return [
        case
        for case in spellings(mnemonic)
        if (mnemonic == "cvt" or (HALVES | FLOATS) & set(case.words))
        and not any("*" in type_ for type_ in case.operands)
        and not isa.check(instruction(case), here, (8, 6))
    ]


def instruction(case: Spelling) -> Instruction:
    names = ["%d", *(f"%s{index}" for index in range(len(case.operands)))]
    return Instruction("", case.opcode, ", ".join(names), "")


def kernel(name: str, case: Spelling) -> str:
    """Return a kernel whose threads do a case, each with its own operands."""
    lines = [f".visible .entry {name}(.param .u64 in, .param .u64 out) {{"]
    lines += [".reg .b64 %a, %o; .reg .b32 %t; .reg .b32 %x; .reg .b16 %h;"]
    lines += ["ld.param.u64 %a, [in]; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x;"]
    lines += ["mad.wide.u32 %a, %t, 8, %a; mad.wide.u32 %o, %t, 8, %o;"]
    types = [register_type(type_) for type_ in case.operands]
    for index, type_ in enumerate(types):
        lines.append(
            f".reg .{type_} %s{index}; ld.global.{type_} %s{index}, [%a+{index * 8 * ROWS}];"
        )
    result = register_type(case.result)
    lines.append(f".reg .{result} %d;")
    lines.append(f"{case.opcode} {instruction(case).args};")
    if result == "pred":
        lines.append("selp.b32 %x, 1, 0, %d; st.global.b32 [%o], %x;")
    else:
        lines.append(f"st.global.{result} [%o], %d;")
    return "\n".join([*lines, "ret; }"])


def element(type_: str, draw: random.Random) -> int:
    """Return a pattern: any, or one where something changes, or a number near 1."""
    bits = 8 if type_ in ("u8", "s8") else int(register_type(type_)[1:])
    if type_.endswith("x2") and type_.removesuffix("x2") in FORMATS:
        one = type_.removesuffix("x2")
        return element(one, draw) | element(one, draw) << bits // 2
    if type_ not in FORMATS or draw.random() < 0.3:
        if draw.random() < 0.5:
            return draw.getrandbits(bits)
        return (
            draw.choice((1, -1))
            * ((1 << draw.randrange(bits)) + draw.choice((-1, 0, 1)))
            % (1 << bits)
        )
    format_ = FORMATS[type_]
    if draw.random() < 0.5:
        least, one = 1 << format_.fraction, format_.bias << format_.fraction
        some = [0, 1, least - 1, least, one, one + 1, one - 1, one + least // 2]
        some += [format_.infinity + d for d in (-1, 0, 1, least // 2, least - 1)]
        some += [(2 * format_.bias - 1 << format_.fraction) + d for d in (0, 1)]
        return draw.choice(some) | draw.choice((0, format_.sign))
    fraction = draw.getrandbits(format_.fraction) & draw.choice((-1, -1 << format_.fraction // 2))
    exponent = format_.bias + draw.randrange(-4, 5)
    return draw.choice((0, format_.sign)) | exponent << format_.fraction | fraction


def operands(case: Spelling) -> Any:
    draw = random.Random(case.opcode)
    rows = [[element(type_, draw) for _ in range(ROWS)] for type_ in case.operands]
    return np.array(rows, np.uint64)


@cache
def results(mnemonic: str) -> list[tuple[Spelling, Any, Any, Any]]:
    """Return each case with its operands and what both sides made of them."""
    both = Compiled(cases(mnemonic), lowering, level=0)
    here = device.current_arch()
    found = list(both)
    kernels = [kernel(f"k{index}", case) for index, case in enumerate(found)]
    head = f".version 8.6\n.target {here}\n.address_size 64\n"
    module = gpucc.load(head + "\n".join(kernels))
    lines: list[tuple[Spelling, Any, Any, Any]] = []
    for index, case in enumerate(found):
        given = operands(case)
        source, target = to_device(given), to_device(np.zeros(ROWS, np.uint64))
        module[f"k{index}"][1, ROWS](source, target)
        synchronize()
        lines.append((case, given, both.run(case, given), target.to_host()))
    return lines


def near(case: Spelling, ours: int, theirs: int) -> bool:
    """Return whether two results of an approximate instruction agree."""
    type_ = case.result
    if type_.endswith("x2"):
        half_bits = int(register_type(type_)[1:]) // 2
        mask = (1 << half_bits) - 1
        return all(
            near(Spelling(case.opcode, type_[:-2], ()), ours >> s & mask, theirs >> s & mask)
            for s in (0, half_bits)
        )
    a, b = (FORMATS[type_].decode(pattern).approximate for pattern in (ours, theirs))
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or math.isinf(b) or a == b:
        return ours == theirs
    kind, bound = BOUNDS[case.opcode.partition(".")[0]]
    bound = COARSE.get(type_, bound)
    least = float(FORMATS[type_].least_normal)
    relative = abs(a - b) <= bound * max(abs(b), least)
    return relative or (kind != "relative" and abs(a - b) <= bound)


def wild(case: Spelling, row: Sequence[int]) -> bool:
    """Return whether the error of sine and cosine has no bound for an operand."""
    return case.opcode[:3] in ("sin", "cos") and abs(F32.decode(row[0]).approximate) > 6.28


@pytest.mark.parametrize("mnemonic", sorted({*floating.LOWERINGS, *half.LOWERINGS, "cvt"}))
def test_the_cpu_target_computes_what_this_gpu_computes(mnemonic: str) -> None:
    wrong: list[str] = []
    for case, given, ours, theirs in results(mnemonic):
        approximate = {"approx", "full"} & set(case.words)
        different = [
            (row, int(a), int(b))
            for row, a, b in zip(given.T.tolist(), ours, theirs, strict=True)
            if a != b and not (approximate and (near(case, int(a), int(b)) or wild(case, row)))
        ]
        if different:
            shown = "; ".join(
                f"{', '.join(map(hex, row))} = {a:#x}, here {b:#x}" for row, a, b in different[:3]
            )
            wrong.append(f"{case.opcode}: {len(different)} of {ROWS}: {shown}")
    assert not wrong, "\n".join(wrong)
