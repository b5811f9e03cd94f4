"""What is refused, and where; what is legal and must not be."""

import contextlib
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucc.errors import SourceError, ToolError
from gpucc.frontend.parser import parse
from gpucc.ptx.verify import require_valid, verify
from gpucc.toolchain import assemble

SAMPLES = Path(__file__).parents[2] / "ptx_samples"
REGISTERS = (
    ".reg .pred %p<4>; .reg .b16 %rs<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; "
    ".reg .f32 %f<8>; .reg .f64 %fd<4>;"
)


def ptx(body: str, *, version: str = "8.5", target: str = "sm_80", before: str = "") -> str:
    """Return a module; the body begins at line 5."""
    head = f".version {version}\n.target {target}\n.address_size 64\n{before}"
    return f"{head}.visible .entry k(.param .u64 a) {{ {REGISTERS}\n{body}\n}}\n"


REFUSED = {
    # name: (text, line, column, message)
    "undeclared register": (ptx("mov.u32 %r1, %r9;"), 5, 14, "'%r9' is not declared"),
    "undeclared guard": (ptx("@%q bra L;\nL: ret;"), 5, 2, "'%q' is not declared"),
    "guard of a wrong type": (ptx("@%r1 ret;"), 5, 2, "no predicate"),
    "declared twice": (ptx(".reg .b32 x;\n.reg .f32 x;"), 6, 11, "declared twice"),
    "label twice": (ptx("L: ret;\nL: ret;"), 6, 1, "declared twice"),
    "missing label": (ptx("bra NOWHERE;"), 5, 5, "'NOWHERE' is not declared"),
    "label of a closed block": (ptx("{ L: ret; }\nbra L;"), 6, 5, "'L' is not declared"),
    "register of a closed block": (
        ptx("{ .reg .b32 t; mov.u32 t, 1; }\nmov.u32 %r1, t;"), 6, 14, "'t' is not declared"),
    "call of nothing": (ptx("call nothing;"), 5, 6, "'nothing' is not declared"),
    "too few operands": (ptx("add.s32 %r1, %r2;"), 5, 9, "2 operands, where 3"),
    "too many operands": (ptx("neg.s32 %r1, %r2, %r3;"), 5, 9, "3 operands, where 2"),
    "result is a number": (ptx("add.s32 4, %r1, %r2;"), 5, 9, "constant"),
    "wrong register width": (ptx("add.s64 %rd1, %r1, %rd2;"), 5, 15, "register"),
    "float into an integer": (ptx("add.s32 %r1, %f1, %r2;"), 5, 14, "register"),
    "unknown modifier": (ptx("add.s32.fast %r1, %r1, %r2;"), 5, 9, "fast"),
    "malformed operands": (ptx("add.s32 %r1, %r2,, %r3;"), 5, 18, "unexpected ','"),
    "half an address": (ptx("ld.global.u32 %r1, [%rd1;"), 5, 21, "unexpected"),
    # the list of what must be refused
    "mov.b8": (ptx("mov.b8 %r1, %r2;"), 5, 5, "b8"),
    "four halves into 32 bits": (
        ptx("mov.b32 %r1, {%rs1, %rs2, %rs3, %rs4};"), 5, 1, "4 elements of 16 bits"),
    "feature newer than the version": (
        ptx("ld.global.L1::no_allocate.f32 %f1, [%rd1];", version="7.3"), 5, 11, "7.4"),
    "sm_120 where sm_120a is needed": (
        ptx("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 "
            "{%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};",
            version="8.7", target="sm_120"), 5, 1, "sm_120"),
    "wgmma without a": (
        ptx("wgmma.fence.sync.aligned;", target="sm_90"), 5, 1, "sm_90a"),
    "target newer than the version": (ptx("ret;", version="7.0", target="sm_90"), 2, 9, "sm_90"),
    "no target": (".version 8.0\n.target banana\n.entry k() { ret; }", 2, 9, "no target"),
    # cache controls
    "cop with an eviction priority": (
        ptx("ld.global.cg.L1::evict_last.f32 %f1, [%rd1];"),
        5, 14, "'.L1::evict_last' cannot stand"),
    "cop with volatile": (
        ptx("ld.volatile.global.cg.f32 %f1, [%rd1];"), 5, 20, "'.cg' cannot stand"),
    "L1 with volatile": (
        ptx("ld.volatile.global.L1::evict_last.f32 %f1, [%rd1];"),
        5, 20, "'.L1::evict_last' cannot stand"),
    "cop with acquire": (
        ptx("ld.acquire.gpu.global.cg.f32 %f1, [%rd1];"), 5, 23, "'.cg' cannot stand"),
    "nc with lu": (ptx("ld.global.lu.nc.f32 %f1, [%rd1];"), 5, 11, "'.lu' excludes '.nc'"),
    "L1 on shared": (
        ptx("ld.shared.L1::evict_last.f32 %f1, [%rd1];"), 5, 11, "where only .global has it"),
    "prefetch size on shared": (
        ptx("ld.shared.L2::128B.f32 %f1, [%rd1];"), 5, 11, "where only .global has it"),
    "cache hint without a policy": (
        ptx("ld.global.L2::cache_hint.f32 %f1, [%rd1];"), 5, 30, "2 operands, where 3"),
    "policy without a cache hint": (
        ptx("ld.global.f32 %f1, [%rd1], %rd2;"), 5, 15, "3 operands, where 2"),
    "256B before sm_80": (
        ptx("ld.global.L2::256B.f32 %f1, [%rd1];", target="sm_75"), 5, 11, "sm_80"),
    "cas with a cache hint": (
        ptx("atom.global.cas.L2::cache_hint.b32 %r1, [%rd1], %r2, %r3, %rd2;"),
        5, 17, "'.L2::cache_hint' cannot stand"),
    "L2 eviction on a small load": (
        ptx("ld.global.L2::evict_first.f32 %f1, [%rd1];", version="8.8", target="sm_100"),
        5, 11, "needs a '.v8'"),
    "applypriority of another kind": (
        ptx("applypriority.global.L2::evict_first [%rd1], 128;"), 5, 22, "is no modifier"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_its_place(name: str) -> None:
    text, line, column, message = REFUSED[name]
    with pytest.raises(SourceError) as caught:
        require_valid(parse(text, "k.ptx"))
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column), caught.value.render()


@pytest.mark.parametrize("name", REFUSED)
def test_ptxas_refuses_it_too(name: str) -> None:
    text = REFUSED[name][0]
    target = parse(text).targets[0]
    with pytest.raises(ToolError):
        assemble(text, target if target.startswith("sm_") else "sm_80")


LEGAL = {
    "reading what nothing wrote": ptx("add.s32 %r1, %r2, %r3;"),
    "names of sibling blocks": ptx(
        "{ .reg .b32 t; L: mov.u32 t, 1; bra L; }\n{ .reg .b32 t; L: mov.u32 t, 2; }"
    ),
    "a hidden name": ptx("{ .reg .f32 %r1; mov.f32 %r1, 0f00000000; }\nmov.u32 %r1, 1;"),
    "label after a block": ptx("{ bra DONE; }\nDONE: ret;"),
    "wider registers": ptx("ld.global.u8 %r1, [%rd1];\nst.global.b16 [%rd1], %r1;"),
    "relaxed with L1": ptx("ld.relaxed.gpu.global.L1::evict_last.f32 %f1, [%rd1];"),
    "nc with no_allocate": ptx("ld.global.nc.L1::no_allocate.L2::256B.v4.f32 "
                               "{%f1,%f2,%f3,%f4}, [%rd1];"),
    "cache hint": ptx("createpolicy.fractional.L2::evict_last.b64 %rd2, 1.0;\n"
                      "red.global.add.L2::cache_hint.f32 [%rd1], %f1, %rd2;"),
    "branch table": ptx("T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: ret;\nB: exit;"),
    "indirect call": ptx("{ .param .b32 q;\nP: .callprototype (.param .b32 _) _ ();\n"
                         "call (q), %rd1, (), P; }"),
    "special registers": ptx("mov.u32 %r1, %tid.x;\nmov.u64 %rd1, %clock64;\n"
                             "mov.u32 %r2, %lanemask_lt;\nmov.u32 %r3, WARP_SZ;"),
    "pack and unpack": ptx("mov.b64 {%r1, %r2}, %rd1;\nmov.b64 {_, %r2}, %rd1;\n"
                           "mov.b32 %r1, {%rs1, %rs2};"),
    "shared variable": ptx(".shared .align 4 .b8 t[64];\nmov.u32 %r1, t;\nmov.u64 %rd1, t;\n"
                           "ld.shared.u32 %r2, [t+4];"),
}  # fmt: skip


@pytest.mark.parametrize("name", LEGAL)
def test_legal(name: str) -> None:
    assert verify(parse(LEGAL[name])) == ()
    assemble(LEGAL[name], "sm_80")


def test_unknown_opcode_is_a_warning() -> None:
    (problem,) = verify(parse(ptx("frobnicate.b32 %r1, %r2;")))
    assert problem.severity == "warning"
    assert "frobnicate" in problem.message


def test_newer_minor_version_is_a_warning() -> None:
    (problem,) = verify(parse(ptx("ret;", version="9.99", target="sm_90")))
    assert (problem.severity, problem.at) == ("warning", 0)


@pytest.mark.parametrize("sample", ["saxpy", "reduce", "tma"])
def test_every_truncation_has_a_place_or_is_whole(sample: str) -> None:
    text = (SAMPLES / f"{sample}.ptx").read_text()
    for end in range(len(text)):
        piece = text[:end]
        with contextlib.suppress(SourceError):
            module = parse(piece)
            assert module.text == piece
            if end % 7 == 0:
                require_valid(module)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(SAMPLES.glob("*.ptx"))), st.integers(0, 2**32))
def test_random_token_swaps_end_in_an_error_with_a_place_or_none(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    words = path.read_text().split(" ")
    for _ in range(rng.randint(1, 3)):
        a, b = rng.randrange(len(words)), rng.randrange(len(words))
        words[a], words[b] = words[b], words[a]
    text = " ".join(words)
    with contextlib.suppress(SourceError):
        module = parse(text)
        assert module.text == text
        require_valid(module)
