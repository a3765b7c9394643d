"""The best translations of some words, as rows of the target language."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.kernels.types import Doubles, Ints


class Candidates(NamedTuple):
    """The best targets of each of ``n`` queries.

    Attributes:
        indices: ``(n, k)`` rows of targets, best first; fewer columns if fewer are known.
        scores: ``(n, k)``; higher is better with every method.
    """

    indices: Ints
    scores: Vectors

    @classmethod
    def best(cls, indices: Ints, scores: Vectors | Doubles, k: int) -> Self:
        """The ``k`` best of ``(n, m)`` targets of each query; ties go to the lower row."""
        order = np.lexsort((indices, -scores), axis=1)[:, :k]
        best = np.take_along_axis(scores, order, axis=1).astype(np.float32)
        return cls(np.take_along_axis(indices, order, axis=1), best)
