"""Normaliser: the normalisation steps of section 3.1, with what they learned from a vocabulary.

``unit`` scales each vector to length one. ``center`` subtracts the mean vector. ``unitdim`` scales
each dimension to length one. ``centeremb`` subtracts from each vector the mean of its own values. A
zero vector has no direction and stays zero throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.errors import UsageError
from isolex.kernels.parallel import for_bands

STEPS = ("unit", "center", "unitdim", "centeremb")
FITTED = ("center", "unitdim")
"""The steps that learn a vector from the vocabulary: a mean or a scale."""

BAND = 256
"""Rows that are processed together, so that they stay in a core's cache."""


@dataclass(frozen=True, eq=False)
class Normaliser:
    """Normalisation steps and what they learned from the vectors they were fitted on.

    Attributes:
        steps: Names from `STEPS`, in order.
        fitted: A ``(d,)`` vector for each step in `FITTED`, an empty one for each other step.
    """

    steps: tuple[str, ...]
    fitted: tuple[Vectors, ...]

    def transform(self, vectors: Vectors) -> Vectors:
        """Normalise ``(n, d)`` vectors with the fitted steps."""

        def transform(rows: Vectors) -> Vectors:
            for name, fitted in zip(self.steps, self.fitted, strict=True):
                rows = apply(name, rows, fitted)
            return rows

        return by_bands(transform, vectors)

    def undo(self, vectors: Vectors) -> Vectors:
        """Map normalised ``(n, d)`` vectors back to the original space.

        ``unit`` discards lengths, so with such a step the result has length one. Everything else is
        restored, including the mean: a vector is scaled so that it has length one again once the
        mean is added.
        """
        for step in self.steps:
            if step == "centeremb":
                raise UsageError("the normalisation centeremb cannot be undone")
        return by_bands(self._undo, vectors)

    def _undo(self, rows: Vectors) -> Vectors:
        scale_free = False
        for place in range(len(self.steps) - 1, -1, -1):
            name, fitted = self.steps[place], self.fitted[place][None, :]
            if name == "unit":
                rows, scale_free = unit_rows(rows), True
            elif name == "unitdim":
                rows = rows * fitted
            elif scale_free:
                if "unit" not in self.steps[:place]:
                    raise UsageError("a mean subtracted from unscaled vectors cannot be restored")
                rows = _on_sphere(rows, fitted)
            else:
                rows = _subtract(rows, -fitted)
        return rows


def _on_sphere(rows: Vectors, mean: Vectors) -> Vectors:
    """``c * row + mean`` with the positive ``c`` that makes its length one."""
    rows = unit_rows(rows).astype(np.float64)
    along = (rows * mean).sum(axis=1, keepdims=True)
    beyond = np.square(along) + 1 - np.square(mean, dtype=np.float64).sum()
    factor = np.sqrt(np.maximum(beyond, 0)) - along
    carries = rows.any(axis=1, keepdims=True)
    result: Vectors = np.where(carries, factor * rows + mean, 0).astype(np.float32)
    return result


def unit(vectors: Vectors) -> Vectors:
    """Vectors ``(n, d)`` of length one; zero vectors stay zero."""
    return by_bands(unit_rows, vectors)


def by_bands(
    step: Callable[[Vectors], Vectors], vectors: Vectors, *, overwrite: bool = False
) -> Vectors:
    """Apply a row-wise step on all cores; ``overwrite`` reuses the memory of the vectors."""
    out = vectors if overwrite else np.empty_like(vectors)

    def work(band: slice) -> None:
        out[band] = step(vectors[band])

    for_bands(len(vectors), BAND, lambda: work)
    return out


def unit_rows(vectors: Vectors) -> Vectors:
    """Like `unit`, for a band of rows on one core."""
    # Divide by the largest value first: squares overflow and underflow sooner than values.
    scaled = _divide(vectors, np.abs(vectors).max(axis=1, keepdims=True))
    return _divide(scaled, np.linalg.norm(scaled, axis=1, keepdims=True))


def apply(name: str, vectors: Vectors, fitted: Vectors) -> Vectors:
    """Apply one step, with the ``(d,)`` vector it learned, to ``(n, d)`` vectors."""
    if name == "unit":
        return unit_rows(vectors)
    if name == "unitdim":
        return _divide(vectors, fitted[None, :])
    if name == "center":
        return _subtract(vectors, fitted[None, :])
    means = vectors.mean(axis=1, keepdims=True, dtype=np.float64)
    return _subtract(vectors, means.astype(np.float32))


def _divide(vectors: Vectors, lengths: Vectors) -> Vectors:
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def _subtract(vectors: Vectors, means: Vectors) -> Vectors:
    carries = vectors.any(axis=1, keepdims=True)
    return np.subtract(vectors, means, out=np.zeros_like(vectors), where=carries)
