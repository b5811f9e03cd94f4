"""gpucc analyze: what kernels do with memory: access modes, loops, who uses each line again."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

    from gpucc.analysis.report import KernelReport

_EPILOG = """\b
Examples:
  gpucc analyze kernel.ptx
  gpucc analyze kernel.cu --json | jq '.[0].params'
  gpucc analyze kernel.ptx --dot | dot -Tsvg > accesses.svg
"""

_PLAIN_WIDTH = 1000
"""Columns when piped: wide enough that no line is broken."""


@click.command(epilog=_EPILOG)
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--kernel", "names", multiple=True, metavar="NAME", help="Only this kernel.")
@click.option("--arch", metavar="sm_NN", help="For CUDA and LLVM IR: the architecture.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--dot", "as_dot", is_flag=True, help="Print a Graphviz graph of the accesses.")
def command(
    source: Path, names: tuple[str, ...], arch: str | None, as_json: bool, as_dot: bool
) -> None:
    """Analyse the kernels of SOURCE: PTX (- is stdin), CUDA C++ or LLVM IR."""
    from gpucc.analysis.report import report
    from gpucc.errors import GpuccError
    from gpucc.frontend.parser import parse
    from gpucc.ptx.verify import require_valid

    if as_json and as_dot:
        raise click.UsageError("--json and --dot exclude each other.")
    if arch and (str(source) == "-" or source.suffix == ".ptx"):
        raise click.UsageError("--arch is for CUDA and LLVM IR; PTX names its own target.")
    text, path = _ptx(source, arch)
    module = parse(text, path)
    require_valid(module)
    kernels = report(module)
    if unknown := set(names) - {kernel.name for kernel in kernels}:
        listed = ", ".join(kernel.name for kernel in kernels) or "none"
        raise GpuccError(f"no kernel '{min(unknown)}'", hint=f"kernels are: {listed}")
    kernels = tuple(kernel for kernel in kernels if not names or kernel.name in names)
    if as_json:
        click.echo(json.dumps([kernel.as_dict() for kernel in kernels], indent=1))
    elif as_dot:
        from gpucc.view.dot import access_graph

        click.echo(access_graph(kernels))
    else:
        _print(kernels)


def _ptx(source: Path, arch: str | None) -> tuple[str, str]:
    """Return the PTX of the source and what to call it in messages."""
    from gpucc.driver import Emit, compile_files
    from gpucc.passmanager import Pipeline
    from gpucc.passwork import read_text

    if str(source) == "-":
        return sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape"), "<stdin>"
    if source.suffix == ".ptx" and source.exists():
        return read_text(source), str(source)
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "module.ptx"
        archs = (arch,) if arch else ()
        compile_files([source], output, pipeline=Pipeline(), emit=Emit.PTX, archs=archs)
        return read_text(output), f"{source} (as PTX)"


def _print(kernels: Iterable[KernelReport]) -> None:
    from rich.console import Console

    if sys.stdout.isatty():
        console = Console()
        for kernel in kernels:
            _print_kernel(kernel, console)
        return
    console = Console(width=_PLAIN_WIDTH)
    with console.capture() as printed:
        for kernel in kernels:
            _print_kernel(kernel, console)
    for line in printed.get().splitlines():
        click.echo(line.rstrip())


def _print_kernel(kernel: KernelReport, console: Console) -> None:
    from rich.table import Table

    from gpucc.analysis.report import access_text

    console.print(f"[bold]{kernel.name}[/]", highlight=False)
    params = Table("parameter", "bytes", "access", box=None, pad_edge=False)
    for param in kernel.access.params:
        fields = ", ".join(f"+{at}: {access_text(mode)}" for at, mode in param.fields)
        mode = access_text(param.access)
        params.add_row(param.name, str(param.size), f"{mode} ({fields})" if fields else mode)
    console.print(params)
    others = [
        word
        for word, there in (
            ("reads", kernel.access.other_read),
            ("writes", kernel.access.other_write),
        )
        if there
    ]
    if others:
        console.print(f"{' and '.join(others)} memory that no parameter points to", highlight=False)
    for loop in kernel.loops:
        trips = f"{loop.trips} times" if loop.trips else "unknown trip count"
        text = f"loop, lines {loop.first_line}-{loop.last_line}, depth {loop.depth}: {trips}"
        console.print(text, highlight=False, markup=False)
    accesses = Table("line", "access", "address", "reuse", "why", box=None, pad_edge=False)
    for access in kernel.accesses:
        address = f"{access.base or '?'} + {access.offset}"
        accesses.add_row(str(access.line), access.opcode, address, access.reuse, access.why)
    console.print(accesses)
