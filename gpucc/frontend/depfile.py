"""Dependency files, as nvcc writes them for ``-MD`` and its like.

nvcc makes them from the line markers of what the host compiler preprocessed
(``# 1 "/usr/include/stdio.h" 1 3``), and no command that ``--dryrun`` prints does it.  Ours are the
same byte for byte, which the tests hold against nvcc.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from gpucc.frontend.nvcc_args import Argument, has, last

_MARKER = re.compile(rb'^# \d+ "((?:[^"\\\n]|\\.)*)"((?: \d)*)', re.MULTILINE)
_SYSTEM = b"3"
"""The flag of a marker for a header that was found in a system folder (GNU cpp manual)."""


def write(preprocessed: Iterable[Path], path: Path, arguments: Sequence[Argument]) -> None:
    """Write the dependency file ``path`` of one translation unit.

    ``preprocessed`` are its ``.ii`` files (one for each architecture and one for the host);
    ``arguments`` is the nvcc command.
    """
    files = files_of(
        (ii.read_bytes() for ii in preprocessed),
        with_system=not has(arguments, "-MMD", "-MM"),
    )
    text = rule(files, _target(files[0] if files else "", arguments), phony=has(arguments, "-MP"))
    path.write_text(text, errors="surrogateescape")


def _target(source: str, arguments: Sequence[Argument]) -> str:
    """Return what the rule makes: nvcc names an object even where it makes a cubin."""
    named = last(arguments, "-MT") or last(arguments, "-o")
    return named or str(Path(last(arguments, "-odir") or "", f"{Path(source).stem}.o"))


def files_of(preprocessed: Iterable[bytes], *, with_system: bool) -> list[str]:
    """Return the files that the line markers name, each once, in order of appearance."""
    files: dict[str, None] = {}
    for text in preprocessed:
        for marker in _MARKER.finditer(text):
            if not with_system and _SYSTEM in marker[2].split():
                continue
            name = _unescape(marker[1])
            if name and not name.startswith("<"):
                files.setdefault(name)
    return list(files)


def rule(files: Sequence[str], target: str, *, phony: bool) -> str:
    """Return the make rule; with ``phony`` each header gets an empty rule of its own."""
    escaped = [file.replace(" ", "\\ ") for file in files]
    text = f"{target} : " + " \\\n    ".join(escaped) + "\n"
    if phony:
        text += "".join(f"\n{file}:\n" for file in escaped[1:])
    return text


def _unescape(quoted: bytes) -> str:
    r"""Return a file name as it is: cpp writes ``\"``, ``\\`` and octal for other bytes."""

    def one(escape: re.Match[bytes]) -> bytes:
        digits = escape[1]
        return bytes([int(digits, 8)]) if digits else escape[2]

    plain = re.sub(rb"\\(?:([0-7]{3})|(.))", one, quoted)
    return plain.decode(errors="surrogateescape")
