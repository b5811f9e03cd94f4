"""Access modes of kernels written by hand, an instruction or a kind of call at a time."""

from __future__ import annotations

import pytest
from access_modes import expected, shown

from gpucc.analysis.access import Access, kernel_accesses
from gpucc.frontend.parser import parse


def modes_of(
    body: str,
    *,
    before: str = "",
    parameters: str = ".param .u64 a, .param .u64 b, .param .u32 n",
    size: int = 64,
) -> dict[str, Access]:
    word = f".b{size}"
    module = parse(
        f".version 8.6\n.target sm_90a\n.address_size {size}\n{before}\n"
        f".visible .entry k({parameters})\n{{\n"
        f".reg .b32 %r<40>; .reg {word} %d<40>; .reg .pred %p<9>;\n"
        ".reg .f32 %f<9>; .reg .b16 %h<9>;\n"
        f".shared .align 8 .b64 bar; .shared .align 128 .b8 tile[4096];\n"
        f"ld.param.u{size} %d1, [a]; ld.param.u{size} %d2, [b];\n{body}\nret;\n}}\n"
    )
    (kernel,) = kernel_accesses(module)
    return shown(kernel)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        # what is not known may do anything with what it is given
        ("frobnicate.u64 %d3, %d1;", expected(_0="escapes", other="read+write")),
        (
            "frobnicate.u64 %d3, %d1; ld.u32 %r1, [%d3];",
            expected(_0="read+escapes", other="read+write"),
        ),
        # 32-bit arithmetic on the halves of a pointer
        (
            "mov.b64 {%r1, %r2}, %d1; add.cc.u32 %r1, %r1, 4; addc.u32 %r2, %r2, 0; "
            "mov.b64 %d3, {%r1, %r2}; st.global.u32 [%d3], %r1;",
            expected(_0="write"),
        ),
        # one half alone is a number
        (
            "mov.b64 {%r1, %r2}, %d1; mul.wide.u32 %d4, %r1, 4; add.s64 %d5, %d2, %d4; "
            "st.global.u32 [%d5], %r1;",
            expected(_1="write"),
        ),
        ("ld.param.u32 %r1, [a+4]; st.global.u32 [%d2], %r1;", expected(_1="write")),
        # permuted, inserted, selected by three inputs
        (
            "mov.b64 {%r1, %r2}, %d1; prmt.b32 %r3, %r1, %r2, 0x3210; "
            "prmt.b32 %r4, %r2, 0, 0x3210; mov.b64 %d3, {%r3, %r4}; ld.global.u32 %r5, [%d3];",
            expected(_0="read"),
        ),
        ("slct.b64.s32 %d3, %d1, %d2, %r1; ld.u8 %h1, [%d3];", expected(_0="read", _1="read")),
        # tags in the upper bits are taken off; what is added may be an unscaled number
        (
            "shl.b64 %d3, %d1, 16; shr.u64 %d3, %d3, 16; add.u64 %d4, %d3, %d2; ld.u32 %r1, [%d4];",
            expected(_0="read", _1="read"),
        ),
        (
            "bfe.u64 %d3, %d1, 0, 48; add.u64 %d4, %d3, %d2; ld.u32 %r1, [%d4];",
            expected(_0="read", _1="read"),
        ),
        # memory on a stack of its own
        (
            "alloca.u64 %d3, 64; st.local.u64 [%d3+8], %d1; ld.local.u64 %d4, [%d3+8]; "
            "st.u32 [%d4], 1;",
            expected(_0="write"),
        ),
        # predicated moves
        ("@%p1 mov.u64 %d1, %d2; st.u32 [%d1], 1;", expected(_0="write", _1="write")),
        # what is scaled is a number, unless nothing else is a pointer
        (
            "shl.b64 %d3, %d1, 2; add.s64 %d4, %d3, %d2; ld.u32 %r1, [%d4];",
            expected(_1="read"),
        ),
        ("shl.b64 %d3, %d1, 2; ld.u32 %r1, [%d3];", expected(_0="read", other="read")),
        (
            "sub.s64 %d3, %d2, %d1; shr.s64 %d4, %d3, 2; shl.b64 %d5, %d4, 2; ld.u32 %r2, [%d2]; "
            "add.s64 %d6, %d1, %d5; st.u32 [%d6], 1;",
            expected(_0="write", _1="read+write"),
        ),
        (
            "ld.u32 %r1, [%d1]; sub.s64 %d3, %d2, %d1; add.s64 %d4, %d1, %d3; st.u32 [%d4], 1;",
            expected(_0="read+write", _1="write"),
        ),
        # a constant address, and no address at all
        ("st.global.u32 [4096], 1;", expected(other="write")),
        ("ld.global.u32 %r1, [%d30];", expected(other="read")),
        # vectors of pointers through local memory
        (
            ".local .align 16 .b8 s[32]; mov.u64 %d3, s; st.local.v2.u64 [%d3+16], {%d1, %d2}; "
            "ld.local.v2.u64 {%d4, %d5}, [%d3+16]; ld.u32 %r1, [%d4]; st.u32 [%d5], %r1;",
            expected(_0="read", _1="write"),
        ),
        # … and half by half
        (
            ".local .align 16 .b8 s[32]; mov.u64 %d3, s; st.local.u64 [%d3], %d1; "
            "st.local.u64 [%d3+8], %d2; ld.local.v2.u32 {%r1, %r2}, [%d3+8]; "
            "mov.b64 %d4, {%r1, %r2}; st.u32 [%d4], 1;",
            expected(_1="write"),
        ),
        # a slot whose address is given away
        (
            ".local .align 8 .b8 s[8]; mov.u64 %d3, s; st.local.u64 [%d3], %d1; "
            "cvta.local.u64 %d4, %d3; st.global.u64 [%d2], %d4;",
            expected(_0="escapes", _1="write"),
        ),
        # barriers in shared memory are not global memory
        ("mbarrier.init.shared.b64 [bar], 1;", expected()),
        # bulk copies
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[tile], [%d1], 256, [bar];",
            expected(_0="read"),
        ),
        ("cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 256;", expected(_0="write")),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [tile], 256;",
            expected(_0="read+write"),
        ),
        # multi-GPU and matrix instructions
        ("multimem.red.relaxed.sys.global.add.u32 [%d1], %r1;", expected(_0="read+write")),
        (
            "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d1], "
            "{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};",
            expected(_0="write"),
        ),
        # cache control
        ("prefetch.global.L2 [%d1]; prefetchu.L1 [%d2];", expected()),
        ("discard.global.L2 [%d1], 128;", expected(_0="write")),
        ("createpolicy.range.global.L2::evict_last.b64 %d3, [%d1], 64, 64;", expected()),
        # questions about a pointer
        ("isspacep.global %p1, %d1; setp.eq.u64 %p2, %d1, %d2;", expected()),
    ],
)  # fmt: skip
def test_single_instructions(body: str, wanted: dict[str, Access]):
    assert modes_of(body) == wanted


