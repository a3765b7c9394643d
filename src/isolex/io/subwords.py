"""The n-grams of a word as fastText cuts and hashes them: the obvious way, for a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Vectors

BEGIN, END = b"<", b">"
NO_PARTS = b"</s>"  # the end of a sentence is no word
_COMPILED_FROM = 200  # words; below this the compiled kernel costs more to load than it saves
_BASIS, _PRIME, _MASK = 2166136261, 16777619, 0xFFFFFFFF
_BAND = 64


@dataclass(frozen=True)
class Grams:
    """How a model cuts words.

    Attributes:
        shortest: The fewest characters of an n-gram.
        longest: The most; 0 for a model without n-grams.
        first: The first row of n-grams in the model's matrix.
        buckets: How many rows there are for them.
    """

    shortest: int
    longest: int
    first: int
    buckets: int

    def rows(self, word: bytes) -> list[int]:
        """The rows of a word's n-grams, by where they begin, then by length."""
        if word == NO_PARTS or not self.buckets:
            return []
        text = BEGIN + word + END
        # A byte that goes on with a character does not begin one, in UTF-8 or not.
        cuts = [at for at, byte in enumerate(text) if byte & 0xC0 != 0x80] + [len(text)]
        last = len(cuts) - 1
        return [
            self.first + fnv1a(text[cuts[start] : cuts[start + size]]) % self.buckets
            for start in range(last)
            for size in range(self.shortest or 1, min(self.longest, last - start) + 1)
            if not (size == 1 and (start == 0 or start + size == last))
        ]


def fnv1a(gram: bytes) -> int:
    """The hash of fastText: 32-bit FNV-1a, but of bytes with a sign."""
    state = _BASIS
    for byte in gram:
        signed = byte | 0xFFFFFF00 if byte >= 0x80 else byte
        state = ((state ^ signed) * _PRIME) & _MASK
    return state


def mean_vectors(
    words: Sequence[bytes], own: Sequence[int], grams: Grams, matrix: Vectors
) -> tuple[Vectors, NDArray[np.bool_]]:
    """The vectors ``(n, dims)`` of words, and ``(n,)`` which of them have any row at all.

    Args:
        words: The words in UTF-8.
        own: The row of each word itself, -1 where it has none.
        grams: How they are cut.
        matrix: ``(rows, dims)`` of the model.
    """
    mean = _mean_slowly if len(words) < _COMPILED_FROM else _mean_compiled
    return mean(words, own, grams, matrix)


def _mean_slowly(
    words: Sequence[bytes], own: Sequence[int], grams: Grams, matrix: Vectors
) -> tuple[Vectors, NDArray[np.bool_]]:
    vectors = np.zeros((len(words), matrix.shape[1]), dtype=np.float32)
    found = np.zeros(len(words), dtype=bool)
    for place, (word, mine) in enumerate(zip(words, own, strict=True)):
        rows = [mine] * (mine >= 0) + grams.rows(word)
        for row in rows:  # one after the other, as fastText adds them up
            vectors[place] += matrix[row]
        if rows:
            vectors[place] *= np.float32(1.0 / len(rows))
            found[place] = True
    return vectors, found


def _mean_compiled(
    words: Sequence[bytes], own: Sequence[int], grams: Grams, matrix: Vectors
) -> tuple[Vectors, NDArray[np.bool_]]:
    from isolex.kernels.parallel import for_bands
    from isolex.kernels.subwords import mean_rows

    cut = grams.longest > 0 and grams.buckets > 0
    marked = [BEGIN + word + END if cut and word != NO_PARTS else b"" for word in words]
    text = np.frombuffer(b"".join(marked), dtype=np.uint8)
    cuts = np.concatenate([[0], np.cumsum([len(word) for word in marked])]).astype(np.int64)
    mine = np.array(own, dtype=np.int64)
    vectors = np.zeros((len(words), matrix.shape[1]), dtype=np.float32)
    counts = np.zeros(len(words), dtype=np.int64)
    sizes, buckets = (grams.shortest, grams.longest), (grams.first, grams.buckets)

    def work(band: slice) -> None:
        edges = cuts[band.start : band.stop + 1]
        mean_rows(text, edges, mine[band], sizes, buckets, matrix, vectors[band], counts[band])

    for_bands(len(words), _BAND, lambda: work)
    return vectors, counts > 0
