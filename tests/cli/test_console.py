"""What commands print: words cannot control the terminal, and output can be parsed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isolex import Embeddings, io
from tests.cli.conftest import Run
from tests.planted import noise


@pytest.mark.slow
def test_words_cannot_control_the_terminal_or_break_the_json(run: Run, home: Path) -> None:
    vectors = noise(200, 12, seed=7)  # with fewer words, chance looks like something
    words = ["\x1b[31mred", "[bold]x", "\udcff", *vectors.words[3:]]
    io.save(Embeddings(words, vectors.vectors), home / "odd.vec")
    done = run("map", "odd.vec", "t.vec.gz", "--out", "odd", "--budget", "0.05")
    assert done.returncode == 1, "the two files have nothing in common"
    found = run("translate", "odd", "\x1b[31mred", "[bold]x", "-k", "1").stdout
    assert "\x1b" not in found
    assert "\\x1b[31mred" in found
    assert "[bold]x" in found
    assert json.loads(run("translate", "odd", "[bold]x", "--json").stdout)
