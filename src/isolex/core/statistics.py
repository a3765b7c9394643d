"""Statistics about the words of a language that retrieval needs; computed once, then kept."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.core.embeddings import Vectors
from isolex.kernels import similarity
from isolex.kernels.types import Tick, part

WIDTH = 32
"""How many of the highest similarities of each word are kept: ranks below it are known exactly."""


@dataclass
class Statistics:
    """Figures about each word of one language with respect to another.

    Attributes:
        means: Neighbourhood means ``(n,)`` by number of neighbours.
        sums: Logs of softmax sums ``(n,)`` by temperature.
        highest: ``(w, n)`` highest similarities to the words of the other language, descending.
        to_pivots: ``(w, n)`` the same for its most frequent words only, by their number.
        lengths: ``(n,)`` lengths of the vectors after the map of the pair, if it has its own.
    """

    means: dict[int, Vectors] = field(default_factory=dict)
    sums: dict[float, Vectors] = field(default_factory=dict)
    highest: Vectors | None = None
    to_pivots: dict[int, Vectors] = field(default_factory=dict)
    lengths: Vectors | None = None


def is_ready(own: Statistics, theirs: Statistics, retrieval: Retrieval) -> bool:
    """Whether a word can be looked up, in either direction, without a pass over all words."""
    both = (own, theirs)
    match retrieval.method:
        case RetrievalMethod.NN:
            return True
        case RetrievalMethod.CSLS | RetrievalMethod.SPELLING:
            return all(retrieval.neighbours in known.means for known in both)
        case RetrievalMethod.INVSOFTMAX:
            return all(retrieval.temperature in known.sums for known in both)
        case RetrievalMethod.INVNN:
            return all(known.highest is not None for known in both)
        case RetrievalMethod.GC:
            return all(retrieval.pivots in known.to_pivots for known in both)


def prepare(
    x: Vectors,
    z: Vectors,
    own: Statistics,
    theirs: Statistics,
    retrieval: Retrieval,
    tick: Tick | None = None,
) -> None:
    """Compute what look-ups by any method need, in both directions.

    Args:
        x: ``(n, d)`` unit vectors of the one language.
        z: ``(m, d)`` unit vectors of the other.
        own: Receives the results for the first.
        theirs: Receives the results for the second.
        retrieval: The parameters of the methods.
        tick: Called with the share of the work done.
    """
    from isolex.kernels.survey import STEEPEST, survey

    both = ((x, z, own), (z, x, theirs))
    for number, (vectors, others, known) in enumerate(both):
        if retrieval.pivots not in known.to_pivots:
            pivots, watch = others[: retrieval.pivots], part(tick, number, 8)
            _, highest = similarity.topk(vectors, pivots, WIDTH, tick=watch)
            known.to_pivots[retrieval.pivots] = np.ascontiguousarray(highest.T)
    if all(is_ready(own, theirs, retrieval.by(method)) for method in RetrievalMethod):
        return
    scale, width = 1 / retrieval.temperature, max(WIDTH, retrieval.neighbours)
    steep = scale > STEEPEST
    rest = None if tick is None else lambda share: tick((1 + 3 * share) / 4)
    watch = part(rest, 0, 3) if steep else rest
    found = survey(x, z, width, min(scale, STEEPEST), watch)
    for number, ((vectors, others, known), seen) in enumerate(zip(both, found, strict=True)):
        nearest = seen.highest[:, -retrieval.neighbours :]
        means = nearest.mean(axis=1, dtype=np.float64).astype(np.float32)
        known.means.setdefault(retrieval.neighbours, means)
        known.highest, sums = np.ascontiguousarray(seen.highest.T[::-1]), seen.sums
        if steep:
            sums = similarity.log_sum_exp(vectors, others, scale, part(rest, 1 + number, 3))
        known.sums[retrieval.temperature] = sums
