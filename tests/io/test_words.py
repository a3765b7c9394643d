"""Lists of words."""

from __future__ import annotations

import gzip

import pytest

from isolex.errors import InputError
from isolex.io import read_words


def test_each_word_once_in_order(put):
    path = put(b"\xef\xbb\xbfdog\r\n new york \n\ndog\ncaf\xe9\nend", "w.txt")
    assert read_words(path) == ["dog", "new york", "caf\udce9", "end"]
    assert read_words(put(gzip.compress(b"a\nb\n"), "w.gz")) == ["a", "b"]


def test_no_words_are_refused(put):
    with pytest.raises(InputError, match="no words in it; put one on each line"):
        read_words(put(b"\n  \n", "w.txt"))
