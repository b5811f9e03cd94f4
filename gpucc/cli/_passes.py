"""The options about passes that several commands have, and the printing of what passes said."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click
from click.shell_completion import CompletionItem

from gpucc.passmanager import Pipeline, parse_pipeline, pass_names
from gpucc.passwork import PassOptions, Timing, UnitRemark


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


@dataclass(frozen=True, slots=True)
class PassRequest:
    """What the command line asked for: which passes, and what to tell about them."""

    pipeline: Pipeline
    options: PassOptions
    explain: bool
    time_passes: bool

    def tell(self, remarks: Sequence[UnitRemark], timings: Sequence[Timing]) -> None:
        """Print on stderr what was asked for."""
        if self.explain:
            print_remarks(remarks)
        if self.time_passes:
            print_timings(timings)


def pass_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options; it gets them as one argument ``passes``, a PassRequest."""

    @click.option(
        "--passes",
        default="",
        type=PipelineType(),
        metavar="PIPELINE",
        help="Passes to run, such as mpache{levels=l1},kesco (see gpucc passes).",
    )
    @click.option(
        "--explain", is_flag=True, help="Tell what the passes did, and what they refused."
    )
    @click.option(
        "--verify-each", is_flag=True, help="Assemble with ptxas after every device pass."
    )
    @click.option(
        "--print-after",
        multiple=True,
        metavar="PASS",
        help="Print on stderr what this pass made; may be given several times.",
    )
    @click.option("--time-passes", is_flag=True, help="Tell how long each pass and tool took.")
    @functools.wraps(command)
    def with_request(
        *arguments: Any,
        passes: str,
        explain: bool,
        verify_each: bool,
        print_after: tuple[str, ...],
        time_passes: bool,
        **others: Any,
    ) -> Any:
        pipeline = parse_pipeline(passes)
        names = {step.name for step in pipeline.passes}
        if missing := [name for name in print_after if name not in names]:
            raise click.BadParameter(
                f"{missing[0]} is not in the pipeline", param_hint="--print-after"
            )
        options = PassOptions(verify_each, frozenset(print_after), _show)
        request = PassRequest(pipeline, options, explain, time_passes)
        return command(*arguments, passes=request, **others)

    return with_request


def _show(text: str) -> None:
    click.echo(text, err=True)


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
