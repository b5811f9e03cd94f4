"""Says what is wrong with a module, with the place: what ``gpucc opt`` refuses.

Names must be declared before they are used (labels: in the block or one around it); operands and
modifiers must be what :mod:`gpucc.ptx.isa` has for the opcode, the target and the PTX version;
calls must fit what they call.  An opcode that is not in the table, and a minor version newer than
known, are warnings: new PTX must not be refused for being new.  Reading a register that nothing has
written is legal.

Instructions are judged by their *shape*: the operand text with names replaced by what they stand
for (``reg.b32``, ``var.shared``, ``label``) and numbers by ``1``.  Few shapes differ, so each is
judged once and looked up ever after.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from gpucc.errors import SourceError, line_column
from gpucc.ptx import verify_declarations as declarations
from gpucc.ptx.isa import Fault, faults, spelling
from gpucc.ptx.isa_shapes import TOKEN, strip_comments
from gpucc.ptx.module import (
    Brace,
    Declaration,
    Directive,
    Function,
    Instruction,
    Label,
    Module,
    Section,
    Signature,
    Statement,
    Variable,
)
from gpucc.ptx.names import UNDECLARED, Names, special_register, variable_class
from gpucc.ptx.places import argument_start, opcode_word_start, operand_start, start, word_start
from gpucc.ptx.syntax import Malformed, parse_operands
from gpucc.ptx.targets import (
    FIRST_VERSION,
    LAST_MINOR,
    NEWEST_VERSION,
    Version,
    split_target,
    unmet,
)
from gpucc.ptx.verify_calls import Callees, Interface, call_fault

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong; ``at`` is an offset into ``module.source``.

    ``at`` is -1 for a statement that was not read from a text but made by a pass.
    """

    message: str
    at: int
    severity: Severity = "error"

    def render(self, module: Module) -> str:
        """Return ``path:line:column: warning: message``."""
        line, column = line_column(module.source, self.at)
        return f"{module.path}:{line}:{column}: {self.severity}: {self.message}"


def verify(module: Module) -> tuple[Problem, ...]:
    """Return all problems, in order of the text.

    A warning that would be told at several places is told at the first, with their number.
    """
    problems = sorted(_Verifier(module).problems(), key=lambda problem: problem.at)
    times = Counter(p.message for p in problems if p.severity == "warning")
    told: set[str] = set()
    found: list[Problem] = []
    for problem in problems:
        if problem.severity == "warning":
            if problem.message in told:
                continue
            told.add(problem.message)
            if (count := times[problem.message]) > 1:
                problem = replace(problem, message=f"{problem.message} ({count} times)")
        found.append(problem)
    return tuple(found)


def require_valid(module: Module) -> tuple[Problem, ...]:
    """Raise :class:`SourceError` for the first error; return the warnings."""
    problems = verify(module)
    for problem in problems:
        if problem.severity == "error":
            raise SourceError(problem.message, path=module.path, text=module.source, at=problem.at)
    return problems


@functools.lru_cache(maxsize=1 << 17)
def _judge(opcode: str, shape: str, target: str, version: Version) -> tuple[Fault, ...] | None:
    """Return what is wrong with an instruction of this shape; None if the operands do not parse."""
    try:
        operands = parse_operands(shape)
    except Malformed:
        return None
    return faults(opcode, operands, target, version)


@functools.lru_cache(maxsize=1 << 16)
def _minds_values(opcode: str) -> bool:
    """Whether it matters for ``opcode`` which numbers its operands are."""
    return any(
        pattern.values is not None
        for binding in spelling(opcode).bindings
        for pattern in binding.form.operands
    )


