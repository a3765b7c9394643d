"""Sample words in all languages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.choices import Outcome
from isolex.core.lexicon import Lexicon
from isolex.core.space import Space
from isolex.web.report.look import spread_ranks
from isolex.web.report.side_by_side import side_by_side
from tests.web.explorer.several import four
from tests.web.report.several import connected


@pytest.fixture(scope="module")
def space() -> Space:
    return four()


def lexicons(space: Space) -> dict[tuple[str, str], Lexicon]:
    first, *others = space.names
    return {(first, other): space.lexicon(first, other) for other in others}


def test_the_words_are_those_of_the_lexicons(space: Space) -> None:
    found = side_by_side(space, lexicons(space), 10)
    assert found.language == "en"
    assert found.others == [
        ("es", Outcome.SUCCEEDED),
        ("pl", Outcome.DOUBTFUL),
        ("xx", Outcome.FAILED),
    ]
    ranks = [row.rank for row in found.rows]
    assert len(ranks) == 10
    assert ranks == sorted(set(ranks))
    for row in found.rows:
        assert row.word == space["en"].words[row.rank - 1]
        for (other, _), (word, mutual) in zip(found.others, row.translations, strict=True):
            best = space.translate(row.word, 1, source="en", target=other)[0].word
            back = space.translate(best, 1, source=other, target="en")[0].word
            assert (word, mutual) == (best, back == row.word)


def test_each_band_of_frequency_gives_the_word_that_most_connected_languages_agree_on(
    space: Space,
) -> None:
    count, found = 5, lexicons(space)
    rows = side_by_side(space, found, count).rows
    starts = spread_ranks(80, count + 1)
    words = space["en"].words

    def agreement(row: int) -> int:
        entries = [list(found["en", other])[row] for other in ("es", "pl")]
        return sum(entry.mutual and entry.target != words[row] for entry in entries)

    for start, end, row in zip(starts, starts[1:], rows, strict=False):
        band = range(start - 1, end - 1)
        assert row.rank - 1 in band
        assert agreement(row.rank - 1) == max(map(agreement, band))


def test_words_that_are_spelled_alike_everywhere_are_not_chosen(space: Space) -> None:
    rows = side_by_side(space, lexicons(space), 5).rows
    assert not [row.word for row in rows if row.word.startswith("same")]


def test_languages_that_are_not_connected_have_no_say(space: Space) -> None:
    found = lexicons(space)
    odd = np.arange(len(space["en"])) % 3 == 2
    other = found | {("en", "xx"): replace(found["en", "xx"], mutual=odd)}
    ranks = [[row.rank for row in side_by_side(space, both, 5).rows] for both in (found, other)]
    assert ranks[0] == ranks[1]


def test_if_the_first_language_is_not_connected_another_one_takes_its_place() -> None:
    space = connected(("xx", "en", "es"), ("en", "es"))
    found = side_by_side(space, lexicons(space), 10)
    assert found.language == "en"
    assert found.others == [("xx", Outcome.FAILED), ("es", Outcome.SUCCEEDED)]
    assert all(row.translations[1][0].startswith(("es", "same")) for row in found.rows)


def test_without_any_connection_there_are_still_words() -> None:
    space = connected(("a", "b", "c"))
    found = side_by_side(space, lexicons(space), 100)
    assert found.language == "a"
    assert len(found.rows) == 79
