"""A small dataset and a plan for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex import io
from isolex.bench.plan import BenchRun, Plan
from isolex.bench.plan_file import read_plan
from isolex.bench.running import Result
from isolex.bench.store import ResultStore
from tests.planted import planted, planted_languages

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


MANY = """
runs = 1

[[data]]
name = "abc"

[data.languages]
a = "a.vec"
b = "b.vec"
c = "c.vec"

[data.gold]
a-b = "a-b.txt"
c-b = "c-b.txt"

[data.lexicon]
a-b = "a-b.train.txt"
b-c = "b-c.train.txt"

[[data]]
name = "two"
source = "a.vec"
target = "b.vec"
gold = "a-b.txt"
lexicon = "a-b.train.txt"

[[table]]
title = "Many"
systems = ["artetxe2018", "some", "alone"]

[systems.artetxe2018]
cutoff = 200

[systems.some]
system = "semi-supervised"
pairs = 50
cutoff = 200

[systems.alone]
system = "smith2017"
label = "each pair"
together = false
"""


@pytest.fixture
def many_folder(tmp_path: Path) -> Path:
    """A folder with a plan for three languages and its data."""
    for language in planted_languages(3, words=300, dims=12):
        io.save(language, tmp_path / f"{language.name}.vec")
    for one, other in ("ab", "cb"):
        gold = [f"{one}{word} {other}{word}\n" for word in range(100, 300)]
        (tmp_path / f"{one}-{other}.txt").write_text("".join(gold))
    for one, other in ("ab", "bc"):
        training = [f"{one}{word} {other}{word}\n" for word in range(100)]
        (tmp_path / f"{one}-{other}.train.txt").write_text("".join(training))
    (tmp_path / "plan.toml").write_text(MANY)
    return tmp_path


@pytest.fixture
def many(many_folder: Path) -> Plan:
    return read_plan(str(many_folder / "plan.toml"))


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
