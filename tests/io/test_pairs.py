"""Dictionaries."""

from __future__ import annotations

import gzip

import pytest

from isolex.errors import InputError
from isolex.io import read_pairs


@pytest.mark.parametrize(
    "data",
    [
        b"dog perro\ncat gato\n",
        b"dog\tperro\ncat\tgato",
        b"dog perro\r\n\r\n \t\ncat  gato \r\n",
        b"\xef\xbb\xbfdog perro\ncat gato\n",
        b"source\ttarget\tscore\tmutual\ndog\tperro\t0.71\t1\ncat\tgato\t0.5\t0\n",
        gzip.compress(b"dog perro\ncat gato\n"),
    ],
    ids=["space", "tab", "crlf", "bom", "lexicon", "gzip"],
)
def test_pairs_are_read(put, data):
    assert read_pairs(put(data, "gold.txt")) == [("dog", "perro"), ("cat", "gato")]


def test_words_may_hold_spaces_beside_a_tab(put):
    data = "new york\tnueva york\na\u00a0b c\u2028d\n".encode()
    assert read_pairs(put(data)) == [("new york", "nueva york"), ("a\u00a0b", "c\u2028d")]


def test_a_pair_of_source_and_target_is_not_a_header(put):
    assert read_pairs(put(b"source target\n")) == [("source", "target")]
    assert read_pairs(put(b"source\ttarget\n")) == [("source", "target")]


def test_bytes_that_are_not_utf8_are_kept(put):
    assert read_pairs(put(b"caf\xe9 caf\n")) == [("caf\udce9", "caf")]


def test_repeated_pairs_stay_in_order(put):
    assert read_pairs(put(b"a x\na y\na x\n")) == [("a", "x"), ("a", "y"), ("a", "x")]


@pytest.mark.parametrize(
    ("line", "found"), [(b"dog", 1), (b"a b c", 3), (b"dog\t", 1), (b"\tdog", 1), (b"a b\t", 1)]
)
def test_a_line_that_is_no_pair_is_refused(put, line, found):
    path = put(b"cat gato\n\n" + line + b"\n")
    with pytest.raises(InputError) as caught:
        read_pairs(path)
    assert str(caught.value) == (
        f"{path}, line 3: expected two words separated by a space or a tab, found {found};"
        " mend or remove the line"
    )


@pytest.mark.parametrize("data", [b"", b"\n\n", b"source\ttarget\tscore\tmutual\n"])
def test_a_file_without_pairs_is_refused(put, data):
    with pytest.raises(InputError, match="no word pairs"):
        read_pairs(put(data))
