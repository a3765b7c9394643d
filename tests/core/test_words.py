"""Words are kept as bytes, and every word is found again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isolex.core.words import Words, encode_words

AWKWARD = [
    "dogs",
    "hotdog",
    "dog",
    "do",
    "a\nb",
    "b",
    "a",
    "a\n",
    "\nb",
    "\n",
    "\n\n",
    "a\tb",
    " ",
    "\u00a0",
    "\u2028",
    "",
    "caf\udce9",
    "\udcff",
    "日本",
    "\U0001f436",
]
ABSENT = [
    "og",
    "gs",
    "d",
    "dogs\nhotdog",
    "dog\ndo",
    "b\na",
    "c",
    "caf",
    "日",
    "  ",
    "\t",
    "\n\n\n",
]

TEXT = st.text(st.sampled_from("ab\n\t é日\udce9\udcff"), max_size=4)


@pytest.fixture(params=["searched", "indexed"])
def words(request: pytest.FixtureRequest) -> Words:
    """Awkward words, to be looked up without and with the dictionary of all words."""
    made = Words.of(AWKWARD)
    if request.param == "indexed":
        assert len(made.rows) == len(AWKWARD)
    return made


def test_words_come_back_as_they_were(words: Words) -> None:
    assert len(words) == len(AWKWARD)
    assert list(words) == AWKWARD
    assert [words[row] for row in range(len(words))] == AWKWARD


def test_rows_and_slices_behave_like_those_of_a_list(words: Words) -> None:
    assert words[-1] == AWKWARD[-1]
    for part in (slice(2, 5), slice(None, None, -3), slice(50, 60), slice(-4, None)):
        assert words[part] == AWKWARD[part]
    for row in (len(AWKWARD), -len(AWKWARD) - 1):
        with pytest.raises(IndexError):
            words[row]


def test_every_word_is_found(words: Words) -> None:
    assert [words.row(word) for word in AWKWARD] == list(range(len(AWKWARD)))
    assert all(word in words for word in AWKWARD)


@pytest.mark.parametrize("word", [*ABSENT, "\ud800"], ids=ascii)
def test_parts_and_sequences_of_words_are_not_words(words: Words, word: str) -> None:
    assert words.row(word) is None
    assert word not in words


def test_only_text_is_a_word(words: Words) -> None:
    assert 3 not in words
    assert b"dog" not in words


def test_a_look_up_of_one_word_makes_no_dictionary() -> None:
    words = Words.of(AWKWARD)
    words.row("dog")
    assert "rows" not in vars(words)


def test_the_bytes_are_those_the_checksum_is_made_of(words: Words) -> None:
    assert words.data.tobytes() == encode_words(AWKWARD)


def test_an_empty_vocabulary_has_no_words() -> None:
    words = Words.of([])
    assert (len(words), list(words), words.row("a"), words.row("")) == (0, [], None, None)


@given(st.lists(TEXT, unique=True, max_size=12), TEXT)
def test_any_words_are_found_and_no_others(vocabulary: list[str], other: str) -> None:
    searched, indexed = Words.of(vocabulary), Words.of(vocabulary)
    assert indexed.rows == {word: row for row, word in enumerate(vocabulary)}
    assert list(searched) == vocabulary
    for word in (*vocabulary, other):
        expected = vocabulary.index(word) if word in vocabulary else None
        assert searched.row(word) == indexed.row(word) == expected


@pytest.mark.parametrize(
    "offsets",
    [[], [0], [1, 3, 5], [0, 3, 4], [0, 3, 6], [0, 3, 3, 5], [0, 4, 3, 5]],
    ids=["none", "no word", "late start", "early end", "late end", "no separator", "backwards"],
)
def test_offsets_that_do_not_divide_the_words_are_refused(offsets: list[int]) -> None:
    data = np.frombuffer(b"ab\nc\n", dtype=np.uint8)
    assert list(Words(data, np.array([0, 3, 5]))) == ["ab", "c"]
    with pytest.raises(ValueError, match="offsets"):
        Words(data, np.array(offsets, dtype=np.int64))
