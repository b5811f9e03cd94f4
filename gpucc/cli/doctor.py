"""gpucc doctor: what of CUDA and the host's compilers was found, and what brings the rest."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from gpucc import toolchain
from gpucc.toolchain import ToolStatus


@click.command
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--toolkit", type=click.Path(path_type=Path), help="Look into this CUDA toolkit first."
)
def command(as_json: bool, toolkit: Path | None) -> int:
    """Show which tools were found, where, in which version, and what brings the missing ones.

    The exit status is 1 if a tool is missing without which .cu files cannot be compiled.
    """
    found = toolchain.inventory(toolkit)
    if as_json:
        click.echo(json.dumps({"tools": [_as_json(status) for status in found]}, indent=2))
    elif sys.stdout.isatty():
        _print_table(found)
    else:
        _print_plain(found)
    return int(any(status.tool is None and status.info.required for status in found))


def _as_json(status: ToolStatus) -> dict[str, str | bool | None]:
    return {
        "name": status.info.name,
        "path": str(status.tool.path) if status.tool else None,
        "version": status.version,
        "origin": status.tool.origin if status.tool else None,
        "purpose": status.info.purpose,
        "required": status.info.required,
        "remedy": None if status.tool else status.info.remedy,
    }


def _row(status: ToolStatus) -> tuple[str, str, str, str]:
    info, tool = status.info, status.tool
    if tool is None:
        state = "missing" if info.required else "not found"
        return info.name, state, "", f"{info.purpose}; {info.remedy}"
    return info.name, status.version or "found", tool.origin, str(tool.path)


def _print_plain(found: Sequence[ToolStatus]) -> None:
    for name, version, origin, where in map(_row, found):
        click.echo(f"{name:<11} {version:<11} {origin:<16} {where}".rstrip())
    click.echo(_gpu())


def _print_table(found: Sequence[ToolStatus]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("tool", "version", "found through", "where, or what brings it", box=None)
    for status in found:
        name, version, origin, where = _row(status)
        style = "green" if status.tool else "red" if status.info.required else "yellow"
        table.add_row(name, f"[{style}]{version}[/]", origin, where)
    console = Console()
    console.print(table)
    console.print(_gpu())


def _gpu() -> str:
    arch = toolchain.gpu_arch()
    if arch:
        return f"GPU: {arch}"
    return f"GPU: none; device code is compiled for {toolchain.DEFAULT_ARCH} unless told otherwise"
