"""add: a further language finds its place, and nothing else in the space moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import isolex
from isolex import Embeddings, Space
from isolex.core.choices import Outcome
from isolex.core.counts import Counts
from isolex.core.embeddings import FEWEST_COUNTED
from isolex.errors import UsageError
from tests.planted import planted_languages, scrambled, share_right
from tests.wording import Wording

WORDS, DIMS = 300, 30


@pytest.fixture(scope="module")
def languages() -> list[Embeddings]:
    return planted_languages(4, WORDS, DIMS)


@pytest.fixture(scope="module")
def two(languages: list[Embeddings]) -> Space:
    return isolex.align(*languages[:2])


@pytest.fixture(scope="module")
def three(two: Space, languages: list[Embeddings]) -> Space:
    return isolex.add(two, languages[2])


def assert_unchanged(before: Space, after: Space) -> None:
    for one, other in zip(before, after, strict=False):
        np.testing.assert_array_equal(one.vectors, other.vectors)
        np.testing.assert_array_equal(one.map.matrix, other.map.matrix)
    for names, pair in before.pairs.items():
        assert after.pairs[names] is pair
    for one, other in before.pairs:
        assert after.translate(f"{one}7", source=one, target=other) == before.translate(
            f"{one}7", source=one, target=other
        )


def test_the_new_language_is_found_and_the_others_stay(two: Space, three: Space) -> None:
    assert three.names == ("a", "b", "c")
    assert_unchanged(two, three)
    for both in (("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")):
        assert share_right(three, *both) > 0.98
    assert three.outcome("c") == Outcome.SUCCEEDED
    assert len(three.tree) == 2


def test_mapped_vectors_of_the_new_language_lie_among_the_others(three: Space) -> None:
    a, c = three["a"], three["c"]
    rows = [c.index[f"c{word[1:]}"] for word in a.words]
    assert (a.vectors * c.vectors[rows]).sum(axis=1).mean() > 0.95


def test_languages_are_added_one_after_another(
    three: Space, languages: list[Embeddings], tmp_path: Path
) -> None:
    three.save(tmp_path)
    four = isolex.add(isolex.open(tmp_path), languages[3])
    assert [one.vectors.tobytes() for one in three] == [one.vectors.tobytes() for one in four][:3]
    assert min(share_right(four, "d", other) for other in "abc") > 0.98
    assert four.names == ("a", "b", "c", "d")
    assert {"d"} < {name for edge in four.tree for name in edge}


def test_a_language_that_fits_none_has_failed_and_harms_none(
    three: Space, languages: list[Embeddings]
) -> None:
    found = isolex.add(three, scrambled(languages[0], "n"), budget=0)
    assert_unchanged(three, found)
    assert found.outcome("n") == Outcome.FAILED
    assert found.tree == three.tree
    assert found.outcome("a") == Outcome.SUCCEEDED


def test_a_language_is_not_joined_with_one_that_has_failed(
    three: Space, languages: list[Embeddings]
) -> None:
    noisy = isolex.add(three, scrambled(languages[3], "n"), budget=0)
    found = isolex.add(noisy, languages[3])
    assert_unchanged(noisy, found)
    assert found.outcome("d") == Outcome.SUCCEEDED
    assert found.about("n", "d").verdict is not None
    assert found.about("n", "d").alone is None
    assert found.outcome("n") == Outcome.FAILED


def test_training_pairs_take_the_place_of_an_unsupervised_start(
    two: Space, languages: list[Embeddings]
) -> None:
    pairs = [(f"c{i}", f"b{i}") for i in range(100)]
    found = isolex.add(two, languages[2], system="supervised", lexicon={("c", "b"): pairs})
    assert [both for both, pair in found.pairs.items() if pair.alone] == [("b", "c")]
    assert min(share_right(found, "c", other) for other in "ab") > 0.95


def test_a_space_of_vectors_mapped_elsewhere_takes_a_language(
    two: Space, languages: list[Embeddings]
) -> None:
    space = Space.from_vectors(*(one.embeddings for one in two))
    found = isolex.add(space, languages[2])
    assert min(share_right(found, "c", other) for other in "ab") > 0.95


def test_fewer_dimensions_fit_too(two: Space) -> None:
    _, _, small = planted_languages(3, WORDS, DIMS, noise=0.01)
    narrow = small.vectors @ np.linalg.svd(small.vectors, full_matrices=False)[2][:25].T
    found = isolex.add(two, Embeddings(small.words, narrow, name="c"))
    assert found["c"].vectors.shape[1] == DIMS
    assert share_right(found, "a", "c") > 0.9


def test_the_same_seed_gives_the_same_space(
    two: Space, three: Space, languages: list[Embeddings]
) -> None:
    again = isolex.add(two, languages[2], threads=1)
    np.testing.assert_array_equal(again["c"].vectors, three["c"].vectors)


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("a", {}, "'a' is in the space already"),
        ("", {}, "the new language has no name"),
        (
            "c",
            {"lexicon": {("a", "b"): [("a1", "b1")]}},
            "training pairs must involve the new language 'c'",
        ),
        ("c", {"lexicon": {("a", "x"): [("a1", "b1")]}}, "choose from a, b, c"),
        ("c", {"lexicon": {("a", "c"): [("no", "such")]}}, "no training pair has both words"),
        ("c", {"seed": -1}, "the seed must be"),
        ("c", {"system": "smith2017"}, "aligns two languages"),
        ("c", {"system": "supervised"}, "learns from training pairs"),
    ],
)
def test_what_cannot_be_added_is_refused(
    two: Space, languages: list[Embeddings], name: str, options: dict, expected: str
) -> None:
    with pytest.raises(UsageError, match=expected):
        isolex.add(two, languages[2].named(name), **options)


def test_counts_that_would_not_be_used_are_refused(wording: Wording) -> None:
    words = [f"c{row}" for row in range(FEWEST_COUNTED)]
    vectors = np.random.default_rng(0).normal(size=(len(words), 5))
    language = Embeddings(words, vectors, name="c").with_counts(Counts(words, [0], [1], [1]))
    space = Space.from_vectors(*planted_languages(2))
    with pytest.raises(UsageError) as error:
        isolex.add(space, language)
    wording(error.value)
