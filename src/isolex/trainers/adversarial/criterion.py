"""The unsupervised criterion of Conneau et al. (2018, section 2.4)."""

from __future__ import annotations

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.kernels.induction import induce

WORST = -1.0
"""Criterion of a map with NaN or infinite entries: the lowest possible cosine."""

NEIGHBOURS = 10


def mean_cosine(x: Vectors, z: Vectors, matrix: Vectors) -> float:
    """Mean cosine of the mapped source words and their best CSLS translations.

    Args:
        x: ``(n, d)`` source vectors.
        z: ``(m, e)`` target vectors.
        matrix: ``(d, e)`` map from source to target.
    """
    if not np.isfinite(matrix).all():
        return WORST
    mapped, targets = unit(linalg.product(x, matrix)), unit(z)
    translations = induce(mapped, targets, NEIGHBOURS).forward
    return float((mapped * targets[translations]).sum(axis=1).mean(dtype=np.float64))
