"""Address expressions: what they say of idioms, loops, and the code of other compilers."""

from __future__ import annotations

import re

import pytest

from gpucc.analysis.addresses import Addresses, AddressExpr
from gpucc.analysis.affine import SymbolKind
from gpucc.frontend.parser import parse
from gpucc.ptx.module import Instruction, Module


def kernel_of(body: str, *, head: str = "", parameters: str = "") -> Addresses:
    parameters = parameters or ".param .u64 a, .param .u64 b, .param .u32 n, .param .u64 s"
    module = parse(
        ".version 8.0\n.target sm_80\n.address_size 64\n.extern .shared .b8 tile[];\n"
        f".visible .entry k({parameters}){head}\n{{\n"
        ".reg .b32 %r<40>; .reg .b64 %d<40>; .reg .pred %p<9>; .reg .f32 %f<9>; .reg .b16 %h<9>;\n"
        f"ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; {body}\nret;\n}}\n"
    )
    return Addresses(module.kernels[0], module)


def addresses_in(analysis: Addresses) -> list[AddressExpr]:
    found: list[AddressExpr] = []
    for index, statement in enumerate(analysis.function.statements):
        if not isinstance(statement, Instruction) or ".param" in statement.opcode:
            continue
        if statement.mnemonic in ("ld", "st", "atom", "red"):
            found.append(analysis.of(index))
    return found


def only_address(body: str, **how: str) -> AddressExpr:
    return addresses_in(kernel_of(body, **how))[-1]


THREAD = "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; "
LINEAR_INDEX = THREAD + "mad.lo.s32 %r4, %r2, %r3, %r1; "


def test_the_usual_index():
    found = only_address(
        LINEAR_INDEX
        + "mul.wide.s32 %d3, %r4, 4; add.s64 %d4, %d1, %d3; ld.global.f32 %f1, [%d4+8];"
    )
    assert str(found) == "a + 4*ctaid.x*ntid.x + 4*tid.x + 8"
    assert found.base is not None
    assert (found.base.kind, found.base.name, found.space, found.size) == (
        "parameter",
        "a",
        "global",
        4,
    )
    assert found.reason is None
    assert not found.is_exact  # more than 2^31 threads would overflow
    by_text = {s.text: s for s in found.offset.symbols()}
    assert found.offset.coefficient(by_text["tid.x"]).constant == 4  # type: ignore[union-attr]
    assert str(found.offset.coefficient(by_text["ctaid.x"])) == "4*ntid.x"
    assert found.offset.coefficient(by_text["ntid.x"]) is not None
    assert found.offset.varies_with("ctaid.x")
    assert not found.offset.varies_with("ctaid.y")


