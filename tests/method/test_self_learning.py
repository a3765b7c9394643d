"""Self-learning: the schedule, the stopping rule, the hooks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon, match
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.method import normalise
from isolex.method.initialise import Unsupervised
from isolex.method.mapping import SYMMETRIC, Moments, fit
from isolex.method.schedule import Schedule, Stage, annealing, coarse_to_fine
from isolex.method.self_learning import Iteration, learn, mask_key
from isolex.method.validation import History, Validation
from tests.planted import planted

SHORT = annealing(last=Stage(1.0, patience=3))


@pytest.fixture(scope="module")
def problem() -> Problem:
    made = planted(words=400, dims=20, noise=0.3)
    steps = ("unit", "center", "unit")
    x, z = (normalise.fit(steps, side.vectors)[1] for side in (made.src, made.trg))
    return Problem(made.src, made.trg, x, z, made.pairs)


@pytest.fixture(scope="module")
def first(problem: Problem) -> Lexicon:
    return Unsupervised()(problem)


def test_the_papers_schedule_doubles_from_a_tenth_to_one() -> None:
    stages = annealing().stages
    assert [stage.keep_prob for stage in stages] == [0.1, 0.2, 0.4, 0.8, 1.0]
    assert {(s.cutoff, s.patience, s.threshold, s.neighbours) for s in stages} == {
        (20_000, 50, 1e-6, 10)
    }


def test_a_cutoff_sets_the_widest_stage_and_bounds_the_others() -> None:
    schedule = Schedule((Stage(0.1, cutoff=500), Stage(1.0, cutoff=20_000)))
    for cutoff, expected in ((1000, [500, 1000]), (100, [100, 100]), (50_000, [500, 50_000])):
        assert [s.cutoff for s in schedule.with_cutoff(cutoff).stages] == expected


def test_it_recovers_the_pairs(problem: Problem, first: Lexicon) -> None:
    result = learn(problem.x, problem.z, first, SHORT)
    truth = match(problem.pairs or (), problem.src, problem.trg)[0]
    expected = dict(zip(truth.src.tolist(), truth.trg.tolist(), strict=True))
    right = [expected[s] == t for s, t in zip(result.lexicon.src, result.lexicon.trg, strict=True)]
    assert np.mean(right) > 0.99
    assert len(result.lexicon) == 800


def test_each_stage_ends_after_its_patience_without_improvement(
    problem: Problem, first: Lexicon
) -> None:
    history = History()
    learn(problem.x, problem.z, first, SHORT, callbacks=[history])
    assert [r.iteration for r in history.records] == list(range(1, len(history.records) + 1))
    best, waited, stages = -np.inf, 0, list(SHORT.stages)
    for record in history.records:
        assert record.keep_prob == stages[0].keep_prob
        waited = 0 if record.objective > best + 1e-6 else waited + 1
        best = max(best, record.objective) if waited == 0 else best
        if waited == stages[0].patience:
            stages.pop(0)
            waited = 0
    assert not stages, "the run must end with the patience of the last stage"


def test_another_cutoff_starts_a_new_comparison(problem: Problem, first: Lexicon) -> None:
    schedule = Schedule((Stage(1.0, cutoff=50, patience=2), Stage(1.0, cutoff=400, patience=2)))
    seen: list[Iteration] = []
    learn(problem.x, problem.z, first, schedule, callbacks=[seen.append])
    entered = next(i for i in seen if i.stage.cutoff == 400)
    assert entered.best == entered.objective
    assert len(seen[0].lexicon) == 100


def test_remaining_counts_the_first_iteration_of_another_comparison(
    problem: Problem, first: Lexicon
) -> None:
    stage = Stage(1.0, cutoff=100, patience=1, threshold=1.0)
    schedule = Schedule((stage, replace(stage, cutoff=200), replace(stage, reweight=0.5)))
    seen: list[Iteration] = []
    learn(problem.x, problem.z, first, schedule, callbacks=[seen.append])
    assert [iteration.remaining for iteration in seen] == [5, 4, 3, 2, 1, 0]


def test_remaining_counts_down_to_nothing(problem: Problem, first: Lexicon) -> None:
    seen: list[Iteration] = []
    learn(problem.x, problem.z, first, SHORT, callbacks=[seen.append])
    assert seen[0].remaining == 15
    assert seen[-1].remaining == 0


def test_a_callback_may_end_the_run(problem: Problem, first: Lexicon) -> None:
    result = learn(problem.x, problem.z, first, SHORT, callbacks=[lambda i: i.number == 2])
    assert result.iterations == 2


def test_validation_is_noted_and_changes_nothing(problem: Problem) -> None:
    few, gold = (
        match((problem.pairs or ())[part], problem.src, problem.trg)[0]
        for part in (slice(10), slice(50, 150))
    )
    history = History()
    validation = Validation(problem.x, problem.z, gold)
    watched = learn(problem.x, problem.z, few, SHORT, callbacks=[validation, history])
    alone = learn(problem.x, problem.z, few, SHORT)
    assert watched.objective == alone.objective
    np.testing.assert_array_equal(watched.lexicon.trg, alone.lexicon.trg)
    assert history.records[-1].validation == 100.0
    assert (history.records[0].validation or 0) < 100.0


def test_seeds_draw_other_masks_and_repeat_their_own(problem: Problem, first: Lexicon) -> None:
    runs = []
    for seed in (0, 0, 1):
        history = History()
        learn(problem.x, problem.z, first, SHORT, seed, [history, lambda i: i.number == 4])
        runs.append([replace(r, seconds=0.0) for r in history.records])
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    assert len({mask_key(s, i) for s in range(20) for i in range(20)}) == 400


def test_a_stage_may_see_the_leading_components_only(problem: Problem, first: Lexicon) -> None:
    few = Stage(1.0, cutoff=400, patience=2, dims=8)
    schedule = Schedule((few, replace(few, dims=None)))
    seen: list[Iteration] = []
    learnt = learn(problem.x, problem.z, first, schedule, callbacks=[seen.append])
    entered = next(i for i in seen if i.stage.dims is None)
    assert entered.best == entered.objective, "another view starts a new comparison"
    assert np.linalg.matrix_rank(seen[0].maps.src, tol=1e-3) == 8
    assert seen[0].maps.src.shape == seen[-1].maps.src.shape
    truth = match(problem.pairs or (), problem.src, problem.trg)[0]
    expected = dict(zip(truth.src.tolist(), truth.trg.tolist(), strict=True))
    right = [expected[s] == t for s, t in zip(learnt.lexicon.src, learnt.lexicon.trg, strict=True)]
    assert np.mean(right) > 0.99


def test_a_schedule_splits_where_what_is_seen_changes() -> None:
    schedule = coarse_to_fine()
    narrow, wide = schedule.split()
    assert narrow.stages + wide.stages == schedule.stages
    assert {stage.cutoff for stage in narrow.stages} == {4000}
    assert [stage.cutoff for stage in wide.stages] == [10_000, 10_000]
    assert annealing().split() == (annealing(), Schedule(()))


def test_in_two_steps_or_in_one_the_result_is_the_same(problem: Problem, first: Lexicon) -> None:
    schedule = coarse_to_fine(coarse=100, fine=400)
    narrow, wide = schedule.split()
    once = learn(problem.x, problem.z, first, schedule)
    before = learn(problem.x, problem.z, first, narrow)
    after = learn(problem.x, problem.z, before.lexicon, wide, after=before)
    assert (after.objective, after.iterations) == (once.objective, once.iterations)
    np.testing.assert_array_equal(after.lexicon.trg, once.lexicon.trg)
    assert after.seconds > before.seconds


def test_an_even_stage_leaves_the_rare_words_of_the_longer_side_out() -> None:
    x, z = np.eye(5, dtype=np.float32), np.eye(5, dtype=np.float32)[:3]
    assert [len(side) for side in Stage(1.0).words(x, z)] == [5, 3]
    assert [len(side) for side in Stage(1.0, even=True).words(x, z)] == [3, 3]
    assert [len(side) for side in Stage(1.0, cutoff=2, even=True).words(x, z)] == [2, 2]


def test_a_reweighted_stage_maps_as_the_final_mapping_does(
    problem: Problem, first: Lexicon
) -> None:
    seen: list[Iteration] = []
    schedule = Schedule((Stage(1.0, patience=1, reweight=0.5),))
    learn(problem.x, problem.z, first, schedule, callbacks=[seen.append])
    expected = fit(SYMMETRIC, Moments.of(problem.x, problem.z, first))
    for side, map_ in zip(("src", "trg"), expected, strict=True):
        np.testing.assert_array_equal(getattr(seen[0].maps, side), map_.matrix)


def test_in_parts_no_pair_is_found_again_because_it_was_learnt_from() -> None:
    rng = np.random.default_rng(0)
    x, z = (unit(rng.normal(size=(300, 100)).astype(np.float32)) for _ in range(2))
    accident = Lexicon.shuffled(300, seed=1)

    def kept(parts: int | None) -> float:
        once = Schedule((Stage(1.0, parts=parts),))
        after = learn(x, z, accident, once, callbacks=[lambda _: True]).lexicon
        return float(np.isin(codes(after), codes(accident)).mean())

    def codes(lexicon: Lexicon) -> np.ndarray:
        return lexicon.src.astype(np.int64) * 300 + lexicon.trg

    assert kept(None) > 0.9
    assert kept(4) < 0.02


def test_what_several_draws_induce_is_joined() -> None:
    rng = np.random.default_rng(0)
    x, z = (unit(rng.normal(size=(300, 50)).astype(np.float32)) for _ in range(2))
    stage = Stage(1.0, parts=4, draws=3)
    seen: list[Iteration] = []
    learn(x, z, Lexicon.shuffled(300, seed=1), Schedule((stage,)), 3, [seen.append, lambda _: True])
    draws = np.split(seen[0].lexicon.trg, 3)
    assert [len(draw) for draw in draws] == [600, 600, 600]
    assert np.mean(draws[0] == draws[1]) < 0.9, "the parts are drawn anew"


@pytest.mark.parametrize(
    "wrong",
    [{"parts": 1}, {"parts": 4, "reweight": 0.5}, {"draws": 2}, {"parts": 2, "draws": 0}],
    ids=str,
)
def test_a_stage_that_cannot_be_done_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="a stage"):
        Stage(1.0, **wrong)


@pytest.mark.parametrize(("pairs", "least", "most"), [("forward", 1, 1), ("mutual", 0.5, 1)])
def test_a_stage_may_take_one_direction_or_mutual_pairs(
    problem: Problem, first: Lexicon, pairs: str, least: float, most: float
) -> None:
    seen: list[Iteration] = []
    stage = Stage(1.0, cutoff=200, patience=2, pairs=pairs)  # type: ignore[arg-type]
    learn(problem.x, problem.z, first, Schedule((stage,)), 0, [seen.append])
    assert least <= len(seen[-1].lexicon) / 200 <= most
    assert len(np.unique(seen[-1].lexicon.src)) == len(seen[-1].lexicon)
    both: list[Iteration] = []
    learn(problem.x, problem.z, first, Schedule((replace(stage, pairs=None),)), 0, [both.append])
    assert (seen[0].objective == both[0].objective) == (pairs == "mutual")


def test_without_neighbours_the_nearest_is_taken(problem: Problem, first: Lexicon) -> None:
    stage = Stage(1.0, cutoff=200, patience=1, neighbours=0, pairs="forward")
    seen: list[Iteration] = []
    learn(problem.x, problem.z, first, Schedule((stage,)), 0, [seen.append])
    mapped = seen[0].maps.mapped(problem.x[:200], problem.z[:200])
    nearest = (mapped[0] @ mapped[1].T).argmax(axis=1)
    np.testing.assert_array_equal(seen[0].lexicon.trg, nearest)
    assert seen[0].objective == pytest.approx(float((mapped[0] @ mapped[1].T).max(axis=1).mean()))


def test_an_iteration_that_pairs_nothing_keeps_the_pairs_before_it() -> None:
    vectors, pairs = np.eye(5, 3, dtype=np.float32), Lexicon.shuffled(5, 0)
    learnt = learn(vectors, vectors, pairs, Schedule((Stage(0.0, patience=1),)))
    np.testing.assert_array_equal(learnt.lexicon.trg, pairs.trg)
