"""Embeddings are read-only, unique and finite."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.core.embeddings import language_name
from isolex.errors import UsageError


def test_words_and_vectors_belong_together() -> None:
    embeddings = Embeddings(["a", "b"], [[1, 2], [3, 4]])
    assert (len(embeddings), embeddings.dims, embeddings.index["b"]) == (2, 2, 1)
    assert "a" in embeddings
    assert "c" not in embeddings
    np.testing.assert_array_equal(embeddings["b"], [3, 4])
    assert embeddings.vectors.dtype == np.float32


def test_vectors_are_read_only() -> None:
    given = np.ones((1, 2), dtype=np.float32)
    embeddings = Embeddings(["a"], given)
    with pytest.raises(ValueError, match="read-only"):
        embeddings.vectors[0, 0] = 5
    given[0, 0] = 2  # the array of the caller stays writable, and is not the same
    assert embeddings.vectors[0, 0] == 1
    given.flags.writeable = False
    assert np.shares_memory(Embeddings(["a"], given).vectors, given)


@pytest.mark.parametrize(
    ("words", "vectors", "facts"),
    [
        (["a"], [[1.0], [2.0]], r"1 words, .* \(2, 1\)"),
        (["a"], [1.0], r"1 words, .* \(1,\)"),
        ([], np.empty((0, 3)), "at least one word"),
        (["a"], np.empty((1, 0)), "at least one word"),
        (["a", "a"], [[1.0], [2.0]], "unique"),
        (["a"], [[np.nan]], "finite"),
        (["a"], [[np.inf]], "finite"),
        (["a", 1], [[1], [2]], "str, not int: 1"),
    ],
)
def test_unusable_words_and_vectors_are_refused(
    words: list[str], vectors: object, facts: str
) -> None:
    with pytest.raises(UsageError, match=facts):
        Embeddings(words, vectors)  # type: ignore[arg-type]


def test_checksums_distinguish_words_and_vectors() -> None:
    one = Embeddings(["a", "b"], [[1], [2]])
    assert one.words_checksum == Embeddings(["a", "b"], [[1], [3]]).words_checksum
    assert one.vectors_checksum != Embeddings(["a", "b"], [[1], [3]]).vectors_checksum
    assert one.words_checksum != Embeddings(["b", "a"], [[1], [2]]).words_checksum
    assert one.vectors_checksum == Embeddings(["x", "\udcff"], [[1], [2]]).vectors_checksum


def test_head_takes_the_most_frequent_words() -> None:
    embeddings = Embeddings(["a", "b", "c"], [[1], [2], [3]], name="en")
    assert embeddings.head(2).words == ("a", "b")
    assert embeddings.head(2).name == "en"
    assert embeddings.head(9) is embeddings


def test_another_name_changes_nothing_else() -> None:
    embeddings = Embeddings(["a"], [[1]], name="en")
    renamed = embeddings.named("fr")
    assert (embeddings.name, renamed.name) == ("en", "fr")
    assert renamed.words == embeddings.words
    assert renamed.vectors is embeddings.vectors


@pytest.mark.parametrize(
    ("path", "name"),
    [("en.vec", "en"), ("data/es.vec.gz", "es"), ("/tmp/wiki.de.300.bin", "wiki"), ("pl", "pl")],
)
def test_a_language_is_named_after_its_file_up_to_the_first_dot(path: str, name: str) -> None:
    assert language_name(path) == name


def test_printed_embeddings_show_their_size() -> None:
    words = [f"w{row}" for row in range(1200)]
    assert repr(Embeddings(words, np.ones((1200, 3)), name="en")) == (
        "Embeddings(en: 1,200 words x 3 dimensions)"
    )
    assert repr(Embeddings(["a"], [[1]])) == "Embeddings(1 words x 1 dimensions)"


def test_a_notebook_shows_the_first_words_escaped() -> None:
    words = ["<b>&", "\udcff", "a\nb", *(f"w{row}" for row in range(20))]
    page = Embeddings(words, np.ones((23, 2)), name="<i>")._repr_html_()
    assert "&lt;b&gt;&amp;" in page
    assert "<b>" not in page
    assert "<i>" not in page
    assert "w6, …" in page
    assert "w7" not in page
    page.encode()  # bytes that are not UTF-8 are escaped too
