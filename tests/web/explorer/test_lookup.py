"""Looking up one word gives what retrieval over the whole vocabulary gives."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from isolex.core.choices import RetrievalMethod
from isolex.core.retrieval import Direction
from isolex.core.space import Space
from isolex.core.statistics import WIDTH, Statistics, is_ready
from isolex.web.explorer.lookup import Answer, look_up
from isolex.web.explorer.served_space import ServedSpace

K = 10


def answer(space: Space, row: int, k: int = K, source: str = "en", target: str = "es") -> Answer:
    return look_up(space, *space.pair(source, target), row, k)


def exact(space: Space, source: str, target: str) -> Direction:
    """The direction without any statistics, so that everything is computed."""
    spelling = space.direction(source, target).spelling
    vectors = space[source].vectors, space[target].vectors
    return Direction(*vectors, Statistics(), Statistics(), spelling)


@pytest.mark.parametrize("method", list(RetrievalMethod))
@pytest.mark.parametrize("pair", list(permutations(("en", "es", "x<y"), 2)))
def test_every_method_agrees_with_exact_retrieval(
    three: ServedSpace, method: RetrievalMethod, pair: tuple[str, str]
) -> None:
    space, direction = three.space, exact(three.space, *pair)
    retrieval = space.retrieval.by(method)
    place = list(RetrievalMethod).index(method)
    # By spelling, only the best targets by csls and the most alike are scored.
    size = K if method == RetrievalMethod.SPELLING else len(direction.z)
    for row in range(0, len(space[pair[0]]), 60):
        every = direction.retrieve(np.array([row], dtype=np.int32), size, retrieval)
        scores = dict(zip(every.indices[0].tolist(), every.scores[0].tolist(), strict=True))
        column = answer(space, row, K, *pair).columns[place]
        assert column.method == method
        found = [one.score for one in column.translations or []]
        np.testing.assert_allclose(found, [scores[one] for one in column.rows], atol=2e-4)
        # Ranks of WIDTH and above are unknown: such words are left out.
        expected = [score for score in every.scores[0, :K] if not retrieval.ranks or score > -WIDTH]
        assert abs(len(found) - len(expected)) <= 1, "a rank at the limit may fall on either side"
        np.testing.assert_allclose(found[: len(expected)], expected[: len(found)], atol=2e-4)
        words = space[pair[1]].words
        assert [one.word for one in column.translations or []] == [words[r] for r in column.rows]


@pytest.mark.parametrize("method", list(RetrievalMethod))
def test_mutual_marks_agree_with_retrieval_of_all_words(
    served: ServedSpace, method: RetrievalMethod
) -> None:
    space, retrieval = served.space, served.space.retrieval.by(method)
    place = list(RetrievalMethod).index(method)
    there = exact(space, "en", "es").retrieve(None, 1, retrieval).indices[:, 0]
    back = exact(space, "es", "en").retrieve(None, 1, retrieval).indices[:, 0]
    marks = 0
    for row in range(0, len(there), 7):
        column = answer(space, row, 1).columns[place]
        assert column.rows == [there[row]]
        assert column.mutual == (back[there[row]] == row)
        marks += column.mutual
    assert marks > 5


def test_the_best_translations_are_those_of_the_lexicon(served: ServedSpace) -> None:
    assert served.lexicon is not None
    text = served.lexicon.read_text(encoding="utf-8", errors="surrogateescape")
    place = list(RetrievalMethod).index(served.space.retrieval.method)
    for line in text.splitlines()[1:60]:
        source, target, score, mutual = line.split("\t")
        row = served.space["en"].row(source)
        assert row is not None
        column = answer(served.space, row, 1).columns[place]
        [best] = column.translations or []
        assert (best.word, column.mutual) == (target, mutual == "1")
        assert best.score == pytest.approx(float(score), abs=1e-4)


def test_neighbours_are_the_nearest_words_of_both_languages(served: ServedSpace) -> None:
    space = served.space
    row = space["en"].row("mother")
    assert row is not None
    found = answer(space, row, 5)
    assert found.neighbours[0].word in ("father", "sister", "daughter", "wife")
    assert "mother" not in {one.word for one in found.neighbours}
    assert found.abroad[0].word == "madre"
    assert len(found.neighbours) == len(found.abroad) == 5
    best = np.sort(space["en"].vectors @ space["en"].vectors[row])[::-1]
    cosines = [one.cosine for one in found.neighbours]
    np.testing.assert_allclose(cosines, best[1:6], atol=1e-6)


def test_a_look_up_never_computes_statistics(served: ServedSpace) -> None:
    """They would come from the similarities to one word, and would be wrong for all others."""
    space = Space(served.space.languages, served.space.settings)
    columns = answer(space, 5).columns
    assert [column.method for column in columns if column.translations is not None] == ["nn"]
    for known in space.statistics.values():
        assert known == Statistics()
    answer(served.space, 5)
    for method in RetrievalMethod:
        direction = served.space.direction("en", "es")
        assert is_ready(direction.own, direction.theirs, served.space.retrieval.by(method))
