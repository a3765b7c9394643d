"""A plan lists its runs, and a part of it can be selected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isolex.bench.plan import Plan, depends_on_seed
from isolex.errors import UsageError
from isolex.systems import SYSTEMS


def test_every_run_is_listed_once_in_order_of_seed(plan: Plan) -> None:
    assert [run.name for run in plan.runs()] == [
        "one, artetxe2018, seed 0",
        "one, few, seed 0",
        "one, xing2015, seed 0",
        "two, artetxe2018, seed 0",
        "two, few, seed 0",
        "two, xing2015, seed 0",
        "one, artetxe2018, seed 1",
        "two, artetxe2018, seed 1",
    ]


def test_a_run_reads_the_lexicon_only_if_its_system_learns_from_it(plan: Plan) -> None:
    files = {run.name: list(run.files) for run in plan.runs()}
    assert files["one, few, seed 0"] == ["source", "target", "gold", "lexicon"]
    assert files["one, artetxe2018, seed 0"] == ["source", "target", "gold"]


def test_a_part_can_be_selected(plan: Plan) -> None:
    part = plan.select(["two"], ["few"], runs=3)
    assert [run.name for run in part.runs()] == [f"two, few, seed {seed}" for seed in range(3)]
    assert [table.keys for table in part.tables] == [("few",), ("few",)]


def test_selecting_something_unknown_is_refused_with_the_choices(plan: Plan) -> None:
    with pytest.raises(UsageError, match=r"dataset 'three' .* one, two"):
        plan.select(["three"], [], None)
    with pytest.raises(UsageError, match=r"system 'many' .* artetxe2018, few, xing2015"):
        plan.select([], ["many"], None)
    with pytest.raises(UsageError, match=r"'xing2051' .*did you mean 'xing2015'\?"):
        plan.select([], ["xing2051"], None)


def test_systems_that_do_not_depend_on_the_seed_are_known() -> None:
    once = {name for name, system in SYSTEMS.items() if not depends_on_seed(system)}
    assert once >= {"mikolov2013", "supervised", "artetxe2017", "artetxe2018-no-stochastic"}
    assert "alvarezmelis2018" in once
    assert not once & {"artetxe2018", "robust", "artetxe2018-no-init", "semi-supervised"}
    assert not once & {"lazaridou2015", "conneau2018", "grave2018", "zhang2017-emd"}


def test_a_system_that_does_not_depend_on_the_seed_runs_once(plan: Plan) -> None:
    row = replace(plan.rows["xing2015"], runs=3)
    assert plan.seeds_of(row) == 1
