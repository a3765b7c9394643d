"""The verdict distinguishes an alignment from one that only looks good."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.choices import Outcome
from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon, match
from isolex.core.linear_map import rotation
from isolex.kernels.induction import induce
from isolex.method import normalise
from isolex.method.induced_pairs import union
from isolex.method.judge import CLEAR, Judge
from isolex.method.schedule import Stage, annealing
from isolex.method.self_learning import learn
from tests.planted import noise, planted

STEPS = ("unit", "center", "unit")


def normalised(vectors: Vectors) -> Vectors:
    return normalise.fit(STEPS, vectors)[1]


def learned_from_chance(x: Vectors, z: Vectors, seed: int) -> Lexicon:
    start = Lexicon.shuffled(min(len(x), len(z)), seed)
    return learn(x, z, start, annealing(last=Stage(1.0, patience=3, threshold=1e-3)), seed).lexicon


@pytest.mark.parametrize("seed", range(3))
def test_a_true_alignment_succeeds(seed: int) -> None:
    problem = planted(words=1500, dims=60, noise=0.4, seed=seed)
    x, z = normalised(problem.source.vectors), normalised(problem.target.vectors)
    truth = match(problem.pairs, problem.source, problem.target)[0]
    lexicon = union(induce(x @ rotation(x, z, truth), z, 10))
    judge = Judge(x, z, seed)
    verdict = judge.verdict(lexicon)
    assert verdict.outcome == Outcome.SUCCEEDED, verdict
    assert judge.recovered(lexicon) == verdict.evidence.recovered >= CLEAR


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_an_accidental_solution_for_unrelated_vectors_fails(seed: int) -> None:
    problem = planted(words=1500, dims=60, noise=0.4, seed=seed)
    x, z = normalised(problem.source.vectors), normalised(problem.target.vectors)
    rng = np.random.default_rng(seed)
    unrelated = rng.permuted(z, axis=1)  # the values of each row in an order of its own
    verdict = Judge(x, unrelated, seed).verdict(learned_from_chance(x, unrelated, seed))
    assert verdict.outcome == Outcome.FAILED, verdict


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("words", [200, pytest.param(1500, marks=pytest.mark.slow)])
def test_noise_fails(words: int, seed: int) -> None:
    x, z = (normalised(noise(words, 50, s).vectors) for s in (seed, seed + 100))
    verdict = Judge(x, z, seed).verdict(learned_from_chance(x, z, seed))
    assert verdict.outcome == Outcome.FAILED, verdict


def test_a_handful_of_words_can_be_judged() -> None:
    x, z = normalised(noise(3, 5, 0).vectors), normalised(noise(4, 5, 1).vectors)
    only = Lexicon(np.array([0]), np.array([0]))
    assert Judge(x, z).verdict(only).outcome == Outcome.FAILED


def test_the_same_seed_gives_the_same_verdict() -> None:
    x, z = (normalised(noise(150, 20, seed).vectors) for seed in (0, 1))
    lexicon = learned_from_chance(x, z, 0)
    assert Judge(x, z, 5).verdict(lexicon) == Judge(x, z, 5).verdict(lexicon)
