"""The rows nearest to one vector, exactly, and by reading a quarter of the bytes.

A look at every row is bound by memory. So each is kept rounded to eight bits too: the similarity
to a rounded row is off by at most the length of what the rounding took away, times that of the
query (Cauchy and Schwarz). The few rows that this leaves open are measured with their own vectors.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from isolex.kernels.types import Floats, Ints, at_least_one

Codes = NDArray[np.int8]

BAND = 4096
"""Rows that are rounded at once."""
LEVELS = 127
SLACK = 1e-4
"""More than sums in float32, in whatever order, differ by."""


class Nearest:
    """Rows that can be searched.

    Args:
        vectors: ``(n, d)`` of at most unit length.
    """

    def __init__(self, vectors: Floats) -> None:
        self.vectors = vectors
        self._codes = np.empty(vectors.shape, dtype=np.int8)
        self._steps = np.empty(len(vectors), dtype=np.float32)
        self._lost = np.empty(len(vectors), dtype=np.float32)
        for start in range(0, len(vectors), BAND):
            self._round(slice(start, start + BAND))

    def _round(self, band: slice) -> None:
        exact = self.vectors[band]
        steps = np.abs(exact).max(axis=1) / np.float32(LEVELS)
        steps[steps == 0] = 1
        rounded = np.rint(exact / steps[:, None])
        self._codes[band] = rounded
        self._steps[band] = steps
        self._lost[band] = np.linalg.norm(exact - rounded * steps[:, None], axis=1)

    def search(self, query: Floats, count: int) -> tuple[Ints, Floats]:
        """The ``count`` rows nearest to ``query`` ``(d,)`` and their similarities, unordered."""
        at_least_one(count)
        query = np.ascontiguousarray(query)
        open_rows = self._possible(query, count)
        similarities = self.vectors[open_rows] @ query
        chosen = _highest(similarities, count)
        return open_rows[chosen], similarities[chosen]

    def _possible(self, query: Floats, count: int) -> Ints:
        """All rows that may be among the ``count`` nearest."""
        if count >= len(self.vectors):
            return np.arange(len(self.vectors), dtype=np.int32)
        lowest, highest = _bounds(
            self._codes, self._steps, self._lost, query, np.float32(np.linalg.norm(query))
        )
        sure = lowest[_highest(lowest, count)].min()
        return np.flatnonzero(highest >= sure).astype(np.int32)


@numba.njit(nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _bounds(
    codes: Codes, steps: Floats, lost: Floats, query: Floats, length: np.float32
) -> tuple[Floats, Floats]:
    """What the similarity of each row to ``query`` lies between."""
    lowest, highest = np.empty_like(steps), np.empty_like(steps)
    for row in range(len(codes)):
        total = np.float32(0)
        for column in range(len(query)):
            total += np.float32(codes[row, column]) * query[column]
        similarity = total * steps[row]
        margin = (lost[row] + np.float32(SLACK)) * length
        lowest[row] = similarity - margin
        highest[row] = similarity + margin
    return lowest, highest


def _highest(values: Floats, count: int) -> NDArray[np.intp]:
    if count >= len(values):
        return np.arange(len(values))
    return np.argpartition(values, -count)[-count:]
