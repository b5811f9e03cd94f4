"""gpucc compile: CUDA C++, PTX or LLVM IR to a program, an object, a cubin, a fatbin or PTX."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from gpucc.driver import Emit, Settings, compile_files
from gpucc.passmanager import parse_pipeline, pass_names
from gpucc.passwork import PassOptions, Timing, UnitRemark

_EPILOG = """\b
Examples:
  gpucc compile kernel.cu main.cpp -o program
  gpucc compile kernel.cu --passes=mpache,kesco --explain -o program -- -O3 -std=c++20
  gpucc compile kernel.cu --arch=sm_80 --arch=sm_90 -o kernel.o -- -dc
  gpucc compile kernel.ptx -o kernel.cubin
"""


class _Compile(click.Command):
    """Everything after ``--`` is nvcc's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        flags: list[str] = []
        if "--" in args:
            at = args.index("--")
            args, flags = args[:at], args[at + 1 :]
        ctx.obj = flags
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            told = f"{error.message.rstrip('.')} (options for nvcc go after --)."
            raise click.UsageError(told, ctx) from None


class PipelineType(click.ParamType[str]):
    """A pipeline string; completes the name of the last pass in it."""

    name = "pipeline"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the last name, keeping what stands before it."""
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(f"{before}{comma}{name}")
            for name in pass_names()
            if name.startswith(last)
        ]


@click.command(cls=_Compile, epilog=_EPILOG)
@click.argument("inputs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to make; without it, what nvcc would make.",
)
@click.option(
    "--passes",
    default="",
    type=PipelineType(),
    metavar="PIPELINE",
    help="Passes to run, such as mpache{levels=l1},kesco (see gpucc passes).",
)
@click.option(
    "--emit",
    type=click.Choice([kind.value for kind in Emit]),
    help="What to make; without it, the output's suffix says.",
)
@click.option(
    "--arch",
    "archs",
    multiple=True,
    metavar="sm_NN",
    help="Compile for this architecture; may be given several times."
    " Default: the GPU here, or sm_90 where there is none.",
)
@click.option("--explain", is_flag=True, help="Tell what the passes did, and what they refused.")
@click.option("--verify-each", is_flag=True, help="Assemble with ptxas after every device pass.")
@click.option(
    "--print-after",
    multiple=True,
    metavar="PASS",
    help="Print what this pass made; may be given several times.",
)
@click.option("--time-passes", is_flag=True, help="Tell how long each pass and tool took.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), help="Tools that run at once.")
@click.option(
    "--toolkit",
    type=click.Path(path_type=Path),
    help="The CUDA toolkit to use (see gpucc doctor).",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every command.")
@click.pass_context
def command(
    ctx: click.Context,
    inputs: tuple[Path, ...],
    output: Path | None,
    passes: str,
    emit: str | None,
    archs: tuple[str, ...],
    explain: bool,
    verify_each: bool,
    print_after: tuple[str, ...],
    time_passes: bool,
    jobs: int | None,
    toolkit: Path | None,
    verbose: bool,
) -> None:
    """Compile INPUTS: CUDA C++ with anything else nvcc takes, or PTX, or LLVM IR.

    Whatever stands after -- is handed to nvcc as it is.
    """
    pipeline = parse_pipeline(passes)
    names = {step.name for step in pipeline.passes}
    if missing := [name for name in print_after if name not in names]:
        raise click.BadParameter(f"{missing[0]} is not in the pipeline", param_hint="--print-after")
    report = compile_files(
        inputs,
        output,
        pipeline=pipeline,
        emit=Emit(emit) if emit else None,
        archs=archs,
        flags=ctx.obj,
        settings=Settings(
            passes=PassOptions(verify_each, frozenset(print_after)),
            workers=jobs or 0,
            toolkit=toolkit,
            verbose=verbose,
        ),
    )
    if explain:
        print_remarks(report.remarks)
    if time_passes:
        print_timings(report.timings)


def print_remarks(remarks: Sequence[UnitRemark]) -> None:
    """Print what the passes had to say: a table on a terminal, else a line for each remark."""
    if not sys.stderr.isatty():
        for found in remarks:
            remark = found.remark
            place = remark.source or (f"{found.unit}:{remark.line}" if remark.line else found.unit)
            text = f"{place}: {remark.kind}: {remark.message} [{remark.pass_name}, {remark.where}]"
            click.echo(text, err=True)
        return
    from rich.markup import escape

    table = _table("pass", "what", "where", "line", "remark")
    style = {"changed": "green", "refused": "yellow", "note": "dim"}
    for found in remarks:
        remark = found.remark
        line = remark.source or (str(remark.line) if remark.line else "")
        what = f"[{style[remark.kind]}]{remark.kind}[/]"
        where = f"{escape(remark.where)}\n[dim]{escape(found.unit)}[/]"
        table.add_row(remark.pass_name, what, where, escape(line), escape(remark.message))
    _print(table)


def print_timings(timings: Sequence[Timing]) -> None:
    """Print how long each tool and pass took, in the order in which they ended."""
    if not sys.stderr.isatty():
        for timing in timings:
            click.echo(f"{timing.seconds:9.3f} s  {timing.what}", err=True)
        return
    from rich.markup import escape

    table = _table("seconds", "what")
    table.columns[0].justify = "right"
    for timing in timings:
        table.add_row(f"{timing.seconds:.3f}", escape(timing.what))
    _print(table)


def _table(*columns: str) -> Any:
    from rich.table import Table

    return Table(*columns, box=None, pad_edge=False)


def _print(table: Any) -> None:
    from rich.console import Console

    Console(stderr=True).print(table)