@pytest.mark.parametrize(
    ("body", "offset"),
    [
        ("mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; cvt.u64.u32 %d3, %r2;", "16*tid.x"),
        # masks that take nothing away, or everything
        ("mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1023; cvt.u64.u32 %d3, %r2;", "tid.x"),
        (
            "mov.u32 %r1, %ctaid.x; shl.b32 %r2, %r1, 5; and.b32 %r3, %r2, 31; "
            "cvt.u64.u32 %d3, %r3;",
            "0",
        ),
        # or as addition of bits that do not meet
        (
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.y; shl.b32 %r3, %r2, 10; "
            "or.b32 %r4, %r3, %r1; cvt.u64.u32 %d3, %r4;",
            "1024*ctaid.y + tid.x",
        ),
        # … and of bits that do
        (
            "mov.u32 %r1, %tid.x; or.b32 %r4, %r1, 3; cvt.u64.u32 %d3, %r4;",
            "or32(tid.x, 3)",
        ),
        # the sign of an index that has none: Numba's wrap of negative indices
        (
            THREAD + "mul.wide.s32 %d4, %r2, %r3; cvt.s64.s32 %d5, %r1; add.s64 %d6, %d4, %d5; "
            "ld.param.u64 %d7, [s]; shr.s64 %d8, %d6, 63; and.b64 %d9, %d8, %d7; "
            "add.s64 %d3, %d9, %d6;",
            "ctaid.x*ntid.x + tid.x",
        ),
        # division and remainder of what is a sum of multiples and less
        (
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.y; mad.lo.s32 %r3, %r2, 2048, %r1; "
            "div.u32 %r4, %r3, 1024; cvt.u64.u32 %d3, %r4;",
            "2*ctaid.y",
        ),
        (
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.y; mad.lo.s32 %r3, %r2, 2048, %r1; "
            "rem.u32 %r4, %r3, 1024; cvt.u64.u32 %d3, %r4;",
            "tid.x",
        ),
        ("mov.u32 %r1, %tid.x; div.u32 %r4, %r1, 48; cvt.u64.u32 %d3, %r4;", "div.u32(tid.x, 48)"),
        # a choice that is none, and bounds that decide one
        ("ld.param.u64 %d4, [s]; selp.b64 %d3, %d4, %d4, %p1;", "s"),
        ("mov.u32 %r1, %tid.x; min.s32 %r2, %r1, 5000; cvt.u64.u32 %d3, %r2;", "tid.x"),
        ("mov.u32 %r1, %tid.x; max.s32 %r2, %r1, 9; cvt.u64.u32 %d3, %r2;", "max.s32(tid.x, 9)"),
        # taken apart and put together
        ("ld.param.u64 %d4, [s]; mov.b64 {%r1, %r2}, %d4; mov.b64 %d3, {%r1, %r2};", "s"),
        ("ld.param.v2.u32 {%r1, %r2}, [s]; cvt.s64.s32 %d3, %r2;", "s+4:32"),
        ("mov.u32 %r1, %tid.x; bfe.u32 %r2, %r1, 5, 5; cvt.u64.u32 %d3, %r2;", "shr.u32(tid.x, 5)"),
        (
            "mov.u32 %r1, %tid.x; lop3.b32 %r2, %r1, 7, 4, 0xea; cvt.u64.u32 %d3, %r2;",
            "or32(and32(tid.x, 7), 4)",
        ),
        ("mov.u32 %r1, %tid.x; not.b32 %r2, %r1; cvt.s64.s32 %d3, %r2;", "-tid.x - 1"),
        ("{ .reg .b64 %d4; mov.u64 %d4, 8; add.s64 %d3, %d4, 1; } mov.u64 %d4, 77;", "9"),
    ],
)
def test_offsets(body: str, offset: str):
    pointer = "cvta.to.global.u64 %d31, %d1; "
    found = only_address(pointer + body + "add.s64 %d30, %d31, %d3; ld.global.u8 %h1, [%d30];")
    assert str(found.offset) == offset


def test_a_product_that_may_overflow_before_a_shift_is_not_divided():
    """2^31 blocks times 16 do not fit 32 bits, so the quotient by 4 is not 4 times the block."""
    body = "mov.u32 %r1, %ctaid.x; shl.b32 %r2, %r1, 4; shr.u32 %r3, %r2, 2; cvt.u64.u32 %d3, %r3; "
    found = only_address(body + "add.s64 %d4, %d1, %d3; ld.global.u8 %h1, [%d4];")
    assert str(found.offset) == "4*ctaid.x"
    assert not found.is_exact
    # … of a parameter it is not even assumed
    body = "ld.param.u32 %r1, [n]; shl.b32 %r2, %r1, 4; shr.u32 %r3, %r2, 2; cvt.u64.u32 %d3, %r3; "
    found = only_address(body + "add.s64 %d4, %d1, %d3; ld.global.u8 %h1, [%d4];")
    assert str(found.offset) == "shr.u32(16*n, 2)"
    assert found.is_exact


def test_a_hash_is_not_taken_for_an_index():
    body = "ld.param.u32 %r1, [n]; mul.lo.s32 %r2, %r1, -1640531535; mul.wide.u32 %d3, %r2, 4; "
    found = only_address(body + "add.s64 %d4, %d1, %d3; ld.global.u32 %r5, [%d4];")
    assert str(found.offset) == "4*extend.u32(-1640531535*n)"
    assert found.is_exact
    assert found.reason == "not a sum of products: extend.u32(-1640531535*n)"


def test_bounds_of_the_block_come_from_the_directives():
    body = (
        "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 127; cvt.u64.u32 %d3, %r2; "
        "add.s64 %d4, %d1, %d3; ld.global.u8 %h1, [%d4];"
    )
    assert str(only_address(body).offset) == "and32(tid.x, 127)"
    assert str(only_address(body, head=" .reqntid 128, 1, 1").offset) == "tid.x"
    assert str(only_address(body, head=" .maxntid 128").offset) == "tid.x"
    # the product is limited, not each extent
    assert str(only_address(body, head=" .maxntid 64, 4").offset) == "and32(tid.x, 127)"
    fixed = only_address(
        THREAD + "mul.wide.u32 %d3, %r2, %r3; add.s64 %d4, %d1, %d3; ld.global.u8 %h1, [%d4];",
        head=" .reqntid 256",
    )
    assert str(fixed.offset) == "256*ctaid.x"


