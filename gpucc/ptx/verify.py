"""Says what is wrong with a module, with the place: what ``gpucc opt`` refuses.

Names must be declared, in the block or one around it; operands and modifiers must be what
:mod:`gpucc.ptx.isa` has for the opcode, the target and the PTX version.  An opcode that is not in
that table, and a minor version newer than known, are warnings: new PTX must not be refused for
being new.  Reading a register that nothing has written is legal.

Instructions are judged by their *shape*: the operand text with names replaced by what they stand
for (``reg.b32``, ``var.shared``, ``label``).  Few shapes are different, so each is judged once.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gpucc.errors import SourceError, line_column
from gpucc.ptx.isa import Fault, faults
from gpucc.ptx.isa_shapes import TOKEN
from gpucc.ptx.module import (
    TYPE_BYTES,
    Brace,
    Declaration,
    Directive,
    Function,
    Instruction,
    Item,
    Label,
    Module,
    Section,
    Statement,
    Variable,
)
from gpucc.ptx.scanner import leading_trivia
from gpucc.ptx.syntax import Malformed, parse_operands
from gpucc.ptx.targets import FIRST_VERSION, NEWEST_VERSION, Version, split_target

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; ``at`` is an offset into ``module.source``."""

    message: str
    at: int
    severity: Severity = "error"

    def render(self, module: Module) -> str:
        """Return ``path:line:column: warning: message``."""
        line, column = line_column(module.source, self.at)
        return f"{module.path}:{line}:{column}: {self.severity}: {self.message}"


def verify(module: Module) -> tuple[Problem, ...]:
    """Return all problems, in order of the text."""
    return tuple(sorted(_Verifier(module).problems(), key=lambda problem: problem.at))


def require_valid(module: Module) -> tuple[Problem, ...]:
    """Raise :class:`SourceError` for the first error; return the warnings."""
    problems = verify(module)
    for problem in problems:
        if problem.severity == "error":
            raise SourceError(problem.message, path=module.path, text=module.source, at=problem.at)
    return problems


# --- names ----------------------------------------------------------------------------------------

_SPECIAL_VECTORS = frozenset({"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid",
                              "%cluster_ctaid", "%cluster_nctaid"})  # fmt: skip
_SPECIAL_64 = re.compile(
    r"%(?:clock64|globaltimer|gridid|pm\d_64|current_graph_exec|reserved_smem_offset_\w+64)"
)
_SPECIAL = re.compile(
    r"%(?:laneid|warpid|nwarpid|smid|nsmid|gridid|lanemask_(?:eq|le|lt|ge|gt)|clock|clock_hi|clock64"
    r"|pm[0-7](?:_64)?|envreg(?:[12]?\d|3[01])|globaltimer(?:_lo|_hi)?|is_explicit_cluster"
    r"|cluster_ctarank|cluster_nctarank|reserved_smem_offset_\w+|total_smem_size|aggr_smem_size"
    r"|dynamic_smem_size|current_graph_exec)"
)
_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d*)")
_OPAQUE = frozenset({".texref", ".samplerref", ".surfref"})


def _special(name: str) -> str | None:
    """Return the class of a special register."""
    base, dot, part = name.partition(".")
    if base in _SPECIAL_VECTORS:
        if not dot:
            return "sreg.v4.u32"
        return "sreg.u32" if part in ("x", "y", "z", "w") else None
    if not dot and _SPECIAL.fullmatch(base):
        return "sreg.u64" if _SPECIAL_64.fullmatch(base) else "sreg.u32"
    return None


def _class(variable: Variable) -> str:
    if variable.type in _OPAQUE:
        return f"tex{variable.type}"
    if variable.space == ".reg":
        return f"reg{variable.vector}{variable.type}"
    return f"var{variable.space.partition('[')[0]}"


class _Scope:
    """What one block declares: names, and numbered registers by their stem."""

    def __init__(self, outer: _Scope | None) -> None:
        self.outer = outer
        self.names: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.numbered: dict[str, tuple[int, str]] = {}
        self._found: dict[str, str | None] = {}

    def declare(self, variable: Variable) -> bool:
        """Add a variable; return whether its name was free."""
        kind = _class(variable)
        if variable.count is not None:
            free = variable.name not in self.numbered
            self.numbered[variable.name] = variable.count, kind
            return free
        free = self._own(variable.name) is None
        self.names[variable.name] = kind
        return free

    def _own(self, name: str) -> str | None:
        kind = self.names.get(name)
        if kind is None and (found := _NUMBERED.fullmatch(name)):
            count, numbered = self.numbered.get(found[1], (0, ""))
            kind = numbered if int(found[2]) < count else None
        return kind

    def lookup(self, name: str) -> str | None:
        """Return the class of a name, None if it is not declared; remembers what it found."""
        if name in self._found:
            return self._found[name]
        kind = self.labels.get(name) or self._own(name)
        if kind is None and "." in name:
            kind = self._component(name)
        if kind is None and self.outer is not None:
            kind = self.outer.lookup(name)
        self._found[name] = kind
        return kind

    def _component(self, name: str) -> str | None:
        """Return the class of ``v.x`` where ``v`` is a vector register of this block."""
        base, _, part = name.rpartition(".")
        kind = self._own(base)
        if kind and kind.startswith("reg.v") and part in ("x", "y", "z", "w", "r", "g", "b", "a"):
            return f"reg.{kind.rpartition('.')[2]}"
        return None


