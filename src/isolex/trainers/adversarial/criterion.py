"""The criterion of a map without gold data (Conneau et al., 2018, section 2.4)."""

from __future__ import annotations

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.kernels.induction import induce

WORST = -1.0
"""What a map is worth that is no map: the lowest cosine there is."""

NEIGHBOURS = 10


def mean_cosine(x: Vectors, z: Vectors, matrix: Vectors) -> float:
    """The mean cosine of source words and the translations that CSLS chooses for them.

    Args:
        x: ``(n, d)`` source vectors.
        z: ``(m, e)`` target vectors.
        matrix: ``(d, e)`` map of the source.
    """
    if not np.isfinite(matrix).all():
        return WORST
    mapped, targets = unit(linalg.product(x, matrix)), unit(z)
    found = induce(mapped, targets, NEIGHBOURS).forward
    return float((mapped * targets[found]).sum(axis=1).mean(dtype=np.float64))
