"""Embeddings are frozen, unique and finite."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.errors import UsageError


def test_words_and_vectors_belong_together() -> None:
    e = Embeddings(["a", "b"], [[1, 2], [3, 4]])
    assert (len(e), e.dims, e.index["b"]) == (2, 2, 1)
    assert "a" in e
    assert "c" not in e
    np.testing.assert_array_equal(e["b"], [3, 4])
    assert e.vectors.dtype == np.float32


def test_vectors_cannot_be_written_to() -> None:
    given = np.ones((1, 2), dtype=np.float32)
    e = Embeddings(["a"], given)
    with pytest.raises(ValueError, match="read-only"):
        e.vectors[0, 0] = 5
    given[0, 0] = 2  # the caller's own array stays writeable, and is another
    assert e.vectors[0, 0] == 1
    given.flags.writeable = False
    assert np.shares_memory(Embeddings(["a"], given).vectors, given)


@pytest.mark.parametrize(
    ("words", "vectors", "message"),
    [
        (["a"], [[1.0], [2.0]], "a row of vectors for each word"),
        (["a"], [1.0], "a row of vectors for each word"),
        ([], np.empty((0, 3)), "at least one word"),
        (["a"], np.empty((1, 0)), "at least one word"),
        (["a", "a"], [[1.0], [2.0]], "unique"),
        (["a"], [[np.nan]], "finite"),
        (["a"], [[np.inf]], "finite"),
        (["a", 1], [[1], [2]], "words are text, and 1 is not"),
    ],
)
def test_what_cannot_be_used_is_refused(words: list[str], vectors: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Embeddings(words, vectors)


def test_checksums_tell_words_and_vectors_apart() -> None:
    one = Embeddings(["a", "b"], [[1], [2]])
    assert one.words_checksum == Embeddings(["a", "b"], [[1], [3]]).words_checksum
    assert one.vectors_checksum != Embeddings(["a", "b"], [[1], [3]]).vectors_checksum
    assert one.words_checksum != Embeddings(["b", "a"], [[1], [2]]).words_checksum
    assert one.vectors_checksum == Embeddings(["x", "\udcff"], [[1], [2]]).vectors_checksum


def test_head_takes_the_most_frequent() -> None:
    e = Embeddings(["a", "b", "c"], [[1], [2], [3]])
    assert e.head(2).words == ("a", "b")
    assert e.head(9) is e
