"""Replaces names in operand text by their classes (see :mod:`gpucc.ptx.isa_operands`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpucc.ptx.module import Instruction, Operand
from gpucc.ptx.scanner import COMMENT
from gpucc.ptx.syntax import parse_operands

TOKEN = re.compile(
    r"((?<![.\w])[A-Za-z_$%][\w$]*+(?>(?:\.\w+)*)"
    r"|0[fFdD][0-9a-fA-F]++|0[xX][0-9a-fA-F]++U?|(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?U?)"
)
"""Splits operand text: names and numbers stand at odd places."""

_COMMENT = re.compile(COMMENT)


def strip_comments(text: str) -> str:
    """Return ``text`` with comments replaced by blanks, so that offsets stay."""
    if "/" not in text:
        return text
    return _COMMENT.sub(lambda found: " " * len(found.group()), text)


def untyped(inst: Instruction) -> Sequence[Operand]:
    """Return the operands of ``inst`` with every name replaced by ``unknown``.

    Raises :class:`gpucc.ptx.syntax.Malformed`.
    """
    parts = TOKEN.split(strip_comments(inst.args))
    for place in range(1, len(parts), 2):
        if not parts[place][0].isdigit() and parts[place][0] != "." and parts[place] != "_":
            parts[place] = "unknown"
    return parse_operands("".join(parts), is_call=inst.opcode.startswith("call"))
