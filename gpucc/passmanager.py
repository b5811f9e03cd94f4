"""Passes, pipelines and how they are run.

A pass is a frozen dataclass in a file of ``gpucc/passes`` whose name is the pass's name; its
fields are its options.  ``mpache{levels=l1,seed=3},kesco`` names a pipeline; :func:`parse_pipeline`
reads it and ``str()`` of the result gives the same text back.  After every pass the manager
verifies what came out, so no pass has to.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import importlib
import inspect
import pkgutil
import re
import time
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import gpucc.passes
from gpucc.errors import GpuccError

if TYPE_CHECKING:
    from gpucc.analysis.access import KernelAccess
    from gpucc.host.module import HostModule
    from gpucc.ptx.module import Module

IR = TypeVar("IR")


@dataclass(frozen=True, slots=True)
class Target:
    """What device code is compiled for: ``arch`` as ptxas takes it (``sm_90a``)."""

    arch: str

    @property
    def sm(self) -> int:
        """The compute capability times ten, without suffix: ``sm_90a`` -> 90."""
        found = re.fullmatch(r"(?:sm|compute)_(\d+)[af]?", self.arch)
        if not found:
            raise GpuccError(f"unknown target '{self.arch}'", hint="such as sm_80 or sm_90a")
        return int(found.group(1))


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that a pass did, or did not do and why; printed under ``--explain``."""

    pass_name: str
    kind: Literal["changed", "refused", "note"]
    where: str
    """The kernel or host function."""
    message: str
    line: int | None = None
    """Line of the PTX (device passes) or of the source file (host passes), from 1."""
    source: str | None = None
    """``file:line`` in the user's source, where debug information says so."""


@dataclass(frozen=True, slots=True)
class LaunchEffects:
    """What a launcher must do differently for kernels that a pass changed, by kernel name.

    :func:`gpucc.load` does.  A compiled program launches its kernels itself, so a pass that
    returns any is refused there (:mod:`gpucc.passwork`).
    """

    dynamic_shared_bytes: Mapping[str, int] = field(default_factory=dict[str, int])
    """Bytes of dynamic shared memory to add to what the program asks for."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a pass may know beside the IR it gets."""

    target: Target


@dataclass(frozen=True, slots=True)
class Result(Generic[IR]):
    """What a pass returns: new IR (or the same object, if nothing changed) and remarks."""

    ir: IR
    remarks: tuple[Remark, ...] = ()
    effects: LaunchEffects = LaunchEffects()


@dataclass(frozen=True)
class _Pass:
    name: ClassVar[str]

    def __str__(self) -> str:
        """Return the pipeline text of this pass: its name and the options that differ."""
        options = [
            f"{f.name}={_print_value(getattr(self, f.name))}"
            for f in dataclasses.fields(self)
            if getattr(self, f.name) != f.default
        ]
        return f"{self.name}{{{','.join(options)}}}" if options else self.name


@dataclass(frozen=True)
class DevicePass(_Pass):
    """A pass over one PTX module."""

    def run(self, module: Module, ctx: Context) -> Result[Module]:
        """Return the new module; ``module`` itself is never changed."""
        raise TypeError(f"{type(self).__name__} does not define run()")


@dataclass(frozen=True)
class HostPass(_Pass):
    """A pass over the host half of a program, one translation unit at a time."""

    def run(
        self, host: HostModule, device_facts: Mapping[str, KernelAccess], ctx: Context
    ) -> Result[HostModule]:
        """Return the new host module.

        ``device_facts`` gives, by kernel name, what each pointer parameter is used for, over all
        files that are compiled together.
        """
        raise TypeError(f"{type(self).__name__} does not define run()")


@dataclass(frozen=True)
class Pipeline:
    """A parsed ``--passes`` string; printing it gives the text back."""

    passes: tuple[DevicePass | HostPass, ...] = ()

    def __str__(self) -> str:
        return ",".join(map(str, self.passes))

    @property
    def device(self) -> tuple[DevicePass, ...]:
        """The passes over PTX, in order."""
        return tuple(p for p in self.passes if isinstance(p, DevicePass))

    @property
    def host(self) -> tuple[HostPass, ...]:
        """The passes over the host half, in order."""
        return tuple(p for p in self.passes if isinstance(p, HostPass))


