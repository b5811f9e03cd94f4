"""Errors that a user can act on.

Every failure that is not a fault of gpucc itself is a :class:`GpuccError`; the command line
prints it without a traceback and exits with status 1.  Anything else is a bug.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path


class GpuccError(Exception):
    """Something the user can mend.

    ``hint`` is one line that says how (a command to run, an option to give).
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def render(self) -> str:
        """Return the whole report as plain text, without a trailing newline."""
        text = f"error: {self.message}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class SourceError(GpuccError):
    """Bad input at a known place.

    ``at`` is the offset (in characters, from 0) of the offending token in ``text``.
    """

    def __init__(
        self, message: str, *, path: str, text: str, at: int, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.path = path
        self.line, self.column = line_column(text, at)
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        self.source_line = text[start : end if end >= 0 else len(text)].rstrip("\r")

    def render(self) -> str:
        """Return ``path:line:column: error: …``, the line, and a caret below the place."""
        shown, caret_at = _window(self.source_line.expandtabs(1), self.column - 1)
        shown = "".join(c if c.isprintable() else "?" for c in shown)  # a terminal obeys the others
        report = (
            f"{self.path}:{self.line}:{self.column}: error: {_escaped(self.message)}\n"
            f"  {shown}\n  {' ' * caret_at}^"
        )
        return f"{report}\n  hint: {self.hint}" if self.hint else report


class ToolError(GpuccError):
    """A program we ran failed; ``command`` reproduces it."""

    def __init__(
        self, message: str, *, command: Sequence[str | Path], status: int, output: str
    ) -> None:
        super().__init__(message)
        self.command = [str(word) for word in command]
        self.status = status
        self.output = output

    def render(self) -> str:
        """Return the message, what the tool printed, and the command that reproduces it."""
        printed = "".join(f"\n  {line}" for line in self.output.rstrip().splitlines())
        return (
            f"error: {self.message} (exit status {self.status}){printed}\n"
            f"  reproduce: {shlex.join(self.command)}"
        )


class MissingToolError(GpuccError):
    """A program that is needed is not on this machine; ``hint`` names the package."""


def describe(error: OSError) -> str:
    """Return what the system refused, with the file where there is one."""
    refused = error.strerror or str(error)
    return refused if error.filename is None else f"{error.filename}: {refused}"


def _escaped(message: str) -> str:
    r"""Return ``message`` with characters that cannot be seen as ``\x1b`` and the like."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)


def line_column(text: str, at: int) -> tuple[int, int]:
    """Return the line and column, both from 1, of the character offset ``at`` in ``text``."""
    at = max(0, min(at, len(text)))
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def _window(line: str, at: int, width: int = 120) -> tuple[str, int]:
    """Cut a very long ``line`` to ``width`` characters around ``at``; return it and the new at."""
    if len(line) <= width:
        return line, at
    start = max(0, min(at - width // 2, len(line) - width))
    return line[start : start + width], at - start
