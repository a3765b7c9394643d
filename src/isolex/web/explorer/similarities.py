"""Similarities of a few words to a whole vocabulary, for look-ups between two languages.

A pair may have maps of its own, and a vocabulary is too large to be mapped for every word that is
looked up. With ``y`` a vector of the vocabulary, ``M`` its map and ``q`` a query, the similarity is
``(y M) q / |y M| = y (M q) / |y M|``: only the query is mapped, and the lengths are computed once.
"""

from __future__ import annotations

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.language import Language
from isolex.core.linear_map import LinearMap
from isolex.core.space import Space
from isolex.core.statistics import Statistics
from isolex.kernels.linalg import product
from isolex.kernels.parallel import for_bands

BAND = 2048
"""Rows whose lengths are computed together."""


def similarities(space: Space, queries: Vectors, language: Language, other: Language) -> Vectors:
    """Similarities ``(q, n)`` of ``(q, k)`` unit vectors to the words of a language.

    Args:
        space: The space.
        queries: Vectors for translations between the two languages.
        language: The language whose words are compared.
        other: The other language of the pair.
    """
    linear = space.pair_map(language, other)
    if linear is None:
        found = product(language.vectors, queries.T)
    else:
        found = product(language.vectors, linear.matrix @ queries.T)
        found /= _lengths(space, language, other, linear)[:, None]
    return np.ascontiguousarray(found.T)


def measure(space: Space, language: Language, other: Language) -> bool:
    """Compute in advance what `similarities` needs; returns whether there was anything to do."""
    linear = space.pair_map(language, other)
    if linear is None or _known(space, language, other).lengths is not None:
        return False
    _lengths(space, language, other, linear)
    return True


def _lengths(space: Space, language: Language, other: Language, linear: LinearMap) -> Vectors:
    """The lengths ``(n,)`` of the vectors after the map of a pair; 1 for zero vectors."""
    known = _known(space, language, other)
    if known.lengths is None:
        lengths = np.empty(len(language), dtype=np.float32)

        def work(band: slice) -> None:
            lengths[band] = np.linalg.norm(language.vectors[band] @ linear.matrix, axis=1)

        for_bands(len(language), BAND, lambda: work)
        lengths[lengths == 0] = 1
        known.lengths = lengths
    return known.lengths


def _known(space: Space, language: Language, other: Language) -> Statistics:
    return space.statistics.setdefault((language.name, other.name), Statistics())
