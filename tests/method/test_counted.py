"""Lexicons from co-occurrence counts, and when self-learning starts from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import isolex
from isolex.core.embeddings import Embeddings
from isolex.core.space import Space
from isolex.kernels.induction import induce
from isolex.method.counted import Counted
from isolex.systems import get
from tests.planted import Planted, noise, planted, with_counts


def right(problem: Planted, lexicon: isolex.Lexicon) -> float:
    pairs = zip(lexicon.sources.tolist(), lexicon.targets.tolist(), strict=True)
    source, target = problem.source.words, problem.target.words
    return float(np.mean([source[s][1:] == target[t][1:] for s, t in pairs]))


def unrelated(words: int, seed: int = 0) -> Planted:
    """Vectors from which nothing can be learned."""
    one, other = noise(words, 20, seed), noise(words, 20, seed + 1)
    shuffled = np.random.default_rng(seed).permutation(words)
    near = np.argsort(np.arange(words) + shuffled / 20)
    return Planted(
        Embeddings([f"s{i}" for i in range(words)], one.vectors),
        Embeddings([f"t{i}" for i in near], other.vectors),
    )


def align(problem: Planted) -> Space:
    return isolex.align(problem.source, problem.target, budget=0.0, progress=False)


@pytest.mark.parametrize("seed", range(3))
def test_counts_alone_give_a_lexicon(seed: int) -> None:
    problem = with_counts(unrelated(500, seed), seed)
    lexicon = Counted(words=300, wider=((300, 3), (500, 2)))(
        problem.source, problem.target, seed, induce
    )
    assert len(lexicon) > 300
    assert right(problem, lexicon) > 0.9


def test_positive_pointwise_mutual_information_follows_its_definition() -> None:
    rng = np.random.default_rng(0)
    counts = rng.poisson(3, size=(30, 30)).astype(np.float32)
    counts += counts.T
    counts[4, 7] = counts[7, 4] = 0
    smooth, total = counts.sum(axis=0) ** 0.75, counts.sum()
    expected = np.zeros((30, 30))
    for one, other in np.ndindex(30, 30):
        share, often = counts[one, other] / total, counts[one].sum() / total
        context = smooth[other] / smooth.sum()
        expected[one, other] = max(0, np.log(share / (often * context))) if share else 0
    found = Counted(clip=0.0)._informative(counts, 30)
    unit = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    centred = unit - unit.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    np.testing.assert_allclose(found, centred, atol=1e-5)


def test_words_without_a_vector_are_left_out() -> None:
    problem = with_counts(unrelated(400))
    kept = [row for row in range(400) if row % 5]
    words = [problem.source.words[row] for row in kept]
    source = Embeddings(words, problem.source.vectors[kept])
    assert problem.source.counts is not None
    smaller = Planted(source.with_counts(problem.source.counts), problem.target)
    lexicon = Counted(wider=((400, 2),))(smaller.source, smaller.target, 0, induce)
    assert lexicon.sources.max() < 320
    assert right(smaller, lexicon) > 0.7


def test_self_learning_starts_from_clear_counts() -> None:
    """Good vectors, and counts that agree with them."""
    problem = with_counts(planted(500, 20, noise=0.2, seed=1))
    space = align(problem)
    assert space.about(*space.names).counted
    lexicon = space.lexicon()
    assert np.mean([entry.source[1:] == entry.target[1:] for entry in lexicon]) > 0.9


def test_the_last_stages_follow_clear_counts_without_restarts_too() -> None:
    problem = with_counts(planted(500, 20, noise=0.2, seed=1))
    system = replace(get("robust"), restarts=None)
    space = isolex.align(problem.source, problem.target, system=system, progress=False)
    assert space.about(*space.names).counted
    assert len(space.history) == 4


def test_the_vectors_decide_if_the_counts_tell_nothing() -> None:
    problem = planted(400, 20)
    wrong = with_counts(unrelated(400))
    shuffled = np.random.default_rng(0).permutation(400)
    assert wrong.target.counts is not None
    counts = replace_words(wrong.target.counts, [f"t{i}" for i in shuffled])
    counted = Planted(
        problem.source.with_counts(wrong.source.counts),  # type: ignore[arg-type]
        problem.target.with_counts(counts),
    )
    space, without = align(counted), align(problem)
    assert not space.about(*space.names).counted
    np.testing.assert_array_equal(space.languages[0].vectors, without.languages[0].vectors)


def replace_words(counts: isolex.core.counts.Counts, words: list[str]) -> isolex.core.counts.Counts:
    """The same counts of other words."""
    return type(counts)(words, counts.rows, counts.columns, counts.values)
