"""The maps that one iteration of self-learning uses: a rotation, or two re-weighted maps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import rotation
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.kernels.parallel import for_bands
from isolex.kernels.types import Ints
from isolex.method.mapping import Moments, fit, reweighted


@dataclass(frozen=True, eq=False)
class IterationMaps:
    """The maps of one iteration of self-learning.

    Attributes:
        source: ``(d, k)`` for the source language.
        target: ``(e, k)`` for the target language; ``None`` if the source is mapped into the space
            of the target.
    """

    source: Vectors
    target: Vectors | None = None

    @classmethod
    def of(cls, x: Vectors, z: Vectors, lexicon: Lexicon, reweight: float | None) -> IterationMaps:
        """Fit to a lexicon: a rotation, or maps re-weighted by a power of the correlations."""
        if reweight is None:
            return cls(rotation(x, z, lexicon))
        source, target = fit(reweighted(reweight), Moments.of(x, z, lexicon))
        return cls(source.matrix, target.matrix)

    def transform(self, x: Vectors, z: Vectors) -> tuple[Vectors, Vectors]:
        """Unit vectors of both languages in the shared space."""
        if self.target is not None:
            return unit(linalg.product(x, self.source)), unit(linalg.product(z, self.target))
        return rotate(x, self.source), z


def rotate(vectors: Vectors, matrix: Vectors) -> Vectors:
    """Apply an orthogonal map; rescale to unit length if it drops dimensions."""
    rotated = linalg.product(vectors, matrix)
    return unit(rotated) if matrix.shape[0] > matrix.shape[1] else rotated


def cross_fitted(x: Vectors, z: Vectors, lexicon: Lexicon, parts: Ints) -> Vectors:
    """Source vectors, each rotated by a map that was fitted without its own part.

    A pair looks better than it is to a map that was fitted to it, whether it is right or wrong, and
    so tends to be induced again. Here no word is mapped by its own pairs.

    Args:
        x: ``(n, d)`` source vectors.
        z: ``(m, e)`` target vectors.
        lexicon: The pairs.
        parts: The part, counted from zero, of each of the first source words.

    Returns:
        ``(len(parts), e)`` mapped vectors of the first source words.
    """
    count = parts.max() + 1
    part_of = np.full(len(x), count)
    part_of[: len(parts)] = parts
    owners = part_of[lexicon.sources]
    pairs = [lexicon.select(owners == part) for part in range(count + 1)]
    moments = [linalg.cross_moment(x[some.sources], z[some.targets]) for some in pairs]
    whole = np.sum(moments, axis=0)
    maps: dict[int, Vectors] = {}

    def learn(band: slice) -> None:
        maps[band.start] = linalg.procrustes(whole - moments[band.start])

    for_bands(count, 1, lambda: learn)
    result = np.empty((len(parts), z.shape[1]), dtype=np.float32)
    for part, matrix in maps.items():
        members = np.flatnonzero(parts == part)
        result[members] = rotate(x[members], matrix)
    return result
