"""Normalisation (section 3.1) as named steps, remembered so that later vectors can follow.

``unit``: each vector to length one. ``center``: the mean vector taken off. ``unitdim``: each
dimension to length one. ``centeremb``: each vector's own mean taken off its values. A zero vector
has no direction and stays zero through all of them.
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
"""The steps that learn a vector of the space: a mean, a scale."""


BAND = 256
"""Rows that go through a step together, and stay in a core's cache meanwhile."""


@dataclass(frozen=True, eq=False)
class Normaliser:
    """Steps and what they learnt from the vectors they were fitted on.

    Attributes:
        steps: Names of `STEPS`, in order.
        learnt: For each step of `FITTED` a ``(d,)`` vector, for the others an empty one.
    """

    steps: tuple[str, ...]
    learnt: tuple[Vectors, ...]

    def transform(self, vectors: Vectors) -> Vectors:
        """Put ``(n, d)`` vectors through the very steps that were fitted."""

        def transform(rows: Vectors) -> Vectors:
            for name, learnt in zip(self.steps, self.learnt, strict=True):
                rows = apply(name, rows, learnt)
            return rows

        return by_bands(transform, vectors)

    def undo(self, vectors: Vectors) -> Vectors:
        """Bring normalised ``(n, d)`` vectors back to the space they came from.

        A length that ``unit`` took off is gone: where there is such a step, the result has length
        one. All else comes back, the mean too: a vector of unknown length is made so long that it
        has length one once the mean is added, as it had before the mean was taken off.
        """
        for step in self.steps:
            if step == "centeremb":
                raise UsageError("the normalisation centeremb cannot be undone")
        return by_bands(self._undo, vectors)

    def _undo(self, rows: Vectors) -> Vectors:
        scale_free = False
        for place in range(len(self.steps) - 1, -1, -1):
            name, learnt = self.steps[place], self.learnt[place][None, :]
            if name == "unit":
                rows, scale_free = _unit(rows), True
            elif name == "unitdim":
                rows = rows * learnt
            elif scale_free:
                if "unit" not in self.steps[:place]:
                    raise UsageError("a mean taken off vectors of any length cannot be put back")
                rows = _on_sphere(rows, learnt)
            else:
                rows = _subtract(rows, -learnt)
        return rows


def _on_sphere(rows: Vectors, mean: Vectors) -> Vectors:
    """``c * row + mean`` of length one, with ``c`` above zero."""
    rows = _unit(rows).astype(np.float64)
    along = (rows * mean).sum(axis=1, keepdims=True)
    beyond = np.square(along) + 1 - np.square(mean, dtype=np.float64).sum()
    factor = np.sqrt(np.maximum(beyond, 0)) - along
    carries = rows.any(axis=1, keepdims=True)
    result: Vectors = np.where(carries, factor * rows + mean, 0).astype(np.float32)
    return result


def unit(vectors: Vectors) -> Vectors:
    """Vectors ``(n, d)`` of length one; zero vectors stay zero."""
    return by_bands(_unit, vectors)


def by_bands(step: Callable[[Vectors], Vectors], vectors: Vectors) -> Vectors:
    """A step that takes each row for itself, on all cores."""
    out = np.empty_like(vectors)

    def work(band: slice) -> None:
        out[band] = step(vectors[band])

    for_bands(len(vectors), BAND, lambda: work)
    return out


def _unit(vectors: Vectors) -> Vectors:
    # Divided by their largest value first: squares overflow and vanish sooner than values.
    scaled = _divide(vectors, np.abs(vectors).max(axis=1, keepdims=True))
    return _divide(scaled, np.linalg.norm(scaled, axis=1, keepdims=True))


def apply(name: str, vectors: Vectors, learnt: Vectors) -> Vectors:
    """Put ``(n, d)`` vectors through one step, with the ``(d,)`` vector it has learned."""
    if name == "unit":
        return _unit(vectors)
    if name == "unitdim":
        return _divide(vectors, learnt[None, :])
    if name == "center":
        return _subtract(vectors, learnt[None, :])
    means = vectors.mean(axis=1, keepdims=True, dtype=np.float64)
    return _subtract(vectors, means.astype(np.float32))


def _divide(vectors: Vectors, lengths: Vectors) -> Vectors:
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def _subtract(vectors: Vectors, means: Vectors) -> Vectors:
    carries = vectors.any(axis=1, keepdims=True)
    return np.subtract(vectors, means, out=np.zeros_like(vectors), where=carries)
