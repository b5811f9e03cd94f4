"""Which targets and PTX versions there are, and what a feature needs of them.

A target is ``sm_90``, ``sm_90a`` (that chip's own features, nothing else runs it) or ``sm_100f``
(features shared by a family of chips).  A feature needs a PTX version and a target; where it came
to several chips at different times there are alternatives, written as in the instruction table::

    8.6 sm_100a sm_110a | 8.8 sm_100f sm_110f

Sources: PTX ISA 9.4, "Release Notes" (both tables) and ``.target``; least versions as ptxas 13.5
enforces them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Version: TypeAlias = tuple[int, int]

NEWEST_VERSION: Version = (9, 5)
"""The newest PTX version whose features are in the tables."""

LAST_MINOR: Mapping[int, int] = {1: 5, 2: 3, 3: 2, 4: 3, 5: 1, 6: 5, 7: 8, 8: 8}
"""The last minor version of each major one that is complete."""

_FIRST_VERSIONS = """
    sm_10 1.0  sm_11 1.0  sm_12 1.2  sm_13 1.2  sm_20 2.0  sm_21 2.0  sm_30 3.0  sm_32 4.0
    sm_35 3.1  sm_37 4.1  sm_50 4.0  sm_52 4.1  sm_53 4.2  sm_60 5.0  sm_61 5.0  sm_62 5.0
    sm_70 5.1  sm_72 6.1  sm_75 6.3  sm_80 7.0  sm_86 7.1  sm_87 7.4  sm_88 9.0  sm_89 7.8
    sm_90 7.8  sm_90a 8.0
    sm_100 8.6  sm_100a 8.6  sm_100f 8.8  sm_101 8.6  sm_101a 8.6  sm_101f 8.8
    sm_103 8.8  sm_103a 8.8  sm_103f 8.8  sm_107 9.4  sm_107a 9.4  sm_107f 9.4
    sm_110 9.0  sm_110a 9.0  sm_110f 9.0  sm_120 8.7  sm_120a 8.7  sm_120f 8.8
    sm_121 8.8  sm_121a 8.8  sm_121f 8.8
"""


def parse_version(text: str) -> Version:
    """``"9.0"`` -> ``(9, 0)``."""
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def _first_versions() -> dict[str, Version]:
    words = _FIRST_VERSIONS.split()
    return {t: parse_version(v) for t, v in zip(words[::2], words[1::2], strict=True)}


FIRST_VERSION: Mapping[str, Version] = _first_versions()
"""The least PTX version that knows each target."""


@functools.cache
def split_target(target: str) -> tuple[int, str]:
    """``"sm_90a"`` -> ``(90, "a")``; sm_101, renamed in PTX 9.0, is sm_110.

    ``(0, "")`` for a text that names no target.
    """
    found = re.fullmatch(r"(?:sm|compute)_(\d+)([af]?)", target)
    if not found:
        return 0, ""
    number = int(found[1])
    return 110 if number == 101 else number, found[2]


@dataclass(frozen=True, slots=True)
class Need:
    """One way to have a feature: at least this PTX version, and one of these targets.

    ``targets`` holds ``sm_80`` (that chip or a newer one), ``sm_90a`` (exactly that) or ``sm_100f``
    (a target with suffix ``a`` or ``f`` of that chip or a newer one of its family).  Empty: any.
    """

    version: Version = (1, 0)
    targets: tuple[str, ...] = ()

    def met(self, target: str, version: Version) -> bool:
        """Return whether ``target`` at PTX ``version`` has the feature."""
        return version >= self.version and self.has_target(target)

    def has_target(self, target: str) -> bool:
        """Return whether ``target`` is among those that have the feature."""
        return not self.targets or any(_covers(need, target) for need in self.targets)


Needs: TypeAlias = tuple[Need, ...]
"""Alternatives; an empty tuple asks for nothing."""


@functools.cache
def _covers(need: str, target: str) -> bool:
    number, suffix = split_target(target)
    least, kind = split_target(need)
    if not number:
        return True  # an unknown target is reported once, as such
    if kind == "a":
        return suffix == "a" and number == least
    if kind == "f":
        return suffix in ("a", "f") and number >= least and number // 10 == least // 10
    return number >= least


def unmet(needs: Needs, target: str, version: Version) -> str | None:
    """Return what is missing (``"needs sm_90 or newer (the target is sm_80)"``), or None."""
    if not needs or any(need.met(target, version) for need in needs):
        return None
    for need in needs:
        if need.has_target(target):
            return f"needs PTX {_say(need.version)} (.version is {_say(version)})"
    wanted = " or ".join(dict.fromkeys(_name(t) for need in needs for t in need.targets))
    return f"needs {wanted} (the target is {target})"


def _say(version: Version) -> str:
    return f"{version[0]}.{version[1]}"


def _name(need: str) -> str:
    kind = split_target(need)[1]
    if kind == "f":
        return f"{need} (or its family)"
    return need if kind else f"{need} or newer"


@functools.cache
def parse_needs(text: str) -> Needs:
    """Read ``"8.0 sm_90a | 8.8 sm_100f"``; ValueError if it is not of that form."""
    needs: list[Need] = []
    for part in text.split("|"):
        version: Version = (1, 0)
        targets: list[str] = []
        for word in part.split():
            if word.startswith("sm_"):
                targets.append(word)
            else:
                version = parse_version(word)
        needs.append(Need(version, tuple(targets)))
    return tuple(needs)
