"""The language of RUN lines: the small part of a shell that tests need.

It is one line of commands with ``&&`` between them; each is a pipeline (``|``) of programs with
their words.  ``not`` before a program wants it to fail.  Quotes and the backslash work as in a
shell; ``<``, ``>``, ``2>`` and ``2>&1`` redirect.  Any failure in a pipeline fails it.  There are
no variables, patterns, jobs or substitutions of commands, so a line means the same everywhere, and
nothing that a file name holds can turn into a command.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace

from gpucc.errors import SourceError

_TOKEN = re.compile(
    r"""[ \t]*(?:
        (?P<mark> && | \|\|? | 2>&1 | 2>>? | >>? | < | [;&()$`] )
      | (?P<word> (?: [^\s'"\\|&<>;()$`] | \\. | '[^']*' | "(?:[^"\\]|\\.)*" )+ )
      | (?P<end> $ )
    )""",
    re.VERBOSE,
)
_PIECE = re.compile(r"""\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"|([^'"\\]+)""")


@dataclass(frozen=True, slots=True)
class Step:
    """One program of a pipeline; file names and words are not yet expanded."""

    words: tuple[str, ...] = ()
    negated: bool = False
    stdin: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    merged: bool = False
    """Whether stderr goes where stdout goes."""


Pipeline = tuple[Step, ...]
"""Programs, each reading what the one before it wrote."""

Chain = tuple[Pipeline, ...]
"""Pipelines, each run if the one before it succeeded."""


def parse_line(line: str, *, path: str, file_text: str, at: int) -> Chain:
    """Parse one RUN line, which stands at the offset ``at`` of ``file_text``.

    Raises :class:`SourceError` for what is not in the language.
    """

    def fail(message: str, offset: int, hint: str | None = None) -> SourceError:
        return SourceError(message, path=path, text=file_text, at=at + offset, hint=hint)

    chain: list[Pipeline] = []
    pipeline: list[Step] = []
    step = Step()
    wants_file: str | None = None
    offset = 0
    while True:
        found = _TOKEN.match(line, offset)
        if found is None:
            blanks = len(line[offset:]) - len(line[offset:].lstrip())
            raise fail("a quote that does not end", offset + blanks)
        start, offset = found.start(found.lastgroup or 0), found.end()
        mark, word = found["mark"], found["word"]
        if wants_file is not None:
            if word is None:
                raise fail(f"expected a file name after '{wants_file}'", start)
            step = _redirect(step, wants_file, _unquote(word))
            wants_file = None
        elif word is not None:
            if word == "not" and not step.words:
                step = replace(step, negated=not step.negated)
            else:
                step = replace(step, words=(*step.words, _unquote(word)))
        elif mark in ("<", ">", "2>"):
            wants_file = mark
        elif mark == "2>&1":
            step = replace(step, merged=True)
        elif mark in ("|", "&&", None):
            if not step.words:
                raise fail("expected a command", start)
            pipeline.append(step)
            step = Step()
            if mark != "|":
                chain.append(tuple(pipeline))
                pipeline = []
            if mark is None:
                return tuple(chain)
        else:
            raise fail(
                f"'{mark}' is not in the language of RUN lines",
                start,
                "it has |, &&, not, quotes, <, >, 2> and 2>&1; a second command can have a line"
                " of its own",
            )


def render(chain: Chain, expand: Callable[[str], str]) -> str:
    """Return the line as one can give it to a shell, with ``expand`` applied to each word."""

    def quoted(word: str) -> str:
        return shlex.quote(expand(word))

    def step_text(step: Step) -> str:
        words = ["not"] if step.negated else []
        words.extend(map(quoted, step.words))
        redirections = (("<", step.stdin), (">", step.stdout), ("2>", step.stderr))
        words.extend(f"{mark} {quoted(file)}" for mark, file in redirections if file is not None)
        return " ".join([*words, "2>&1"] if step.merged else words)

    return " && ".join(" | ".join(map(step_text, pipeline)) for pipeline in chain)


def _redirect(step: Step, mark: str, file: str) -> Step:
    if mark == "<":
        return replace(step, stdin=file)
    return replace(step, stdout=file) if mark == ">" else replace(step, stderr=file)


def _unquote(word: str) -> str:
    pieces: list[str] = []
    for escaped, single, double, plain in _PIECE.findall(word):
        pieces.append(escaped + single + re.sub(r'\\(["\\])', r"\1", double) + plain)
    return "".join(pieces)
