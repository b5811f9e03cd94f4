"""Whether a call fits what it calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpucc.ptx.isa_operands import registers_for
from gpucc.ptx.module import Group, Immediate, Name, Operand, Sink, Variable
from gpucc.ptx.names import Names


@dataclass(frozen=True, slots=True)
class Interface:
    """What a function, a prototype or a list of targets takes and returns; None: not known."""

    returns: tuple[Variable, ...]
    params: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class CallFault:
    """What is wrong with a call; ``operand`` is the index of the operand at fault."""

    message: str
    operand: int


@dataclass(frozen=True, slots=True)
class Callees:
    """How a call's target is found: functions by name, prototypes and tables by label."""

    function: Callable[[str], Interface | None]
    label: Callable[[str], Interface | None]
    """None for a label of ``.calltargets`` whose functions differ."""


def call_fault(operands: Sequence[Operand], names: Names, callees: Callees) -> CallFault | None:
    """Return what is wrong with ``call`` and these operands, names as written; or None."""
    index = 0
    returns: tuple[Operand, ...] = ()
    if operands and isinstance(operands[0], Group):
        returns = operands[0].items
        index = 1
    if len(operands) <= index:
        return CallFault("a call of nothing", index)
    callee = operands[index]
    at = index
    index += 1
    arguments: tuple[Operand, ...] = ()
    if index < len(operands) and isinstance(operands[index], Group):
        group = operands[index]
        assert isinstance(group, Group)
        arguments = group.items
        index += 1
    if not isinstance(callee, Name):
        return CallFault(f"'{callee}' is nothing that can be called", at)
    kind = names[callee.name]
    if kind == "fn":
        if index < len(operands):
            return CallFault(f"'{operands[index]}' after a direct call", index)
        interface = callees.function(callee.name)
    elif kind.startswith("reg.") and kind[4:] in registers_for("u64") | registers_for("u32"):
        if index >= len(operands):
            return CallFault("an indirect call without a prototype or list of targets", at)
        label = operands[index]
        if not isinstance(label, Name) or names[label.name] not in ("proto", "table"):
            return CallFault(f"'{label}' is no call prototype and no list of targets", index)
        if index + 1 < len(operands):
            return CallFault(f"'{operands[index + 1]}' after the prototype", index + 1)
        interface = callees.label(label.name)
    elif kind == "kernel":
        return CallFault(f"'{callee}' is a kernel, which cannot be called", at)
    else:
        return CallFault(f"'{callee}' is nothing that can be called", at)
    if interface is None:
        return None
    return _list_fault(returns, interface.returns, names, 0, "returns") or _list_fault(
        arguments, interface.params, names, min(at + 1, len(operands) - 1), "takes"
    )


def _list_fault(
    actual: Sequence[Operand], formal: Sequence[Variable], names: Names, at: int, verb: str
) -> CallFault | None:
    if len(actual) != len(formal):
        noun = "value" if len(formal) == 1 else "values"
        return CallFault(f"{len(actual)} given, where the function {verb} {len(formal)} {noun}", at)
    for operand, variable in zip(actual, formal, strict=True):
        if not _passes(operand, variable, names, result=verb == "returns"):
            name = f"'{variable.name}'" if variable.name != "_" else f"a {variable.type}"
            return CallFault(f"'{operand}' does not fit {name}", at)
    return None


def _passes(operand: Operand, formal: Variable, names: Names, *, result: bool) -> bool:
    scalar = not formal.dimensions and not formal.vector
    match operand:
        case Sink():
            return result
        case Immediate():
            is_float = isinstance(operand.value, float)
            return not result and scalar and is_float == formal.type.startswith(".f")
        case Name(name):
            kind = names[name]
            if kind.startswith("reg."):
                return scalar and kind[4:] in registers_for(formal.type[1:])
            if kind not in ("var.param", "var.input"):
                return not result and kind.startswith("tex.")
            actual = names.variable(name)
            return actual is None or _same_bytes(actual, formal)
        case _:
            return False


def _same_bytes(actual: Variable, formal: Variable) -> bool:
    if actual.size is None or formal.size is None:
        return True
    return actual.size == formal.size
