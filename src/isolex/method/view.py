"""What is seen of two spaces: all of them, or their leading principal components."""

from __future__ import annotations

from dataclasses import dataclass

from isolex.core.embeddings import Vectors
from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.method.maps import Maps


@dataclass(frozen=True, eq=False)
class View:
    """Two spaces as they are seen.

    Attributes:
        src: ``(n, k)`` vectors of unit length.
        trg: ``(m, l)`` likewise.
        src_base: ``(d, k)`` the components that were kept; none where all of it is seen.
        trg_base: ``(e, l)`` likewise.
    """

    src: Vectors
    trg: Vectors
    src_base: Vectors | None = None
    trg_base: Vectors | None = None

    @classmethod
    def of(cls, src: Vectors, trg: Vectors, words: int, dims: int | None) -> View:
        """``dims`` components, those in which the ``words`` most frequent words vary most."""
        if dims is None or dims >= max(src.shape[1], trg.shape[1]):
            return cls(src, trg)
        bases = [linalg.principal(side[:words], dims) for side in (src, trg)]
        seen = [unit(linalg.product(*pair)) for pair in zip((src, trg), bases, strict=True)]
        return cls(*seen, *bases)

    def whole(self, maps: Maps) -> Maps:
        """Maps of the view as maps of the whole spaces."""
        if self.src_base is None or self.trg_base is None:
            return maps
        src = linalg.product(self.src_base, maps.src)
        if maps.trg is None:
            return Maps(linalg.product(src, self.trg_base.T))
        return Maps(src, linalg.product(self.trg_base, maps.trg))