def test_a_value_sent_to_the_warp_that_is_the_same_in_all_lanes():
    body = (
        "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; shfl.sync.idx.b32 %r3|%p1, %r2, 0, 31, -1; "
        "mul.wide.u32 %d3, %r3, 4; add.s64 %d4, %d1, %d3; ld.global.u32 %r5, [%d4];"
    )
    assert str(only_address(body, head=" .reqntid 128").offset) == "4*shr.u32(tid.x, 5)"
    assert only_address(body, head=" .reqntid 48, 2").reason is not None  # lanes of two rows
    assert only_address(body).reason is not None


def test_indirect_access_names_the_load_that_it_goes_through():
    analysis = kernel_of(
        LINEAR_INDEX + "mul.wide.s32 %d3, %r4, 4; add.s64 %d4, %d2, %d3; ld.global.s32 %r5, [%d4]; "
        "mul.wide.s32 %d5, %r5, 4; add.s64 %d6, %d1, %d5; ld.global.f32 %f1, [%d6];"
    )
    index, value = addresses_in(analysis)
    assert value.loads == (index.statement,)
    assert value.reason == "loaded by ld.global.s32"
    assert value.base is not None
    assert value.base.name == "a"
    assert str(analysis.of(value.loads[0]).base) == "b"


def test_a_loaded_pointer_is_a_base():
    found = only_address(
        "ld.global.u64 %d3, [%d1]; mov.u32 %r1, %tid.x; mul.wide.u32 %d4, %r1, 8; "
        "add.s64 %d5, %d3, %d4; st.global.u64 [%d5], %d4;"
    )
    assert found.base is not None
    assert found.base.kind == "loaded"
    assert str(found.offset) == "8*tid.x"


def test_two_possible_pointers_are_told_apart_only_by_evidence():
    body = "ld.param.u64 %d3, [s]; add.s64 %d4, %d1, %d3; ld.u8 %h1, [%d4];"
    assert only_address(body).base is None
    assert only_address(body).reason == "no pointer, or several, in the address"
    found = only_address("cvta.to.global.u64 %d9, %d1;" + body)
    assert str(found) == "a + s"
    found = only_address(
        body, parameters=".param .u64 .ptr .global .align 4 a, .param .u64 b, .param .u64 s"
    )
    assert str(found) == "a + s"


def test_shared_and_local_variables_are_bases():
    body = "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.s32 %r4, %r3, %r2; "
    found = only_address(body + "st.shared.u32 [%r4+64], %r1;")
    assert found.base is not None
    assert (found.base.kind, found.base.name, found.base.space) == ("variable", "tile", "shared")
    assert str(found.offset) == "4*tid.x + 64"
    found = only_address(
        ".local .align 8 .b8 stack[64]; mov.u64 %d3, stack; st.local.u64 [%d3+16], %d1;"
    )
    assert found.base is not None
    assert (found.base.name, found.base.space, found.offset.constant) == ("stack", "local", 16)


def test_struct_parameters_by_constant_and_computed_place():
    parameters = ".param .u64 a, .param .u64 b, .param .align 8 .b8 st[32]"
    found = only_address(
        "mov.b64 %d3, st; add.s64 %d4, %d3, 8; ld.param.u64 %d5, [%d4+8]; "
        "ld.global.u32 %r1, [%d5+4];",
        parameters=parameters,
    )
    assert str(found) == "st+16 + 4"
    found = only_address(
        "mov.b64 %d3, st; mov.u32 %r1, %tid.x; mul.wide.u32 %d6, %r1, 8; add.s64 %d4, %d3, %d6; "
        "ld.param.u64 %d5, [%d4]; ld.global.u32 %r1, [%d5];",
        parameters=parameters,
    )
    assert found.base is None
    assert found.reason == "result of a call, or a parameter by index"


# --- loops ----------------------------------------------------------------------------------------

