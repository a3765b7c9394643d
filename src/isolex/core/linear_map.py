"""LinearMap: one linear transformation into the shared space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.errors import UsageError
from isolex.kernels import linalg


@dataclass(frozen=True, eq=False)
class LinearMap:
    """A map ``x -> x @ matrix`` into the shared space.

    Attributes:
        matrix: ``(d, k)`` float32.
    """

    matrix: Vectors

    @classmethod
    def unchanged(cls, dims: int) -> LinearMap:
        """The map that changes nothing."""
        return cls(np.eye(dims, dtype=np.float32))

    def transform(self, vectors: Vectors) -> Vectors:
        """Map ``(n, d)`` vectors to ``(n, k)``."""
        return linalg.product(vectors, self.matrix)

    def inverse(self) -> LinearMap:
        """The map back, where there is one."""
        rows, columns = self.matrix.shape
        wide = self.matrix.astype(np.float64)
        if rows > columns or np.linalg.matrix_rank(wide, rtol=1e-6) < rows:
            raise UsageError(
                f"this map loses dimensions ({rows} to {columns}) and cannot be inverted"
            )
        return LinearMap(np.linalg.pinv(wide).astype(np.float32))


def rotation(src: Vectors, trg: Vectors, lexicon: Lexicon) -> Vectors:
    """The orthogonal map ``(d, e)`` from source to target: ``U V'`` of ``U S V' = X' D Z``."""
    return linalg.procrustes(linalg.cross_moment(src[lexicon.src], trg[lexicon.trg]))
