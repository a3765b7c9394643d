"""The case that repeats short trainings over seeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.cases.trainers import TRIALS, condensed, run, shortened
from benchmarks.cli import main, parser
from benchmarks.errors import BenchmarkError
from isolex.systems import SYSTEMS


def test_every_system_with_a_trainer_has_a_trial_with_valid_settings() -> None:
    assert {name for name, system in SYSTEMS.items() if system.train} <= set(TRIALS)
    for name, trial in TRIALS.items():
        settings = vars(shortened(name).train or shortened(name).mapping)
        assert settings.items() >= trial.changes.items()


@pytest.mark.parametrize(("name", "met"), [("grave2018", False), ("zhang2017-emd", True)])
def test_the_worst_seed_is_reported_and_only_lucky_trainers_are_judged_by_the_best(
    name: str, met: bool
) -> None:
    rows = [{"right": right, "seconds": 1.0} for right in (96.0, 2.0, 60.0)]
    row = condensed(name, rows, applies=True)
    assert (row["worst"], row["median"], row["best"], row["found"]) == (2.0, 60.0, 96.0, 2)
    assert row["met"] is met


@pytest.mark.slow
def test_seeds_are_measured_and_summarised(tmp_path: Path) -> None:
    options = ["--systems", "joulin2018", "--seeds", "0", "1", "--size", "200"]
    assert main(["trainers", "--results", str(tmp_path), *options]) == 0
    facts = json.loads((tmp_path / "trainers.json").read_text(encoding="utf-8"))
    assert [row["seed"] for row in facts["rows"]] == [0, 1]
    (summary,) = facts["summary"]
    assert summary["worst"] == min(row["right"] for row in facts["rows"]) > 50
    assert summary["met"] is None, "targets apply to the full size only"


def test_a_system_without_a_trial_is_refused() -> None:
    with pytest.raises(BenchmarkError, match="robust"):
        run(parser().parse_args(["trainers", "--systems", "robust"]))
