"""The parser: lossless on what breaks other readers of PTX; errors have positions."""

import contextlib
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucc.errors import SourceError
from gpucc.frontend.parser import parse
from gpucc.ptx.module import (
    Address,
    Brace,
    Declaration,
    Directive,
    Displaced,
    Element,
    Group,
    Immediate,
    Instruction,
    Label,
    Name,
    Negated,
    Not,
    Pair,
    Sink,
    Vector,
)
from gpucc.ptx.printer import print_structure
from gpucc.ptx.syntax import (
    Malformed,
    _parse_operands_by_grammar,  # pyright: ignore[reportPrivateUsage]
    constant_value,
    parse_declaration,
    parse_operands,
    parse_signature,
)

HEADER = ".version 8.5\n.target sm_90a\n.address_size 64\n"


def kernel(body: str, params: str = "") -> str:
    return f"{HEADER}.visible .entry k({params})\n{{\n{body}\n}}\n"


CONSTRUCTS = {
    "loc with inlining": kernel(
        "\t.loc\t1 5 3\n\t.loc 1 7 9, function_name $L__info_string0, inlined_at 1 12 4\n\tret;"
    )
    + '.file 1 "a dir/ü.cu", 1700000000, 4711\n'
    + '.section .debug_str\n{\n$L__info_string0:\n.b8 102 // } not the end " nor this\n.b8 0\n}\n',
    "label difference in a section": HEADER
    + ".section .debug_info { .b32 Lend-Lbegin\nLbegin:\n.b8 1\nLend:\n}\n",
    "empty section on one line": HEADER + "\t.section\t.debug_macinfo\t{\t}\n",
    "pointer attributes": kernel("ret;", ".param .u64 .ptr .global .align 16 a,.param .u64 .ptr b"),
    "same names in sibling blocks": kernel(
        "{ .reg .b32 t; L: mov.u32 t, 1; }\n{ .reg .b32 t; L: mov.u32 t, 2; bra L; }"
    ),
    "label after a nested block": kernel("{ .reg .pred p; bra DONE; }\nDONE: ret;"),
    "branch table": kernel(
        ".reg .u32 %r<2>;\nTab: .branchtargets A, B;\nbrx.idx %r1, Tab;\nA: ret;\nB: exit;"
    ),
    "indirect call": kernel(
        ".reg .b64 %rd<2>;\n{ .param .b32 p0; .param .b32 q0;\n"
        "P: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;\n"
        "call (q0), \n%rd1, \n(\np0\n)\n, P;\n}"
    ),
    "sinks": kernel("mov.b64 {_, %r2}, %rd1;\nshfl.sync.idx.b32 %r1|_, %r2, 1, 31, -1;"),
    "one-element vector": kernel("mov.b32 %r1, { %r1 };\nld.global.b32 { %r1 }, [ %rd1 + 0 ];"),
    "barriers": kernel(
        "bar.sync 0;\nbarrier.sync.aligned 1, 64;\nbar.red.popc.u32 %r1, 0, !%p1;\n"
        "bar.warp.sync -1;"
    ),
    "bulk copy": kernel(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%r1], [%rd1, {%r2, %r3}], [%r4];"
    ),
    "pragma": kernel(
        '.pragma "nounroll";\n.pragma "used_bytes_mask 0xfff";\n.pragma "a;b}";\nret;'
    ),
    "floats": kernel(
        "mov.f32 %f1, 0F3f800000;\nmov.f64 %fd1, 0d3FF0000000000000;\nadd.f32 %f1, %f1, .5;"
    ),
    "constant expression": kernel("mov.u32 %r1, (1<<4)|3;\nld.u32 %r1, [tab+(4*2)];"),
    "predicate pair": kernel(
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;\n@!%p1 bra L;\n@ %p2 ret;\nL:"
    ),
    "no address size": ".version 8.5\n.target sm_90a, debug\n.visible .entry k() { ret; }",
    "two modules joined": kernel("ret;") + kernel("exit;").replace(" k(", " j("),
    "no final newline": kernel("ret;").rstrip("\n"),
    "trailing nul": kernel("ret;") + "\0",
    "crlf": kernel("mov.u32 %r1, 1; // one\nret;").replace("\n", "\r\n"),
    "non-ascii": kernel("// größe 漢字 }\n/* ; ü */ ret;"),
    "comment inside an instruction": kernel("add.s32 %r1, /* a; b} */ %r2, // ; {\n %r3;"),
    "statements on one line": ".version 8.5 .target sm_90 .address_size 64 .entry k(){ret;}",
    "performance directives": HEADER
    + ".entry k(.param .u32 a) .maxntid 256, 1, 1 .minnctapersm 2\n"
    + ".reqnctapercluster 2, 1, 1 { ret; }",
    "attribute": HEADER + ".global .attribute(.managed) .align 4 .b8 m[4];\n.visible .func f();",
    "linkage": HEADER
    + ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
    + ".weak .func (.reg .b32 r) f (.reg .b32 a) { mov.b32 r, a; ret; }\n.alias g, f;\n",
    "initialisers": HEADER
    + ".const .align 4 .b8 t[2][4] = {{1, 2}, {0x3, 4}};\n"
    + ".global .u64 p = generic(t)+4;\n.global .u64 q = 7;\n"
    + ".global .texref tex;\n.extern .shared .align 16 .b8 dyn[];\n.global .b64 fp[] = {f, g};",
    "array element": kernel("mov.u32 %r1, tab[2];\nld.global.u32 %r1, [tab+4];"),
    "texture": kernel("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [tex, smp, {%f5,%f6}];"),
    "unknown opcode": kernel("frobnicate.shared::cta.v9.q3 {%r1, _}, [%rd1+4], !%p1, 0x7;"),
    "guarded call": kernel("@%p1 call.uni f;\n@!%p1 call f, (a, 1);"),
}


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_prints_as_it_came(name: str) -> None:
    text = CONSTRUCTS[name]
    assert parse(text).text == text


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_structure_survives_printing(name: str) -> None:
    module = parse(CONSTRUCTS[name])
    again = parse(print_structure(module))
    assert print_structure(again) == print_structure(module)
    assert [type(i) for i in again.items] == [type(i) for i in module.items]
    for old, new in zip(module.functions, again.functions, strict=True):
        instructions = [s for s in old.statements if isinstance(s, Instruction)]
        printed = [s for s in new.statements if isinstance(s, Instruction)]
        assert [(s.opcode, s.predicate, s.operands) for s in instructions] == [
            (s.opcode, s.predicate, s.operands) for s in printed
        ]


