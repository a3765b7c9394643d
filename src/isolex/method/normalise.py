"""Normalisation (section 3.1): fit the steps to a vocabulary and apply them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import STEPS, Normaliser, apply, by_bands
from isolex.errors import UsageError


def fit(steps: Sequence[str], vectors: Vectors) -> tuple[Normaliser, Vectors]:
    """Fit ``steps`` to ``(n, d)`` vectors; returns the normaliser and the normalised vectors."""
    fitted: list[Vectors] = []
    for name in steps:
        if name not in STEPS:
            raise UsageError(f"unknown normalisation {name!r}: choose from {', '.join(STEPS)}")
        own = bool(fitted)  # after the first step the vectors are a copy that may be overwritten
        fitted.append(_learn(name, vectors))
        step = partial(apply, name, fitted=fitted[-1])
        vectors = by_bands(step, vectors, overwrite=own)
    return Normaliser(tuple(steps), tuple(fitted)), vectors


def _learn(name: str, vectors: Vectors) -> Vectors:
    """The ``(d,)`` vector that a step needs; empty if it needs none."""
    if name == "center":
        fitted = vectors.mean(axis=0, dtype=np.float64)
    elif name == "unitdim":
        fitted = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=0))
    else:
        fitted = np.empty(0)
    return np.asarray(fitted, dtype=np.float32)
