"""Word similarity datasets."""

from __future__ import annotations

import pytest

from isolex.errors import InputError
from isolex.io import read_similarity


def test_pairs_are_read_with_their_scores(put):
    path = put(b"Dog cat 7.5\nNew York\tcity\t3\tignored\n\n")
    assert read_similarity(path) == [("Dog", "cat", 7.5), ("New York", "city", 3.0)]
    assert read_similarity(path, lowercase=True)[1] == ("new york", "city", 3.0)


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        (b"dog cat", "two words and a number, found 2"),
        (b"dog cat nan", "'nan' is not a number"),
        (b"dog cat high", "'high' is not a number"),
    ],
)
def test_a_line_that_is_not_two_words_and_a_number_is_refused(put, line, facts):
    with pytest.raises(InputError, match=rf"some\.vec, line 2: .*{facts}"):
        read_similarity(put(b"a b 1\n" + line + b"\n"))


def test_a_file_without_pairs_is_refused(put):
    with pytest.raises(InputError, match=r"some\.vec: no word pairs"):
        read_similarity(put(b"\n\n"))
