"""Co-occurrence counts of a text, against counting pair by pair."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from isolex.corpora import Corpus, count, counting
from isolex.errors import InputError
from tests.wording import Wording


def corpus(folder: Path, sentences: list[list[str]]) -> Corpus:
    return Corpus.from_sentences(sentences, folder / "sentences")


def text(words: int, seed: int) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    drawn = rng.zipf(1.3, size=words) % 40
    return [[f"w{word}" for word in part] for part in np.array_split(drawn, words // 9)]


def naive(sentences: list[list[str]], words: list[str]) -> np.ndarray:
    """For each word, every other place of its window."""
    found: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        for place, word in enumerate(sentence):
            for near in range(max(0, place - 5), min(len(sentence), place + 6)):
                if near != place:
                    found[word, sentence[near]] += 1
    return np.array([[found[one, other] for other in words] for one in words])


@pytest.mark.parametrize("seed", range(3))
def test_every_pair_in_a_window_of_five_counts(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = text(3000, seed)
    words = [word for word, _ in Counter(chain(*sentences)).most_common(20)]
    expected = naive(sentences, words)
    for block in (counting.BLOCK, 50):
        monkeypatch.setattr(counting, "BLOCK", block)
        found = count(corpus(tmp_path, sentences), words)
        np.testing.assert_array_equal(found.square(np.arange(20, dtype=np.int32)), expected)


def test_only_the_most_frequent_words_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "WORDS", 2)
    told: list[float] = []
    found = count(corpus(tmp_path, [["a", "c", "b"], ["b"], ["a"]]), "abc", told.append)
    assert found.words == ("a", "b")
    np.testing.assert_array_equal(found.square(np.arange(2, dtype=np.int32)), [[0, 1], [1, 0]])
    assert told[-1] <= 1


def test_sentences_of_one_word_are_refused(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(InputError) as error:
        count(corpus(tmp_path, [["a"], ["b"]]), "ab")
    wording(error.value)