def test_a_tensor_map_by_value_reads_other_memory():
    found = modes_of(
        "mov.b64 %d3, m; cvta.param.u64 %d4, %d3; "
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[tile], [%d4, {%r1}], [bar];",
        parameters=".param .u64 a, .param .u64 b, .param .align 64 .b8 m[128]",
    )
    assert found == expected(_2="read", other="read")


def test_functions_with_register_parameters():
    before = (
        ".func (.reg .u64 r) pick(.reg .u64 x, .reg .u64 y) { add.u64 r, x, 8; "
        "st.global.u32 [y], 1; ret; }"
    )
    body = "call (%d3), pick, (%d1, %d2); ld.global.u32 %r1, [%d3];"
    assert modes_of(body, before=before) == expected(_0="read", _1="write")


def test_functions_by_another_name():
    before = (
        ".func f(.param .u64 p) { .reg .u64 %x; ld.param.u64 %x, [p]; st.u32 [%x], 1; ret; }\n"
        ".func g(.param .u64 p);\n.alias g, f;"
    )
    body = "{ .param .u64 p0; st.param.u64 [p0], %d1; call g, (p0); }"
    assert modes_of(body, before=before) == expected(_0="write")


def test_a_function_pointer_that_is_known_is_followed():
    before = ".func f(.param .u64 p) { .reg .u64 %x; ld.param.u64 %x, [p]; st.u32 [%x], 1; ret; }"
    body = (
        "mov.u64 %d3, f; { .param .u64 p0; st.param.u64 [p0], %d1; "
        "proto: .callprototype _ (.param .u64 _); call %d3, (p0), proto; }"
    )
    assert modes_of(body, before=before) == expected(_0="write")


