"""What holds for every regular expression of the package, on every Python that it supports."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import gpucc

# The parser of patterns has no public interface, hence the look-ups by name.
_parser: Any = getattr(re, "_parser")  # noqa: B009
_constants: Any = getattr(re, "_constants")  # noqa: B009


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    for found in pkgutil.walk_packages(gpucc.__path__, "gpucc."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                yield f"{found.name}.{name}", value


def _repeats_possessively(tree: Any) -> bool:
    """Return whether a group, not just one character or set, is repeated possessively."""
    if isinstance(tree, tuple) and tree and tree[0] is _constants.POSSESSIVE_REPEAT:
        body = tree[1][2]
        if len(body) != 1 or body[0][0] in (_constants.SUBPATTERN, _constants.BRANCH):
            return True
    if isinstance(tree, (tuple, list, _parser.SubPattern)):
        return any(_repeats_possessively(part) for part in tree)  # pyright: ignore
    return False


def test_only_single_characters_repeat_possessively() -> None:
    """Python 3.11.0 to 3.11.4 lose their place elsewhere: cpython issue 106052."""
    assert _repeats_possessively(_parser.parse(r"x(?:a|bc)*+d"))
    assert _repeats_possessively(_parser.parse(r"((?:ab)?+d)"))
    assert not _repeats_possessively(_parser.parse(r"a++[b-d]*+(?>(?:a|bc)*)\d++"))
    patterns = dict(_patterns())
    assert "gpucc.ptx.scanner.STATEMENT" in patterns
    wrong = [
        n for n, p in patterns.items() if _repeats_possessively(_parser.parse(p.pattern, p.flags))
    ]
    assert wrong == []
