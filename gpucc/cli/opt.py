"""gpucc opt: PTX in, PTX out, through passes; verifies what it reads and what it writes."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from gpucc.cli._passes import PassRequest, pass_options
from gpucc.errors import GpuccError
from gpucc.outputs import commit, discard, temporary_name
from gpucc.passmanager import Target
from gpucc.passwork import DeviceUnit, Findings, read_text, run_on_device

_EPILOG = """\b
Examples:
  gpucc opt kernel.ptx                    check it; the text comes out as it went in
  gpucc opt kernel.ptx --passes=mpache --explain -o better.ptx
  cat kernel.ptx | gpucc opt - --passes=mpache > better.ptx
"""


@click.command(epilog=_EPILOG)
@click.argument("source", default="-", type=click.Path(path_type=Path, allow_dash=True))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Without it, stdout.")
@pass_options
def command(
    source: Path,
    output: Path | None,
    passes: PassRequest,
) -> None:
    """Run device passes over the PTX file SOURCE (- or nothing: stdin).

    Without --passes the text comes out byte for byte.  PTX that is not valid for its .target and
    .version is refused, with the place.
    """
    from gpucc.frontend.parser import parse
    from gpucc.ptx.verify import require_valid

    pipeline = passes.pipeline
    if pipeline.host:
        raise GpuccError(f"pass '{pipeline.host[0].name}' works on host code; there is none in PTX")
    path = "<stdin>" if str(source) == "-" else str(source)
    text = _read(path)
    module = parse(text, path)
    warnings = require_valid(module)
    for warning in warnings:
        click.echo(warning.render(module), err=True)
    findings = Findings()
    if pipeline.device:
        target = Target(module.targets[0])
        unit = DeviceUnit(path, path, target, lambda ptx: _assemble(ptx, target))
        text = run_on_device(unit, pipeline, passes.options, findings, module=module)
    _write(output, text)
    passes.tell(findings.remarks, findings.timings)


def _read(path: str) -> str:
    if path == "<stdin>":
        return sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape")
    try:
        return read_text(path)
    except OSError as error:
        raise GpuccError(f"cannot read {path}: {error.strerror}") from None


def _write(output: Path | None, text: str) -> None:
    data = text.encode("utf-8", errors="surrogateescape")
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with tempfile.TemporaryDirectory() as scratch:
        name = temporary_name(str(output), Path(scratch))
        try:
            Path(name).write_bytes(data)
            commit({str(output): name})
        except OSError as error:
            discard({str(output): name})
            raise GpuccError(f"cannot write {output}: {error.strerror}") from None


def _assemble(ptx: str, target: Target) -> None:
    from gpucc.toolchain import assemble

    assemble(ptx, target.arch)
