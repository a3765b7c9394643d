"""Ways to the first lexicon."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.method import normalise
from isolex.method.initialise import Given, Identical, Numerals, Random, Unsupervised
from tests.planted import planted


def problem(
    src: Embeddings, trg: Embeddings, pairs: list[tuple[str, str]] | None = None
) -> Problem:
    x, z = (normalise.fit(("unit", "center", "unit"), e.vectors)[1] for e in (src, trg))
    return Problem(src, trg, x, z, pairs, seed=3)


def spelt(*words: str) -> Embeddings:
    return Embeddings(words, np.random.default_rng(len(words)).normal(size=(len(words), 4)))


def words(asked: Problem, lexicon: object) -> list[tuple[str, str]]:
    return [
        (asked.src.words[s], asked.trg.words[t])
        for s, t in zip(lexicon.src, lexicon.trg, strict=True)
    ]


def test_an_exact_rotation_is_found_by_the_distributions_alone() -> None:
    made = planted(words=300, dims=15, noise=0.0)
    asked = problem(made.src, made.trg)
    pairs = words(asked, Unsupervised()(asked))
    assert len(pairs) == 600
    assert np.mean([s[1:] == t[1:] for s, t in pairs]) > 0.95


def test_the_cutoff_bounds_the_words_that_take_part() -> None:
    made = planted(words=300, dims=15)
    lexicon = Unsupervised(cutoff=100)(problem(made.src, made.trg))
    assert max(lexicon.src.max(), lexicon.trg.max()) < 100
    assert len(lexicon) == 200


@pytest.mark.parametrize(("src", "trg"), [(5, 300), (300, 5), (1, 1)])
def test_a_smaller_vocabulary_sets_the_size(src: int, trg: int) -> None:
    made = planted(words=300, dims=15)
    lexicon = Unsupervised()(problem(made.src.head(src), made.trg.head(trg)))
    assert len(lexicon) == 2 * min(src, trg)


def test_unequal_dimensions_are_no_hindrance() -> None:
    made = planted(words=300, dims=15, trg_dims=25)
    assert len(Unsupervised()(problem(made.src, made.trg))) == 600


def test_given_pairs_are_those_that_both_vocabularies_hold() -> None:
    asked = problem(spelt("a", "b"), spelt("x", "y"), [("b", "x"), ("c", "y"), ("a", "z")])
    assert words(asked, Given()(asked)) == [("b", "x")]


def test_identical_words_and_numerals() -> None:
    asked = problem(spelt("a", "1990", "b", "½", "12"), spelt("12", "b", "½", "z", "1990"))
    assert words(asked, Identical()(asked)) == [
        ("1990", "1990"),
        ("b", "b"),
        ("½", "½"),
        ("12", "12"),
    ]
    assert words(asked, Numerals()(asked)) == [("1990", "1990"), ("12", "12")]


def test_random_pairs_are_one_to_one_and_follow_the_seed() -> None:
    made = planted(words=100, dims=5)
    first, again = (Random(cutoff=50)(problem(made.src, made.trg)) for _ in range(2))
    assert sorted(first.trg.tolist()) == list(range(50))
    np.testing.assert_array_equal(first.trg, again.trg)


@pytest.mark.parametrize(
    ("way", "message"),
    [
        (Identical(), "the vocabularies share no word: choose another system"),
        (Numerals(), "share no number in digits"),
        (Given(), "give a lexicon"),
    ],
)
def test_nothing_to_begin_with_is_said(way: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        way(problem(spelt("a", "b"), spelt("x", "y")))


def test_training_pairs_outside_the_vocabularies_are_said() -> None:
    with pytest.raises(UsageError, match="no training pair, source word first, is in"):
        Given()(problem(spelt("a"), spelt("x"), [("q", "x")]))
