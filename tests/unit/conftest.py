"""Folders to compile in."""

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def scratch_name() -> str:
    """What ``scratch`` is called; a blank in it is too much for ``nvcc -MD``."""
    return "scratch"


@pytest.fixture
def scratch(
    scratch_name: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Where temporary folders go: empty again after every test, or the test says why not."""
    folder = tmp_path_factory.mktemp(scratch_name)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the working directory."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
