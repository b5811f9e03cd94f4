"""Prints a module purely from its structure, ignoring how it was written.

``Module.text`` is what users get: unchanged statements as they came.  :func:`print_structure`
prints every statement from its parsed form instead; that the machine code stays the same shows that
the parsed form has lost nothing (``python -m bench.corpus --check``).
"""

from collections.abc import Iterable

from gpucc.ptx.module import (
    Brace,
    Declaration,
    Directive,
    Function,
    Instruction,
    Item,
    Label,
    Module,
    Section,
    Signature,
    Statement,
    Variable,
)


def print_structure(module: Module) -> str:
    """Return the module as PTX text made from its parsed form; comments are not kept.

    Raises :class:`gpucc.ptx.syntax.Malformed` where a statement cannot be parsed.
    """
    return "".join(f"{_item(item)}\n" for item in module.items)


def _item(item: Item) -> str:
    match item:
        case Function():
            head = print_signature(item.signature)
            if item.body is None:
                return f"{head};"
            body = "".join(f"{print_statement(s)}\n" for s in item.body)
            return f"{head}\n{{\n{body}}}"
        case Section():
            return item.text
        case _:
            return print_statement(item)


def print_statement(statement: Statement) -> str:
    """Return one statement from its parsed form."""
    match statement:
        case Instruction():
            guard = ""
            if statement.predicate:
                name, positive = statement.predicate
                guard = f"@{'' if positive else '!'}{name} "
            operands = ", ".join(map(str, statement.operands))
            return f"{guard}{statement.opcode} {operands};".replace(" ;", ";")
        case Label():
            return f"{statement.name}:"
        case Brace():
            return "{" if statement.opens else "}"
        case Declaration():
            linkage = " ".join(statement.linkage)
            return "\n".join(f"{linkage} {print_variable(v)};" for v in statement.variables)
        case Directive():
            if statement.name == ".callprototype":
                return f"{print_signature(statement.signature)};"
            end = ";" if statement.name in _WITH_SEMICOLON else ""
            return f"{statement.name} {statement.args}{end}"


_WITH_SEMICOLON = frozenset({".pragma", ".branchtargets", ".calltargets", ".alias"})


def print_variable(variable: Variable) -> str:
    """Return a declaration of one name, without linkage and semicolon."""
    words = [variable.space, variable.attributes]
    if variable.align is not None and variable.pointer is None:
        words.append(f".align {variable.align}")
    words += [variable.vector, variable.type, variable.pointer or ""]
    name = variable.name
    if variable.count is not None:
        name += f"<{variable.count}>"
    name += "".join(f"[{'' if extent is None else extent}]" for extent in variable.dimensions)
    words.append(name)
    if variable.initializer is not None:
        words.append(f"= {variable.initializer}")
    return " ".join(word for word in words if word)


def print_signature(signature: Signature) -> str:
    """Return a function head or call prototype, without brace and semicolon."""
    attribute = [f".attribute{text}" for name, text in signature.directives if name == ".attribute"]
    words = [*signature.linkage, signature.kind, *attribute]
    if signature.returns:
        words.append(_parameters(signature.returns))
    words.append(signature.name)
    if signature.params:
        words.append(_parameters(signature.params))
    words += [
        f"{name} {values}".strip() + (";" if name == ".pragma" else "")
        for name, values in signature.directives
        if name != ".attribute"
    ]
    return " ".join(words)


def _parameters(variables: Iterable[Variable]) -> str:
    return f"({', '.join(map(print_variable, variables))})"
