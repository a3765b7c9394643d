"""Character n-grams as in fastText: how words are split and hashed, and their mean vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Vectors

BEGIN, END = b"<", b">"
END_OF_SENTENCE = b"</s>"  # has no n-grams
_MIN_COMPILED = 200  # words; for fewer, loading the compiled kernel costs more than it saves
_FNV_BASIS, _FNV_PRIME, _FNV_MASK = 2166136261, 16777619, 0xFFFFFFFF
_BAND = 64


@dataclass(frozen=True)
class Ngrams:
    """How a model splits words into character n-grams.

    Attributes:
        shortest: Fewest characters of an n-gram.
        longest: Most characters of an n-gram; 0 for a model without n-grams.
        first_row: First row of n-grams in the model's matrix.
        buckets: Number of rows for n-grams.
    """

    shortest: int
    longest: int
    first_row: int
    buckets: int

    def rows(self, word: bytes) -> list[int]:
        """Return the matrix rows of a word's n-grams, ordered by start, then by length."""
        if word == END_OF_SENTENCE or not self.buckets:
            return []
        text = BEGIN + word + END
        # UTF-8 continuation bytes do not begin a character; invalid UTF-8 is split the same way.
        cuts = [at for at, byte in enumerate(text) if byte & 0xC0 != 0x80] + [len(text)]
        last = len(cuts) - 1
        return [
            self.first_row + fnv1a(text[cuts[start] : cuts[start + size]]) % self.buckets
            for start in range(last)
            for size in range(self.shortest or 1, min(self.longest, last - start) + 1)
            if not (size == 1 and (start == 0 or start + size == last))
        ]


def fnv1a(ngram: bytes) -> int:
    """Hash an n-gram as fastText does: 32-bit FNV-1a, but with sign-extended bytes."""
    state = _FNV_BASIS
    for byte in ngram:
        signed = byte | 0xFFFFFF00 if byte >= 0x80 else byte
        state = ((state ^ signed) * _FNV_PRIME) & _FNV_MASK
    return state


def mean_vectors(
    words: Sequence[bytes], word_rows: Sequence[int], ngrams: Ngrams, matrix: Vectors
) -> tuple[Vectors, NDArray[np.bool_]]:
    """Average the rows of each word and its n-grams.

    Args:
        words: ``n`` words in UTF-8.
        word_rows: Row of each word itself; -1 if it is out of vocabulary.
        ngrams: How to split the words.
        matrix: ``(rows, dims)`` of the model.

    Returns:
        The ``(n, dims)`` vectors, and ``(n,)`` whether each word has any row.
    """
    mean = _mean_slowly if len(words) < _MIN_COMPILED else _mean_compiled
    return mean(words, word_rows, ngrams, matrix)


def _mean_slowly(
    words: Sequence[bytes], word_rows: Sequence[int], ngrams: Ngrams, matrix: Vectors
) -> tuple[Vectors, NDArray[np.bool_]]:
    vectors = np.zeros((len(words), matrix.shape[1]), dtype=np.float32)
    found = np.zeros(len(words), dtype=bool)
    for place, (word, word_row) in enumerate(zip(words, word_rows, strict=True)):
        rows = [word_row] * (word_row >= 0) + ngrams.rows(word)
        for row in rows:  # in this order, as fastText sums them
            vectors[place] += matrix[row]
        if rows:
            vectors[place] *= np.float32(1.0 / len(rows))
            found[place] = True
    return vectors, found


def _mean_compiled(
    words: Sequence[bytes], word_rows: Sequence[int], ngrams: Ngrams, matrix: Vectors
) -> tuple[Vectors, NDArray[np.bool_]]:
    from isolex.kernels.parallel import for_bands
    from isolex.kernels.subwords import mean_rows

    has_ngrams = ngrams.longest > 0 and ngrams.buckets > 0
    marked = [
        BEGIN + word + END if has_ngrams and word != END_OF_SENTENCE else b"" for word in words
    ]
    text = np.frombuffer(b"".join(marked), dtype=np.uint8)
    cuts = np.concatenate([[0], np.cumsum([len(word) for word in marked])]).astype(np.int64)
    own = np.array(word_rows, dtype=np.int64)
    vectors = np.zeros((len(words), matrix.shape[1]), dtype=np.float32)
    counts = np.zeros(len(words), dtype=np.int64)
    sizes, buckets = (ngrams.shortest, ngrams.longest), (ngrams.first_row, ngrams.buckets)

    def work(band: slice) -> None:
        edges = cuts[band.start : band.stop + 1]
        mean_rows(text, edges, own[band], sizes, buckets, matrix, vectors[band], counts[band])

    for_bands(len(words), _BAND, lambda: work)
    return vectors, counts > 0
