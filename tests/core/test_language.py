"""A language of a space maps vectors, seen before or not, and knows its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from isolex import Embeddings, Space, align
from isolex.core.language import Language, check_name
from isolex.core.linear_map import LinearMap
from isolex.core.words import Words
from isolex.errors import UsageError
from isolex.systems import get
from tests.planted import Planted, planted


@pytest.fixture(scope="module")
def problem() -> Planted:
    return planted(words=300, dims=12)


@pytest.fixture(scope="module")
def space(problem: Planted) -> Space:
    return align(problem.source, problem.target, system="supervised", lexicon=problem.pairs[:80])


@pytest.fixture(scope="module")
def language(space: Space) -> Language:
    return space.languages[0]


def of_words(*words: str) -> Language:
    vectors = np.random.default_rng(0).normal(size=(len(words), 3))
    return Language.from_mapped(Embeddings(words, vectors, name="es"))


def test_the_stored_vectors_are_those_that_transform_gives(space: Space, problem: Planted) -> None:
    for language, embeddings in zip(space, (problem.source, problem.target), strict=True):
        np.testing.assert_allclose(
            language.transform(embeddings.vectors), language.vectors, atol=1e-6
        )
        lengths = np.linalg.norm(language.vectors, axis=1)
        np.testing.assert_allclose(lengths, 1, atol=1e-6)


def test_a_single_vector_is_mapped_like_all_of_them(language: Language, problem: Planted) -> None:
    found = language.transform(problem.source.vectors[3])
    assert found.shape == (1, 12)
    np.testing.assert_allclose(found[0], language.vectors[3], atol=1e-6)


def test_projected_vectors_are_not_scaled_to_unit_length(
    language: Language, problem: Planted
) -> None:
    doubled = replace(language, map=LinearMap(2 * language.map.matrix))
    vectors = problem.source.vectors
    np.testing.assert_allclose(doubled.project(vectors), 2 * language.project(vectors), atol=1e-5)
    np.testing.assert_allclose(doubled.transform(vectors), language.vectors, atol=1e-6)


@pytest.mark.parametrize("normalise", [(), ("unit",), ("unit", "center", "unit")], ids=str)
def test_aligning_does_not_change_the_embeddings(
    problem: Planted, normalise: tuple[str, ...]
) -> None:
    before = [given.vectors.copy() for given in (problem.source, problem.target)]
    system = replace(get("supervised"), normalise=normalise)
    space = align(problem.source, problem.target, system=system, lexicon=problem.pairs[:80])
    for given, vectors, language in zip(
        (problem.source, problem.target), before, space, strict=True
    ):
        np.testing.assert_array_equal(given.vectors, vectors)
        assert not np.shares_memory(given.vectors, language.vectors)


def test_the_vectors_of_a_space_are_read_only(language: Language) -> None:
    with pytest.raises(ValueError, match="read-only"):
        language.vectors[0, 0] = 5


@pytest.mark.parametrize(
    ("vectors", "facts"),
    [
        (np.ones((2, 5)), "source .*12 dimensions, not 5"),
        (np.full((1, 12), np.nan), "finite"),
        (np.full(12, np.inf), "finite"),
    ],
)
def test_vectors_that_cannot_be_mapped_are_refused(
    language: Language, vectors: np.ndarray, facts: str
) -> None:
    with pytest.raises(UsageError, match=facts):
        language.transform(vectors.astype(np.float32))


def test_mapped_vectors_are_mapped_back(language: Language, problem: Planted) -> None:
    back = language.inverse_transform(language.project(problem.source.vectors))
    normalised = language.normaliser.transform(problem.source.vectors)
    np.testing.assert_allclose(back, normalised, atol=1e-4)


def test_vectors_mapped_elsewhere_only_change_their_length() -> None:
    embeddings = Embeddings(["a", "b"], [[3, 4], [0, -2]], name="en")
    language = Language.from_mapped(embeddings)
    expected = np.array([[0.6, 0.8], [0, -1]], dtype=np.float32)
    np.testing.assert_allclose(language.vectors, expected, atol=1e-6)
    np.testing.assert_allclose(language.transform(embeddings.vectors), expected, atol=1e-6)
    assert not language.vectors.flags.writeable
    assert (language.name, language.words) == ("en", ("a", "b"))


@pytest.mark.parametrize("stored", [tuple, Words.of], ids=["tuple", "bytes"])
def test_words_are_looked_up_however_they_are_stored(stored: type) -> None:
    language = replace(of_words("a", "b", "señor"), words=stored(("a", "b", "señor")))
    assert [language.row(word) for word in ("señor", "a", "x")] == [2, 0, None]
    assert dict(language.index) == {"a": 0, "b": 1, "señor": 2}
    assert "b" in language
    assert "x" not in language
    assert 3 not in language
    assert len(language) == 3


def test_the_mapped_vectors_are_available_as_embeddings(language: Language) -> None:
    embeddings = language.embeddings
    assert embeddings.words == tuple(language.words)
    assert embeddings.name == language.name
    assert np.shares_memory(embeddings.vectors, language.vectors)


class Spelling:
    """A model that knows the vectors of some words."""

    def compose(self, words: Iterable[str]) -> dict[str, np.ndarray]:
        made = np.array([1, 2, 3], dtype=np.float32)
        return {word: made for word in words if word.startswith("un")}


def test_composed_words_are_mapped_like_others() -> None:
    language = replace(of_words("a", "b"), subwords=Spelling())
    found = language.compose(["undo", "redo", "untie"])
    assert list(found) == ["undo", "untie"]
    expected = language.transform(np.array([1, 2, 3], dtype=np.float32))[0]
    np.testing.assert_array_equal(found["undo"], expected)
    assert language.compose(["redo"]) == {}
    assert of_words("a").compose(["undo"]) == {}


def test_a_language_recognises_the_vectors_it_was_made_from(
    language: Language, problem: Planted
) -> None:
    assert language.is_from(problem.source)
    more = Embeddings(
        [*problem.source.words, "more"], np.vstack([problem.source.vectors, np.ones((1, 12))])
    )
    assert language.is_from(more)
    assert not language.is_from(problem.target)
    assert not language.is_from(problem.source.head(10))
    changed = problem.source.vectors.copy()
    changed[0, 0] += 1
    assert not language.is_from(Embeddings(problem.source.words, changed))
    assert not language.is_from(Embeddings(problem.source.words, changed[:, :5]))


@pytest.mark.parametrize("word", ["sen\u0303or", "SEÑOR", " señor "])
def test_a_word_that_is_spelled_alike_is_suggested(word: str) -> None:
    message = of_words("a", "señor").unknown(word)
    assert "did you mean 'señor'?" in message
    assert "es (2 words)" in message


def test_a_hint_about_another_language_takes_precedence() -> None:
    assert "did you mean" not in of_words("a").unknown("nowhere")
    message = of_words("dog").unknown("Dog", "it is a word of en")
    assert message.endswith("it is a word of en")
    assert "did you mean" not in message


def test_a_printed_language_shows_its_name_only(language: Language) -> None:
    assert repr(language) == "Language(name='source')"


@pytest.mark.parametrize("name", ["pt/br", "pt\\br", "", ".."])
def test_a_name_that_cannot_be_part_of_a_file_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="name of a language"):
        check_name(name)
