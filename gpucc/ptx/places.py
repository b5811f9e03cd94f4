"""Where things stand: offsets into the module's source, for error messages.

All functions return -1 for what a pass has made, which stands nowhere.
"""

from __future__ import annotations

import re

from gpucc.ptx.isa_shapes import strip_comments
from gpucc.ptx.module import Function, Instruction, Item, Statement
from gpucc.ptx.scanner import leading_trivia


def start(item: Item | Statement) -> int:
    """Return where the first word of an item or statement stands."""
    if item.at < 0:
        return -1
    return item.at + len(leading_trivia(_text(item)))


def word_start(item: Item | Statement, word: str, *, again: bool = False) -> int:
    """Return where ``word`` stands in an item or statement; its start if it is not found.

    ``again`` asks for the second time that it stands there, if it does twice.
    """
    if item.at < 0:
        return -1
    text = _text(item)
    lead = len(leading_trivia(text))
    pattern = rf"(?<![\w$%.]){re.escape(word)}(?![\w$])"
    places = [m.start() for m in re.finditer(pattern, strip_comments(text[lead:]) if word else "")]
    place = places[min(again, len(places) - 1)] if places else 0
    return item.at + lead + place


def argument_start(statement: Instruction, offset: int = 0) -> int:
    """Return where the operand text begins, plus ``offset``."""
    if statement.at < 0:
        return -1
    end = len(statement.raw.rstrip().removesuffix(";").rstrip())
    return statement.at + end - len(statement.args) + offset


def operand_start(statement: Instruction, index: int) -> int:
    """Return where an operand stands; the first, if there are not so many, or the opcode."""
    starts = _operand_offsets(strip_comments(statement.args))
    if not starts:
        return opcode_word_start(statement, 0)
    index = index if index < len(starts) else 0
    return argument_start(statement, starts[index])


def opcode_word_start(statement: Instruction, index: int) -> int:
    """Return where a word of the opcode stands, counted from 0, without the dot before it."""
    if statement.at < 0:
        return -1
    lead = len(leading_trivia(statement.raw))
    opcode = statement.raw.index(statement.opcode, lead + len(statement.guard))
    words = statement.opcode.split(".")
    before = sum(len(word) + 1 for word in words[:index])
    return statement.at + opcode + before


def _text(item: Item | Statement) -> str:
    return item.head if isinstance(item, Function) else item.raw


def _operand_offsets(args: str) -> list[int]:
    """Return where each operand begins in the operand text, after white space."""
    if not args.strip():
        return []
    offsets = [0]
    depth = 0
    for at, character in enumerate(args):
        if character in "{[(":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            offsets.append(at + 1)
    return [at + len(args[at:]) - len(args[at:].lstrip()) for at in offsets]
