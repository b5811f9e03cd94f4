"""Registers in which a NaN may have any bits while nobody looks at them.

Arithmetic on a GPU gives one NaN, that on the host another or what came in
(:mod:`gpucc.cpu.floating`).  Replacing it after every operation costs up to 2.4 times the time (a
chain of fused multiplications, AVX2), and most results only go into further arithmetic.  So a
register is *loose* if all that is ever written to it is a result of arithmetic, or comes from
another such register: what the host computed stays in it, and is replaced where something else than
arithmetic reads it (a store, a shuffle, a view as an integer).
"""

from __future__ import annotations

from collections.abc import Mapping

from gpucc.analysis.scopes import Scopes
from gpucc.ptx import isa
from gpucc.ptx.module import Function, Immediate, Instruction, Name, Operand

_ARITHMETIC = frozenset(
    {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt"}
    | {"sin", "cos", "lg2", "ex2", "tanh"}
)
_ARITHMETIC_OF_SINGLES = frozenset({"min", "max", "abs", "neg"})
_COPIES = {"mov": (1,), "selp": (1, 2)}
_WIDTH = {"f32": "32", "f64": "64"}


def loose_registers(function: Function, scopes: Scopes) -> Mapping[str, str]:
    """Return the loose registers by :meth:`Scopes.key`, each with its type: ``f32`` or ``f64``."""
    types: dict[str, str] = {}
    bad: set[str] = set()
    copies: list[tuple[str, str]] = []

    def give(key: str, type_: str) -> bool:
        """Note a type of a register; return whether anything has changed."""
        if key in bad or types.get(key) == type_:
            return False
        if key in types:
            bad.add(key)
        types[key] = type_
        return True

    for at, statement in enumerate(function.statements):
        if not isinstance(statement, Instruction):
            continue
        written = isa.registers_written(statement)
        if len(written) != 1:
            bad.update(scopes.key(name, at) for name in written)
            continue
        key = scopes.key(written[0], at)
        type_ = _result(statement)
        sources = _copied(statement)
        if type_ and _fits(scopes, written[0], at, _WIDTH[type_]):
            give(key, type_)
        elif sources is not None and _fits(scopes, written[0], at, _width_of(statement)):
            copies += [(key, scopes.key(source.name, at)) for source in sources]
        else:
            bad.add(key)
    changed = True
    while changed:
        changed = False
        for key, source in copies:
            if source in types and source not in bad:
                changed |= give(key, types[source])
        # what has no type by now is written by no arithmetic
        for key, source in copies:
            if key not in bad and (source in bad or (not changed and source not in types)):
                bad.add(key)
                changed = True
    return {key: type_ for key, type_ in types.items() if key not in bad}


def _result(instruction: Instruction) -> str:
    """Return the type of a result whose NaN is always the same one; nothing if it is not so."""
    words = instruction.parts
    types = [word for word in words[1:] if word[0] in "busfet" and word[-1:].isdigit()]
    if not types or types[0] not in _WIDTH:
        return ""
    plain = words[0] in _ARITHMETIC
    single = words[0] in _ARITHMETIC_OF_SINGLES and types[0] == "f32" and "xorsign" not in words
    convert = words[0] == "cvt" and not copies_bits(words) and not keeps_payload(words)
    return types[0] if plain or single or convert else ""


def copies_bits(words: tuple[str, ...]) -> bool:
    """Return whether a ``cvt`` only moves bits, those of a NaN too, as ptxas makes it."""
    return words[1:] in (("f32", "f32"), ("f64", "f64"), ("f32", "bf16"))


def keeps_payload(words: tuple[str, ...]) -> bool:
    """Return whether a ``cvt`` keeps the payload of a NaN: between ``f32`` and ``f64``."""
    return [word for word in words if word in _WIDTH] in (["f64", "f32"], ["f32", "f64"])


def _copied(instruction: Instruction) -> list[Name] | None:
    """Return the registers that an instruction may copy; None if it does something else.

    Constants are nothing to be copied, unless they are NaNs.
    """
    indexes = _COPIES.get(instruction.mnemonic)
    if indexes is None or _width_of(instruction) not in _WIDTH.values():
        return None
    operands = instruction.operands
    if not isinstance(operands[0], Name) or len(operands) <= indexes[-1]:
        return None
    sources = [operands[index] for index in indexes]
    if not all(isinstance(source, Name) or _is_number(source) for source in sources):
        return None
    return [source for source in sources if isinstance(source, Name)]


def _is_number(operand: Operand) -> bool:
    """Return whether a constant is no NaN, whatever type it is read as."""
    if not isinstance(operand, Immediate):
        return False
    value = operand.value
    if isinstance(value, float):
        return value == value
    return isinstance(value, int) and 0 <= value <= 0x7F800000


def _width_of(copy: Instruction) -> str:
    return copy.parts[-1][1:]


def _fits(scopes: Scopes, name: str, at: int, width: str) -> bool:
    """Return whether ``name`` is a register of the body with ``width`` bits."""
    found = scopes.variable(name, at)
    if found is None:
        return False
    variable = found[1]
    return variable.space == ".reg" and not variable.vector and variable.type[2:] == width
