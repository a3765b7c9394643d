"""Helpers for the tests of files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from isolex.io import text


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes to a file and give its path."""

    def write(data: bytes, name: str = "some.vec") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


@pytest.fixture(params=["small", "compiled"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of parsing text, whatever the size of the file."""
    if request.param == "compiled":
        monkeypatch.setattr(text, "_COMPILED_FROM", 0)
    return str(request.param)
