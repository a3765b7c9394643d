"""Word lists."""

from __future__ import annotations

import gzip

import pytest

from isolex.errors import InputError
from isolex.io import read_words


def test_each_word_is_read_once_in_order(put):
    path = put(b"\xef\xbb\xbfdog\r\n new york \n\ndog\ncaf\xe9\nend", "w.txt")
    assert read_words(path) == ["dog", "new york", "caf\udce9", "end"]
    assert read_words(put(gzip.compress(b"a\nb\n"), "w.gz")) == ["a", "b"]


def test_a_file_without_words_is_refused(put):
    with pytest.raises(InputError, match=r"w\.txt: no words"):
        read_words(put(b"\n  \n", "w.txt"))
