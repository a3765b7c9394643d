"""Results are kept, found again, and never mixed up."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from isolex.bench.plan import Plan
from isolex.bench.plan_file import read_plan
from isolex.bench.running import fingerprint
from isolex.bench.store import ResultStore
from isolex.bench.tables import Tables
from isolex.errors import UsageError
from tests.bench.conftest import PLAN, make_result, run_named

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
PAGE = Path(__file__).parents[2] / "docs" / "results.md"
KEPT = sorted(RESULTS.glob("*/table.md"))
OWN = {"table1", "ablation-novels", "against-conneau", "numerals"}
"""Kept results whose plan is in benchmarks/plans."""


def test_a_result_is_found_unless_settings_or_files_have_changed(
    plan: Plan, store: ResultStore, folder: Path
) -> None:
    first = run_named(plan, "one, few, seed 0")
    assert store.find(first) is None
    store.save(first, fingerprint(first))
    assert store.find(first) is not None
    os.utime(folder / "gold.txt", (1, 1))  # as if it were downloaded again
    assert store.find(first) is not None
    assert store.find(run_named(plan, "two, few, seed 0")) is None
    (folder / "plan.toml").write_text(PLAN.replace("cutoff = 200", "cutoff = 190"))
    changed = read_plan(str(folder / "plan.toml"))
    assert store.find(run_named(changed, "one, few, seed 0")) is None
    assert store.count_files(changed.runs()) == 1
    assert store.find_all(changed) == {}
    assert list(store.find_all(plan)) == [first.name]
    (store.path / "runs" / "a--b--c--d.json").write_text("not a result")
    assert list(store.find_all(plan)) == [first.name]
    (folder / "gold.txt").write_text("s1 t1\ns2 t2\n")
    assert store.find(first) is None


def test_a_result_without_a_count_of_training_pairs_stays_valid(
    plan: Plan, store: ResultStore
) -> None:
    run = run_named(plan, "one, few, seed 0")
    before = fingerprint(run) | make_result("few", "one", 70.0)
    store.save(run, before)
    assert store.find(run) == before
    assert "| twenty_pairs | 20 pairs |" in Tables.of(plan, [before]).markdown


def test_names_that_look_alike_are_told_apart(plan: Plan, store: ResultStore) -> None:
    run = run_named(plan, "one, few, seed 0")
    alike = [replace(run, dataset=replace(run.dataset, name=name)) for name in ("a b", "a/b")]
    for other in alike:
        store.save(other, fingerprint(other))
    assert all(store.find(other) for other in alike)


@pytest.mark.parametrize("name", ["table.md", "table.tex", "table.json"])
def test_tables_that_a_bench_did_not_write_are_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=rf"{name}: .*another folder"):
        ResultStore(tmp_path).prepare()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "train.log").touch()
    with pytest.raises(UsageError, match=rf"{name}: .*another folder"):
        ResultStore(tmp_path).prepare()
    (tmp_path / "runs" / "en-es--robust--0--0123ab.json").touch()
    ResultStore(tmp_path).prepare()


def test_a_bench_whose_runs_were_all_deleted_starts_over(tmp_path: Path) -> None:
    (tmp_path / "table.md").write_text("from before")
    (tmp_path / "runs").mkdir()
    ResultStore(tmp_path).prepare()
    assert not ResultStore(tmp_path).has_runs


@pytest.mark.parametrize("path", KEPT, ids=[path.parent.name for path in KEPT])
def test_the_results_page_has_the_tables_of_the_kept_runs(path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    missing = [line for line in path.read_text(encoding="utf-8").splitlines() if line not in page]
    assert not missing


@pytest.mark.data
@pytest.mark.parametrize("path", KEPT, ids=[path.parent.name for path in KEPT])
def test_every_kept_run_is_found_and_makes_the_kept_tables(path: Path, data: Path) -> None:
    name = path.parent.name
    plan = read_plan(str(RESULTS.parent / "plans" / f"{name}.toml") if name in OWN else name, data)
    store = ResultStore(path.parent)
    found = store.find_all(plan)
    assert len(found) == len(list((path.parent / "runs").iterdir()))
    assert Tables.of(plan, found.values()).markdown == path.read_text(encoding="utf-8")
