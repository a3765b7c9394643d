"""Schedules: the stages of self-learning as data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from isolex.errors import UsageError
from isolex.method.schedule import Schedule, Stage, annealing, coarse_to_fine


def test_the_schedule_of_the_paper_doubles_from_a_tenth_to_one() -> None:
    stages = annealing().stages
    assert [stage.keep_prob for stage in stages] == [0.1, 0.2, 0.4, 0.8, 1.0]
    assert {(s.cutoff, s.patience, s.threshold, s.neighbours) for s in stages} == {
        (20_000, 50, 1e-6, 10)
    }


def test_a_cutoff_sets_the_widest_stage_and_limits_the_others() -> None:
    schedule = Schedule((Stage(0.1, cutoff=500), Stage(1.0, cutoff=20_000)))
    for cutoff, expected in ((1000, [500, 1000]), (100, [100, 100]), (50_000, [500, 50_000])):
        assert [s.cutoff for s in schedule.with_cutoff(cutoff).stages] == expected


def test_a_schedule_splits_where_stages_are_no_longer_comparable() -> None:
    schedule = coarse_to_fine()
    narrow, wide = schedule.split()
    assert narrow.stages + wide.stages == schedule.stages
    assert {stage.cutoff for stage in narrow.stages} == {4000}
    assert [stage.cutoff for stage in wide.stages] == [10_000, 10_000]
    assert annealing().split() == (annealing(), Schedule(()))


@pytest.mark.parametrize(
    ("change", "comparable"),
    [
        ({"keep_prob": 0.1}, True),
        ({"patience": 3}, True),
        ({"threshold": 1.0}, True),
        ({"cutoff": 10}, False),
        ({"dims": 5}, False),
        ({"center": True}, False),
        ({"reweight": 0.5}, False),
        ({"neighbours": 0}, False),
        ({"pairs": "mutual"}, False),
        ({"parts": 4}, False),
        ({"even": True}, False),
    ],
    ids=str,
)
def test_objectives_are_comparable_if_the_same_similarities_are_used(
    change: dict[str, Any], comparable: bool
) -> None:
    stage = Stage(1.0)
    assert stage.is_comparable(replace(stage, **change)) == comparable


def test_an_even_stage_leaves_out_the_rare_words_of_the_larger_vocabulary() -> None:
    x, z = np.eye(5, dtype=np.float32), np.eye(5, dtype=np.float32)[:3]
    assert [len(vectors) for vectors in Stage(1.0).words(x, z)] == [5, 3]
    assert [len(vectors) for vectors in Stage(1.0, even=True).words(x, z)] == [3, 3]
    assert [len(vectors) for vectors in Stage(1.0, cutoff=2, even=True).words(x, z)] == [2, 2]


@pytest.mark.parametrize(
    ("wrong", "facts"),
    [
        ({"parts": 1}, "parts must be at least 2"),
        ({"parts": 4, "reweight": 0.5}, "exclude reweight"),
        ({"draws": 2}, "need parts"),
        ({"parts": 2, "draws": 0}, "draws must be at least 1"),
    ],
    ids=str,
)
def test_settings_that_contradict_one_another_are_refused(
    wrong: dict[str, Any], facts: str
) -> None:
    with pytest.raises(UsageError, match=facts):
        Stage(1.0, **wrong)