def statements(body: str) -> list[object]:
    return list(parse(kernel(body)).functions[0].statements)


def test_statements_of_every_kind() -> None:
    body = statements(".reg .b32 %r<3>;\n{\nL: .loc 1 2 3\n@!%p1 ld.global.b32 %r1, [%rd1+4];\n}")
    assert [type(s) for s in body] == [Declaration, Brace, Label, Directive, Instruction, Brace]
    load = body[4]
    assert isinstance(load, Instruction)
    assert load.predicate == ("%p1", False)
    assert load.parts == ("ld", "global", "b32")
    assert load.operands == (Name("%r1"), Address(Name("%rd1"), Immediate("4")))


def test_nothing_after_an_unknown_opcode_is_lost() -> None:
    text = CONSTRUCTS["unknown opcode"]
    (unknown,) = parse(text).functions[0].statements
    assert isinstance(unknown, Instruction)
    assert unknown.operands[0] == Vector((Name("%r1"), Sink()))
    assert unknown.operands[2] == Not(Name("%p1"))


def test_loc_ends_where_its_words_end() -> None:
    body = statements(".loc 1 2 3 mov.u32 %r1, 1;")
    assert [type(s) for s in body] == [Directive, Instruction]


def test_joined_modules_keep_both_kernels() -> None:
    assert [f.name for f in parse(CONSTRUCTS["two modules joined"]).kernels] == ["k", "j"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%p1|%p2, %r1", (Pair(Name("%p1"), Name("%p2")), Name("%r1"))),
        ("_|%p, -4", (Pair(Sink(), Name("%p")), Immediate("-4"))),
        (
            "tab+4, tab[3]",
            (Displaced(Name("tab"), Immediate("4")), Element(Name("tab"), Immediate("3"))),
        ),
        ("[m+-4]", (Address(Name("m"), Immediate("-4")),)),
        ("[m+4-8]", (Address(Name("m"), Immediate("4-8")),)),
        ("[m+8].unified", (Address(Name("m"), Immediate("8"), (), True),)),
        ("-%r1, -%r2.h0", (Negated(Name("%r1")), Negated(Name("%r2.h0")))),
        ("[%rd1, {%r1}]", (Address(Name("%rd1"), None, (Vector((Name("%r1"),)),)),)),
        ("(1<<4)|3, (5)", (Immediate("(1<<4)|3"), Immediate("(5)"))),
        ("%tid.x", (Name("%tid.x"),)),
        ("", ()),
    ],
)
def test_operands(text: str, expected: tuple[object, ...]) -> None:
    assert parse_operands(text) == expected
    assert _parse_operands_by_grammar(text, False) == expected


