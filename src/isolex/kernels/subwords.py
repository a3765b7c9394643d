"""fastText word vectors: the mean of a word's own row and its n-gram rows.

`isolex.io.subwords` has the slow, obvious version, which it uses for a few words.
"""

from __future__ import annotations

import numba
import numpy as np

from isolex.kernels.types import Bytes, Floats, Longs

FNV_BASIS, FNV_PRIME, FNV_MASK = 2166136261, 16777619, 0xFFFFFFFF


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _add_row(total: Floats, matrix: Floats, row: int) -> None:
    for column in range(len(total)):
        total[column] += matrix[row, column]


@numba.njit(nogil=True, cache=True, error_model="numpy")
def mean_rows(
    text: Bytes,
    cuts: Longs,
    own: Longs,
    sizes: tuple[int, int],
    buckets: tuple[int, int],
    matrix: Floats,
    out: Floats,
    counts: Longs,
) -> None:
    """Compute the mean vector of each word.

    Args:
        text: All words in UTF-8 with their begin and end markers, concatenated.
        cuts: ``(n + 1,)`` where each word starts; a word without n-grams is empty.
        own: ``(n,)`` row of the word itself, or -1 if it has none.
        sizes: Lowest and highest number of characters of an n-gram.
        buckets: First row of the n-grams, and their number of rows.
        matrix: ``(rows, dims)`` all rows.
        out: ``(n, dims)`` zeros; filled with the means.
        counts: ``(n,)`` filled with the number of rows in each mean.
    """
    for word in range(len(own)):
        count = 0
        if own[word] >= 0:
            _add_row(out[word], matrix, own[word])
            count = 1
        begin, end = cuts[word], cuts[word + 1]
        for first in range(begin, end):
            if text[first] & 0xC0 == 0x80:  # a continuation byte
                continue
            state, place, size = FNV_BASIS, first, 0
            while place < end and size < sizes[1]:
                while True:  # one character; fastText hashes signed bytes
                    byte = int(text[place])
                    signed = byte | 0xFFFFFF00 if byte >= 0x80 else byte
                    state = ((state ^ signed) * FNV_PRIME) & FNV_MASK
                    place += 1
                    if place >= end or text[place] & 0xC0 != 0x80:
                        break
                size += 1
                marker_only = size == 1 and (first == begin or place == end)
                if size >= sizes[0] and not marker_only:
                    _add_row(out[word], matrix, buckets[0] + state % buckets[1])
                    count += 1
        counts[word] = count
        share = np.float32(1.0 / max(count, 1))
        for column in range(out.shape[1]):
            out[word, column] *= share
