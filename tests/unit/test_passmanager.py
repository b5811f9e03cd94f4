"""Pipelines round-trip; passes are found by file; the manager verifies what passes return."""

import dataclasses
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucc.errors import GpuccError
from gpucc.frontend.parser import parse
from gpucc.passes.kesco import Kesco
from gpucc.passes.mpache import Mpache
from gpucc.passmanager import (
    Context,
    DevicePass,
    PassFault,
    Pipeline,
    Result,
    RunOptions,
    Target,
    option_docs,
    parse_pipeline,
    pass_class,
    pass_names,
    run_device_passes,
)
from gpucc.ptx.module import Instruction, Module

PTX = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n\tret;\n}\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mpache",
        "mpache,kesco",
        "mpache{levels=l1+l2},kesco{queues=4}",
        "mpache{lines=a b.cu:12:cg+12:L1::no_allocate}",
        'mpache{lines="a+b.cu:12:cg"}',
        'mpache{lines="x,y={}\\"\\\\:3:cs"}',
    ],
)
def test_pipelines_print_as_they_were_written(text: str) -> None:
    assert str(parse_pipeline(text)) == text


@given(
    st.lists(st.text(min_size=1, max_size=12), max_size=4),
    st.lists(st.sampled_from(["l1", "l2"]), min_size=1, max_size=2),
    st.integers(2, 32),
)
def test_any_options_round_trip(lines: list[str], levels: list[str], queues: int) -> None:
    pipeline = Pipeline((Mpache(tuple(levels), tuple(lines)), Kesco(queues)))  # pyright: ignore
    if lines:
        assert parse_pipeline(str(pipeline)) == pipeline
    assert str(parse_pipeline(str(pipeline))) == str(pipeline)


def test_defaults_are_not_printed_and_spaces_do_not_matter() -> None:
    assert str(parse_pipeline(" mpache { levels = l1 } , kesco ")) == "mpache,kesco"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nope", "unknown pass 'nope'"),
        ("mpache{", "expected an option of mpache"),
        ("mpache{levels}", "expected '='"),
        ("mpache{levels=l3}", "choose from l1, l2"),
        ("mpache{colour=red}", "has no option 'colour'"),
        ("kesco{queues=many}", "not valid"),
        ("kesco{queues=1+2}", "one value, not a list"),
        ("mpache,", "expected a pass name"),
        ("mpache kesco", "expected ','"),
        ("mpache{levels=l1", "expected ','"),
        (",mpache", "expected a pass name"),
    ],
)
def test_bad_pipelines_say_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(GpuccError, match=message.replace("{", r"\{")):
        parse_pipeline(text)


def test_every_file_is_a_pass_with_documented_options() -> None:
    assert {"kesco", "mpache"} <= set(pass_names())
    for name in pass_names():
        cls = pass_class(name)
        assert cls.name == name
        assert cls.__doc__
        assert set(option_docs(cls)) == {field.name for field in dataclasses.fields(cls)}


@dataclasses.dataclass(frozen=True)
class Breaks(DevicePass):
    """Return a module that does not verify."""

    name: ClassVar[str] = "breaks"

    def run(self, module: Module, ctx: Context) -> Result[Module]:
        (kernel,) = module.kernels
        bad = Instruction.make("mov.u32", "%nowhere", "1")
        return Result(module.with_functions({"k": kernel.with_body([bad, *kernel.statements])}))


def test_a_pass_that_returns_invalid_ptx_is_a_fault_with_its_input() -> None:
    module = parse(PTX)
    with pytest.raises(PassFault, match=r"'breaks' produced invalid PTX.*nowhere") as caught:
        run_device_passes(module, Pipeline((Breaks(),)), Context(Target("sm_80")))
    assert caught.value.module is module


@dataclasses.dataclass(frozen=True)
class Appends(DevicePass):
    """Return a module with one more instruction, which is right."""

    name: ClassVar[str] = "appends"

    def run(self, module: Module, ctx: Context) -> Result[Module]:
        (kernel,) = module.kernels
        more = Instruction.make("exit")
        return Result(module.with_functions({"k": kernel.with_body([*kernel.statements, more])}))


def test_an_error_that_a_pass_was_given_is_not_its_fault() -> None:
    """A compiler's PTX is not verified first, and ptxas has the last word."""
    module = parse(PTX.replace("ret;", "mov.u32 %nowhere, 1;"))
    report = run_device_passes(module, Pipeline((Appends(),)), Context(Target("sm_80")))
    assert "exit;" in report.ir.text
    with pytest.raises(PassFault, match=r"^pass 'breaks' produced invalid PTX: [^;]*nowhere"):
        run_device_passes(parse(PTX), Pipeline((Appends(), Breaks())), Context(Target("sm_80")))


def test_after_pass_sees_each_result_in_order() -> None:
    seen: list[tuple[str, str]] = []
    options = RunOptions(lambda name, module: seen.append((name, module.text)))
    pipeline = parse_pipeline("mpache,mpache{levels=l2}")
    report = run_device_passes(parse(PTX), pipeline, Context(Target("sm_80")), options)
    assert seen == [("mpache", PTX)] * 2
    assert [name for name, _ in report.seconds] == ["mpache", "mpache"]
    assert report.ir.text == PTX


@pytest.mark.parametrize(("arch", "sm"), [("sm_90a", 90), ("sm_120f", 120), ("compute_75", 75)])
def test_target_number(arch: str, sm: int) -> None:
    assert Target(arch).sm == sm
