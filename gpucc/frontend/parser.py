"""PTX text to :class:`gpucc.ptx.module.Module`, without loss.

The scanner splits the text; this file assembles items and functions from what it found.  The
inside of statements is parsed when first asked for; :func:`gpucc.ptx.verify.verify` asks for all.
"""

import gc
import re

from gpucc.errors import GpuccError, SourceError
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
    Statement,
)
from gpucc.ptx.scanner import (
    LINKAGE_WORDS,
    NAME,
    SEMICOLON_DIRECTIVES,
    SPACES,
    Scanned,
    leading_trivia,
    scan,
)
from gpucc.ptx.syntax import Malformed

_FUNCTION_NAME = re.compile(
    rf"(?:\.\w+\s+)*?\.(?P<kind>entry|func)\b(?:\s*\.attribute\s*\((?:[^()]|\([^()]*\))*\))?"
    rf"\s*(?:\([^()]*\)\s*)?(?P<name>{NAME})"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def parse(text: str, path: str = "<ptx>") -> Module:
    """Parse a PTX file; ``parse(text).text == text`` for whatever is accepted.

    Raises :class:`SourceError` where the text cannot be split into PTX statements, and for a
    ``.version`` with a newer major number than is known.
    """
    nul = text.find("\0")
    if nul >= 0 and text[nul:].strip("\0 \t\r\n\f\v"):  # NVRTC ends its text with one
        raise SourceError("PTX ends at a NUL character", path=path, text=text, at=nul)
    rows, end = scan(text)
    _refuse_endless_numbers(rows, text, path)
    collecting = gc.isenabled()
    gc.disable()  # nothing built here is cyclic, and there is a lot of it
    try:
        items, open_brace = _assemble(rows, text, path)
    finally:
        if collecting:
            gc.enable()
    tail = text[end:]
    junk_at = end + len(leading_trivia(tail))
    if junk_at < len(text):
        raise _junk(text, junk_at, path)
    if open_brace is not None:
        raise SourceError("'{' is never closed", path=path, text=text, at=open_brace)
    module = Module(tuple(items), tail, path, text)
    _check_version(module)
    return module


def _assemble(rows: list[Scanned], text: str, path: str) -> tuple[list[Item], int | None]:
    """Build the items; also return where a brace stands that nothing closes."""
    items: list[Item] = []
    body: list[Statement] = []
    function: Function | None = None  # whose body or semicolon comes next
    opening: str | None = None  # the body's brace, once seen
    braces: list[int] = []
    at = 0
    for raw, guard, opcode, args, label, brace, directive, declaration, head, section, _ in rows:
        start = at
        at += len(raw)
        if opening is not None:
            if opcode:
                instruction = Instruction(guard, opcode, args.strip(), raw, start)
                if "\n" in args:  # a call, or the next line after a forgotten semicolon
                    _check_operands(instruction, text, path)
                body.append(instruction)
            elif label:
                body.append(Label(label, raw, start))
            elif declaration:
                body.append(_declaration(declaration, raw, start))
            elif directive:
                body.append(_directive(directive, raw, start))
            elif brace == "{":
                braces.append(at - 1)
                body.append(Brace(True, raw, start))
            elif brace:
                braces.pop()
                if braces:
                    body.append(Brace(False, raw, start))
                else:
                    assert function is not None
                    items.append(
                        Function(
                            function.name,
                            function.is_kernel,
                            function.head,
                            opening,
                            tuple(body),
                            raw,
                            function.at,
                        )
                    )
                    body, function, opening = [], None, None
            else:
                what = "a function" if head else "a section"
                raise SourceError(
                    f"{what} inside a function (is a '}}' missing before it?)",
                    path=path,
                    text=text,
                    at=start + len(leading_trivia(raw)),
                )
        elif function is not None:
            if brace != "{":
                raise SourceError(
                    "expected '{' after the function's head",
                    path=path,
                    text=text,
                    at=start + len(leading_trivia(raw)),
                )
            braces.append(at - 1)
            opening = raw
        elif head:
            parsed = _function(raw, head, start, text, path)
            if parsed.closing:
                items.append(parsed)
            else:
                function = parsed
        elif directive:
            items.append(_directive(directive, raw, start))
        elif declaration:
            items.append(_declaration(declaration, raw, start))
        elif section:
            name = section[len(".section") : section.index("{")].strip()
            items.append(Section(name, raw, start, section))
        elif label:
            items.append(Label(label, raw, start))
        else:
            what = f"'{brace}'" if brace else f"instruction '{opcode}'"
            raise SourceError(
                f"{what} outside a function",
                path=path,
                text=text,
                at=start + len(leading_trivia(raw)),
            )
    if function is not None and opening is None:
        raise SourceError(
            "expected '{' or ';' after the function's head", path=path, text=text, at=at
        )
    return items, braces[-1] if braces else None


def _check_operands(instruction: Instruction, text: str, path: str) -> None:
    try:
        _ = instruction.operands
    except Malformed as error:
        args_at = instruction.at + instruction.raw.rindex(instruction.args)
        raise SourceError(
            f"{error.message} in the operands of '{instruction.opcode}' (is a ';' missing?)",
            path=path,
            text=text,
            at=args_at + error.offset,
        ) from None


def _declaration(text: str, raw: str, at: int) -> Declaration:
    words = _COMMENT.sub(" ", text[:400]).split(None, 4)
    space = next(word for word in words if word not in LINKAGE_WORDS)
    return Declaration(space.partition("[")[0], text[:-1], raw, at)


def _directive(text: str, raw: str, at: int) -> Directive:
    found = re.match(r"(\.|@@)\w+", text)
    assert found
    return Directive(found.group(), text[found.end() :].rstrip(";").strip(), raw, at)


def _function(raw: str, head: str, at: int, text: str, path: str) -> Function:
    found = _FUNCTION_NAME.match(_COMMENT.sub(" ", head))
    if not found:
        raise SourceError(
            "a function without a name", path=path, text=text, at=at + len(leading_trivia(raw))
        )
    closing = ";" if head.endswith(";") else ""
    return Function(
        name=found["name"],
        is_kernel=found["kind"] == "entry",
        head=raw[: len(raw) - len(closing)],
        opening="",
        body=None,
        closing=closing,
        at=at,
    )


def _junk(text: str, at: int, path: str) -> GpuccError:
    """Describe the text at ``at``, where no statement could be read."""
    rest = text[at:]
    if rest.startswith("/*"):
        return SourceError("a comment that never ends", path=path, text=text, at=at)
    if re.match(r"@|[a-z][\w.:]*", rest):
        stop = re.search(r"[;\"]|\n\s*(?:[a-z@$}.]|\Z)|\Z", rest)
        after = at + (stop.start() if stop else 0)
        return SourceError(
            "an instruction without its ';'", path=path, text=text, at=min(after, len(text))
        )
    if found := re.match(r"\.\w+", rest):
        name = found.group()
        known = name[1:] in _KNOWN_DIRECTIVES
        message = f"malformed '{name}'" if known else f"unknown directive '{name}'"
        return SourceError(message, path=path, text=text, at=at)
    return SourceError(f"unexpected '{rest[:1]}'", path=path, text=text, at=at)


_KNOWN_DIRECTIVES = frozenset(
    (
        f"{SEMICOLON_DIRECTIVES}|{SPACES}|version|target|address_size|entry|func|section|file|loc"
        "|extern|visible|weak|common"
    ).split("|")
)


_ENDLESS_NUMBER = re.compile(r"\d{4000}")
"""Python converts up to 4300 digits; no PTX number has a fiftieth of that."""


def _refuse_endless_numbers(rows: list[Scanned], text: str, path: str) -> None:
    for index, row in enumerate(rows):
        if len(row[0]) >= 4000:
            _, _, _, args, _, _, directive, declaration, head, _, _ = row
            said = args or directive or declaration or head
            if found := _ENDLESS_NUMBER.search(said):
                start = sum(len(earlier[0]) for earlier in rows[:index])
                place = text.index(said, start) + found.start()
                raise SourceError("a number without end", path=path, text=text, at=place)


def _check_version(module: Module) -> None:
    for item in module.items:
        if isinstance(item, Directive) and item.name == ".version":
            major = int(item.args.partition(".")[0])
            if major > Module.NEWEST_MAJOR:
                raise SourceError(
                    f"PTX version {item.args} is newer than {Module.NEWEST_MAJOR}.x, "
                    "the newest that is known",
                    path=module.path,
                    text=module.source,
                    at=item.at + len(leading_trivia(item.raw)),
                )
