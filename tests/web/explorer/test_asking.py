"""One word at a time gives what retrieval over the whole vocabulary gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.choices import Method
from isolex.core.retrieval import Space
from isolex.web.explorer import asking
from isolex.web.explorer.asking import WIDTH, Direction, Known, Pool
from isolex.web.explorer.atlas import Atlas

K = 10


def asked(atlas: Atlas, reverse: bool) -> tuple[Direction, Space]:
    source, target = atlas.languages(reverse=reverse)
    space = Space(source.vocabulary.vectors, target.vocabulary.vectors)
    return atlas.direction(reverse=reverse), space


@pytest.mark.parametrize("reverse", [False, True], ids=["forward", "reverse"])
@pytest.mark.parametrize("method", list(Method))
def test_every_method_agrees_with_the_exact_retrieval(
    atlas: Atlas, method: Method, reverse: bool
) -> None:
    direction, space = asked(atlas, reverse)
    retrieval = replace(atlas.retrieval, method=method)
    for row in range(0, 800, 160):
        query = np.array([row], dtype=np.int32)
        every = space.retrieve(query, len(space.trg), retrieval)
        scores = dict(zip(every.indices[0].tolist(), every.scores[0].tolist(), strict=True))
        found = direction.rank(row, method, K, direction.pool(row))
        rows = found.rows.tolist()
        np.testing.assert_allclose(found.scores, [scores[one] for one in rows], atol=2e-4)
        assert len(set(rows)) == K
        assert found.scores.tolist() == sorted(found.scores.tolist(), reverse=True)
        if every.scores[0, K - 1] > 1 - WIDTH:  # further down invnn and gc choose by cosine
            np.testing.assert_allclose(found.scores, every.scores[0, :K], atol=2e-4)


@pytest.mark.parametrize("method", list(Method))
def test_mutual_marks_are_those_of_the_whole_vocabularies(atlas: Atlas, method: Method) -> None:
    _, space = asked(atlas, reverse=False)
    _, back = asked(atlas, reverse=True)
    retrieval = replace(atlas.retrieval, method=method)
    everyone = np.arange(len(space.src), dtype=np.int32), np.arange(len(space.trg), dtype=np.int32)
    there = space.retrieve(everyone[0], 1, retrieval).indices[:, 0]
    again = back.retrieve(everyone[1], 1, retrieval).indices[:, 0]
    words = atlas.source.vocabulary.words
    marks = 0
    for row in range(0, len(words), 7):
        [best] = atlas.translate(words[row], 1, method, reverse=False).translations or []
        assert best.mutual == (again[there[row]] == row)
        marks += best.mutual
    assert marks > 5


def test_the_mutual_marks_are_those_of_the_lexicon(atlas: Atlas) -> None:
    lines = (atlas.folder / "lexicon.tsv").read_text(encoding="utf-8", errors="surrogateescape")
    cells = [line.split("\t") for line in lines.splitlines()[1:60]]
    for source, target, score, mutual in cells:
        [best] = atlas.translate(source, 1, Method.CSLS, reverse=False).translations or []
        assert (best.word, best.mutual) == (target, mutual == "1")
        assert best.score == pytest.approx(float(score), abs=1e-4)


def test_words_that_lie_far_off_can_be_chosen_by_rank(atlas: Atlas) -> None:
    """Those that have the word among their nearest are candidates, whatever the pool holds."""
    empty = Pool(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))
    direction, space = asked(atlas, reverse=False)
    exact = space.retrieve(
        np.array([5], dtype=np.int32), 3, replace(atlas.retrieval, method=Method.INVNN)
    )
    found = direction.rank(5, Method.INVNN, 3, empty)
    np.testing.assert_array_equal(found.rows, exact.indices[0])


def test_where_counting_takes_too_long_only_ranks_that_are_told_are_answered(
    atlas: Atlas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "COUNTED", 10)
    for row in range(0, 800, 40):
        found = atlas.forward.rank(row, Method.INVNN, 50, atlas.forward.pool(row))
        assert (found.scores > -WIDTH).all()
        counted = min(50, len(found.rows))
        monkeypatch.setattr(asking, "COUNTED", 10_000)
        every = atlas.forward.rank(row, Method.INVNN, 50, atlas.forward.pool(row))
        np.testing.assert_array_equal(found.rows, every.rows[:counted])
        monkeypatch.setattr(asking, "COUNTED", 10)


def test_neighbours_are_those_of_both_languages_without_the_word(atlas: Atlas) -> None:
    answer = atlas.answer("mother", 5, reverse=False)
    assert answer.neighbours[0].word in ("father", "sister", "daughter", "wife")
    assert "mother" not in {one.word for one in answer.neighbours}
    assert answer.abroad[0].word == "madre"
    assert len(answer.neighbours) == len(answer.abroad) == 5


def test_a_method_is_ready_when_both_languages_are(atlas: Atlas) -> None:
    for reverse in (False, True):
        direction = atlas.direction(reverse=reverse)
        assert all(direction.ready(method) for method in Method)
        for half in (replace(direction, own=Known()), replace(direction, theirs=Known())):
            assert [method for method in Method if half.ready(method)] == ["nn"]
