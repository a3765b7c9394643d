"""The words nearest to a vector: by a look at every word, or by an approximate index.

A look at all of 20,000 words takes milliseconds, so there an index would only cost. Above
`EXACT_UP_TO` words one is built (hierarchical navigable small worlds: Malkov and Yashunin, 2018, by
usearch), of vectors rounded to eight bits. What it returns is measured again with the vectors
themselves: an index can miss a word, never misplace it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from isolex.embeddings import Vectors
from isolex.kernels.types import Ints, Tick

if TYPE_CHECKING:
    from usearch.index import Index

EXACT_UP_TO = 50_000
BATCH = 2000
"""Words that are added to an index between two looks at whether to go on."""
BREADTH = 1.25
"""How many more words than are asked for the index looks at."""


class Nearest:
    """A vocabulary that can be searched.

    Args:
        vectors: ``(n, d)`` of unit length.
    """

    def __init__(self, vectors: Vectors) -> None:
        self.vectors = vectors
        self.index: Index | None = None

    @property
    def wants_index(self) -> bool:
        """Whether there are so many words that an index is worth its while."""
        return len(self.vectors) > EXACT_UP_TO

    def search(self, query: Vectors, count: int) -> tuple[Ints, Vectors]:
        """About ``count`` words nearest to ``query`` ``(d,)`` and their similarities, unordered."""
        if self.index is None:
            similarities = self.vectors @ query
            rows = _highest(similarities, count)
            return rows, similarities[rows]
        found = self.index.search(query, min(count, len(self.vectors)))
        rows = np.sort(found.keys).astype(np.int32)
        return rows, self.vectors[rows] @ query

    def build(self, pool: int, threads: int, tick: Tick | None = None) -> None:
        """Make the index, for searches of up to ``pool`` words."""
        words, dims = self.vectors.shape
        index = _empty(dims, pool)
        for start in range(0, words, BATCH):
            rows = np.arange(start, min(start + BATCH, words))
            index.add(rows, self.vectors[rows], threads=threads)
            if tick is not None:
                tick((rows[-1] + 1) / words)
        self.index = index

    def restore(self, data: bytes, pool: int) -> None:
        """Take an index that was made before."""
        index = _empty(self.vectors.shape[1], pool)
        index.load(data)
        if len(index) == len(self.vectors):
            self.index = index


def _empty(dims: int, pool: int) -> Index:
    from usearch.index import Index

    breadth = round(BREADTH * pool)
    return Index(ndim=dims, metric="cos", dtype="i8", expansion_add=64, expansion_search=breadth)


def _highest(values: Vectors, count: int) -> Ints:
    if count >= len(values):
        return np.arange(len(values), dtype=np.int32)
    return np.argpartition(values, -count)[-count:].astype(np.int32)