def test_call_operands_are_grouped() -> None:
    assert parse_operands("(r), f, (a, 1), proto", is_call=True) == (
        Group((Name("r"),)),
        Name("f"),
        Group((Name("a"), Immediate("1"))),
        Name("proto"),
    )


_OPERAND = st.recursive(
    st.sampled_from(
        [
            "%r1",
            "_",
            "%tid.x",
            "$L__BB0_1",
            "17",
            "-4",
            "0x1F",
            "0f3F800000",
            "[%rd1]",
            "[a+-8]",
            "%p1|%p2",
            "!%p1",
            "tab+4",
            "tab[3]",
            "1<<4",
            "[%rd1, {%r1, _}]",
            " [ x + 4 ]",
        ]
    ),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda xs: f"{{{', '.join(xs)}}}"),
    max_leaves=4,
)


@given(st.lists(_OPERAND, max_size=4), st.sampled_from([", ", ",", " ,\t"]))
def test_the_fast_path_agrees_with_the_grammar(operands: list[str], comma: str) -> None:
    text = comma.join(operands)
    assert parse_operands(text) == _parse_operands_by_grammar(text, False)


@given(st.text(alphabet="%rap1_0x.,|!{}[]()+-<: ", max_size=14))
def test_the_fast_path_takes_nothing_that_the_grammar_refuses(text: str) -> None:
    try:
        fast: object = parse_operands(text)
    except Malformed:
        fast = None
    try:
        slow: object = _parse_operands_by_grammar(text.strip(), False)
    except Malformed:
        slow = None
    assert fast == slow


@pytest.mark.parametrize(
    "text", ["%r1,", "[", "{%r1", "%r1,,%r2", "[]", "a b", "1..2", "{}", "[%a+%b]"]
)
def test_malformed_operands(text: str) -> None:
    with pytest.raises(Malformed):
        parse_operands(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("42", 42), ("-7", -7), ("017", 15), ("0x1FU", 31), ("0b101", 5), ("(1<<4)|3", 19),
        ("0xffffffffffffffff", 2**64 - 1), ("-9223372036854775808", -(2**63)), ("-7/2", -3),
        ("-7%4", -3), ("(.u64)-1", 2**64 - 1), ("1==2?3:4", 4), ("~5", -6), ("!0", 1),
        ("-1>>1", -1), ("0xffffffffffffffff>>63", 1), ("1.5", 1.5), (".5e2", 50.0),
        ("0f3F800000", 1.0), ("0dBFF0000000000000", -1.0), ("tab", None), ("1/0", None),
        ("09", None), ("-" * 50_000 + "1", None),
    ],
)  # fmt: skip
def test_constants(text: str, value: float | None) -> None:
    assert constant_value(text) == value


def test_declarations() -> None:
    array, other = parse_declaration(
        ".visible .global .align 4 .b8 x[4][2] = {{1,2},3}, y = a+(4,5)"
    )
    assert (array.dimensions, array.align, array.size) == ((4, 2), 4, 8)
    assert (array.initializer, other.initializer) == ("{{1,2},3}", "a+(4,5)")
    (registers,) = parse_declaration(".reg .v4 .f32 %f<10>")
    assert registers.covers("%f9")
    assert not registers.covers("%f10")
    assert not registers.covers("%f01")
    assert not registers.covers("%fd1")
    assert registers.size == 16
    (dynamic,) = parse_declaration(".extern .shared .align 16 .b8 s[]")
    assert dynamic.dimensions == (None,)
    assert dynamic.size is None


def test_signature() -> None:
    signature = parse_signature(
        ".visible .entry foo(\n .param .u64 .ptr .global .align 16 a, // a } comment\n"
        " .param .align 8 .b8 b[24]\n)\n.maxntid 256, 1, 1\n.explicitcluster"
    )
    assert signature.kind == ".entry"
    assert [p.name for p in signature.params] == ["a", "b"]
    assert signature.params[0].pointer == ".ptr .global .align 16"
    assert signature.params[1].size == 24
    assert signature.directives == ((".maxntid", "256, 1, 1"), (".explicitcluster", ""))