def test_a_launch_from_the_device_gives_its_arguments_away():
    before = (
        ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f);\n"
        ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 p, .param .b64 s);"
    )
    body = (
        "{ .param .b64 p0; st.param.b64 [p0], 0; .param .b64 r0; "
        "call (r0), cudaGetParameterBufferV2, (p0); ld.param.b64 %d3, [r0]; } "
        "st.u64 [%d3], %d1; "
        "{ .param .b64 p0; .param .b64 p1; st.param.b64 [p0], %d3; st.param.b64 [p1], 0; "
        ".param .b32 r0; call (r0), cudaLaunchDeviceV2, (p0, p1); }"
    )
    assert modes_of(body, before=before) == expected(_0="escapes", other="read+write")


def test_structs_passed_on_to_functions():
    before = (
        ".func f(.param .align 8 .b8 s[16]) { .reg .b16 %h; .reg .u64 %x<3>; "
        "ld.param.u64 %x1, [s]; ld.param.u64 %x2, [s+8]; st.u32 [%x2], 1; ld.u8 %h, [%x1]; ret; }"
    )
    body = (
        "{ .param .align 8 .b8 p0[16]; st.param.u64 [p0], %d1; st.param.u64 [p0+8], %d2; "
        "call f, (p0); }"
    )
    assert modes_of(body, before=before) == expected(_0="read", _1="write")


def test_fields_that_are_not_touched_are_not_listed():
    found = modes_of(
        "ld.param.u64 %d3, [s+8]; ld.param.u32 %r1, [s+16]; mul.wide.u32 %d4, %r1, 4; "
        "add.s64 %d5, %d3, %d4; st.global.u32 [%d5], 1;",
        parameters=".param .u64 a, .param .u64 b, .param .align 8 .b8 s[24]",
    )
    assert found == {"2+8": Access.WRITE}


def test_a_parameter_read_by_index():
    found = modes_of(
        "mov.b64 %d3, s; ld.param.u32 %r1, [n]; mul.wide.u32 %d4, %r1, 8; add.s64 %d5, %d3, %d4; "
        "ld.param.u64 %d6, [%d5]; ld.global.u32 %r2, [%d6];",
        parameters=".param .u64 a, .param .u64 b, .param .u32 n, .param .align 8 .b8 s[24]",
    )
    assert found == {"3+0": Access.READ, "3+8": Access.READ, "3+16": Access.READ}


def test_32_bit_addresses():
    found = modes_of(
        "add.u32 %d3, %d1, 4; ld.global.u32 %r1, [%d3]; st.global.u32 [%d2], %r1;",
        parameters=".param .u32 a, .param .u32 b",
        size=32,
    )
    assert found == expected(_0="read", _1="write")


def test_deep_and_wide_call_trees_end():
    """2^12 call paths: past the budget, functions are shared between callers."""
    functions = [
        ".func f0(.param .u64 p) { .reg .u64 %x; ld.param.u64 %x, [p]; st.u32 [%x], 1; ret; }"
    ]
    for level in range(1, 13):
        call = f"{{ .param .u64 p0; st.param.u64 [p0], %x; call f{level - 1}, (p0); }}"
        functions.append(
            f".func f{level}(.param .u64 p) {{ .reg .u64 %x; ld.param.u64 %x, [p]; "
            f"{call} {call} ret; }}"
        )
    body = "{ .param .u64 p0; st.param.u64 [p0], %d1; call f12, (p0); }"
    assert modes_of(body, before="\n".join(functions)) == expected(_0="write")


def test_a_module_without_kernels():
    assert kernel_accesses(parse(".version 8.0\n.target sm_80\n.func f() { ret; }")) == ()
