"""A small data set and a plan on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex import io
from tests.planted import planted

PLAN = """
runs = 2

[[data]]
name = "one"
src = "s.vec"
trg = "t.vec"
gold = "gold.txt"
lexicon = "train.txt"

[[data]]
name = "two"
src = "s.vec"
trg = "t.vec"
gold = "gold.txt"
lexicon = "train.txt"
max_words = 150

[[table]]
title = "Runs & more"
systems = ["artetxe2018", "few"]

[[table]]
title = "Accuracy"
layout = "accuracy"
systems = ["xing2015", "few"]

[systems.few]
system = "semi-supervised"
label = "twenty_pairs"
pairs = 20
runs = 1
cutoff = 200

[systems.artetxe2018]
cutoff = 200
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = planted(words=300, dims=12)
    io.save(made.src, tmp_path / "s.vec")
    io.save(made.trg, tmp_path / "t.vec")
    lines = [f"{s} {t}\n" for s, t in made.pairs]
    (tmp_path / "gold.txt").write_text("".join(lines[100:]))
    (tmp_path / "train.txt").write_text("".join(lines[:100]))
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path
