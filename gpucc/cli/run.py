"""gpucc run: a kernel with arguments from the command line, or the main() of a .cu file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
import numpy as np
import numpy.typing as npt

from gpucc.cli._passes import PipelineType
from gpucc.errors import GpuccError

if TYPE_CHECKING:
    from gpucc.runtime.execute import KernelReport, Written
    from gpucc.runtime.launch import Dim

_EPILOG = """\b
Examples:
  gpucc run saxpy.ptx --grid 4 --block 256 --arg i32=1024 --arg f32=2 \\
      --arg 'f32[1024]=rand' --arg 'f32[1024]=ones' --save 4=y.npy
  gpucc run stencil.cu --kernel step --grid 32,32 --block 16,16 \\
      --arg 'f32[512,512]=in.npy' --arg 'f32[512,512]=zeros' --passes=mpache
  gpucc run program.cu --passes=mpache,kesco -- --size 4096

\b
Arguments (--arg), in the order of the kernel's parameters:
  TYPE[SHAPE]=CONTENTS  an array; the contents are rand, rand(low,high), zeros,
                        ones, arange, a number or FILE.npy (f32[]=x.npy: any shape)
  TYPE=NUMBER           a number          bytes=00ff  a structure     null  a null pointer
  Types: f64 f32 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64 bool c64 c128
"""


class _Dimension(click.ParamType[tuple[int, ...]]):
    """``64``, ``16,16`` or ``16x16``."""

    name = "dimension"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Dim:
        from gpucc.runtime.launch import LaunchError, dimension

        try:
            return dimension([int(part) for part in str(value).replace("x", ",").split(",")], "it")
        except (ValueError, LaunchError):
            self.fail(f"{value!r} is not one to three numbers from 1 (64 or 16,16)", param, ctx)


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("program_arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGUMENTS]")
@click.option("--grid", type=_Dimension(), metavar="X[,Y[,Z]]", help="Blocks.")
@click.option("--block", type=_Dimension(), metavar="X[,Y[,Z]]", help="Threads of a block.")
@click.option("--cluster", type=_Dimension(), metavar="X[,Y[,Z]]", help="Blocks of a cluster.")
@click.option(
    "--shared",
    default=0,
    type=click.IntRange(min=0),
    metavar="BYTES",
    help="Dynamic shared memory of a block.",
)
@click.option("--cooperative", is_flag=True, help="Launch so that the whole grid can synchronise.")
@click.option("--arg", "args", multiple=True, metavar="ARG", help="One argument; see below.")
@click.option("--kernel", metavar="NAME", help="The kernel, where the file has several.")
@click.option(
    "--passes",
    default="",
    type=PipelineType(),
    metavar="PIPELINE",
    help="Passes to run (see gpucc passes).",
)
@click.option("--arch", metavar="sm_NN", help="Compile for this architecture.")
@click.option(
    "--target",
    type=click.Choice(["gpu", "cpu"]),
    help="Where to run. Default: the GPU, or the CPU where there is none.",
)
@click.option(
    "--repeat",
    default=10,
    show_default=True,
    type=click.IntRange(min=0),
    help="Runs to time, after the first, whose results are shown.",
)
@click.option(
    "--save",
    "saves",
    multiple=True,
    metavar="I=FILE.npy",
    help="Save argument I (from 1) after the first run instead of printing it.",
)
@click.option("--seed", default=0, show_default=True, help="For rand, and for a permuted order.")
@click.option(
    "--order",
    type=click.Choice(["forward", "reversed", "permuted"]),
    default="forward",
    help="On the CPU: in which order blocks and threads take their turns.",
)
def command(
    file: Path,
    program_arguments: tuple[str, ...],
    grid: Dim | None,
    block: Dim | None,
    cluster: Dim | None,
    shared: int,
    cooperative: bool,
    args: tuple[str, ...],
    kernel: str | None,
    passes: str,
    arch: str | None,
    target: Literal["gpu", "cpu"] | None,
    repeat: int,
    saves: tuple[str, ...],
    seed: int,
    order: str,
) -> int:
    """Run a kernel of FILE (.cu, .ptx, .ll, .bc, .cubin), or with no --grid the program FILE.cu.

    The exit status of a program is handed on.
    """
    if grid is None:
        for given, option in ((block, "--block"), (args, "--arg"), (kernel, "--kernel")):
            if given:
                raise click.UsageError(f"{option} is for a kernel, which needs --grid.")
        from gpucc.runtime.execute import run_program

        return run_program(file, program_arguments, passes=passes, arch=arch, target=target)
    if program_arguments:
        raise click.UsageError("Arguments after -- are for a program, not for a kernel (--arg).")
    if block is None:
        raise click.UsageError("A kernel needs --grid and --block.")

    from gpucc.cpu.engine import Options, Order
    from gpucc.runtime.execute import run_kernel
    from gpucc.runtime.launch import Geometry

    files = dict(_destination(text, len(args)) for text in saves)
    geometry = Geometry(grid, block, shared, cooperative, cluster)
    report = run_kernel(
        file,
        args,
        geometry,
        kernel=kernel,
        passes=passes,
        arch=arch,
        repeats=repeat,
        seed=seed,
        target=target,
        options=Options(order=Order[order.upper()], seed=seed),
        tell=lambda text: click.echo(text, err=True),
    )
    _show_arrays(report, files)
    if report.timing is not None:
        click.echo(
            f"{report.signature.name}{geometry}: median {report.timing.median_ms:.4f} ms,"
            f" best {report.timing.best_ms:.4f} ms of {repeat} runs"
        )
    return 0


def _destination(text: str, arguments: int) -> tuple[int, Path]:
    """Read ``3=FILE.npy``; return the argument's index from 0."""
    number, equals, name = text.partition("=")
    if not equals or not number.isdecimal() or not name:
        raise click.BadParameter(f"'{text}' is not I=FILE.npy", param_hint="--save")
    if not 1 <= int(number) <= arguments:
        raise click.BadParameter(f"there is no argument {number}", param_hint="--save")
    return int(number) - 1, Path(name)


def _show_arrays(report: KernelReport, files: Mapping[int, Path]) -> None:
    """Print the arrays that were written, or save those that have a file."""
    written = {found.index: found for found in report.written}
    for index in files:
        if index not in written:
            raise GpuccError(f"--save {index + 1}: the kernel does not write this argument")
    for index, found in written.items():
        if index in files:
            _save(files[index], found.contents)
        else:
            click.echo(f"{index + 1}: {_summary(found)}")


def _summary(found: Written) -> str:
    from gpucc.runtime.elements import decode

    element = found.argument.element
    values = decode(found.contents, element)
    shown = np.array2string(values, precision=6, threshold=12, edgeitems=3, prefix="   ")
    extents = ",".join(map(str, values.shape))
    return f"{element.name}[{extents}] =\n   {shown}"


def _save(path: Path, array: npt.NDArray[Any]) -> None:
    temporary = path.with_name(f".{path.name}.gpucc-{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            np.save(file, array)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise GpuccError(f"cannot write {path}: {error.strerror}") from None
