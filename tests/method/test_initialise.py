"""The first lexicon: from structure, given pairs, spelling or trained maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex import Embeddings
from isolex.core.lexicon import Lexicon, match
from isolex.core.linear_map import LinearMap, rotation
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.method import normalise
from isolex.method.induced_pairs import Which
from isolex.method.initialise import (
    Given,
    Identical,
    Induced,
    Initialise,
    Numerals,
    Random,
    Unsupervised,
)
from tests.planted import noise, planted


def problem(
    source: Embeddings, target: Embeddings, pairs: list[tuple[str, str]] | None = None
) -> Problem:
    x, z = (normalise.fit(("unit", "center", "unit"), e.vectors)[1] for e in (source, target))
    return Problem(source, target, x, z, pairs, seed=3)


def vocabulary(*words: str) -> Embeddings:
    return Embeddings(words, np.random.default_rng(len(words)).normal(size=(len(words), 4)))


def word_pairs(given: Problem, lexicon: Lexicon) -> list[tuple[str, str]]:
    return [
        (given.source.words[source], given.target.words[target])
        for source, target in zip(lexicon.sources, lexicon.targets, strict=True)
    ]


def test_an_exact_rotation_is_found_from_the_distributions_alone() -> None:
    made = planted(words=300, dims=15, noise=0.0)
    given = problem(made.source, made.target)
    pairs = word_pairs(given, Unsupervised()(given))
    assert len(pairs) == 600
    assert np.mean([s[1:] == t[1:] for s, t in pairs]) > 0.95


def test_the_cutoff_limits_the_words_that_take_part() -> None:
    made = planted(words=300, dims=15)
    lexicon = Unsupervised(cutoff=100)(problem(made.source, made.target))
    assert max(lexicon.sources.max(), lexicon.targets.max()) < 100
    assert len(lexicon) == 200


@pytest.mark.parametrize(("sources", "targets"), [(5, 300), (300, 5), (1, 1)])
def test_the_smaller_vocabulary_determines_the_size(sources: int, targets: int) -> None:
    made = planted(words=300, dims=15)
    lexicon = Unsupervised()(problem(made.source.head(sources), made.target.head(targets)))
    assert len(lexicon) == 2 * min(sources, targets)


def test_words_of_similar_rank_are_paired_more_often_the_more_the_rank_counts() -> None:
    given = problem(noise(300, 15, 0), noise(300, 15, 1))
    distances = []
    for rank in (None, 0.3, 0.9):
        lexicon = Unsupervised(rank=rank)(given)
        ranks = np.log(lexicon.sources + 5), np.log(lexicon.targets + 5)
        distances.append(np.abs(ranks[0] - ranks[1]).mean())
    assert distances[0] > 1.2 * distances[1]
    assert distances[1] > 1.2 * distances[2]


@pytest.mark.parametrize("rank", [-0.1, 1.5])
def test_the_share_of_the_rank_is_a_share(rank: float) -> None:
    with pytest.raises(UsageError, match=f"between 0 and 1, not {rank}"):
        Unsupervised(rank=rank)


@pytest.mark.parametrize("seed", range(3))
def test_a_mean_of_the_frequent_words_does_not_hide_the_answer(seed: int) -> None:
    made = planted(words=300, dims=15, noise=0.0, seed=seed)
    common = np.random.default_rng(seed).normal(size=(1, 15)).astype(np.float32)
    vectors = unit(made.source.vectors)
    vectors[:150] += unit(common)
    given = problem(Embeddings(made.source.words, vectors), made.target)
    right = []
    for center in (False, True):
        pairs = word_pairs(given, Unsupervised(150, center=center)(given))
        right.append(np.mean([s[1:] == t[1:] for s, t in pairs]))
    assert right[1] > right[0] + 0.3


def test_the_languages_may_have_different_dimensions() -> None:
    made = planted(words=300, dims=15, target_dims=25)
    assert len(Unsupervised()(problem(made.source, made.target))) == 600


def test_given_pairs_are_used_if_both_words_are_in_the_vocabularies() -> None:
    given = problem(
        vocabulary("a", "b"), vocabulary("x", "y"), [("b", "x"), ("c", "y"), ("a", "z")]
    )
    assert word_pairs(given, Given()(given)) == [("b", "x")]


def test_words_and_numerals_spelled_alike_are_paired() -> None:
    given = problem(
        vocabulary("a", "1990", "b", "½", "12"), vocabulary("12", "b", "½", "z", "1990")
    )
    assert word_pairs(given, Identical()(given)) == [
        ("1990", "1990"),
        ("b", "b"),
        ("½", "½"),
        ("12", "12"),
    ]
    assert word_pairs(given, Numerals()(given)) == [("1990", "1990"), ("12", "12")]


def test_random_pairs_are_one_to_one_and_follow_the_seed() -> None:
    made = planted(words=100, dims=5)
    first, again = (Random(cutoff=50)(problem(made.source, made.target)) for _ in range(2))
    assert sorted(first.targets.tolist()) == list(range(50))
    np.testing.assert_array_equal(first.targets, again.targets)


@pytest.mark.parametrize(
    ("start", "facts"),
    [
        (Identical(), "share no word: choose another system"),
        (Numerals(), "share no number in digits"),
        (Given(), "give a lexicon"),
    ],
)
def test_a_problem_without_a_first_pair_is_refused(start: Initialise, facts: str) -> None:
    with pytest.raises(UsageError, match=facts):
        start(problem(vocabulary("a", "b"), vocabulary("x", "y")))


def test_training_pairs_outside_the_vocabularies_are_refused() -> None:
    with pytest.raises(UsageError, match="no training pair"):
        Given()(problem(vocabulary("a"), vocabulary("x"), [("q", "x")]))


@pytest.mark.parametrize("pairs", [None, "forward", "mutual"])
def test_trained_maps_induce_a_lexicon(pairs: Which | None) -> None:
    made = planted(words=200, dims=10)
    given = problem(made.source, made.target)
    gold = match(made.pairs, made.source, made.target)[0]
    maps = LinearMap(rotation(given.x, given.z, gold)), LinearMap.identity(10)
    found = Induced(cutoff=150, pairs=pairs)(replace(given, trained=maps))
    assert max(found.sources.max(), found.targets.max()) < 150
    right = [source[1:] == target[1:] for source, target in word_pairs(given, found)]
    assert np.mean(right) > {None: 0.8, "forward": 0.8, "mutual": 0.95}[pairs]
    assert (len(found) == 300) == (pairs is None)
    assert (len(found) == 150) == (pairs == "forward")


def test_without_training_there_is_nothing_to_induce_from() -> None:
    made = planted(words=50, dims=5)
    with pytest.raises(UsageError, match="Induced needs a system that trains"):
        Induced()(problem(made.source, made.target))
