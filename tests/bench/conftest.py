"""A small dataset and a plan for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex import io
from isolex.bench.plan import BenchRun, Plan
from isolex.bench.plan_file import read_plan
from isolex.bench.running import Result
from isolex.bench.store import ResultStore
from tests.planted import planted

PLAN = """
runs = 2

[[data]]
name = "one"
source = "s.vec"
target = "t.vec"
gold = "gold.txt"
lexicon = "train.txt"

[[data]]
name = "two"
source = "s.vec"
target = "t.vec"
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
    """A folder with a plan and its data."""
    made = planted(words=300, dims=12)
    io.save(made.source, tmp_path / "s.vec")
    io.save(made.target, tmp_path / "t.vec")
    lines = [f"{s} {t}\n" for s, t in made.pairs]
    (tmp_path / "gold.txt").write_text("".join(lines[100:]))
    (tmp_path / "train.txt").write_text("".join(lines[:100]))
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


@pytest.fixture
def plan(folder: Path) -> Plan:
    return read_plan(str(folder / "plan.toml"))


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    made = ResultStore(tmp_path / "out")
    made.prepare()
    return made


def run_named(plan: Plan, name: str) -> BenchRun:
    return next(run for run in plan.runs() if run.name == name)


def make_result(
    row: str, data: str, accuracy: float | None, seconds: float = 30.0, seed: int = 0
) -> Result:
    return {"row": row, "data": data, "accuracy": accuracy, "seconds": seconds, "seed": seed}
