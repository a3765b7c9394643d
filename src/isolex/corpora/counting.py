"""Count how often frequent words occur near one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from isolex.core.counts import Counts
from isolex.corpora.corpus import Corpus
from isolex.errors import InputError
from isolex.io.streams import Tick

WORDS = 5000
"""How many of the most frequent words are counted."""

WINDOW = 5
"""How far apart two words of a sentence may be."""

BLOCK = 1 << 21
"""Words of text that are counted at once."""

NONE = -1
"""A word that is not counted, or the gap between sentences."""


def count(corpus: Corpus, words: Iterable[str], tick: Tick | None = None) -> Counts:
    """Count the co-occurrences within sentences.

    Args:
        corpus: The text.
        words: The vocabulary, most frequent first; the first `WORDS` are counted.
        tick: Called with the fraction done, in [0, 1].
    """
    chosen = list(words)[:WORDS]
    index = {word: row for row, word in enumerate(chosen)}
    total = np.zeros(len(chosen) ** 2, dtype=np.int64)
    for block in _blocks(corpus.lines(tick), index):
        total += np.bincount(_codes(block, len(chosen)), minlength=len(total))
    codes = np.flatnonzero(total)
    if not len(codes):
        raise InputError("no two frequent words occur near each other: give sentences, not words")
    return Counts(chosen, codes // len(chosen), codes % len(chosen), total[codes])


def _blocks(
    sentences: Iterable[Sequence[str]], index: dict[str, int]
) -> Iterator[NDArray[np.int64]]:
    """The text as rows of words, with gaps between sentences; blocks end with a sentence."""
    rows: list[int] = []
    for sentence in sentences:
        rows.extend(index.get(word, NONE) for word in sentence)
        rows.extend([NONE] * WINDOW)
        if len(rows) >= BLOCK:
            yield np.array(rows, dtype=np.int64)
            rows.clear()
    yield np.array(rows, dtype=np.int64)


def _codes(text: NDArray[np.int64], words: int) -> NDArray[np.int64]:
    """A number for each pair of words in a window: the smaller row times ``words``, plus the other.

    Two equal words count twice, because each is in the window of the other.
    """
    found = []
    for distance in range(1, WINDOW + 1):
        one, other = text[:-distance], text[distance:]
        both = (one != NONE) & (other != NONE)
        one, other = one[both], other[both]
        codes = np.minimum(one, other) * words + np.maximum(one, other)
        found += [codes, codes[one == other]]
    return np.concatenate(found)