TRIANGLE = """
    ld.param.u32 %r9, [n]; mov.u32 %r1, 0;
    OUTER: mov.u32 %r2, %r1; mov.u64 %d5, %d1;
    INNER: ld.global.u32 %r3, [%d5]; add.s64 %d5, %d5, 8; add.s32 %r2, %r2, 2;
    setp.lt.s32 %p1, %r2, %r9; @%p1 bra INNER;
    ld.global.u32 %r4, [%d5];
    add.s32 %r1, %r1, 1; setp.ne.s32 %p2, %r1, 10; @%p2 bra OUTER;
"""


def test_nested_loops_and_what_is_left_after_them():
    analysis = kernel_of(TRIANGLE)
    inside, after = addresses_in(analysis)
    assert str(inside) == "a + 8*loop1"
    assert str(after) == "a + 8*loop1.last + 8"
    assert analysis.values.trip_count(0).constant == 9  # type: ignore[union-attr]
    inner = analysis.values.trip_count(1)
    assert inner is not None
    assert (str(inner.span), str(inner.step)) == ("-loop0 + n - 2", "2")


@pytest.mark.parametrize(
    ("test", "by", "exact"),
    [
        ("lt.s32", 1, True),  # ends at the bound at the latest
        ("lt.s32", 2, False),  # may step over it, and overflow
        ("le.s32", 1, False),  # the bound may be the greatest number
        ("ne.s32", 1, False),  # the bound may lie behind
        ("lt.u32", 1, False),  # the bound may be negative as a signed number
        ("gt.s32", -1, True),
    ],
)
def test_only_some_loop_counts_cannot_overflow(test: str, by: int, exact: bool):
    found = only_address(
        "ld.param.u32 %r9, [n]; mov.u32 %r1, 0; "
        "L: cvt.s64.s32 %d3, %r1; add.s64 %d4, %d1, %d3; ld.global.u8 %h1, [%d4]; "
        f"add.s32 %r1, %r1, {by}; setp.{test} %p1, %r1, %r9; @%p1 bra L;"
    )
    assert str(found) == f"a + {by}*loop0".replace("1*", "")
    assert found.is_exact == exact


def test_what_a_loop_loaded_last_is_not_what_it_loads_now():
    """%r2 is what the round before loaded (at first, nothing that was written)."""
    found = only_address(
        "mov.u32 %r1, 0; OUTER: mov.u32 %r2, %r3; "
        "L: mul.wide.s32 %d3, %r2, 4; add.s64 %d4, %d1, %d3; ld.global.u32 %r3, [%d2]; "
        "st.global.u32 [%d4], %r1; mov.u32 %r2, %r3; add.s32 %r1, %r1, 1; "
        "setp.lt.s32 %p1, %r1, 9; @%p1 bra L; setp.lt.s32 %p2, %r1, 99; @%p2 bra OUTER; "
        "mov.u32 %r3, 7;"
    )
    assert not found.loads
    assert found.reason == "advanced in a loop by loaded values"


def test_a_register_that_lags_behind_another():
    """Software pipelining and Numba's iterators: the value of this round was next in the last."""
    found = only_address(
        "mov.u64 %d5, %d1; add.s64 %d6, %d1, 16; mov.u32 %r1, 0; "
        "L: ld.global.u32 %r3, [%d5]; mov.u64 %d5, %d6; add.s64 %d6, %d6, 16; "
        "add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 5; @%p1 bra L;"
    )
    assert str(found) == "a + 16*loop0"


def test_unrolled_loops_with_a_remainder():
    found = addresses_in(
        kernel_of(
            "ld.param.u32 %r9, [n]; mov.u64 %d5, %d1; and.b32 %r8, %r9, 3; "
            "setp.lt.u32 %p1, %r9, 4; "
            "@%p1 bra REST; mov.u32 %r1, %r9; "
            "MAIN: ld.global.u32 %r3, [%d5]; add.s64 %d5, %d5, 16; add.s32 %r1, %r1, -4; "
            "setp.gt.s32 %p2, %r1, 3; @%p2 bra MAIN; "
            "REST: setp.eq.s32 %p3, %r8, 0; @%p3 bra END; "
            "TAIL: ld.global.u32 %r4, [%d5]; add.s64 %d5, %d5, 4; add.s32 %r8, %r8, -1; "
            "setp.ne.s32 %p4, %r8, 0; @%p4 bra TAIL; END:"
        )
    )
    assert [str(a) for a in found] == ["a + 16*loop0", "a + 16*loop0.rounds@2>3 + 4*loop1"]