# --- judging --------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=65536)
def _judge(opcode: str, shape: str, target: str, version: Version) -> tuple[Fault, ...] | Malformed:
    try:
        operands = parse_operands(shape, is_call=opcode.startswith("call"))
    except Malformed as error:
        return error
    return faults(opcode, operands, target, version)


_OFFSET = re.compile(r"\+-?\d+\]")
"""An offset in an address: whatever its value, the address has the same shape."""


class _Verifier:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._version = module.version
        self._target = module.targets[0] if module.targets else ""
        self._globals = _Scope(None)
        self._defined: set[str] = set()

    def problems(self) -> Iterator[Problem]:
        yield from self._header()
        for item in self._module.items:
            yield from self._declare_global(item)
        for item in self._module.items:
            if isinstance(item, Function) and item.body is not None:
                yield from self._function(item)

    # --- module scope ---------------------------------------------------------------------------

    def _header(self) -> Iterator[Problem]:
        directives = [i for i in self._module.items if not isinstance(i, Section)]
        start = _start(directives[0]) if directives else 0
        if self._version == (0, 0):
            yield Problem("'.version' is missing", start)
        if not self._target:
            yield Problem("'.target' is missing", start)
        for item in directives:
            if not isinstance(item, Directive):
                continue
            if item.name == ".version" and self._version > NEWEST_VERSION:
                newest = ".".join(map(str, NEWEST_VERSION))
                yield Problem(
                    f"PTX {item.args} is newer than {newest}, the newest that is known",
                    _start(item),
                    "warning",
                )
            elif item.name == ".target":
                yield from self._check_target(item)

    def _check_target(self, item: Directive) -> Iterator[Problem]:
        for word in (part.strip() for part in item.args.split(",")):
            at = _start(item) + item.raw[len(leading_trivia(item.raw)) :].index(word)
            if not split_target(word)[0]:
                if word not in _PLATFORM_OPTIONS:
                    yield Problem(f"'{word}' is no target", at)
                continue
            first = FIRST_VERSION.get(word)
            if first is None:
                yield Problem(f"target '{word}' is not known", at, "warning")
            elif (0, 0) < self._version < first:
                needed, stated = (".".join(map(str, v)) for v in (first, self._version))
                yield Problem(f"{word} needs PTX {needed} (.version is {stated})", at)

    def _declare_global(self, item: Item) -> Iterator[Problem]:
        match item:
            case Function():
                if item.body is not None:
                    if item.name in self._defined:
                        yield Problem(f"'{item.name}' is defined twice", _start(item))
                    self._defined.add(item.name)
                self._globals.names[item.name] = "fn"
                try:
                    _ = item.signature
                except Malformed as error:
                    at = _start(item) + error.offset
                    yield Problem(f"{error.message} in the head of '{item.name}'", at)
            case Declaration():
                linked = bool(item.linkage)
                yield from self._declare(item, self._globals, again=linked)
            case Directive() if item.name == ".alias":
                self._globals.names[item.names[0]] = "fn"
            case Directive() | Label() | Section():
                pass

    def _declare(
        self, item: Declaration, scope: _Scope, *, again: bool = False
    ) -> Iterator[Problem]:
        try:
            variables = item.variables
        except Malformed as error:
            yield Problem(f"{error.message} in a declaration", _start(item) + error.offset)
            return
        for variable in variables:
            at = _start(item) + max(0, item.text.find(variable.name))
            if not scope.declare(variable) and not again:
                yield Problem(f"'{variable.name}' is declared twice", at)
            align = variable.align
            if align is not None and (align <= 0 or align & (align - 1)):
                yield Problem(f"the alignment {align} is no power of two", at)
            if variable.space == ".reg" and variable.type == ".b8":
                yield Problem("a register cannot be .b8", at)
            if variable.space != ".reg" and variable.type == ".pred":
                yield Problem("a predicate stands in registers only", at)
            if (
                variable.space != ".reg"
                and variable.type not in TYPE_BYTES
                and variable.type not in _OPAQUE
            ):
                yield Problem(f"a variable cannot have type '{variable.type}'", at)

    # --- functions --------------------------------------------------------------------------------

    def _function(self, function: Function) -> Iterator[Problem]:
        body = _Scope(self._globals)
        try:
            signature = function.signature
        except Malformed:
            return  # said already
        for variable in (*signature.returns, *signature.params):
            if variable.name != "_" and not body.declare(variable):
                yield Problem(f"parameter '{variable.name}' is declared twice", _start(function))
        scopes = yield from self._scopes(function, body)
        scope = body
        opened = iter(scopes)
        for statement in function.statements:
            match statement:
                case Instruction():
                    yield from self._instruction(statement, scope)
                case Brace(opens=True):
                    scope = next(opened)
                case Brace():
                    scope = scope.outer or scope
                case Directive():
                    yield from self._table(statement, scope)
                case Label() | Declaration():
                    pass

    def _scopes(self, function: Function, body: _Scope) -> Generator[Problem, None, list[_Scope]]:
        """Fill ``body`` and the blocks nested in it; return these in order of their braces."""
        nested: list[_Scope] = []
        scope = body
        statements = function.statements
        for index, statement in enumerate(statements):
            match statement:
                case Brace(opens=True):
                    scope = _Scope(scope)
                    nested.append(scope)
                case Brace():
                    scope = scope.outer or scope
                case Declaration():
                    yield from self._declare(statement, scope)
                case Label(name):
                    if name in scope.labels:
                        yield Problem(f"label '{name}' is declared twice", _start(statement))
                    scope.labels[name] = _label_class(statements, index)
                case _:
                    pass
        return nested

    def _table(self, directive: Directive, scope: _Scope) -> Iterator[Problem]:
        if directive.name == ".callprototype":
            try:
                _ = directive.signature
            except Malformed as error:
                yield Problem(f"{error.message} in a call prototype", _start(directive))
        wanted = {".branchtargets": "label", ".calltargets": "fn"}.get(directive.name)
        if wanted is None:
            return
        for name in directive.names:
            if scope.lookup(name) != wanted:
                what = "label" if wanted == "label" else "function"
                raw = directive.raw
                at = directive.at + raw.rindex(name)
                yield Problem(f"'{name}' in '{directive.name}' is no {what}", at)

    def _instruction(self, statement: Instruction, scope: _Scope) -> Iterator[Problem]:
        if statement.guard:
            name = statement.guard[1:].strip().lstrip("!").strip()
            kind = scope.lookup(name)
            at = _start(statement) + statement.guard.index(name)
            if kind is None:
                yield Problem(f"'{name}' is not declared", at)
            elif kind != "reg.pred":
                yield Problem(f"the guard '{name}' is no predicate", at)
        args = statement.args
        parts = TOKEN.split(args)
        for place in range(1, len(parts), 2):
            word = parts[place]
            first = word[0]
            if first.isdigit() or first == "." or word == "_":
                continue
            kind = scope.lookup(word) or (_special(word) if first == "%" else None)
            if kind is None and word == "WARP_SZ":
                kind = "32"
            if kind is None:
                at = _args_start(statement) + len("".join(_words(args, place)))
                yield Problem(f"'{word}' is not declared", at)
                return
            parts[place] = kind
        shape = _OFFSET.sub("+0]", "".join(parts))
        verdict = _judge(statement.opcode, shape, self._target, self._version)
        if isinstance(verdict, Malformed):
            yield self._malformed(statement, verdict)
            return
        for fault in verdict:
            yield Problem(fault.message, _fault_at(statement, fault), fault.severity)

    def _malformed(self, statement: Instruction, shape_error: Malformed) -> Problem:
        try:
            _ = statement.operands
        except Malformed as error:
            at = _args_start(statement) + error.offset
            return Problem(f"{error.message} in the operands of '{statement.opcode}'", at)
        return Problem(
            f"{shape_error.message} in the operands of '{statement.opcode}'", _args_start(statement)
        )


