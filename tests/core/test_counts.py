"""Co-occurrence counts: what is refused, and the matrix they stand for."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from isolex.core.counts import Counts
from isolex.core.embeddings import FEWEST_COUNTED, Embeddings
from isolex.errors import UsageError
from tests.wording import Wording

COUNTS = Counts("abcd", [0, 0, 1], [1, 0, 3], [5, 2, 7])


def test_the_matrix_is_symmetric_and_in_the_order_of_the_chosen_words() -> None:
    found = COUNTS.square(np.array([3, 1, 0], dtype=np.int32))
    np.testing.assert_array_equal(found, [[0, 7, 0], [7, 0, 5], [0, 5, 2]])


def test_words_are_found_in_another_vocabulary() -> None:
    here, there = COUNTS.rows_in({"d": 9, "x": 1, "b": 4})
    assert (here.tolist(), there.tolist()) == ([1, 3], [4, 9])
    assert [len(side) for side in COUNTS.rows_in({})] == [0, 0]


@pytest.mark.parametrize(
    ("words", "rows", "columns", "values"),
    [
        ("aba", [0], [1], [1]),
        ("ab", [0], [2], [1]),
        ("ab", [1], [0], [1]),
        ("ab", [-1], [0], [1]),
        ("ab", [0], [1], [0]),
        ("ab", [0], [1], [1 << 32]),
        ("ab", [], [], []),
        ("ab", [0], [1, 1], [1]),
        ("ab", [0.0], [1], [1]),
    ],
)
def test_impossible_counts_are_refused(words, rows, columns, values, wording: Wording) -> None:
    arrays = (np.array(side, dtype=None if side else int) for side in (rows, columns, values))
    with pytest.raises(UsageError) as error:
        Counts(words, *arrays)
    wording(error.value)


def test_the_checksum_depends_on_words_and_counts() -> None:
    others = [
        Counts("abce", [0, 0, 1], [1, 0, 3], [5, 2, 7]),
        Counts("abcd", [0, 0, 1], [1, 0, 3], [5, 2, 8]),
        Counts("abcd", [0, 0, 1], [1, 0, 2], [5, 2, 7]),
    ]
    assert len({one.checksum for one in (COUNTS, *others)}) == 4
    assert COUNTS.checksum == Counts("abcd", [0, 0, 1], [1, 0, 3], [5, 2, 7]).checksum


def test_embeddings_keep_their_counts() -> None:
    words = [f"w{row}" for row in range(300)]
    counts = Counts(words, [0], [1], [1])
    counted = Embeddings(words, np.ones((300, 2))).with_counts(counts)
    for one in (
        counted,
        counted.head(250),
        counted.named("x"),
        pickle.loads(pickle.dumps(counted)),
    ):
        assert one.counts is not None
        assert one.counts.checksum == counts.checksum
    assert repr(counts) == "Counts(300 words, 1 pairs of words)"


def test_counts_of_another_text_are_refused(wording: Wording) -> None:
    words = [f"w{row}" for row in range(FEWEST_COUNTED - 1)]
    embeddings = Embeddings([*words, "more"], np.ones((FEWEST_COUNTED, 2)))
    with pytest.raises(UsageError) as error:
        embeddings.with_counts(Counts([*words, "other"], [0], [1], [1]))
    wording(error.value)