class _Verifier:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._version = module.version if module.version > (0, 0) else NEWEST_VERSION
        self._target = module.targets[0] if module.targets else ""
        self._globals = Names()
        self._functions: dict[str, Function] = {}
        self._defined: set[str] = set()
        self._undefined: dict[str, Function] = {}

    def problems(self) -> Iterator[Problem]:
        yield from self._header()
        for item in self._module.items:
            match item:
                case Function():
                    yield from self._function(item)
                case Declaration():
                    for message, word in declarations.linkage_faults(item):
                        yield Problem(message, word_start(item, word))
                    yield from self._declare(item, self._globals, "module")
                case Directive() if item.name == ".alias":
                    yield from self._alias(item)
                case Label():
                    yield Problem("a label outside a function", start(item))
                case Directive() | Section():
                    pass
        for name, function in self._undefined.items():
            if name not in self._defined:
                message = f"'{name}' is neither defined nor '.extern'"
                yield Problem(message, word_start(function, name))

    # --- the first lines --------------------------------------------------------------------------

    def _header(self) -> Iterator[Problem]:
        items = [item for item in self._module.items if not isinstance(item, Section)]
        first = start(items[0]) if items else 0
        names = [item.name if isinstance(item, Directive) else "" for item in items]
        if names[:1] != [".version"]:
            yield Problem("'.version' is missing from the start", first)
        elif names[1:2] != [".target"]:
            yield Problem(
                "'.target' is missing after '.version'", start(items[min(1, len(items) - 1)])
            )
        for index, item in enumerate(items):
            if not isinstance(item, Directive):
                continue
            if item.name == ".version":
                yield from self._version_line(item, index)
            elif item.name == ".target":
                yield from self._target_line(item)
            elif item.name == ".address_size":
                yield from self._address_size_line(item)

    def _version_line(self, item: Directive, index: int) -> Iterator[Problem]:
        if index:
            message = "a second '.version': several modules in one file, which ptxas does not take"
            yield Problem(message, start(item), "warning")
        elif self._version[1] > LAST_MINOR.get(self._version[0], self._version[1]):
            yield Problem(f"there is no PTX {item.args}", start(item))
        elif self._version > NEWEST_VERSION:
            newest = ".".join(map(str, NEWEST_VERSION))
            message = f"PTX {item.args} is newer than {newest}, the newest that is known"
            yield Problem(message, start(item), "warning")

    def _target_line(self, item: Directive) -> Iterator[Problem]:
        words = [part.strip() for part in item.args.split(",")]
        for index, word in enumerate(words):
            at = word_start(item, word)
            if not split_target(word)[0]:
                if not index or word not in _PLATFORM_OPTIONS:
                    yield Problem(f"'{word}' is no target", at)
                continue
            first = FIRST_VERSION.get(word.replace("compute_", "sm_"))
            if first is None:
                yield Problem(f"target '{word}' is not known", at, "warning")
            elif (0, 0) < self._version < first:
                needed, stated = (".".join(map(str, v)) for v in (first, self._version))
                yield Problem(f"{word} needs PTX {needed} (.version is {stated})", at)

    def _address_size_line(self, item: Directive) -> Iterator[Problem]:
        at = word_start(item, item.args)
        if item.args not in ("32", "64"):
            yield Problem(f"an address size of {item.args}, where 32 and 64 are known", at)
        elif self._version < (2, 3):
            yield Problem("'.address_size' needs PTX 2.3", start(item))
        elif item.args == "32" and split_target(self._target)[0] >= 90:
            yield Problem(f"addresses of 32 bits, which {self._target} no longer has", at)

    # --- module scope -----------------------------------------------------------------------------

    def _alias(self, item: Directive) -> Iterator[Problem]:
        for name in item.names:
            if self._globals[name] != "fn":
                yield Problem(f"'{name}' in '.alias' is no function", word_start(item, name))
        self._defined.update(item.names[:1])

    def _declare(self, item: Declaration, names: Names, where: str) -> Iterator[Problem]:
        try:
            variables = item.variables
        except Malformed as error:
            yield Problem(f"{error.message} in a declaration", start(item) + error.offset)
            return
        linkage = item.linkage
        for index, variable in enumerate(variables):
            complaints = [
                *declarations.variable_faults(
                    variable, self._target, self._version, where=where, linkage=linkage
                ),
                *declarations.initializer_faults(variable, names.__getitem__),
            ]
            before = self._globals.variable(variable.name) if linkage else None
            if not names.declare(variable, variable_class(variable)) and not (
                before is not None and before.type == variable.type
            ):
                complaints.append((f"'{variable.name}' is declared twice", variable.name))
            for message, word in complaints:
                again = word in [before.name for before in variables[:index]]
                yield Problem(message, word_start(item, word, again=again))

    def _function(self, function: Function) -> Iterator[Problem]:
        name = function.name
        try:
            signature = function.signature
        except Malformed as error:
            at = start(function) + error.offset
            yield Problem(f"{error.message} in the head of '{name}'", at)
            self._globals.add(name, "fn")
            return
        for message, word in declarations.head_faults(function, self._target, self._version):
            yield Problem(message, word_start(function, word))
        yield from self._redeclaration(function, signature)
        self._functions[name] = function
        self._globals.add(name, "kernel" if function.is_kernel else "fn")
        if function.body is not None:
            yield from self._body(function, signature)

    def _redeclaration(self, function: Function, signature: Signature) -> Iterator[Problem]:
        name = function.name
        before = self._functions.get(name)
        at = word_start(function, name)
        if before is None:
            if name in self._globals.declared:
                yield Problem(f"'{name}' is declared twice", at)
        elif function.body is not None and name in self._defined:
            yield Problem(f"'{name}' is defined twice", at)
        elif not declarations.same_interface(before, function):
            yield Problem(f"'{name}' was declared before with other parameters", at)
        elif function.body is not None and ".extern" in before.signature.linkage:
            yield Problem(f"'{name}' was declared '.extern' before", at)
        if function.body is not None:
            self._defined.add(name)
        elif ".extern" not in signature.linkage:
            self._undefined.setdefault(name, function)

    # --- bodies -----------------------------------------------------------------------------------

    def _body(self, function: Function, signature: Signature) -> Iterator[Problem]:
        statements = function.statements
        labels, tables = _labels(statements)
        names = Names(self._globals)
        for variable in signature.params:
            yield from self._parameter(function, variable, names, "var.input")
        for variable in signature.returns:
            yield from self._parameter(function, variable, names, "var.param")
        opened = iter(labels)
        yield from _enter(names, next(opened))
        target, version = self._target, self._version
        for statement in statements:
            kind = type(statement)
            if kind is Instruction:
                assert isinstance(statement, Instruction)
                if statement.guard and statement.guard not in names:
                    yield from self._guard(statement, names)
                opcode, args = statement.opcode, statement.args
                parts = TOKEN.split(args if "/" not in args else strip_comments(args))
                shape = "".join(map(names.__getitem__, parts))
                if opcode.startswith("call") or UNDECLARED in shape or "sreg" in shape:
                    problem = self._name_problem(statement, parts, names)
                    if problem is None and opcode.startswith("call"):
                        problem = self._call_problem(statement, names)
                    if problem is not None:
                        yield problem
                    if problem is not None or opcode.startswith("call"):
                        continue
                if _minds_values(opcode):
                    shape = "".join(p if p[:1].isdigit() else names[p] for p in parts)
                verdict = _judge(opcode, shape, target, version)
                if verdict is None:
                    yield self._malformed(statement)
                elif verdict:
                    yield from self._faults(statement, verdict)
            else:
                match statement:
                    case Declaration():
                        yield from self._declare(statement, names, "body")
                    case Brace(opens=True):
                        names = Names(names)
                        yield from _enter(names, next(opened))
                    case Brace() if names.outer is not self._globals and names.outer is not None:
                        names = names.outer
                    case Label() if id(statement) in tables:
                        yield from self._table(statement, tables[id(statement)], names)
                    case _:
                        pass

    def _parameter(
        self, function: Function, variable: Variable, names: Names, kind: str
    ) -> Iterator[Problem]:
        if variable.name == "_":
            return
        own = variable_class(variable)
        if not names.declare(variable, kind if own == "var.param" else own):
            message = f"'{variable.name}' is declared twice"
            yield Problem(message, word_start(function, variable.name, again=True))

    def _table(self, label: Label, directive: Directive, names: Names) -> Iterator[Problem]:
        kind = "proto" if directive.name == ".callprototype" else "table"
        if not names.add_directive(label.name, kind, directive):
            yield Problem(f"'{label.name}' is declared twice", start(label))
        if kind == "proto":
            try:
                _ = directive.signature
            except Malformed as error:
                yield Problem(f"{error.message} in a call prototype", start(directive))
            return
        wanted = "label" if directive.name == ".branchtargets" else "fn"
        for name in directive.names:
            if names[name] != wanted:
                what = "label" if wanted == "label" else "function"
                at = word_start(directive, name)
                yield Problem(f"'{name}' in '{directive.name}' is no {what}", at)

    # --- instructions -----------------------------------------------------------------------------

    def _guard(self, statement: Instruction, names: Names) -> Iterator[Problem]:
        predicate = statement.predicate
        assert predicate is not None
        name = predicate[0]
        kind = names[name]
        if kind == "reg.pred":
            names[statement.guard] = kind  # so that it is looked at once
            return
        at = start(statement) + statement.guard.index(name) if statement.at >= 0 else -1
        if kind == UNDECLARED:
            yield Problem(f"'{name}' is not declared", at)
        else:
            yield Problem(f"the guard '{name}' is no predicate", at)

    def _name_problem(
        self, statement: Instruction, parts: Sequence[str], names: Names
    ) -> Problem | None:
        """Return the first name that is not declared, or not there for this target and version."""
        offset = 0
        for part in parts:
            kind = names[part]
            if kind == UNDECLARED:
                new = part.startswith("%") and self._version > NEWEST_VERSION
                return Problem(
                    f"'{part}' is not declared",
                    argument_start(statement, offset),
                    "warning" if new else "error",
                )
            if kind.startswith("sreg"):
                special = special_register(part)
                missing = special and unmet(special[1], self._target, self._version)
                if missing:
                    return Problem(f"'{part}' {missing}", argument_start(statement, offset))
            offset += len(part)
        return None

    def _call_problem(self, statement: Instruction, names: Names) -> Problem | None:
        verdict = spelling(statement.opcode)
        if not verdict.bindings:
            return next(self._faults(statement, faults(statement.opcode, (), "", (0, 0))))
        try:
            operands = statement.operands
        except Malformed:
            return self._malformed(statement)
        callees = Callees(self._interface, lambda name: self._label_interface(names, name))
        fault = call_fault(operands, names, callees)
        return fault and Problem(
            f"'{statement.opcode}': {fault.message}", operand_start(statement, fault.operand)
        )

    def _interface(self, name: str) -> Interface | None:
        function = self._functions.get(name)
        if function is None:
            return None
        return Interface(function.signature.returns, function.signature.params)

    def _label_interface(self, names: Names, label: str) -> Interface | None:
        directive = names.directive(label)
        if directive is None:
            return None
        if directive.name == ".callprototype":
            try:
                signature = directive.signature
            except Malformed:
                return None  # said already
            return Interface(signature.returns, signature.params)
        targets = {self._interface(name) for name in directive.names}
        return targets.pop() if len(targets) == 1 else None

    def _malformed(self, statement: Instruction) -> Problem:
        try:
            _ = statement.operands
        except Malformed as error:
            message, offset = error.message, error.offset
        else:
            message, offset = "something unexpected", 0
        at = argument_start(statement, offset)
        return Problem(f"{message} in the operands of '{statement.opcode}'", at)

    def _faults(self, statement: Instruction, found: Iterable[Fault]) -> Iterator[Problem]:
        for fault in found:
            if fault.part == "operand":
                at = operand_start(statement, fault.index)
            else:
                at = opcode_word_start(statement, fault.index)
            yield Problem(fault.message, at, fault.severity)


