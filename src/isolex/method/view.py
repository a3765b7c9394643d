"""View: two vocabularies as one stage sees them, perhaps flattened or in fewer dimensions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.method.maps import IterationMaps
from isolex.method.spectrum import Flatten, flattened, flattening


@dataclass(frozen=True, eq=False)
class View:
    """Two vocabularies, perhaps flattened and projected.

    Attributes:
        x: ``(n, k)`` source vectors of unit length.
        z: ``(m, l)`` target vectors of unit length.
        x_base: ``(d, k)`` the matrix that led to ``x``; ``None`` if nothing was changed.
        z_base: ``(e, l)`` the matrix that led to ``z``; ``None`` if nothing was changed.
    """

    x: Vectors
    z: Vectors
    x_base: Vectors | None = None
    z_base: Vectors | None = None

    @classmethod
    def of(
        cls,
        x: Vectors,
        z: Vectors,
        words: int,
        dims: int | None = None,
        flatten: Flatten | None = None,
    ) -> View:
        """Flatten, then project onto leading components.

        Args:
            x: ``(n, d)`` normalised source vectors.
            z: ``(m, e)`` normalised target vectors.
            words: The leading components are those of so many of the most frequent words.
            dims: The number of components; all by default.
            flatten: Flattens both languages, if given.
        """
        if dims is not None and dims >= max(x.shape[1], z.shape[1]):
            dims = None
        seen_x, x_base = _seen(x, words, dims, flatten)
        seen_z, z_base = _seen(z, words, dims, flatten)
        return cls(seen_x, seen_z, x_base, z_base)

    def lift(self, maps: IterationMaps) -> IterationMaps:
        """Maps of the view as maps of the whole vocabularies."""
        if self.x_base is None and self.z_base is None:
            return maps
        target = maps.target
        if target is None:
            target = np.eye(self.z.shape[1], dtype=np.float32)
        return IterationMaps(_through(self.x_base, maps.source), _through(self.z_base, target))


def _seen(
    vectors: Vectors, words: int, dims: int | None, flatten: Flatten | None
) -> tuple[Vectors, Vectors | None]:
    """The vectors of one language in a view, and the matrix that led to them."""
    matrix = flattening(flatten, vectors)
    vectors = flattened(vectors, matrix)
    base = None if matrix is None else matrix.astype(np.float32)
    if dims is None:
        return vectors, base
    components = linalg.principal(vectors[:words], dims)
    return unit(linalg.product(vectors, components)), _through(base, components)


def _through(base: Vectors | None, matrix: Vectors) -> Vectors:
    return matrix if base is None else linalg.product(base, matrix)
