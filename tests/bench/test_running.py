"""A run is scored and described; what cannot be run is refused beforehand."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from isolex import io
from isolex.adapters import extras
from isolex.bench import running
from isolex.bench.inputs import overlap_warnings
from isolex.bench.plan import Plan
from isolex.bench.plan_file import read_plan
from isolex.bench.running import check, execute
from isolex.core.choices import Retrieval
from isolex.core.observer import Iteration, Observer
from isolex.errors import InputError, UsageError
from isolex.systems import get
from tests.bench.conftest import PLAN, run_named
from tests.planted import noise


def test_a_run_is_scored_and_described(plan: Plan) -> None:
    found = execute(run_named(plan, "two, few, seed 0"), threads=1)
    assert found["accuracy"] > 95
    assert (found["data"], found["row"], found["system"]) == ("two", "few", "semi-supervised")
    assert 0 < found["entries"] < 150, "of the 150 most frequent words"
    assert found["coverage"] == pytest.approx(found["entries"] / 2), "200 gold words"
    assert found["verdict"] == "succeeded"
    assert found["seconds"] > 0
    assert found["cpu_seconds"] > 0
    assert found["error"] is None
    assert found["threads"] == 1
    assert found["details"]["system"] == "semi-supervised"
    assert list(found["inputs"]) == ["source", "target", "gold", "lexicon"]
    json.dumps(found)


def test_packages_are_imported_and_compiled_before_the_clock_starts(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def now() -> float:
        seen.append("time")
        return 0.0

    monkeypatch.setattr(extras, "load", lambda _: seen.append("load"))
    monkeypatch.setattr(running, "warm_up", lambda: seen.append("compile"))
    monkeypatch.setattr(time, "process_time", now)
    execute(run_named(plan, "one, xing2015, seed 0"))
    assert seen == ["load", "compile", "time", "time"]


class Recorder(Observer):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def step(self, name: str) -> None:
        self.seen.append(name)

    def iteration(self, iteration: Iteration) -> None:
        self.seen.append(f"iteration {iteration.number}")


def test_an_observer_hears_of_every_step_and_iteration(plan: Plan) -> None:
    recorder = Recorder()
    found = execute(run_named(plan, "one, few, seed 0"), observer=recorder)
    assert recorder.seen[:2] == ["compile", "read"]
    assert recorder.seen[-1] == "judge"
    assert recorder.seen.count("iteration 1") == 1
    assert f"iteration {found['iterations']}" in recorder.seen


def test_a_fitted_temperature_is_used_for_scoring(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = run_named(plan, "one, xing2015, seed 0")
    smith = replace(asked, row=replace(asked.row, system=get("smith2017")))
    used = []
    evaluate_lexicon = running.evaluate_lexicon

    def recorded(*arguments: Any, **names: str) -> Any:
        used.append(arguments[2])
        return evaluate_lexicon(*arguments, **names)

    monkeypatch.setattr(running, "evaluate_lexicon", recorded)
    execute(smith)
    assert used[0].method == "invsoftmax"
    assert used[0].temperature != Retrieval().temperature


@pytest.mark.slow
def test_the_number_of_training_pairs_is_recorded(plan: Plan, folder: Path) -> None:
    with (folder / "train.txt").open("a") as file:
        file.write("no such\n")
    assert execute(run_named(plan, "one, xing2015, seed 0"))["training_pairs"] == 100
    assert execute(run_named(plan, "one, few, seed 0"))["training_pairs"] == 20
    assert "training_pairs" not in execute(run_named(plan, "one, artetxe2018, seed 0"))


def test_the_two_files_may_have_the_same_name(plan: Plan, folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "t.vec").rename(folder / "other" / "s.vec")
    run = run_named(plan, "one, xing2015, seed 0")
    files = {"source": folder / "s.vec", "target": folder / "other" / "s.vec"}
    moved = replace(run, dataset=replace(run.dataset, languages=files))
    assert execute(moved)["accuracy"] > 95


def test_an_alignment_that_fails_is_a_result(plan: Plan, folder: Path) -> None:
    (folder / "train.txt").write_text("no such\n")
    found = execute(run_named(plan, "one, few, seed 0"))
    assert found["accuracy"] is found["csls"] is found["nn"] is None
    assert "training pair" in found["error"]


@pytest.mark.parametrize("name", ["gold.txt", "train.txt"])
def test_pairs_in_the_wrong_direction_are_refused(plan: Plan, folder: Path, name: str) -> None:
    """Although words that are spelled alike would match."""
    pairs = [line.split() for line in (folder / name).read_text().splitlines()]
    swapped = "".join(f"{target} {source}\n" for source, target in pairs[5:])
    right = "".join(f"{source} {target}\n" for source, target in pairs[:5])
    (folder / name).write_text(swapped + right)
    with pytest.raises(UsageError, match=rf"{name}: 5 pairs .*\d+ .*swapped"):
        execute(run_named(plan, "one, few, seed 0"))


def test_gold_pairs_out_of_vocabulary_are_refused_before_the_alignment(
    plan: Plan, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "gold.txt").write_text("no such\n")
    monkeypatch.setattr("isolex.systems.align.align", lambda *_, **__: pytest.fail("it ran"))
    with pytest.raises(UsageError, match=r"gold.txt: no pair .*\[\[data\]\] one"):
        execute(run_named(plan, "one, few, seed 0"))


def test_a_changed_vector_file_is_read_again(plan: Plan, folder: Path) -> None:
    run = run_named(plan, "one, xing2015, seed 0")
    before = execute(run)
    io.save(noise(300, 12, 5), folder / "t.vec")
    words = (folder / "t.vec").read_text().replace("\nw", "\nt")
    (folder / "t.vec").write_text(words)
    assert execute(run)["accuracy"] < before["accuracy"] / 2


def test_gold_words_in_the_training_pairs_are_counted(plan: Plan, folder: Path) -> None:
    runs = list(plan.runs())
    assert overlap_warnings(runs) == {}
    with (folder / "gold.txt").open("a") as file:
        file.write((folder / "train.txt").read_text())
    assert list(overlap_warnings(runs)) == ["one", "two"]
    with (folder / "gold.txt").open("a") as file:
        file.writelines(f"s{number} nowhere\n" for number in range(1000, 1200))
    warning = overlap_warnings(runs)["one"]
    assert "100 of the 300 gold words" in warning, "only words in the vocabularies count"
    assert overlap_warnings(run for run in runs if not run.row.system.takes_lexicon) == {}


def test_gold_and_training_pairs_may_be_the_same_file(folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN.replace('"train.txt"', '"gold.txt"', 1))
    runs = list(read_plan(str(folder / "plan.toml")).runs())
    assert "200 of the 200 gold words" in overlap_warnings(runs)["one"]


def test_a_missing_lexicon_is_reported_before_any_run(folder: Path) -> None:
    (folder / "plan.toml").write_text(PLAN.replace('lexicon = "train.txt"', "", 1))
    with pytest.raises(UsageError, match=r"lexicon .*\[\[data\]\] one"):
        check(list(read_plan(str(folder / "plan.toml")).runs()))


def test_missing_files_and_packages_matter_only_to_the_selected_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PLAN.replace('source = "s.vec"', 'source = "x.vec"', 1)
    (folder / "plan.toml").write_text(text.replace('"xing2015"', '"conneau2018"'))
    monkeypatch.setitem(extras.MODULES, "torch", "no_such_module")
    plan = read_plan(str(folder / "plan.toml"))
    check(list(plan.select(["two"], ["few"], None).runs()))
    with pytest.raises(InputError, match=r"x.vec: no such file .*\[\[data\]\] one"):
        check(list(plan.select([], ["few"], None).runs()))
    with pytest.raises(UsageError, match=r"'conneau2018' .*isolex\[torch\]"):
        check(list(plan.select(["two"], [], None).runs()))
