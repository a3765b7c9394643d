"""Counts: how often the frequent words of a language occur near one another in a text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isolex.core.words import encode_words
from isolex.errors import UsageError
from isolex.kernels.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class Counts:
    """Co-occurrence counts of the most frequent words; symmetric, and each pair is stored once.

    Attributes:
        words: ``n`` words, most frequent first, each of them once.
        rows: ``(k,)`` the word that comes first in ``words``, for each pair that co-occurs.
        columns: ``(k,)`` the other word; ``rows <= columns``.
        values: ``(k,)`` how often the two occur in each other's window; at least 1.
    """

    words: Sequence[str]
    rows: Ints
    columns: Ints
    values: NDArray[np.uint32]

    def __init__(
        self, words: Iterable[str], rows: ArrayLike, columns: ArrayLike, values: ArrayLike
    ) -> None:
        chosen = tuple(words)
        sides = [np.asarray(given) for given in (rows, columns, values)]
        if any(one.shape != (sides[0].size,) or one.dtype.kind not in "iu" for one in sides):
            raise UsageError("rows, columns and counts must be whole numbers, as many of each")
        first, second, counted = sides
        if len(set(chosen)) != len(chosen):
            raise UsageError("words must be unique: keep the first of each")
        inside = (first >= 0) & (first <= second) & (second < len(chosen))
        if not inside.all():
            raise UsageError("a row or column is no word, or a row is above its column")
        if not len(counted) or counted.min() < 1 or counted.max() >= 1 << 32:
            raise UsageError("counts must be at least 1, and there must be some")
        object.__setattr__(self, "words", chosen)
        object.__setattr__(self, "rows", first.astype(np.int32))
        object.__setattr__(self, "columns", second.astype(np.int32))
        object.__setattr__(self, "values", counted.astype(np.uint32))

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"Counts({len(self):,} words, {len(self.values):,} pairs of words)"

    def square(self, chosen: Ints) -> Floats:
        """The ``(m, m)`` matrix of the counts of some words, given by their rows."""
        places = np.full(len(self.words), -1, dtype=np.int32)
        places[chosen] = np.arange(len(chosen), dtype=np.int32)
        one, other = places[self.rows], places[self.columns]
        inside = (one >= 0) & (other >= 0)
        matrix = np.zeros((len(chosen), len(chosen)), dtype=np.float32)
        matrix[one[inside], other[inside]] = self.values[inside]
        matrix[other[inside], one[inside]] = self.values[inside]
        return matrix

    def rows_in(self, index: Mapping[str, int]) -> tuple[Ints, Ints]:
        """The words that are also elsewhere: their rows here, and their rows there."""
        found = [(row, index[word]) for row, word in enumerate(self.words) if word in index]
        both = np.array(found, dtype=np.int32).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of words and counts."""
        digest = hashlib.sha256(encode_words(self.words))
        for array, kind in ((self.rows, "<i4"), (self.columns, "<i4"), (self.values, "<u4")):
            digest.update(array.astype(kind, copy=False).tobytes())
        return digest.hexdigest()
