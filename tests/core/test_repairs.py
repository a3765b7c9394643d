"""What comes from elsewhere is repaired as files are, or refused in one line."""

from __future__ import annotations

import logging
import pickle

import numpy as np
import pytest

from isolex import Embeddings
from isolex.errors import UsageError
from tests.adapters.conftest import same


def test_what_cannot_be_used_is_left_out_and_said(caplog: pytest.LogCaptureFixture) -> None:
    words = ["a", "", "b", "a", "c", "d", "e"]
    vectors = np.array([[1, 2], [1, 2], [np.inf, 0], [3, 4], [0, 0], [1e39, 1], [5, 6]])
    with caplog.at_level(logging.WARNING, "isolex"):
        made = Embeddings.from_numpy(words, vectors)
    assert made.words == ("a", "c", "e")
    assert made.vectors.tolist() == [[1, 2], [0, 0], [5, 6]]
    assert caplog.messages == [
        "NumPy array: 1 duplicate word (first kept), 1 empty word dropped, 2 rows with NaN or "
        "infinite values dropped, 1 zero vector kept"
    ]


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        (["a"], [[1.0], [2.0]], "give a row of vectors for each word: words 1, shape"),
        (["a", "b"], [[1.0], [2.0, 3.0]], "not rows of as many numbers"),
        (["a"], [["x"]], "not rows of as many numbers"),
        ([7], [[1.0]], r"words must be text, not 7 \(int\)"),
        (["a"], [[np.nan]], r"no usable word vectors in it \(1 row with NaN"),
        ([], np.empty((0, 3)), "no usable word vectors in it$"),
    ],
)
def test_what_is_no_table_of_vectors_is_refused(words, vectors, message) -> None:
    with pytest.raises(UsageError, match=message):
        Embeddings.from_numpy(words, vectors)


@pytest.fixture
def some() -> Embeddings:
    vectors = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    return Embeddings([f"wört{row}" for row in range(30)], vectors)


def test_numpy_there_and_back(some: Embeddings) -> None:
    words, vectors = some.to_numpy()
    assert words.dtype == object
    assert same(Embeddings.from_numpy(words, vectors), some)
    vectors[:] = 0  # a copy, to do with as one likes
    assert some.vectors.any()


def test_embeddings_can_be_pickled(some: Embeddings) -> None:
    assert some.index["wört3"] == 3
    assert same(pickle.loads(pickle.dumps(some)), some)
