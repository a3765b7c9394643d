"""Vectors of words as fastText makes them: the mean of the rows of a word and of its n-grams.

The slow, obvious version is the one for a few words, in `isolex.io.subwords`.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Floats = NDArray[np.float32]

FNV_BASIS, FNV_PRIME, FNV_MASK = 2166136261, 16777619, 0xFFFFFFFF


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _add(total: Floats, matrix: Floats, row: int) -> None:
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
    """Fill ``out`` ``(n, dims)`` with means, ``counts`` ``(n,)`` with how many rows each is of.

    Args:
        text: All words in UTF-8, with what marks their beginning and end, one after another.
        cuts: ``(n + 1,)`` where each begins; a word that has no n-grams is empty.
        own: ``(n,)`` the row of the word itself, -1 where it has none.
        sizes: The fewest and the most characters of an n-gram.
        buckets: The first row of n-grams, and how many there are.
        matrix: ``(rows, dims)`` all rows.
        out: Zeros, to be filled.
        counts: To be filled.
    """
    for word in range(len(own)):
        count = 0
        if own[word] >= 0:
            _add(out[word], matrix, own[word])
            count = 1
        begin, end = cuts[word], cuts[word + 1]
        for first in range(begin, end):
            if text[first] & 0xC0 == 0x80:  # inside a character
                continue
            state, place, size = FNV_BASIS, first, 0
            while place < end and size < sizes[1]:
                while True:  # a whole character; bytes count as signed, which fills the upper bits
                    byte = int(text[place])
                    signed = byte | 0xFFFFFF00 if byte >= 0x80 else byte
                    state = ((state ^ signed) * FNV_PRIME) & FNV_MASK
                    place += 1
                    if place >= end or text[place] & 0xC0 != 0x80:
                        break
                size += 1
                alone = size == 1 and (first == begin or place == end)
                if size >= sizes[0] and not alone:
                    _add(out[word], matrix, buckets[0] + state % buckets[1])
                    count += 1
        counts[word] = count
        share = np.float32(1.0 / max(count, 1))
        for column in range(out.shape[1]):
            out[word, column] *= share
