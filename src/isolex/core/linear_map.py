"""LinearMap: one linear transformation into the shared space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit_rows
from isolex.errors import UsageError
from isolex.kernels import linalg
from isolex.kernels.parallel import for_bands
from isolex.kernels.types import Doubles


@dataclass(frozen=True, eq=False)
class LinearMap:
    """A map ``x -> x @ matrix`` into the shared space.

    Attributes:
        matrix: ``(d, k)`` float32.
    """

    matrix: Vectors

    @classmethod
    def identity(cls, dims: int) -> LinearMap:
        """The map that changes nothing."""
        return cls(np.eye(dims, dtype=np.float32))

    def transform(self, vectors: Vectors) -> Vectors:
        """Map ``(n, d)`` vectors to ``(n, k)``."""
        return linalg.product(vectors, self.matrix)

    def after(self, matrix: Doubles | None) -> LinearMap:
        """The map that multiplies by a ``(d, d)`` matrix first, if there is one."""
        if matrix is None:
            return self
        return LinearMap((matrix @ self.matrix.astype(np.float64)).astype(np.float32))

    def then(self, matrix: Doubles) -> LinearMap:
        """The map that multiplies by a ``(k, l)`` matrix afterwards."""
        return LinearMap((self.matrix.astype(np.float64) @ matrix).astype(np.float32))

    def transform_to_unit(self, vectors: Vectors, *, overwrite: bool = False) -> Vectors:
        """Map ``(n, d)`` vectors to unit vectors ``(n, k)``.

        With ``overwrite`` the result replaces the vectors if they are writable and keep their
        dimensions, so that no further copy of the vocabulary is made.
        """
        shape = (len(vectors), self.matrix.shape[1])
        reuse = overwrite and vectors.flags.writeable and vectors.shape == shape
        out = vectors if reuse else np.empty(shape, dtype=np.float32)
        matrix = np.ascontiguousarray(self.matrix, dtype=np.float32)

        def work(band: slice) -> None:
            out[band] = unit_rows(np.matmul(vectors[band], matrix))

        for_bands(len(vectors), linalg.BAND, lambda: work)
        return out

    @property
    def is_orthonormal(self) -> bool:
        """Whether the map rotates and, at most, drops dimensions."""
        product = self.matrix.T.astype(np.float64) @ self.matrix
        return bool(np.allclose(product, np.eye(len(product)), atol=1e-3))

    @property
    def is_invertible(self) -> bool:
        """Whether no dimension is lost."""
        rows, columns = self.matrix.shape
        rank = np.linalg.matrix_rank(self.matrix.astype(np.float64), rtol=1e-6)
        return bool(rows <= columns and rank == rows)

    def inverse(self) -> LinearMap:
        """The inverse map."""
        if not self.is_invertible:
            rows, columns = self.matrix.shape
            raise UsageError(
                f"this map loses dimensions ({rows} to {columns}) and cannot be inverted"
            )
        return LinearMap(linalg.pseudo_inverse(self.matrix).astype(np.float32))


def rotation(x: Vectors, z: Vectors, lexicon: Lexicon) -> Vectors:
    """The orthogonal map ``(d, e)`` from source to target: ``U V'`` of ``U S V' = X' D Z``."""
    return linalg.procrustes(linalg.cross_moment(x[lexicon.sources], z[lexicon.targets]))
