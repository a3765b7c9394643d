"""Normalisation (section 3.1): learn the steps from the vectors they are applied to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import STEPS, Normaliser, apply, by_bands
from isolex.errors import UsageError


def fit(steps: Sequence[str], vectors: Vectors) -> tuple[Normaliser, Vectors]:
    """Learn ``steps`` from ``(n, d)`` vectors; returns the normaliser and the result."""
    learnt = []
    for name in steps:
        if name not in STEPS:
            raise UsageError(f"unknown normalisation {name!r}: choose from {', '.join(STEPS)}")
        learnt.append(_learn(name, vectors))
        vectors = by_bands(partial(apply, name, learnt=learnt[-1]), vectors)
    return Normaliser(tuple(steps), tuple(learnt)), vectors


def _learn(name: str, vectors: Vectors) -> Vectors:
    if name == "center":
        learnt = vectors.mean(axis=0, dtype=np.float64)
    elif name == "unitdim":
        learnt = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=0))
    else:
        learnt = np.empty(0)
    return np.asarray(learnt, dtype=np.float32)
