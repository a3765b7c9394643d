"""The verdict tells what was found from what only looks well."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon, match
from isolex.core.linear_map import rotation
from isolex.core.verdict import Figures, Outcome, Verdict
from isolex.kernels.induction import induce
from isolex.method import normalise
from isolex.method.induction import union
from isolex.method.schedule import Stage, annealing
from isolex.method.self_learning import learn
from isolex.method.verdict import Jury, mutual
from tests.planted import noise, planted

STEPS = ("unit", "center", "unit")


def normalised(vectors: Vectors) -> Vectors:
    return normalise.fit(STEPS, vectors)[1]


def learnt_from_chance(x: Vectors, z: Vectors, seed: int) -> Lexicon:
    start = Lexicon.shuffled(min(len(x), len(z)), seed)
    return learn(x, z, start, annealing(last=Stage(1.0, patience=3, threshold=1e-3)), seed).lexicon


@pytest.mark.parametrize("seed", range(3))
def test_the_truth_succeeds(seed: int) -> None:
    problem = planted(words=1500, dims=60, noise=0.4, seed=seed)
    x, z = normalised(problem.src.vectors), normalised(problem.trg.vectors)
    truth = match(problem.pairs, problem.src, problem.trg)[0]
    lexicon = union(induce(x @ rotation(x, z, truth), z, 10))
    verdict = Jury(x, z, seed).verdict(lexicon)
    assert verdict.outcome == Outcome.SUCCEEDED, verdict


@pytest.mark.parametrize("seed", range(3))
def test_an_accident_of_the_same_spaces_fails(seed: int) -> None:
    problem = planted(words=1500, dims=60, noise=0.4, seed=seed)
    x, z = normalised(problem.src.vectors), normalised(problem.trg.vectors)
    rng = np.random.default_rng(seed)
    unrelated = rng.permuted(z, axis=1)  # each row's values in an order of its own
    verdict = Jury(x, unrelated, seed).verdict(learnt_from_chance(x, unrelated, seed))
    assert verdict.outcome == Outcome.FAILED, verdict


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("words", [200, 1500])
def test_noise_fails(words: int, seed: int) -> None:
    x, z = (normalised(noise(words, 50, s).vectors) for s in (seed, seed + 100))
    verdict = Jury(x, z, seed).verdict(learnt_from_chance(x, z, seed))
    assert verdict.outcome == Outcome.FAILED, verdict


def test_a_handful_of_words_is_judged_without_a_crash() -> None:
    x, z = normalised(noise(3, 5, 0).vectors), normalised(noise(4, 5, 1).vectors)
    only = Lexicon(np.array([0]), np.array([0]))
    assert Jury(x, z).verdict(only).outcome == Outcome.FAILED


def test_the_same_seed_gives_the_same_figures() -> None:
    x, z = (normalised(noise(300, 20, seed).vectors) for seed in (0, 1))
    lexicon = learnt_from_chance(x, z, 0)
    assert Jury(x, z, 5).verdict(lexicon) == Jury(x, z, 5).verdict(lexicon)


def test_mutual_pairs_are_those_that_are_there_twice() -> None:
    lexicon = Lexicon(np.array([0, 1, 2, 0, 5]), np.array([7, 8, 9, 7, 8]))
    found = mutual(lexicon)
    assert (found.src.tolist(), found.trg.tolist()) == ([0], [7])


@pytest.mark.parametrize(
    ("recovered", "objective", "outcome"),
    [
        (0.9, 0.7, Outcome.SUCCEEDED),
        (0.9, 0.5, Outcome.DOUBTFUL),
        (0.54, 0.7, Outcome.DOUBTFUL),
        (0.23, 0.7, Outcome.FAILED),
        (0.0, 0.5, Outcome.FAILED),
    ],
)
def test_the_figures_decide(recovered: float, objective: float, outcome: Outcome) -> None:
    figures = Figures(recovered, 0.1, objective, 0.6, 2000)
    assert Verdict.of(figures).outcome == outcome
