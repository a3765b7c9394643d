"""isolex convert: from one format to another and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex import io
from tests.cli.conftest import Run


@pytest.mark.parametrize("name", ["c.bin", "c.glove", "c.vec.zst", "c.safetensors"])
def test_conversion_there_and_back_changes_nothing(run: Run, home: Path, name: str) -> None:
    done = run("convert", "s.vec", name)
    assert done.returncode == 0
    assert f"{name}: 200 words x 10" in done.stderr
    assert run("convert", name, "back.vec").returncode == 0
    assert (home / "back.vec").read_bytes() == (home / "s.vec").read_bytes()


def test_the_format_may_be_given_and_the_words_limited(run: Run, home: Path) -> None:
    options = ("--format", "bin", "--max-words", "5", "--quiet")
    done = run("convert", "s.vec", "short.vec", *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert io.load(home / "short.vec").words == io.load(home / "s.vec").words[:5]
