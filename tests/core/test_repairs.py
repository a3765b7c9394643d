"""Vectors from elsewhere are repaired like files, or refused in one line."""

from __future__ import annotations

import logging
import pickle

import numpy as np
import pytest

from isolex import Embeddings
from isolex.core.repairs import Repairs
from isolex.errors import UsageError


def same(one: Embeddings, other: Embeddings) -> bool:
    return one.words == other.words and one.vectors.tobytes() == other.vectors.tobytes()


def test_no_repairs_have_no_description() -> None:
    assert Repairs().describe("en.vec") == ""


@pytest.mark.parametrize(
    ("repairs", "facts"),
    [
        (
            Repairs(duplicates=3, not_finite=1, header="header said 10 words, file has 9"),
            ["3 duplicate words", "1 row with NaN", "header said 10 words, file has 9"],
        ),
        (
            Repairs(empty=1, zero=2, blank=1000, truncated=1, invalid_utf8=1, numeric_ends=2),
            [
                "1 empty word",
                "2 zero vectors",
                "1,000 blank lines",
                "1 truncated last entry",
                "1 word not in UTF-8",
                "2 words ending in a number",
            ],
        ),
    ],
    ids=["header", "counts"],
)
def test_all_repairs_are_described_in_one_line(repairs, facts, wording) -> None:
    line = repairs.describe("en.vec")
    assert line.startswith("en.vec: ")
    assert "\n" not in line
    assert [fact for fact in facts if fact not in line] == []
    wording(line)


def test_unusable_rows_are_dropped_and_logged(caplog: pytest.LogCaptureFixture, wording) -> None:
    words = ["a", "", "b", "a", "c", "d", "e"]
    vectors = np.array([[1, 2], [1, 2], [np.inf, 0], [3, 4], [0, 0], [1e39, 1], [5, 6]])
    with caplog.at_level(logging.WARNING, "isolex"):
        made = Embeddings.from_numpy(words, vectors)
    assert made.words == ("a", "c", "e")
    assert made.vectors.tolist() == [[1, 2], [0, 0], [5, 6]]
    (message,) = caplog.messages
    for fact in ("NumPy array: ", "1 duplicate", "1 empty", "2 rows with NaN", "1 zero vector"):
        assert fact in message
    wording(message)


@pytest.mark.parametrize(
    ("words", "vectors", "facts"),
    [
        (["a"], [[1.0], [2.0]], r"1 words and vectors of shape \(2, 1\)"),
        (["a", "b"], [[1.0], [2.0, 3.0]], "same length"),
        (["a"], [["x"]], "must be numbers"),
        ([7], [[1.0]], r"words must be text, not 7 \(int\)"),
        (["a"], [[np.nan]], r"no usable word vectors \(1 row with NaN"),
        ([], np.empty((0, 3)), "no usable word vectors$"),
    ],
)
def test_other_tables_are_refused(words, vectors, facts) -> None:
    with pytest.raises(UsageError, match=f"NumPy array: .*{facts}"):
        Embeddings.from_numpy(words, vectors)


@pytest.fixture
def some() -> Embeddings:
    vectors = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    return Embeddings([f"wört{row}" for row in range(30)], vectors)


def test_embeddings_round_trip_through_numpy(some: Embeddings) -> None:
    words, vectors = some.to_numpy()
    assert words.dtype == object
    assert same(Embeddings.from_numpy(words, vectors), some)
    vectors[:] = 0  # a copy, so the embeddings do not change
    assert some.vectors.any()


def test_embeddings_can_be_pickled(some: Embeddings) -> None:
    assert some.index["wört3"] == 3
    assert same(pickle.loads(pickle.dumps(some)), some)
