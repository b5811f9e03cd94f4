"""What CONTRIBUTING.md says of files: where their imports may go, and how long they are."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import gpucc

ROOT = Path(__file__).parents[2]

LAYERS = (
    {"errors"},
    {"jobs", "outputs", "ptx", "toolchain"},
    {"models", "native"},
    {"analysis", "cubin"},
    {"host", "view"},
    {"passmanager"},
    {"frontend", "passes"},
    {"cpu", "passwork"},
    {"splice"},
    {"splice_cpu"},
    {"build"},
    {"driver"},
    {"runtime"},
    {"check"},
    {"cli"},
)
"""The parts of gpucc, lowest first; a part imports only from layers before its own."""

BACK = {
    ("passmanager", "passes"),  # the folder, to see which files are in it
    ("check", "cli"),  # RUN lines call gpucc in the same process
}

SOURCES = sorted(
    path
    for folder in ("gpucc", "passes", "runtime")
    for path in (ROOT / folder).rglob("*.py")
    if path.resolve().is_relative_to(ROOT / folder)
)


DOORS = {"__init__", "__main__"}
"""``gpucc.load`` and ``python -m gpucc``: they lead to any part."""


def part_of(path: Path) -> str:
    """``gpucc/ptx/module.py`` belongs to ``ptx``, ``passes/kesco.py`` to ``passes``."""
    first, *rest = path.relative_to(ROOT).with_suffix("").parts
    return rest[0] if first == "gpucc" else first


def imported(tree: ast.Module) -> set[str]:
    """The parts that a file imports from, wherever in it, for type checkers too."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            if node.module == "gpucc":
                names.update(f"gpucc.{alias.name}" for alias in node.names)
    words = (name.split(".") for name in names)
    return {found[1] for found in words if found[0] == "gpucc" and len(found) > 1}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    own = part_of(path)
    if own in DOORS:
        return
    level = {one: number for number, layer in enumerate(LAYERS) for one in layer}
    for other in imported(ast.parse(path.read_text())) - {own, "__version__"}:
        assert level[other] < level[own] or (own, other) in BACK, f"{own} imports {other}"


def test_every_part_has_its_place() -> None:
    assert len(SOURCES) > 100
    assert {one for layer in LAYERS for one in layer} == {*map(part_of, SOURCES)} - DOORS


@pytest.mark.parametrize("folder", ["gpucc", "passes", "runtime", "bench", "examples", "tests"])
def test_a_long_file_says_why_in_its_header(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        text = path.read_text()
        if text.count("\n") > 500:
            header = ast.get_docstring(ast.parse(text)) or ""
            words = " ".join(header.split())
            assert re.search("over 500 lines|This file is long because", words, re.I), path


def test_the_version_is_written_twice_and_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert gpucc.__version__ == project["version"]
