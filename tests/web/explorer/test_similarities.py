"""In a pair with maps of its own, a look-up gives what `Space.translate` gives."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from isolex.core.choices import RetrievalMethod
from isolex.core.language import Language
from isolex.core.linear_map import LinearMap
from isolex.core.pair import PairVectors
from isolex.core.space import Space
from isolex.core.statistics import WIDTH
from isolex.web.explorer import figure
from isolex.web.explorer.lookup import look_up
from isolex.web.explorer.served_space import ServedSpace
from isolex.web.explorer.similarities import measure, similarities
from tests.web.explorer.conftest import client
from tests.web.explorer.several import four

K = 10


def fresh(space: Space) -> Space:
    """The same space, in which nothing is known yet."""
    return replace(space, statistics={})


@pytest.mark.parametrize("method", list(RetrievalMethod))
def test_translations_and_scores_are_those_of_the_space(
    many: ServedSpace, method: RetrievalMethod
) -> None:
    exact = fresh(many.space)
    for one, other in permutations(many.space, 2):
        for row in (0, 7, 50):
            [column] = look_up(many.space, one, other, row, K, [method]).columns
            found = column.translations or []
            word = one.words[row]
            expected = exact.translate(word, K, method, source=one.name, target=other.name)
            expected = [each for each in expected if each.score > -WIDTH]  # ranks that are known
            found = found[: len(expected)]
            assert [each.word for each in found] == [each.word for each in expected]
            scores = [each.score for each in expected]
            np.testing.assert_allclose([each.score for each in found], scores, atol=1e-5)


def test_the_maps_of_a_pair_matter(many: ServedSpace) -> None:
    """Otherwise the test above would prove nothing."""
    space = many.space
    shared = replace(space, pairs={}, statistics={})
    differ = [
        space.translate(word, K, source="en", target="es")
        != shared.translate(word, K, source="en", target="es")
        for word in space["en"].words[:10]
    ]
    assert all(differ)


def test_mutual_marks_are_those_of_the_lexicon(many: ServedSpace) -> None:
    space = many.space
    lexicon = fresh(space).lexicon("es", "pl")
    assert lexicon.mutual is not None
    method = [space.retrieval.method]
    marks = [
        look_up(space, space["es"], space["pl"], row, 1, method).columns[0].mutual
        for row in range(len(lexicon))
    ]
    assert marks == lexicon.mutual.tolist()
    assert 0 < sum(marks) < len(marks)


def test_no_vocabulary_is_mapped_for_a_page(
    many: ServedSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mapping a vocabulary takes twenty times as long as comparing a word with all of it."""
    monkeypatch.setattr(PairVectors, "whole", property(lambda _: pytest.fail("mapped")))
    get = client(many)
    assert get("/many/?word=en7").status_code == 200
    assert get("/many/?word=en7&to=es").status_code == 200
    assert get("/api/translate?word=en7&to=*").status_code == 200


def test_a_vector_that_a_map_cancels_has_no_similarity() -> None:
    space = four()
    one, other = space["en"], space["es"]
    nothing = LinearMap(np.zeros((len(one.vectors[0]), 3), dtype=np.float32))
    maps = (nothing, nothing)
    space = replace(space, pairs={("en", "es"): replace(space.about("en", "es"), maps=maps)})
    found = similarities(space, np.ones((2, 3), np.float32), one, other)
    np.testing.assert_array_equal(found, np.zeros((2, len(one)), np.float32))


def test_lengths_are_measured_once() -> None:
    space = four()
    assert measure(space, space["en"], space["es"])
    assert not measure(space, space["en"], space["es"])
    assert not measure(space, space["en"], space["xx"]), "this pair has no maps"


def test_the_picture_shows_the_words_as_the_pair_sees_them(
    many: ServedSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, drawn = many.space, []
    real = figure.flat

    def flat(vectors: np.ndarray) -> np.ndarray:
        drawn.append(vectors)
        return real(vectors)

    monkeypatch.setattr(figure, "flat", flat)
    one, other = space["en"], space["es"]
    answer = look_up(space, one, other, 7, K)
    figure.neighbourhood(many, answer, K)

    def seen(language: Language, rest: Language, row: int) -> np.ndarray:
        return np.asarray(space.seen(language, rest))[row]

    [vectors] = drawn
    np.testing.assert_allclose(vectors[0], seen(one, other, 7), atol=1e-6)
    near = answer.neighbours[0]
    np.testing.assert_allclose(vectors[1], seen(one, other, near.row), atol=1e-6)
    assert near.cosine == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-5)
