"""View: two vocabularies as a stage sees them, perhaps centred, flattened or projected."""

from __future__ import annotations

from dataclasses import dataclass

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.method import normalise
from isolex.method.spectrum import Flatten, flattened, flattening

RECENTER = ("center", "unit")


@dataclass(frozen=True, eq=False)
class View:
    """Two vocabularies, perhaps centred, flattened and projected.

    Attributes:
        x: ``(n, k)`` source vectors of unit length.
        z: ``(m, l)`` target vectors of unit length.
    """

    x: Vectors
    z: Vectors

    @classmethod
    def of(
        cls,
        x: Vectors,
        z: Vectors,
        words: int,
        dims: int | None = None,
        flatten: Flatten | None = None,
        *,
        center: bool = False,
    ) -> View:
        """Centre on the frequent words, flatten, then project onto their leading components.

        Args:
            x: ``(n, d)`` normalised source vectors.
            z: ``(m, e)`` normalised target vectors.
            words: Number of words that count as frequent.
            dims: The number of components; all by default.
            flatten: Flattens both languages, if given.
            center: Whether to subtract the mean of the frequent words.
        """
        if dims is not None and dims >= max(x.shape[1], z.shape[1]):
            dims = None
        return cls(*(_seen(one, words, dims, flatten, center=center) for one in (x, z)))


def _seen(
    vectors: Vectors, words: int, dims: int | None, flatten: Flatten | None, *, center: bool
) -> Vectors:
    """The vectors of one language in a view."""
    if center:
        vectors = normalise.fit(RECENTER, vectors[:words])[0].transform(vectors)
    vectors = flattened(vectors, flattening(flatten, vectors))
    if dims is None:
        return vectors
    return unit(linalg.product(vectors, linalg.principal(vectors[:words], dims)))
