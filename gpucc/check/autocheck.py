"""CHECK lines that ``gpucc check --update`` writes.

A test asks for them with one line, and only the CHECK lines that follow it directly are renewed::

    // AUTOCHECK: (ld|st)\\.global
    // CHECK-LABEL: .entry _Z5saxpyifPKfPf(
    // CHECK: ld.global.f32 {{%f[0-9]+}}, [{{%rd[0-9]+}}];

They are the lines of the command's output that the regular expression finds, below the function
that each is in; registers and labels may have any number.  ``AUTOFOO`` makes lines with the prefix
``FOO`` from the command that ends in ``filecheck %s --check-prefix=FOO``.  Hand-written CHECK lines
stand elsewhere and are never changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from gpucc.errors import SourceError

_FUNCTION = re.compile(r"^\s*(?:\.(?:visible|weak|extern|common)\s+)*(\.entry|\.func)\b(.*)")
_NAME = re.compile(r"(?:\([^)]*\)\s*)?([\w$.]+)\s*\(?")
_VECTOR = re.compile(r"\{[^{}]*\}")
_REGISTER = re.compile(r"%([a-z]+)\d+")
_LABEL = re.compile(r"\$L[\w$]*")


def update(text: str, path: str, prefixes: tuple[str, ...], output: str) -> str:
    """Return the test ``text`` with the AUTOCHECK blocks of ``prefixes`` renewed.

    ``output`` is what filecheck would read.  Raises :class:`SourceError` if a block's regular
    expression is not one.
    """
    for prefix in prefixes:
        comment, name = r"[ \t]*(?://|;|#)[ \t]*", re.escape(prefix)
        head = re.compile(
            rf"^(?P<mark>{comment})AUTO{name}:[ \t]*(?P<wanted>.*?)[ \t]*\n"
            rf"(?:{comment}{name}(?:-[A-Z0-9-]+)?:.*\n)*",
            re.MULTILINE,
        )
        at = 0
        while found := head.search(text, at):
            try:
                wanted = re.compile(found["wanted"])
            except re.error as error:
                raise SourceError(
                    f"not a regular expression: {error}",
                    path=path,
                    text=text,
                    at=found.start("wanted"),
                ) from None
            first = found[0].partition("\n")[0]
            checks = [f"{found['mark']}{line}" for line in check_lines(output, wanted, prefix)]
            block = "\n".join((first, *checks)) + "\n"
            text = text[: found.start()] + block + text[found.end() :]
            at = found.start() + len(block)
    return text


def check_lines(output: str, wanted: re.Pattern[str], prefix: str) -> Iterator[str]:
    """Give the CHECK lines for the lines of ``output`` in which ``wanted`` is found."""
    by_function: list[tuple[str | None, list[str]]] = [(None, [])]
    for line in output.splitlines():
        if function := _FUNCTION.match(line):
            name = _NAME.match(function[2].strip())
            label = f"{function[1]}{{{{.*[ )]}}}}{name[1]}(" if name else line.strip()
            by_function.append((label, []))
        elif wanted.search(line) and not line.lstrip().startswith("//"):
            by_function[-1][1].append(generalise(line))
    for label, lines in by_function:
        if label is not None and lines:
            yield f"{prefix}-LABEL: {label}"
        for line, same in groupby(lines):
            count = len(list(same))
            yield f"{prefix}: {line}" if count == 1 else f"{prefix}-COUNT-{count}: {line}"


def generalise(line: str) -> str:
    """Turn a line of PTX into a pattern in which registers and labels have any number.

    >>> generalise("	@%p1 ld.global.f32 	%f2, [%rd3+4];")
    '@{{%p[0-9]+}} ld.global.f32 {{%f[0-9]+}}, [{{%rd[0-9]+}}+4];'
    """
    text = " ".join(line.split())
    text = _VECTOR.sub("{{.*}}", text)
    text = _REGISTER.sub(r"{{%\1[0-9]+}}", text)
    return _LABEL.sub(r"{{[$]L.*}}", text)
