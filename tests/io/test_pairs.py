"""Dictionaries."""

from __future__ import annotations

import gzip

import pytest

from isolex.errors import InputError
from isolex.io import columns, read_pairs


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


def test_words_may_contain_spaces_if_a_tab_separates_them(put):
    data = "new york\tnueva york\na\u00a0b c\u2028d\n".encode()
    assert read_pairs(put(data)) == [("new york", "nueva york"), ("a\u00a0b", "c\u2028d")]


def test_the_pair_source_and_target_is_not_a_header(put):
    assert read_pairs(put(b"source target\n")) == [("source", "target")]
    assert read_pairs(put(b"source\ttarget\n")) == [("source", "target")]


def test_bytes_that_are_not_utf8_are_kept(put):
    assert read_pairs(put(b"caf\xe9 caf\n")) == [("caf\udce9", "caf")]


def test_repeated_pairs_are_kept_in_order(put):
    assert read_pairs(put(b"a x\na y\na x\n")) == [("a", "x"), ("a", "y"), ("a", "x")]


@pytest.mark.parametrize(
    ("line", "found"),
    [(b"dog", 1), (b"a b c", 3), (b"dog\t", 1), (b"\tdog", 1), (b"a b\t", 1)],
)
def test_a_line_that_is_not_a_pair_is_refused(put, line, found):
    path = put(b"cat gato\n\n" + line + b"\n")
    with pytest.raises(InputError) as caught:
        read_pairs(path)
    assert str(caught.value).startswith(f"{path}, line 3: ")
    assert f"found {found};" in str(caught.value)


def test_the_message_about_a_bad_line_says_what_to_do(put, wording):
    with pytest.raises(InputError) as caught:
        read_pairs(put(b"dog\n", "gold.txt"))
    wording(caught.value)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"source\ttarget\tscore\tmutual\n"])
def test_a_file_without_pairs_is_refused(put, data):
    with pytest.raises(InputError, match=r"some\.vec: no word pairs"):
        read_pairs(put(data))


def test_a_line_that_is_too_long_is_refused(put, monkeypatch):
    monkeypatch.setattr(columns, "MAX_LINE_BYTES", 1000)
    with pytest.raises(InputError, match=r"some\.vec: .*more than 1,000 bytes"):
        read_pairs(put(b"cat gato\n" + b"x" * 2000))
