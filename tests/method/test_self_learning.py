"""Self-learning: the loop, its stopping rule, and what it tells about each iteration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.checkpoint import Solution
from isolex.core.lexicon import Lexicon, match
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.method import normalise
from isolex.method.induced_pairs import Which
from isolex.method.initialise import Unsupervised
from isolex.method.mapping import SYMMETRIC, Moments, fit
from isolex.method.schedule import COARSE, Schedule, Stage, annealing, coarse_to_fine
from isolex.method.self_learning import LearningState, OnIteration, learn, mask_key
from tests.planted import planted

SHORT = annealing(last=Stage(1.0, patience=3))


@pytest.fixture(scope="module")
def problem() -> Problem:
    made = planted(words=400, dims=20, noise=0.3)
    steps = ("unit", "center", "unit")
    x, z = (normalise.fit(steps, given.vectors)[1] for given in (made.source, made.target))
    return Problem(made.source, made.target, x, z, made.pairs)


@pytest.fixture(scope="module")
def first(problem: Problem) -> Lexicon:
    return Unsupervised()(problem)


def accuracy(problem: Problem, found: Lexicon) -> float:
    """The share of the pairs that are right."""
    truth = match(problem.seed_pairs or (), problem.source, problem.target)[0]
    expected = dict(zip(truth.sources.tolist(), truth.targets.tolist(), strict=True))
    pairs = zip(found.sources.tolist(), found.targets.tolist(), strict=True)
    return float(np.mean([expected[source] == target for source, target in pairs]))


def states(problem: Problem, first: Lexicon, schedule: Schedule) -> list[LearningState]:
    """The state after each iteration."""
    seen: list[LearningState] = []
    learn(problem.x, problem.z, first, schedule, on_iteration=seen.append)
    return seen


def objective(state: LearningState) -> float:
    assert state.solution.objective is not None
    return state.solution.objective


def stop_after(iterations: int) -> OnIteration:
    return lambda state: state.solution.iterations >= iterations


def test_it_recovers_the_pairs(problem: Problem, first: Lexicon) -> None:
    result = learn(problem.x, problem.z, first, SHORT)
    assert accuracy(problem, result.lexicon) > 0.99
    assert len(result.lexicon) == 800
    assert not result.stopped


def test_each_stage_ends_after_its_patience_without_improvement(
    problem: Problem, first: Lexicon
) -> None:
    seen = states(problem, first, SHORT)
    assert [state.solution.iterations for state in seen] == list(range(1, len(seen) + 1))
    best, waited, stages = -np.inf, 0, list(SHORT.stages)
    for state in seen:
        assert state.stage == stages[0]
        waited = 0 if objective(state) > best + 1e-6 else waited + 1
        best = max(best, objective(state)) if waited == 0 else best
        assert state.best == best
        if waited == stages[0].patience:
            stages.pop(0)
            waited = 0
    assert not stages, "self-learning must end with the patience of the last stage"


def test_another_cutoff_starts_a_new_comparison(problem: Problem, first: Lexicon) -> None:
    schedule = Schedule((Stage(1.0, cutoff=50, patience=2), Stage(1.0, cutoff=400, patience=2)))
    seen = states(problem, first, schedule)
    entered = next(state for state in seen if state.stage.cutoff == 400)
    assert entered.best == objective(entered)
    assert len(seen[0].solution.lexicon) == 100


def test_remaining_counts_the_first_iteration_of_another_comparison(
    problem: Problem, first: Lexicon
) -> None:
    stage = Stage(1.0, cutoff=100, patience=1, threshold=1.0)
    schedule = Schedule((stage, replace(stage, cutoff=200), replace(stage, reweight=0.5)))
    seen = states(problem, first, schedule)
    assert [state.remaining for state in seen] == [5, 4, 3, 2, 1, 0]


def test_remaining_counts_down_to_zero(problem: Problem, first: Lexicon) -> None:
    seen = states(problem, first, SHORT)
    assert seen[0].remaining == 15
    assert seen[-1].remaining == 0


def test_a_true_answer_ends_self_learning(problem: Problem, first: Lexicon) -> None:
    result = learn(problem.x, problem.z, first, SHORT, on_iteration=stop_after(2))
    assert result.iterations == 2
    assert result.stopped


def test_seeds_draw_different_masks_and_repeat_their_own(problem: Problem, first: Lexicon) -> None:
    runs: list[list[float]] = []
    for seed in (0, 0, 1):
        seen: list[float] = []

        def watch(state: LearningState, seen: list[float] = seen) -> bool:
            seen.append(objective(state))
            return len(seen) == 4

        learn(problem.x, problem.z, first, SHORT, seed, watch)
        runs.append(seen)
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    assert len({mask_key(s, i) for s in range(20) for i in range(20)}) == 400


def test_a_stage_may_use_the_leading_components_only(problem: Problem, first: Lexicon) -> None:
    few = Stage(1.0, cutoff=400, patience=2, dims=8)
    seen = states(problem, first, Schedule((few, replace(few, dims=None))))
    entered = next(state for state in seen if state.stage.dims is None)
    assert entered.best == objective(entered), "another view starts a new comparison"
    assert seen[0].maps.source.shape == (8, 8)
    assert seen[-1].maps.source.shape == (20, 20)
    assert accuracy(problem, seen[-1].solution.lexicon) > 0.99


def test_two_parts_of_a_schedule_give_the_same_as_the_whole(
    problem: Problem, first: Lexicon
) -> None:
    schedule = coarse_to_fine(replace(COARSE, cutoff=100), fine=400)
    narrow, wide = schedule.split()
    once = learn(problem.x, problem.z, first, schedule)
    before = learn(problem.x, problem.z, first, narrow)
    after = learn(problem.x, problem.z, before.lexicon, wide, after=before)
    assert (after.objective, after.iterations) == (once.objective, once.iterations)
    np.testing.assert_array_equal(after.lexicon.targets, once.lexicon.targets)
    assert after.seconds > before.seconds


def test_an_interrupted_solution_is_continued_where_it_was(
    problem: Problem, first: Lexicon
) -> None:
    schedule = coarse_to_fine(replace(COARSE, cutoff=100), fine=400)
    seen: list[LearningState] = []
    once = learn(problem.x, problem.z, first, schedule, 0, seen.append)
    for state in (seen[0], seen[7], seen[-3], seen[-1]):
        half: Solution = state.solution
        whole = learn(problem.x, problem.z, half.lexicon, schedule, 0, after=half)
        assert (whole.objective, whole.iterations) == (once.objective, once.iterations)
        np.testing.assert_array_equal(whole.lexicon.targets, once.lexicon.targets)


def test_a_reweighted_stage_maps_like_the_final_mapping(problem: Problem, first: Lexicon) -> None:
    seen = states(problem, first, Schedule((Stage(1.0, patience=1, reweight=0.5),)))
    source, target = fit(SYMMETRIC, Moments.of(problem.x, problem.z, first))
    np.testing.assert_array_equal(seen[0].maps.source, source.matrix)
    np.testing.assert_array_equal(seen[0].maps.target, target.matrix)


def test_with_parts_no_pair_is_induced_again_because_the_map_was_fitted_to_it() -> None:
    rng = np.random.default_rng(0)
    x, z = (unit(rng.normal(size=(300, 100)).astype(np.float32)) for _ in range(2))
    accident = Lexicon.shuffled(300, seed=1)

    def kept(parts: int | None) -> float:
        once = Schedule((Stage(1.0, parts=parts),))
        after = learn(x, z, accident, once, on_iteration=stop_after(1)).lexicon
        return float(np.isin(codes(after), codes(accident)).mean())

    def codes(lexicon: Lexicon) -> np.ndarray:
        return lexicon.sources.astype(np.int64) * 300 + lexicon.targets

    assert kept(None) > 0.9
    assert kept(4) < 0.02


def test_the_pairs_of_several_draws_are_joined() -> None:
    rng = np.random.default_rng(0)
    x, z = (unit(rng.normal(size=(300, 50)).astype(np.float32)) for _ in range(2))
    schedule = Schedule((Stage(1.0, parts=4, draws=3),))
    found = learn(x, z, Lexicon.shuffled(300, seed=1), schedule, 3, stop_after(1)).lexicon
    draws = np.split(found.targets, 3)
    assert [len(draw) for draw in draws] == [600, 600, 600]
    assert np.mean(draws[0] == draws[1]) < 0.9, "each draw divides the words differently"


@pytest.mark.parametrize(("pairs", "least", "most"), [("forward", 1, 1), ("mutual", 0.5, 1)])
def test_a_stage_may_use_one_direction_or_mutual_pairs(
    problem: Problem, first: Lexicon, pairs: Which, least: float, most: float
) -> None:
    stage = Stage(1.0, cutoff=200, patience=2, pairs=pairs)
    seen = states(problem, first, Schedule((stage,)))
    found = seen[-1].solution.lexicon
    assert least <= len(found) / 200 <= most
    assert len(np.unique(found.sources)) == len(found)
    both = states(problem, first, Schedule((replace(stage, pairs=None),)))
    assert (objective(seen[0]) == objective(both[0])) == (pairs == "mutual")


def test_without_neighbours_the_nearest_target_is_chosen(problem: Problem, first: Lexicon) -> None:
    stage = Stage(1.0, cutoff=200, patience=1, neighbours=0, pairs="forward")
    state = states(problem, first, Schedule((stage,)))[0]
    x, z = state.maps.transform(state.view.x[:200], state.view.z[:200])
    np.testing.assert_array_equal(state.solution.lexicon.targets, (x @ z.T).argmax(axis=1))
    assert objective(state) == pytest.approx(float((x @ z.T).max(axis=1).mean()))


def test_an_iteration_that_induces_nothing_keeps_the_lexicon() -> None:
    vectors, pairs = np.eye(5, 3, dtype=np.float32), Lexicon.shuffled(5, 0)
    result = learn(vectors, vectors, pairs, Schedule((Stage(0.0, patience=1),)))
    np.testing.assert_array_equal(result.lexicon.targets, pairs.targets)
