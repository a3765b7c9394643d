"""Fixtures for tests of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from isolex.io import text_reader


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes to a file and return its path."""

    def write(data: bytes, name: str = "some.vec") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


@pytest.fixture(params=["slow", "compiled"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with each parser of text, whatever the size of the file."""
    if request.param == "compiled":
        monkeypatch.setattr(text_reader, "_MIN_COMPILED", 0)
    return str(request.param)