# --- finding passes -----------------------------------------------------------------------------


def pass_names() -> tuple[str, ...]:
    """Return the names of all passes, sorted; a pass is a file in ``gpucc/passes``."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(gpucc.passes.__path__)))


@functools.cache
def pass_class(name: str) -> type[DevicePass] | type[HostPass]:
    """Return the class of the pass ``name``; :class:`GpuccError` if there is none."""
    if name not in pass_names():
        raise GpuccError(
            f"unknown pass '{name}'", hint=f"passes are: {', '.join(pass_names())} (gpucc passes)"
        )
    try:
        module = importlib.import_module(f"gpucc.passes.{name}")
    except SyntaxError as error:
        raise GpuccError(f"{error.filename}:{error.lineno}: {error.msg}") from None
    for _, value in inspect.getmembers(module, inspect.isclass):
        if issubclass(value, (DevicePass, HostPass)) and value.__module__ == module.__name__:
            return value
    raise GpuccError(f"gpucc/passes/{name}.py defines no DevicePass or HostPass")


def option_docs(cls: type[DevicePass] | type[HostPass]) -> dict[str, str]:
    """Return the docstring below each option of a pass, by option name."""
    import ast  # only for `gpucc passes`

    tree = ast.parse(Path(inspect.getfile(cls)).read_text())
    docs: dict[str, str] = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.ClassDef) and node.name == cls.__name__):
            continue
        for member, after in zip(node.body, node.body[1:], strict=False):
            if (
                isinstance(member, ast.AnnAssign)
                and isinstance(member.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
                and isinstance(after.value.value, str)
            ):
                docs[member.target.id] = inspect.cleandoc(after.value.value)
    return docs


# --- pipeline strings ---------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(?:(?P<word>[A-Za-z_][\w\-]*)|(?P<mark>[{},=])|(?P<end>$))")
_VALUE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^"{},=\s][^"{},=]*))')
_PLAIN = re.compile(r'[^"{},=\s+](?:[^"{},=+]*[^"{},=\s+])?')


def parse_pipeline(text: str) -> Pipeline:
    """Parse ``pass,pass{option=value,…}``; a list value is written ``a+b``.

    Values with other characters stand in double quotes.  Raises :class:`GpuccError` for an unknown
    pass or option, or a value of the wrong type.
    """
    passes: list[DevicePass | HostPass] = []
    at = 0
    while text[at:].strip():
        name, at = _word(text, at, "a pass name")
        cls = pass_class(name)
        options: dict[str, Any] = {}
        if _mark(text, at, "{"):
            at = _expect(text, at, "{")
            while not _mark(text, at, "}"):
                option, at = _word(text, at, f"an option of {name}")
                at = _expect(text, at, "=")
                value, at = _value(text, at)
                options[option] = _read_option(cls, option, value)
                if not _mark(text, at, "}"):
                    at = _expect(text, at, ",")
            at = _expect(text, at, "}")
        passes.append(cls(**options))
        if text[at:].strip():
            at = _expect(text, at, ",")
            if not text[at:].strip():
                raise _bad(text, at, "a pass name")
    return Pipeline(tuple(passes))


def _bad(text: str, at: int, wanted: str) -> GpuccError:
    return GpuccError(f"in the pipeline '{text}', at character {at + 1}: expected {wanted}")


def _word(text: str, at: int, wanted: str) -> tuple[str, int]:
    found = _TOKEN.match(text, at)
    if not found or found["word"] is None:
        raise _bad(text, at, wanted)
    return found["word"], found.end()


def _mark(text: str, at: int, mark: str) -> bool:
    found = _TOKEN.match(text, at)
    return bool(found and found["mark"] == mark)


def _expect(text: str, at: int, mark: str) -> int:
    if not _mark(text, at, mark):
        raise _bad(text, at, f"'{mark}'")
    return text.index(mark, at) + 1


def _value(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """Read ``a``, ``"a b"`` or ``a+"b"``; return the parts and where the value ends."""
    parts: list[str] = []
    while True:
        found = _VALUE.match(text, at)
        if not found:
            raise _bad(text, at, "a value")
        if found[1] is not None:
            parts.append(re.sub(r"\\(.)", r"\1", found[1]))
            at = found.end()
        else:
            plain, *more = found[2].split("+", 1)
            parts.append(plain.strip())
            at = found.start(2) + len(plain)
            if more:
                at += 1
                continue
        if text[at : at + 1] != "+":
            return tuple(parts), at
        at += 1


def _print_value(value: Any) -> str:
    if isinstance(value, tuple):
        return "+".join(map(_print_value, typing.cast("tuple[Any, ...]", value)))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        value = value.value
    text = str(value)
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _read_option(
    cls: type[DevicePass] | type[HostPass], option: str, parts: tuple[str, ...]
) -> Any:
    hints = typing.get_type_hints(cls)
    known = {f.name: hints[f.name] for f in dataclasses.fields(cls)}
    if option not in known:
        listed = ", ".join(known) or "none"
        raise GpuccError(f"pass '{cls.name}' has no option '{option}'", hint=f"it has: {listed}")
    wanted = known[option]
    try:
        if typing.get_origin(wanted) is tuple:
            item = typing.get_args(wanted)[0]
            return tuple(_read_scalar(item, part) for part in parts)
        if len(parts) != 1:
            raise ValueError("one value, not a list")
        return _read_scalar(wanted, parts[0])
    except ValueError as error:
        raise GpuccError(
            f"option '{option}' of pass '{cls.name}': '{'+'.join(parts)}' is not valid: {error}"
        ) from None


def _read_scalar(wanted: Any, text: str) -> Any:
    if typing.get_origin(wanted) is Literal:
        choices = {str(choice): choice for choice in typing.get_args(wanted)}
        if text not in choices:
            raise ValueError(f"choose from {', '.join(choices)}")
        return choices[text]
    if typing.get_origin(wanted) in (types.UnionType, typing.Union):
        wanted = next(a for a in typing.get_args(wanted) if a is not type(None))
        return _read_scalar(wanted, text)
    if wanted is bool:
        if text not in ("true", "false"):
            raise ValueError("write true or false")
        return text == "true"
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        return wanted(text)
    return wanted(text)


# --- running ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What to do around each pass."""

    after_pass: Callable[[str, Module], None] | None = None
    """Called with a pass's name and its output (``--print-after``, ``--verify-each``)."""


