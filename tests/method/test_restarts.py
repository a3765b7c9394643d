"""After a failed first attempt others are made; if all fail, the verdict says so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex import align
from isolex.core.checkpoint import Solution
from isolex.core.choices import Outcome
from isolex.core.embeddings import Embeddings
from isolex.core.lexicon import Lexicon
from isolex.core.observer import Iteration, Observer
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.method import learner, normalise
from isolex.method.initialise import Random, Unsupervised
from isolex.method.judge import CLEAR, Judge
from isolex.method.restarts import Restarts, Trial, restart
from isolex.method.schedule import Schedule, Stage, annealing
from isolex.method.self_learning import LearningState
from isolex.systems import get
from tests.planted import noise, planted

WIDE = Stage(1.0, cutoff=500, patience=3, threshold=1e-4, dims=30, center=True)
SMALL = Restarts(
    trials=(Trial(Unsupervised(300, center=True), WIDE), Trial(Unsupervised(500, dims=20))),
    rounds=2,
    stage=Stage(1.0, cutoff=500, patience=3, threshold=1e-4, dims=20),
)
TINY = Restarts(
    trials=(Trial(Unsupervised(100)), Trial(Unsupervised(200, dims=20))),
    rounds=2,
    stage=Stage(1.0, cutoff=200, patience=3, threshold=1e-4, dims=20),
)

pytestmark = pytest.mark.slow


class Listener(Observer):
    """Notes every iteration."""

    def __init__(self) -> None:
        self.iterations: list[Iteration] = []

    def iteration(self, iteration: Iteration) -> None:
        self.iterations.append(iteration)


def problem_of(source: Embeddings, target: Embeddings, seed: int = 0) -> Problem:
    steps = ("unit", "center", "unit")
    x, z = (normalise.fit(steps, given.vectors)[1] for given in (source, target))
    return Problem(source, target, x, z, seed=seed)


def noise_problem(words: int, dims: int, more: int = 0) -> Problem:
    return problem_of(noise(words, dims, 0), noise(words + more, dims, 1))


def judge_of(problem: Problem) -> Judge:
    return Judge(problem.x, problem.z, problem.seed)


def failed(size: int) -> Solution:
    """A first attempt that found nothing, after seven iterations."""
    return Solution(Lexicon.shuffled(size, seed=0), iterations=7)


@pytest.mark.parametrize("seed", range(3))
def test_restarts_find_what_the_first_attempt_did_not(seed: int) -> None:
    made = planted(words=800, dims=40, seed=seed)
    problem = problem_of(made.source, made.target, seed)
    found, attempts = restart(problem, failed(500), SMALL, judge_of(problem))
    assert attempts[-1].taken
    assert attempts[-1].recovered >= CLEAR
    pairs = zip(found.lexicon.sources, found.lexicon.targets, strict=True)
    right = [made.source.words[s][1:] == made.target.words[t][1:] for s, t in pairs]
    assert np.mean(right) > 0.8
    assert found.iterations > 7, "the count continues from the first attempt"


def test_without_a_clear_attempt_all_are_made_and_the_best_are_joined() -> None:
    problem = noise_problem(250, 40)
    lines: list[str] = []
    found, attempts = restart(problem, failed(200), TINY, judge_of(problem), note=lines.append)
    assert [attempt.words for attempt in attempts] == [None, 100, 200, 100, 200]
    assert [attempt.dims for attempt in attempts] == [None, None, 20, None, 20]
    assert all(attempt.finished for attempt in attempts)
    best = max(attempt.objective for attempt in attempts)
    for attempt in attempts:
        assert attempt.taken == (attempt.objective >= best * (1 - TINY.tolerance))
    assert len(found.lexicon) == 2 * 200 * sum(attempt.taken for attempt in attempts)
    assert found.objective == best
    assert [line.split(":")[0] for line in lines] == [
        f"attempt {number} of at most 6" for number in range(2, 7)
    ]
    assert "100 words" in lines[1]
    assert "200 words in 20 dimensions" in lines[2]


def test_an_attempt_may_anneal_in_a_stage_of_its_own_and_ends_like_all_others() -> None:
    start, last = Unsupervised(100), SMALL.stage
    assert Trial(start, WIDE).schedule(last).stages == (*annealing(last=WIDE).stages, last)
    assert Trial(start).schedule(last) == annealing(last=last)
    assert str(Trial(start, WIDE)) == "like the first attempt, 100 words"


def test_an_attempt_that_was_cut_short_is_not_compared() -> None:
    problem = noise_problem(250, 40)
    steps = iter(range(10_000))
    plan = replace(TINY, trials=(Trial(Unsupervised(200), WIDE),), rounds=1)
    ends = sum(1 for _ in _iterations(problem, replace(plan, rounds=0)))
    found, attempts = restart(
        problem, failed(200), plan, judge_of(problem), lambda _: next(steps) >= ends
    )
    assert [attempt.finished for attempt in attempts] == [True, False]
    assert [attempt.taken for attempt in attempts] == [True, False]
    assert found.stopped


def _iterations(problem: Problem, plan: Restarts) -> list[LearningState]:
    seen: list[LearningState] = []
    restart(problem, failed(200), plan, judge_of(problem), seen.append)
    return seen


def test_if_some_starts_coincide_the_others_are_tried_more_often() -> None:
    problem = noise_problem(200, 10, more=50)
    starts = (Unsupervised(100), Unsupervised(200), Unsupervised(400, dims=30))
    plan = replace(SMALL, trials=tuple(map(Trial, starts)), rounds=1)
    _, attempts = restart(problem, failed(200), plan, judge_of(problem))
    assert [(attempt.words, attempt.dims) for attempt in attempts] == [
        (None, None),
        (100, None),
        (200, None),
        (100, None),
    ]


@pytest.mark.parametrize(("words", "patience"), [(600, 3), (500, 3), (100, 15), (20, 50)])
def test_fewer_words_get_more_patience(words: int, patience: int) -> None:
    problem = noise_problem(words, 10, more=50)
    seen: list[LearningState] = []
    plan = replace(SMALL, rounds=0)
    restart(problem, failed(words), plan, judge_of(problem), seen.append)
    assert {state.stage.patience for state in seen} == {patience}


def test_the_time_limit_ends_an_attempt() -> None:
    problem = noise_problem(600, 40)
    plan = replace(SMALL, minutes=0.0)
    found, attempts = restart(problem, failed(500), plan, judge_of(problem))
    assert [attempt.finished for attempt in attempts] == [False]
    assert found.iterations == 8
    assert not found.stopped, "self-learning goes on after the time limit"


@pytest.mark.parametrize("minutes", [0.0, 10.0])
def test_a_true_answer_ends_all_attempts_whatever_time_is_left(minutes: float) -> None:
    problem = noise_problem(200, 10)
    plan, judge = replace(SMALL, minutes=minutes), judge_of(problem)
    found, attempts = restart(problem, failed(200), plan, judge, lambda _: True)
    assert found.stopped
    assert len(attempts) == 1
    once = replace(plan, rounds=0)
    assert not restart(problem, failed(200), once, judge, lambda _: None)[0].stopped


def test_a_cutoff_limits_the_restarts_too() -> None:
    plan = get("robust").restarts
    assert plan is not None
    few = plan.with_cutoff(100)
    assert (few.stage.cutoff, few.onward.cutoff) == (100, 100)
    assert few.stage.patience == plan.max_patience
    assert {trial.stage.cutoff for trial in few.trials if trial.stage} == {100}
    assert plan.with_cutoff(4000).stage == plan.stage
    listener = Listener()
    space = align(noise(300, 10, 0), noise(300, 10, 1), cutoff=100, budget=0, observer=listener)
    assert space.attempts
    assert {iteration.cutoff for iteration in listener.iterations} == {100}


def test_after_restarts_dimensions_and_words_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    schedules: list[Schedule] = []

    def learn(*args: object) -> Solution:
        schedules.append(args[3])  # type: ignore[arg-type]
        return learn_as_usual(*args)  # type: ignore[arg-type]

    learn_as_usual = learner.learn
    monkeypatch.setattr(learner, "learn", learn)
    listener, plan = Listener(), get("robust").restarts
    space = align(noise(300, 20, 0), noise(300, 20, 1), budget=0, observer=listener)
    assert plan is not None
    assert plan.stage.dims == 50
    _, wide = schedules
    assert wide.stages[0] == plan.onward
    assert [stage.dims for stage in wide.stages] == [150, None, None]
    assert sum(one.cutoff == plan.onward.cutoff for one in listener.iterations) == 3
    assert space.history[-1].cutoff == 10_000, "a run out of time is finished all the same"


@pytest.mark.slow
def test_robust_finds_what_its_start_did_not() -> None:
    made = planted(words=800, dims=40)
    blind = replace(get("robust"), initialise=Random())
    space = align(made.source, made.target, system=blind)
    assert space.verdict is not None
    assert space.verdict.outcome == Outcome.SUCCEEDED
    assert any(attempt.taken for attempt in space.attempts)
    assert np.mean([entry.source[1:] == entry.target[1:] for entry in space.lexicon()]) > 0.9


@pytest.mark.slow
def test_spaces_with_nothing_in_common_fail() -> None:
    system = replace(get("robust"), restarts=replace(Restarts(), rounds=1))
    space = align(noise(300, 30, 0), noise(300, 30, 1), system=system, seed=4)
    assert space.verdict is not None
    assert space.verdict.outcome == Outcome.FAILED


def test_restarts_give_the_same_result_each_time() -> None:
    system = replace(get("robust"), restarts=replace(TINY, rounds=1))
    once, again = (
        align(noise(120, 30, 0), noise(120, 30, 1), system=system, seed=4) for _ in range(2)
    )
    assert once.verdict == again.verdict
    assert once.attempts == again.attempts
    assert len(once.attempts) > 1
    for one, other in zip(once, again, strict=True):
        np.testing.assert_array_equal(one.map.matrix, other.map.matrix)


def test_a_budget_is_refused_if_it_has_no_meaning() -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match="'artetxe2018' does not restart"):
        align(made.source, made.target, system="artetxe2018", budget=1)
    for budget in (-1, float("inf"), float("nan")):
        with pytest.raises(UsageError, match=f"0 minutes, not {budget}"):
            align(made.source, made.target, budget=budget)
