"""Analogy questions."""

from __future__ import annotations

import pytest

from isolex.errors import InputError
from isolex.io import read_analogies


def test_questions_are_read_by_section(put):
    path = put(b"a b c d\n: Capitals of  x\nParis France Rome Italy\n\nw x y z\n")
    assert read_analogies(path) == {
        "": [("a", "b", "c", "d")],
        "Capitals of x": [("Paris", "France", "Rome", "Italy"), ("w", "x", "y", "z")],
    }
    assert read_analogies(path, lowercase=True)["Capitals of x"][0] == (
        "paris",
        "france",
        "rome",
        "italy",
    )


def test_a_line_of_three_words_is_refused(put):
    with pytest.raises(InputError, match=r"some\.vec, line 3: .*four words, found 3"):
        read_analogies(put(b": s\na b c d\na b c\n"))


def test_a_file_without_questions_is_refused(put):
    with pytest.raises(InputError, match=r"some\.vec: no analogy questions"):
        read_analogies(put(b": only a section\n"))
