"""mpache's options and remarks; what it changes is in tests/passes/mpache and ptx_samples."""

from pathlib import Path

import pytest

from gpucc.errors import GpuccError
from gpucc.frontend.parser import parse
from gpucc.passes.mpache import Mpache
from gpucc.passmanager import Context, Remark, Target
from gpucc.ptx.module import Instruction, Module
from gpucc.toolchain import assemble

SAMPLES = Path(__file__).parents[2] / "ptx_samples"


def run(module: Module, arch: str = "sm_80", **options: object) -> tuple[Module, list[Remark]]:
    result = Mpache(**options).run(module, Context(Target(arch)))  # pyright: ignore
    return result.ir, list(result.remarks)


def sample(name: str) -> Module:
    path = SAMPLES / f"{name}.ptx"
    return parse(path.read_text(), str(path))


def load_line(module: Module) -> int:
    at = next(
        s.at + s.raw.index("ld.global")
        for s in module.kernels[0].statements
        if isinstance(s, Instruction) and s.opcode.startswith("ld.global")
    )
    return module.source.count("\n", 0, at) + 1


def test_says_where_and_why() -> None:
    module = sample("saxpy")
    _, remarks = run(module)
    changed = [remark for remark in remarks if remark.kind == "changed"]
    assert changed[0].line == load_line(module)
    assert "streamed once" in changed[0].message


@pytest.mark.parametrize(
    ("policy", "opcode"),
    [
        ("cg", "ld.global.cg.f32"),
        ("L1::evict_last", "ld.global.L1::evict_last.f32"),
        ("default", "ld.global.f32"),
    ],
)
def test_explicit_policy_by_line(policy: str, opcode: str) -> None:
    module = sample("saxpy")
    out, _ = run(module, lines=(f"{load_line(module)}:{policy}",))
    opcodes = [s.opcode for s in out.kernels[0].statements if isinstance(s, Instruction)]
    assert opcode in opcodes
    assemble(out.text, "sm_80")


def test_explicit_policy_by_source_line() -> None:
    text = sample("saxpy").text
    target = "\tld.global.f32"
    with_loc = text.replace(target, f"\t.loc\t1 77 3\n{target}", 1) + '.file 1 "dir/a.cu"\n'
    for name in ("a.cu:77", "dir/a.cu:77"):
        out, remarks = run(parse(with_loc), lines=(f"{name}:cs",))
        assert "ld.global.cs.f32" in out.text
        assert remarks[0].source == "dir/a.cu:77"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9999:cg", "no global load"),
        ("cg", "no policy for a line"),
        ("12:fast", "no policy for a line"),
        ("12:L1::sometimes", "no policy for a line"),
    ],
)
def test_bad_explicit_policies(line: str, message: str) -> None:
    with pytest.raises(GpuccError, match=message):
        run(sample("saxpy"), lines=(line,))


def test_illegal_explicit_policy_says_why() -> None:
    module = sample("saxpy")
    with pytest.raises(GpuccError, match=f"line {load_line(module)}"):
        run(module, lines=(f"{load_line(module)}:wb",))


def test_nothing_is_written_that_the_version_does_not_have() -> None:
    module = parse(sample("saxpy").text.replace(".version 9.5", ".version 7.0"))
    assert module.version == (7, 0)
    out, remarks = run(module)
    assert out is module
    assert any("7.4" in remark.message for remark in remarks)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.ptx")), ids=lambda p: p.stem)
@pytest.mark.parametrize("levels", [("l1",), ("l1", "l2")], ids="+".join)
def test_changes_only_cache_qualifiers(path: Path, levels: tuple[str, ...]) -> None:
    module = parse(path.read_text())
    out, _ = run(module, module.targets[0], levels=levels)
    for old, new in zip(module.kernels, out.kernels, strict=True):
        for before, after in zip(old.statements, new.statements, strict=True):
            if before != after:
                assert isinstance(before, Instruction)
                assert isinstance(after, Instruction)
                assert (before.guard, before.args) == (after.guard, after.args)
                added = set(after.parts) - set(before.parts)
                assert added in ({"L1::no_allocate"}, {"cs"})


def test_at_least_half_of_the_samples_change() -> None:
    modules = [parse(path.read_text()) for path in SAMPLES.glob("*.ptx")]
    changed = [m for m in modules if run(m, m.targets[0])[0] is not m]
    assert len(modules) >= 20
    assert 2 * len(changed) >= len(modules)