_PLATFORM_OPTIONS = frozenset({"debug", "texmode_unified", "texmode_independent", "map_f64_to_f32"})


def _labels(
    statements: Sequence[Statement],
) -> tuple[list[list[Label]], dict[int, Directive]]:
    """Return the labels of each block in order of the braces, the body's first.

    Labels of branch tables, targets and prototypes are not among them, as they cannot be used
    before they stand; they come by ``id`` with what follows them.
    """
    blocks: list[list[Label]] = [[]]
    inside = [0]
    tables: dict[int, Directive] = {}
    for index, statement in enumerate(statements):
        match statement:
            case Label():
                following = statements[index + 1] if index + 1 < len(statements) else None
                if isinstance(following, Directive) and following.name in _TABLES:
                    tables[id(statement)] = following
                else:
                    blocks[inside[-1]].append(statement)
            case Brace(opens=True):
                inside.append(len(blocks))
                blocks.append([])
            case Brace():
                inside.pop()
            case _:
                pass
    return blocks, tables


_TABLES = frozenset({".branchtargets", ".calltargets", ".callprototype"})


def _enter(names: Names, labels: Iterable[Label]) -> Iterator[Problem]:
    for label in labels:
        if not names.add(label.name, "label"):
            yield Problem(f"'{label.name}' is declared twice", start(label))
