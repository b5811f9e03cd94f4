"""gpucc passes: the passes, what each does, and their options."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import re
import sys
import typing
from dataclasses import dataclass
from typing import Any

import click

from gpucc.passmanager import (
    DevicePass,
    HostPass,
    option_docs,
    pass_class,
    pass_names,
)


@dataclass(frozen=True, slots=True)
class _Option:
    name: str
    type: str
    default: str
    doc: str


@dataclass(frozen=True, slots=True)
class _Description:
    name: str
    kind: str
    summary: str
    options: tuple[_Option, ...]


@click.command
@click.argument("names", nargs=-1, metavar="[PASS]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(names: tuple[str, ...], as_json: bool) -> None:
    """List the passes with their options, or only those named."""
    described = [_describe(name) for name in names or pass_names()]
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(one) for one in described], indent=2))
    elif sys.stdout.isatty():
        _print_rich(described)
    else:
        _print_plain(described)


def _describe(name: str) -> _Description:
    cls = pass_class(name)
    kind = "host" if issubclass(cls, HostPass) else "device"
    docs = option_docs(cls)
    hints = typing.get_type_hints(cls)
    options = tuple(
        _Option(f.name, _type(hints[f.name]), _default(f), " ".join(docs.get(f.name, "").split()))
        for f in dataclasses.fields(cls)
    )
    return _Description(name, kind, _summary(name, cls), options)


def _summary(name: str, cls: type[DevicePass] | type[HostPass]) -> str:
    """Return the first sentence of the pass's file, without the pass's name before it."""
    module = importlib.import_module(cls.__module__)
    text = " ".join((inspect.getdoc(module) or "").partition("\n\n")[0].split())
    sentence = re.split(r"(?<=\.)\s", text, maxsplit=1)[0]
    return re.sub(rf"^`*{re.escape(name)}`*:\s*", "", sentence)


def _type(hint: Any) -> str:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return "|".join(map(str, args))
    if origin is tuple:
        return f"{_type(args[0])}+…"
    if args:
        return _type(next(a for a in args if a is not type(None)))
    return getattr(hint, "__name__", str(hint))


def _default(field: dataclasses.Field[Any]) -> str:
    """Return an option's default as a pipeline string would write it."""
    if field.default is dataclasses.MISSING:
        return ""
    default: object = field.default
    several = isinstance(default, tuple)
    values = typing.cast("tuple[object, ...]", default) if several else (default,)
    texts = [str(getattr(value, "value", value)) for value in values if value is not None]
    return "+".join(texts) or "none"


def _print_plain(described: list[_Description]) -> None:
    for one in described:
        click.echo(f"{one.name} ({one.kind}): {one.summary}")
        for option in one.options:
            click.echo(f"  {option.name}={option.type} (default {option.default}): {option.doc}")


def _print_rich(described: list[_Description]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table("pass", "over", "what it does, and its options", box=None)
    for one in described:
        text = escape(one.summary)
        for option in one.options:
            usage = escape(f"{option.name}={option.type}")
            default = escape(option.default)
            text += f"\n  [cyan]{usage}[/] [dim](default {default})[/] {escape(option.doc)}"
        table.add_row(f"[bold]{one.name}[/]", one.kind, text)
    Console().print(table)
