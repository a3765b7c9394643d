"""Where the first attempt finds nothing, others are made; that none finds anything is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex import align
from isolex.core.embeddings import Embeddings
from isolex.core.lexicon import Lexicon
from isolex.core.problem import Problem
from isolex.core.verdict import Outcome
from isolex.errors import UsageError
from isolex.method import normalise
from isolex.method.initialise import Random, Unsupervised
from isolex.method.restarts import Search, search
from isolex.method.schedule import Stage
from isolex.method.self_learning import Iteration, Learnt
from isolex.method.verdict import CLEAR, Jury
from isolex.systems import get
from tests.planted import noise, planted

SMALL = Search(
    starts=(Unsupervised(300), Unsupervised(500, dims=20)),
    rounds=2,
    stage=Stage(1.0, cutoff=500, patience=3, threshold=1e-4, dims=20),
)


def problem_of(src: Embeddings, trg: Embeddings, seed: int = 0) -> Problem:
    x, z = (normalise.fit(("unit", "center", "unit"), side.vectors)[1] for side in (src, trg))
    return Problem(src, trg, x, z, seed=seed)


def chance(size: int) -> Learnt:
    return Learnt(Lexicon.shuffled(size, seed=0), iterations=7)


@pytest.mark.parametrize("seed", range(3))
def test_what_chance_did_not_find_is_found(seed: int) -> None:
    made = planted(words=800, dims=40, seed=seed)
    problem = problem_of(made.src, made.trg, seed)
    jury = Jury(problem.x, problem.z, seed)
    learnt, attempts = search(problem, chance(500), SMALL, jury)
    assert attempts[-1].taken
    assert attempts[-1].recovered >= CLEAR
    right = [made.src.words[s][1:] == made.trg.words[t][1:] for s, t in _pairs(learnt.lexicon)]
    assert np.mean(right) > 0.8
    assert learnt.iterations > 7, "iterations are counted on"


def test_without_a_clear_one_every_attempt_is_made_and_the_best_are_joined() -> None:
    problem = problem_of(noise(600, 40, 0), noise(600, 40, 1))
    lines: list[str] = []
    learnt, attempts = search(
        problem, chance(500), SMALL, Jury(problem.x, problem.z), announce=lines.append
    )
    assert [attempt.words for attempt in attempts] == [None, 300, 500, 300, 500]
    assert lines == [
        "attempt 2 of at most 6: the first one, in fewer dimensions",
        "attempt 3 of at most 6: 300 words",
        "attempt 4 of at most 6: 500 words in 20 dimensions",
        "attempt 5 of at most 6: 300 words",
        "attempt 6 of at most 6: 500 words in 20 dimensions",
    ]
    assert all(attempt.finished for attempt in attempts)
    best = max(attempt.objective for attempt in attempts)
    for attempt in attempts:
        assert attempt.taken == (attempt.objective >= best * (1 - SMALL.tolerance))
    assert len(learnt.lexicon) == 2 * 500 * sum(attempt.taken for attempt in attempts)


def test_where_starts_come_to_the_same_the_others_are_tried_more_often() -> None:
    problem = problem_of(noise(200, 10, 0), noise(250, 10, 1))
    starts = (Unsupervised(100), Unsupervised(200), Unsupervised(400, dims=30))
    plan = replace(SMALL, starts=starts, rounds=1)
    _, attempts = search(problem, chance(200), plan, Jury(problem.x, problem.z))
    assert [(attempt.words, attempt.dims) for attempt in attempts] == [
        (None, None),
        (100, None),
        (200, None),
        (100, None),
    ]


@pytest.mark.parametrize(("words", "patience"), [(600, 3), (500, 3), (100, 15), (20, 50)])
def test_the_fewer_words_the_more_patience(words: int, patience: int) -> None:
    problem = problem_of(noise(words, 10, 0), noise(words + 50, 10, 1))
    seen: list[Iteration] = []
    plan = replace(SMALL, rounds=0)
    search(problem, chance(words), plan, Jury(problem.x, problem.z), [seen.append])
    assert {iteration.stage.patience for iteration in seen} == {patience}


def test_the_budget_breaks_an_attempt_off() -> None:
    problem = problem_of(noise(600, 40, 0), noise(600, 40, 1))
    plan = replace(SMALL, minutes=0.0)
    learnt, attempts = search(problem, chance(500), plan, Jury(problem.x, problem.z))
    assert [attempt.finished for attempt in attempts] == [False]
    assert learnt.iterations == 8


@pytest.mark.parametrize("minutes", [0.0, 10.0])
def test_a_callback_ends_the_run_whatever_time_is_left(minutes: float) -> None:
    problem = problem_of(noise(200, 10, 0), noise(200, 10, 1))
    plan, jury = replace(SMALL, minutes=minutes), Jury(problem.x, problem.z)
    assert search(problem, chance(200), plan, jury, [lambda _: True])[0].stopped
    assert not search(problem, chance(200), replace(plan, rounds=0), jury, [lambda _: None])[
        0
    ].stopped


def test_the_search_heeds_the_cutoff() -> None:
    seen: list[Iteration] = []
    align(noise(300, 10, 0), noise(300, 10, 1), cutoff=100, callbacks=[seen.append])
    assert {iteration.stage.cutoff for iteration in seen} == {100}
    assert {iteration.stage.patience for iteration in seen} >= {5, 50}


def test_from_the_search_onward_dimensions_and_words_grow() -> None:
    src, trg = noise(300, 20, 0), noise(300, 20, 1)
    seen: list[Iteration] = []
    align(src, trg, budget=0, callbacks=[seen.append])
    plan = get("robust").search
    assert plan is not None
    stages = list(dict.fromkeys(iteration.stage for iteration in seen))
    assert stages[-4].dims == plan.stage.dims == 50
    assert stages[-3] == plan.onward
    assert stages[-2].dims is None
    assert sum(iteration.stage == plan.onward for iteration in seen) == 3


def test_a_run_that_was_out_of_time_is_finished_all_the_same() -> None:
    src, trg = noise(300, 20, 0), noise(300, 20, 1)
    alignment = align(src, trg, budget=0)
    assert alignment.history[-1].cutoff == 10_000


def test_robust_finds_what_its_start_did_not() -> None:
    made = planted(words=800, dims=40)
    blind = replace(get("robust"), initialise=Random())
    alignment = align(made.src, made.trg, blind)
    assert alignment.verdict is not None
    assert alignment.verdict.outcome == Outcome.SUCCEEDED
    assert any(attempt.taken for attempt in alignment.attempts)
    lexicon = alignment.lexicon()
    assert np.mean([e.source[1:] == e.target[1:] for e in lexicon]) > 0.9


def test_spaces_with_nothing_in_common_fail() -> None:
    alignment = align(noise(500, 30, 0), noise(500, 30, 1), seed=4)
    assert alignment.verdict is not None
    assert alignment.verdict.outcome == Outcome.FAILED


def test_a_search_goes_the_same_way_each_time() -> None:
    src, trg = noise(200, 30, 0), noise(200, 30, 1)
    system = replace(get("robust"), search=SMALL)
    once, again = (align(src, trg, system, seed=4) for _ in range(2))
    assert once.verdict == again.verdict
    assert once.attempts == again.attempts
    assert len(once.attempts) > 1
    np.testing.assert_array_equal(once.source.linear.matrix, again.source.linear.matrix)


def test_a_budget_is_refused_where_it_means_nothing() -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match="does no search: it takes no budget"):
        align(made.src, made.trg, "artetxe2018", budget=1)
    for budget in (-1, float("inf"), float("nan")):
        with pytest.raises(UsageError, match=f"minutes from zero up, not {budget}"):
            align(made.src, made.trg, budget=budget)


def _pairs(lexicon: Lexicon) -> list[tuple[int, int]]:
    return list(zip(lexicon.src.tolist(), lexicon.trg.tolist(), strict=True))