def test_pointer_chasing_says_why_it_is_unknown():
    found = only_address(
        "mov.u64 %d5, %d1; L: ld.global.u64 %d5, [%d5+8]; setp.ne.s64 %p1, %d5, 0; @%p1 bra L;"
    )
    assert found.base is None
    assert found.reason == "advanced in a loop by loaded values"


def test_merged_pointers_say_why_they_are_unknown():
    found = only_address(
        "ld.param.u32 %r1, [n]; setp.eq.s32 %p1, %r1, 0; mov.u64 %d5, %d1; @%p1 bra L; "
        "mov.u64 %d5, %d2; L: ld.global.u32 %r2, [%d5];"
    )
    assert found.base is None
    assert found.reason == "different on different paths"


def test_a_guarded_write_leaves_two_values():
    found = only_address("mov.u64 %d5, %d1; @%p1 mov.u64 %d5, %d2; ld.global.u32 %r2, [%d5];")
    assert found.reason == "written only if %p1"


def test_a_loop_entered_in_the_middle_promises_nothing():
    found = only_address(
        "mov.u64 %d5, %d1; @%p1 bra M; L: add.s64 %d5, %d5, 4; M: ld.global.u32 %r2, [%d5]; "
        "add.s64 %d5, %d5, 8; @%p2 bra L; @%p3 bra M;"
    )
    assert found.reason is not None


# --- other compilers ------------------------------------------------------------------------------


def numba_ptx(function: object, *types: object) -> Module:
    cuda = pytest.importorskip("numba.cuda", reason="numba-cuda is not installed")
    return parse(cuda.compile_ptx(function, types, cc=(8, 0))[0])


def shortened(text: object) -> str:
    return re.sub(r"_Z\w+_param_(\d+)", r"p\1", str(text))


def test_numba_arrays():
    numba = pytest.importorskip("numba", reason="numba is not installed")
    from numba import cuda

    array, indices = numba.float32[::1], numba.int32[::1]

    def gather(o, a, ix):
        i = cuda.grid(1)
        if i < o.size:
            o[i] = a[ix[i]]

    module = numba_ptx(gather, array, array, indices)
    index, value, out = addresses_in(Addresses(module.kernels[0], module))
    assert shortened(index) == "p18 + 4*ctaid.x*ntid.x + 4*tid.x"
    assert shortened(out) == "p4 + 4*ctaid.x*ntid.x + 4*tid.x"
    assert index.is_exact
    assert out.is_exact
    assert shortened(value.base) == "p11"
    assert value.loads == (index.statement,)

    def stride(a, o):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            o[i] = a[i] * 2

    module = numba_ptx(stride, array, array)
    for found in addresses_in(Addresses(module.kernels[0], module)):
        assert found.reason is None, shortened(found)
        assert re.search(r"loop\d\*nctaid.x\*ntid.x", shortened(found))


def test_triton_matmul():
    triton = pytest.importorskip("triton", reason="triton is not installed")
    from triton.backends.compiler import GPUTarget  # type: ignore[import-not-found]
    from triton.compiler import ASTSource  # type: ignore[import-not-found]
    from triton_kernels import matmul

    signature = dict.fromkeys(("a_ptr", "b_ptr", "c_ptr"), "*fp16") | dict.fromkeys(
        ("rows", "columns", "depth", "sam", "sak", "sbk", "sbn", "scm", "scn"), "i32"
    )
    source = ASTSource(matmul, signature=signature, constexprs={"bm": 32, "bn": 32, "bk": 32})
    compiled = triton.compile(source, target=GPUTarget("cuda", 80, 32))
    module = parse(compiled.asm["ptx"])
    analysis = Addresses(module.kernels[0], module)
    found = list(analysis.all_of(space="global"))
    found += [
        analysis.of(i)
        for i, s in enumerate(analysis.function.statements)
        if isinstance(s, Instruction) and s.opcode.startswith("cp.async.c")
    ]
    assert len(found) >= 4
    for address in found:
        assert address.base is not None
        assert address.base.kind == "parameter"
        assert all(s.kind is not SymbolKind.UNKNOWN for s in address.offset.symbols())
    bases = {address.base.name for address in found if address.base}
    assert bases == {"matmul_param_0", "matmul_param_1", "matmul_param_2"}
    assert all("loop0" in str(a) for a in found if a.base and a.base.name != "matmul_param_2")