_PLATFORM_OPTIONS = frozenset({"debug", "texmode_unified", "texmode_independent", "map_f64_to_f32"})


def _label_class(statements: tuple[Statement, ...], index: int) -> str:
    """Return what the label at ``index`` names: a place, a branch table or a prototype."""
    following = statements[index + 1] if index + 1 < len(statements) else None
    if isinstance(following, Directive):
        if following.name in (".branchtargets", ".calltargets"):
            return "table"
        if following.name == ".callprototype":
            return "proto"
    return "label"


# --- places ---------------------------------------------------------------------------------------


def _start(item: Item | Statement) -> int:
    """Return where the first word of an item stands."""
    return item.at + len(leading_trivia(item.raw))


def _args_start(statement: Instruction) -> int:
    return statement.at + (statement.raw.rfind(statement.args) if statement.args else 0)


def _words(args: str, place: int) -> list[str]:
    return TOKEN.split(args)[:place]


def _fault_at(statement: Instruction, fault: Fault) -> int:
    if fault.part == "operand" and statement.args:
        begins = _operand_starts(statement.args)
        if fault.index < len(begins):
            return _args_start(statement) + begins[fault.index]
        return _args_start(statement)
    lead = len(leading_trivia(statement.raw))
    opcode_at = statement.raw.index(statement.opcode, lead + len(statement.guard))
    words = re.split(r"(?<!:)[.]", statement.opcode)
    before = sum(len(word) + 1 for word in words[: fault.index])
    return statement.at + opcode_at + min(before, len(statement.opcode) - 1)


def _operand_starts(args: str) -> list[int]:
    """Return where each operand begins in the operand text."""
    starts = [0]
    depth = 0
    for at, character in enumerate(args):
        depth += {"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            starts.append(at + 1 + len(args[at + 1 :]) - len(args[at + 1 :].lstrip()))
    return starts
