"""Character n-grams."""

from __future__ import annotations

from isolex.io.subwords import BEGIN, END, Ngrams, fnv1a


def expected_rows(pieces):
    return [100 + fnv1a(piece) % 50 for piece in pieces]


def test_a_word_is_split_at_characters():
    pieces = ["<é", "<éa", "éa", "éa>", "a>"]
    assert Ngrams(2, 3, 100, 50).rows("éa".encode()) == expected_rows(map(str.encode, pieces))


def test_a_word_that_is_not_utf8_is_split_at_bytes():
    text = BEGIN + b"caf\xe9" + END
    pieces = [text[at : at + size] for at in range(6) for size in (2, 3) if at + size <= 6]
    assert Ngrams(2, 3, 100, 50).rows(b"caf\xe9") == expected_rows(pieces)


def test_the_end_of_a_sentence_has_no_ngrams():
    assert Ngrams(2, 3, 100, 50).rows(b"</s>") == []
