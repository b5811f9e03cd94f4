"""Analyses on damaged modules: an error that says what is wrong, or a result; nothing else."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gpucc.analysis.access import kernel_accesses
from gpucc.analysis.addresses import Addresses
from gpucc.analysis.dominators import post_dominators
from gpucc.errors import GpuccError
from gpucc.frontend.parser import parse
from gpucc.ptx.module import Module

SAMPLES = sorted((Path(__file__).parents[2] / "ptx_samples").glob("*.ptx"))


def analyse(module: Module) -> None:
    kernel_accesses(module)
    for function in module.functions:
        if function.body is None:
            continue
        analysis = Addresses(function, module)
        for space in ("global", "", "shared"):
            for address in analysis.all_of(space=space):
                assert str(address)
                assert address.reason is None or address.reason
        post_dominators(analysis.cfg)
        for loop in range(len(analysis.values.loops.loops)):
            analysis.values.trip_count(loop)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_swapped_and_missing_tokens(data: st.DataObject):
    text = data.draw(st.sampled_from(SAMPLES)).read_text()
    tokens = [m.span() for m in re.finditer(r"[%$\w.]+|[^\s\w]", text)]
    (start, end), (other, after) = (
        tokens[data.draw(st.integers(0, len(tokens) - 1))] for _ in range(2)
    )
    replacement = data.draw(st.sampled_from(["", text[other:after], f"{text[other:after]} "]))
    with contextlib.suppress(GpuccError):
        analyse(parse(text[:start] + replacement + text[end:]))


def test_very_long_chains_do_not_overflow_the_stack():
    lines = ["mov.u64 %d0, %a;"]
    lines += [f"add.s64 %d{i + 1}, %d{i}, 4;" for i in range(5000)]
    lines += ["mov.u32 %r0, 0;"]
    for i in range(400):
        lines.append(f"@%p1 bra L{i}; add.s64 %m, %m, 8; L{i}: ld.global.u32 %r1, [%m];")
    text = (
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n"
        ".reg .b64 %a; .reg .b64 %m; .reg .b64 %d<5001>; .reg .b32 %r<2>; .reg .pred %p1;\n"
        "ld.param.u64 %a, [p]; mov.u64 %m, %a;\n"
        + "\n".join(lines)
        + "\nst.global.u32 [%d5000], %r0; ret;\n}\n"
    )
    module = parse(text)
    last = list(Addresses(module.kernels[0], module).all_of())[-1]
    assert str(last) == "p + 20000"
    (access,) = kernel_accesses(module)
    assert access.params[0].access.value == 3