REFUSED = {
    "missing semicolon": (kernel("mov.u32 %r1, 1\nret;"), 7, "is a ';' missing"),
    "unknown directive": (kernel(".frobnicate 4;\nret;"), 6, "unknown directive '.frobnicate'"),
    "unclosed brace": (HEADER + ".entry k() {\nret;\n", 4, "never closed"),
    "stray brace": (kernel("ret;") + "}\n", 8, "outside a function"),
    "instruction outside": (HEADER + "mov.u32 %r1, 1;\n", 4, "outside a function"),
    "unclosed comment": (kernel("ret;") + "/* ...", 8, "never ends"),
    "function inside": (HEADER + ".entry k() {\nret;\n.entry j() { ret; }", 6, "inside a function"),
    "junk": (kernel("ret;") + "?", 8, "unexpected '?'"),
    "head without body": (HEADER + ".entry k()", 4, "expected '{' or ';'"),
    "nameless": (HEADER + ".entry (.param .u32 a) { ret; }", 4, "without a name"),
    "future major version": (".version 19.0\n.target sm_90\n", 1, "newer than 9.x"),
    "nul in the middle": (kernel("ret;") + "\0\n.global .u32 x;", 8, "ends at a NUL"),
    "endless operand": (kernel(f"mov.u32 %r1, {'9' * 5000};"), 6, "number without end"),
    "endless extent": (HEADER + f".global .u8 x[{'9' * 5000}];", 4, "number without end"),
    "endless version": (f".version {'9' * 5000}.0\n", 1, "number without end"),
    "malformed loc": (kernel(".loc 1 two 3\nret;"), 6, "malformed '.loc'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_with_a_position(name: str) -> None:
    text, line, message = REFUSED[name]
    with pytest.raises(
        SourceError, match=message.replace("?", r"\?").replace("{", r"\{")
    ) as caught:
        parse(text, "bad.ptx")
    assert caught.value.line == line
    assert caught.value.render().startswith(f"bad.ptx:{line}:")


@pytest.mark.parametrize("name", ["pragma", "initialisers", "indirect call"])
def test_truncation_never_crashes_and_never_loses_text(name: str) -> None:
    text = CONSTRUCTS[name]
    for end in range(len(text)):
        with contextlib.suppress(SourceError):
            assert parse(text[:end]).text == text[:end]


@settings(max_examples=200)
@given(st.sampled_from(sorted(CONSTRUCTS)), st.integers(0, 2**32))
def test_random_edits_never_crash(name: str, seed: int) -> None:
    rng = random.Random(seed)
    text = CONSTRUCTS[name]
    for _ in range(rng.randint(1, 4)):
        a, b = sorted(rng.randrange(len(text)) for _ in range(2))
        piece = text[a : min(b, a + 9)]
        at = rng.randrange(len(text))
        text = rng.choice([text[:a] + text[a + len(piece) :], text[:at] + piece + text[at:]])
        if not text:
            return
    with contextlib.suppress(SourceError):
        assert parse(text).text == text


@pytest.mark.parametrize(
    "piece", ["/*", "{", "}", "@", '"', "a.b ", "((((", ",", ".reg ", "ld {", "//", "a:"]
)
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    text = kernel("ret;") + piece * 100_000 + "\n?"
    start = time.perf_counter()
    with pytest.raises(SourceError):
        parse(text)
    assert time.perf_counter() - start < 5


def test_edits_keep_comments_and_place() -> None:
    module = parse(kernel("// why\n\t@%p1 ld.global.f32 \t%f1, [%rd1];\nret;"))
    (function,) = module.functions
    load, end = function.statements
    assert isinstance(load, Instruction)
    changed = load.change(opcode="ld.global.cg.f32")
    edited = module.with_functions({"k": function.with_body([changed, end])})
    assert "// why\n\t@%p1 ld.global.cg.f32 \t%f1, [%rd1];\nret;" in edited.text
    assert changed.at == load.at
    assert module.text == kernel("// why\n\t@%p1 ld.global.f32 \t%f1, [%rd1];\nret;")


def test_big_initialiser_parses_in_time() -> None:
    values = ", ".join(str(n % 256) for n in range(1_000_000))
    text = HEADER + f".global .align 4 .b8 big[1000000] = {{{values}}};\n"
    start = time.perf_counter()
    (variable,) = parse(text).declarations[0].variables
    assert variable.size == 1_000_000
    assert time.perf_counter() - start < 3


def test_what_a_terminal_would_obey_is_not_shown_as_it_is() -> None:
    with pytest.raises(SourceError) as caught:
        parse("\x1b[2J\u202e\ufeff x")
    message, line, caret = caught.value.render().splitlines()
    assert message == "<ptx>:1:1: error: unexpected '\\x1b'"
    assert line == "  ?[2J?? x"
    assert caret == "  ^"