@dataclass(frozen=True, slots=True)
class RunReport(Generic[IR]):
    """The outcome of a pipeline: the final IR, remarks in order, seconds by pass."""

    ir: IR
    remarks: tuple[Remark, ...]
    seconds: tuple[tuple[str, float], ...]
    effects: tuple[LaunchEffects, ...] = ()


def run_device_passes(
    module: Module, pipeline: Pipeline, ctx: Context, options: RunOptions | None = None
) -> RunReport[Module]:
    """Run the device passes of ``pipeline`` in order, verifying the module after each.

    Raises :class:`PassFault` if a pass returns a module with an error that it was not given: that
    is a fault of the pass, and the input that caused it goes with the report.
    """
    options = options or RunOptions()
    remarks: list[Remark] = []
    seconds: list[tuple[str, float]] = []
    effects: list[LaunchEffects] = []
    for step in pipeline.device:
        start = time.perf_counter()
        result = step.run(module, ctx)
        if result.ir is not module and (wrong := _new_errors(module, result.ir)):
            raise PassFault(step, module, "; ".join(wrong[:3]))
        module = result.ir
        seconds.append((step.name, time.perf_counter() - start))
        remarks.extend(result.remarks)
        effects.append(result.effects)
        if options.after_pass:
            options.after_pass(step.name, module)
    return RunReport(module, tuple(remarks), tuple(seconds), tuple(effects))


def _new_errors(before: Module, after: Module) -> list[str]:
    """Return what the verifier says of a pass's output, and does not say of its input."""
    from gpucc.ptx.verify import verify

    errors = [p.message for p in verify(after) if p.severity == "error"]
    if errors:
        known = {p.message for p in verify(before)}
        errors = [message for message in errors if message not in known]
    return errors


class PassFault(Exception):
    """A pass produced invalid IR; ``module`` is what it was given."""

    def __init__(self, step: DevicePass, module: Module, message: str) -> None:
        super().__init__(f"pass '{step}' produced invalid PTX: {message}")
        self.module = module
