"""View: two vocabularies in all dimensions, or only in their leading principal components."""

from __future__ import annotations

from dataclasses import dataclass

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.method.maps import IterationMaps


@dataclass(frozen=True, eq=False)
class View:
    """Two vocabularies, perhaps projected.

    Attributes:
        x: ``(n, k)`` source vectors of unit length.
        z: ``(m, l)`` target vectors of unit length.
        x_base: ``(d, k)`` the principal components of the source; ``None`` if all are kept.
        z_base: ``(e, l)`` the principal components of the target; ``None`` if all are kept.
    """

    x: Vectors
    z: Vectors
    x_base: Vectors | None = None
    z_base: Vectors | None = None

    @classmethod
    def of(cls, x: Vectors, z: Vectors, words: int, dims: int | None) -> View:
        """Project onto the ``dims`` leading components of the ``words`` most frequent words."""
        if dims is None or dims >= max(x.shape[1], z.shape[1]):
            return cls(x, z)
        bases = [linalg.principal(vectors[:words], dims) for vectors in (x, z)]
        seen = [unit(linalg.product(*pair)) for pair in zip((x, z), bases, strict=True)]
        return cls(*seen, *bases)

    def lift(self, maps: IterationMaps) -> IterationMaps:
        """Maps of the view as maps of the whole vocabularies."""
        if self.x_base is None or self.z_base is None:
            return maps
        source = linalg.product(self.x_base, maps.source)
        if maps.target is None:
            return IterationMaps(linalg.product(source, self.z_base.T))
        return IterationMaps(source, linalg.product(self.z_base, maps.target))
