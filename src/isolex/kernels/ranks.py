"""The best keys by rank, from ranks that are known in advance."""

from __future__ import annotations

from itertools import takewhile

import numpy as np

from isolex.kernels.types import RANK_TOLERANCE, Floats, Ints

RANKS = (2, 4, 8, 16)
"""At first, only keys that rank the query above these are considered."""


def by_known_ranks(
    similarities: Floats, highest: Floats, pivots: int, k: int
) -> tuple[Ints, Floats]:
    """Return the ``k`` best keys for one query, by similarity minus the query's rank for the key.

    This is `isolex.kernels.similarity.rank_topk` without a product. ``highest`` gives every rank
    below ``w``. If fewer than ``k`` keys rank the query that high, only those are returned: finding
    the others would take a pass over all pivots.

    Args:
        similarities: ``(m,)`` similarity of each key to the query.
        highest: ``(w, m)`` highest similarities of each key to the pivots, descending.
        pivots: Number of pivots.
        k: Number of keys.

    Returns:
        Indices and scores, best first; fewer than ``k`` if fewer are known.
    """
    limits = similarities + RANK_TOLERANCE
    width = len(highest)
    for rank in (*takewhile(lambda rank: rank < width, RANKS), width):
        # The keys that prefer fewer than `rank` pivots to the query.
        known = np.flatnonzero(highest[rank - 1] <= limits)
        if rank == width >= pivots:
            known = np.arange(len(similarities))
        ranks = (highest[:rank, known] > limits[known]).sum(axis=0)
        scores = similarities[known] - ranks
        order = np.lexsort((known, -scores))[:k]
        # Others prefer at least `rank` pivots, and no similarity is above 1.
        if len(order) == k and scores[order[-1]] > 1 - rank:
            break
    return known[order].astype(np.int32), scores[order].astype(np.float32)
