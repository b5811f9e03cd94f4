"""gpucc compile: CUDA C++, PTX or LLVM IR to a program, an object, a cubin, a fatbin or PTX."""

from __future__ import annotations

from pathlib import Path

import click

from gpucc.cli._passes import PassRequest, pass_options
from gpucc.driver import Emit, Settings, compile_files

_EPILOG = """\b
Examples:
  gpucc compile kernel.cu main.cpp -o program
  gpucc compile kernel.cu --passes=mpache,kesco --explain -o program -- -O3 -std=c++20
  gpucc compile kernel.cu --arch=sm_80 --arch=sm_90 -o kernel.o -- -dc
  gpucc compile kernel.cu --target=cpu -o program
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


@click.command(cls=_Compile, epilog=_EPILOG)
@click.argument("inputs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to make; without it, what nvcc would make.",
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
@click.option(
    "--target",
    type=click.Choice(["gpu", "cpu"]),
    default="gpu",
    help="cpu: make a program or object that runs on this machine without a GPU.",
)
@click.option("-j", "--jobs", type=click.IntRange(min=1), help="Tools that run at once.")
@click.option(
    "--toolkit",
    type=click.Path(path_type=Path),
    help="The CUDA toolkit to use (see gpucc doctor).",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every command.")
@pass_options
@click.pass_context
def command(
    ctx: click.Context,
    inputs: tuple[Path, ...],
    output: Path | None,
    emit: str | None,
    archs: tuple[str, ...],
    target: str,
    jobs: int | None,
    toolkit: Path | None,
    verbose: bool,
    passes: PassRequest,
) -> int:
    """Compile INPUTS: CUDA C++ with anything else nvcc takes, or PTX, or LLVM IR.

    Whatever stands after -- is handed to nvcc as it is.
    """
    report = compile_files(
        inputs,
        output,
        pipeline=passes.pipeline,
        emit=Emit(emit) if emit else None,
        archs=archs,
        flags=ctx.obj,
        settings=Settings(
            passes=passes.options,
            workers=jobs or 0,
            toolkit=toolkit,
            verbose=verbose,
            cpu=target == "cpu",
        ),
    )
    passes.tell(report.remarks, report.timings)
    return report.status
