"""Spectrum: how the variance of word vectors is spread over their principal components.

Two languages are easier to align, and their words easier to tell apart, if many components carry
variance. Which spectrum is best depends on the vectors: flattening helps vectors whose frequent
words use few components and harms vectors that use many already. So each language is flattened
until its frequent words use a given share of the components, and no further.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.kernels.parallel import single_threaded_blas
from isolex.kernels.types import Doubles

PRECISION = 1e-3
"""The exponent is found up to this error."""


@dataclass(frozen=True)
class Flatten:
    """Multiply each principal component by its variance to a negative power.

    The power is as small as possible, so that vectors that are flat enough stay as they are.

    Attributes:
        share: The share of all components that the frequent words use after it, as `used` defines.
        most: Upper limit of the power; 0.5 would make all variances equal.
        words: Number of words that count as frequent.
    """

    share: float = 0.7
    most: float = 0.25
    words: int = 4000

    def __call__(self, vectors: Vectors) -> Doubles | None:
        """The matrix ``(d, d)`` that flattens vectors; ``None`` if they are flat enough.

        Args:
            vectors: ``(n, d)`` normalised vectors, most frequent words first.
        """
        frequent = vectors[: self.words]
        if used(frequent) >= self.share:
            return None
        moment = linalg.cross_moment(vectors, vectors)
        low, high = 0.0, self.most
        while high - low > PRECISION:
            middle = (low + high) / 2
            seen = used(flattened(frequent, linalg.power(moment, -middle)))
            low, high = (low, middle) if seen >= self.share else (middle, high)
        return linalg.power(moment, -high)


def flattening(flatten: Flatten | None, vectors: Vectors) -> Doubles | None:
    """The matrix that flattens vectors; ``None`` if they stay as they are."""
    return flatten(vectors) if flatten else None


def flattened(vectors: Vectors, matrix: Doubles | None) -> Vectors:
    """Vectors multiplied by a matrix of `Flatten`, of unit length; ``None`` changes nothing."""
    if matrix is None:
        return vectors
    return unit(linalg.product(vectors, matrix.astype(np.float32)))


def used(vectors: Vectors) -> float:
    """The share of their components that ``(n, d)`` vectors use.

    This is the exponential of the entropy of the variances, divided by ``d``. It is 1 if all
    variances are equal.
    """
    with single_threaded_blas():
        variances = np.linalg.eigvalsh(linalg.cross_moment(vectors, vectors))
    shares = np.maximum(variances / variances.sum(), np.finfo(np.float64).tiny)
    return float(np.exp(-(shares * np.log(shares)).sum()) / len(shares))
