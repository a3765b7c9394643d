"""What an iteration of self-learning maps with: a rotation, two re-weighted maps, or parts."""

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
class Maps:
    """What one iteration of self-learning maps the two sides with.

    Attributes:
        src: ``(d, k)`` of the source.
        trg: ``(e, k)`` of the target; ``None`` where the source is mapped into the target's space.
    """

    src: Vectors
    trg: Vectors | None = None

    @classmethod
    def of(cls, src: Vectors, trg: Vectors, lexicon: Lexicon, reweight: float | None) -> Maps:
        """The maps of a lexicon: a rotation, or re-weighted by a power of the correlations."""
        if reweight is None:
            return cls(rotation(src, trg, lexicon))
        both = fit(reweighted(reweight), Moments.of(src, trg, lexicon))
        return cls(both[0].matrix, both[1].matrix)

    def mapped(self, src: Vectors, trg: Vectors) -> tuple[Vectors, Vectors]:
        """Vectors of both sides in the shared space, their length one again."""
        if self.trg is not None:
            return unit(linalg.product(src, self.src)), unit(linalg.product(trg, self.trg))
        return rotated(src, self.src), trg


def rotated(vectors: Vectors, matrix: Vectors) -> Vectors:
    """Vectors through an orthogonal map; of length one again where it has lost dimensions."""
    moved = linalg.product(vectors, matrix)
    return unit(moved) if matrix.shape[0] > matrix.shape[1] else moved


def cross_fitted(src: Vectors, trg: Vectors, lexicon: Lexicon, parts: Ints) -> Vectors:
    """Source vectors, each rotated by what the pairs of the other parts say.

    A pair looks better than it is to a map that was learnt from it, a wrong one as well as a right
    one, and so is found again. Here no word is mapped by its own pairs.

    Args:
        src: ``(n, d)`` source vectors.
        trg: ``(m, e)`` target vectors.
        lexicon: The pairs.
        parts: Of each of the first source words, the part that it belongs to, counted from zero.

    Returns:
        ``(len(parts), e)`` mapped vectors of the first source words.
    """
    count = parts.max() + 1
    part_of = np.full(len(src), count)
    part_of[: len(parts)] = parts
    owners = part_of[lexicon.src]
    pairs = [lexicon.pairs(owners == part) for part in range(count + 1)]
    moments = [linalg.cross_moment(src[some.src], trg[some.trg]) for some in pairs]
    whole = np.sum(moments, axis=0)
    maps: dict[int, Vectors] = {}

    def learn(band: slice) -> None:
        maps[band.start] = linalg.procrustes(whole - moments[band.start])

    for_bands(count, 1, lambda: learn)
    result = np.empty((len(parts), trg.shape[1]), dtype=np.float32)
    for part, matrix in maps.items():
        members = np.flatnonzero(parts == part)
        result[members] = rotated(src[members], matrix)
    return result
