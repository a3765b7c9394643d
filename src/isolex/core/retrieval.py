"""Retrieval: how translations are chosen in a shared space, for look-ups, lexicons and evaluation.

Self-learning induces its lexicons with the same CSLS in one fused pass, `isolex.kernels.induction`.

A retrieval is data. Three of the methods score a dot product minus a penalty on each candidate: no
penalty (nn), half its neighbourhood mean (csls), the log of its softmax sum (invsoftmax). The other
two rank the query among pivots, as seen from the candidate (invnn, gc).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.pair import PairVectors
from isolex.core.statistics import Statistics
from isolex.core.tensors import release
from isolex.errors import UsageError
from isolex.kernels import induction, similarity
from isolex.kernels.types import RANK_TOLERANCE, Ints, Tick, part

BLOCK = 1 << 21
"""Numbers that a look-up of a few words holds in memory at once."""

RANKS = (2, 4, 8, 16)
"""Look-ups by rank first consider only candidates that rank the query above these."""

FEW = 64
"""So many queries are a look-up; more of them are a pass over the vocabulary."""


class Candidates(NamedTuple):
    """The best targets of each of ``n`` queries.

    Attributes:
        indices: ``(n, k)`` rows of targets, best first; fewer columns if fewer are known.
        scores: ``(n, k)``; higher is better with every method.
    """

    indices: Ints
    scores: Vectors


class Direction:
    """Translation from one language of a space into another.

    Args:
        x: ``(n, d)`` unit vectors of the source language.
        z: ``(m, d)`` unit vectors of the target language.
        own: What is known about the source words; new results are added to it.
        theirs: What is known about the target words, likewise.
    """

    def __init__(
        self,
        x: Vectors | PairVectors,
        z: Vectors | PairVectors,
        own: Statistics | None = None,
        theirs: Statistics | None = None,
    ) -> None:
        if x.shape[1] != z.shape[1]:
            raise UsageError(
                f"vectors of a shared space have the same number of dimensions, not {x.shape[1]} "
                f"and {z.shape[1]}: map them first"
            )
        self.source, self.target = x, z
        self.own, self.theirs = own or Statistics(), theirs or Statistics()

    @property
    def x(self) -> Vectors:
        """All vectors ``(n, d)`` of the source language."""
        return np.asarray(self.source)

    @property
    def z(self) -> Vectors:
        """All vectors ``(m, d)`` of the target language."""
        return np.asarray(self.target)

    def reversed(self) -> Direction:
        """The opposite direction; it shares what is known about the words."""
        return Direction(self.target, self.source, self.theirs, self.own)

    def retrieve(
        self, rows: Ints | None, k: int, retrieval: Retrieval, tick: Tick | None = None
    ) -> Candidates:
        """The ``k`` best targets of the source words in ``rows`` ``(q,)``, or of all of them."""
        _check(k)
        if rows is not None and not len(rows):
            return Candidates(np.empty((0, k), np.int32), np.empty((0, k), np.float32))
        queries = self.x if rows is None else self.source[rows]
        if retrieval.ranks:
            return self._by_rank(queries, rows, k, retrieval, tick)
        own = partial(self._means_of, rows)
        return self._by_penalty(queries, own, k, retrieval, tick)

    def retrieve_vectors(self, queries: Vectors, k: int, retrieval: Retrieval) -> Candidates:
        """The ``k`` best targets of ``(q, d)`` unit vectors that belong to no source word."""
        _check(k)
        if retrieval.ranks:
            return self._by_rank(queries, np.empty(0, np.int32), k, retrieval, None)
        own = partial(similarity.topk_mean, queries, self.z)
        return self._by_penalty(queries, own, k, retrieval, None)

    def lexicon(self, k: int, retrieval: Retrieval, tick: Tick | None = None) -> Lexicon:
        """The ``k`` best targets of every source word, with mutual best pairs marked."""
        if retrieval.method == RetrievalMethod.CSLS:
            found, back = self._csls_both_ways(k, retrieval.neighbours, tick)
        else:
            found = self.retrieve(None, k, retrieval, part(tick, 0, 2))
            back = self.reversed().retrieve(None, 1, retrieval, part(tick, 1, 2)).indices[:, 0]
        size, width = found.indices.shape
        sources = np.repeat(np.arange(size, dtype=np.int32), width)
        targets = found.indices.reshape(-1)
        first = np.tile(np.arange(width) == 0, size)
        return Lexicon(
            sources, targets, found.scores.reshape(-1), first & (back[targets] == sources)
        )

    def is_mutual(self, row: int, target: int, retrieval: Retrieval) -> bool:
        """Whether a source word is the best translation of its own best translation."""
        rows = np.array([target], dtype=np.int32)
        best = self.reversed().retrieve(rows, 1, retrieval).indices[0]
        return bool(len(best) and best[0] == row)

    def means(self, neighbours: int, tick: Tick | None = None) -> Vectors:
        """Mean similarity ``(n,)`` of each source word to its nearest targets."""
        if not all(neighbours in known.means for known in (self.own, self.theirs)):
            found = induction.neighbourhood_means(self.x, self.z, neighbours, tick)
            self.own.means[neighbours], self.theirs.means[neighbours] = found
        return self.own.means[neighbours]

    def _means_of(self, rows: Ints | None, neighbours: int) -> Vectors:
        means = self.means(neighbours)
        return means if rows is None else means[rows]

    def _csls_both_ways(
        self, k: int, neighbours: int, tick: Tick | None
    ) -> tuple[Candidates, Ints]:
        """CSLS between all words: two products, or one if the means are known."""
        _check(k)
        before, tick = part(tick, 0, 2), part(tick, 1, 2)
        means = self.means(neighbours, before), self.reversed().means(neighbours)
        indices, scores, back = induction.best_both_ways(self.x, self.z, means, k, tick)
        return Candidates(indices, 2 * scores - means[0][:, None]), back

    def _by_penalty(
        self,
        queries: Vectors,
        own_means: Callable[[int], Vectors],
        k: int,
        retrieval: Retrieval,
        tick: Tick | None,
    ) -> Candidates:
        """Highest dot product minus penalty, turned into the score of the method."""
        none = np.zeros(len(queries), dtype=np.float32)
        if retrieval.method == RetrievalMethod.NN:
            indices, scores = self._highest(queries, None, k, tick)
            return Candidates(indices, scores)
        before, tick = part(tick, 0, 2), part(tick, 1, 2)
        if retrieval.method == RetrievalMethod.INVSOFTMAX:
            scale, offset = np.float32(1 / retrieval.temperature), none
            sums = self._sums(retrieval.temperature, before)
            penalty = sums * np.float32(retrieval.temperature)
        else:
            scale = np.float32(2)
            means = self.reversed().means(retrieval.neighbours, before)
            penalty, offset = means * np.float32(0.5), own_means(retrieval.neighbours)
        indices, scores = self._highest(queries, penalty, k, tick)
        return Candidates(indices, scale * scores - offset[:, None])

    def _sums(self, temperature: float, tick: Tick | None) -> Vectors:
        """The logs of the softmax sums ``(m,)`` of the target words."""
        if temperature not in self.theirs.sums:
            sums = similarity.log_sum_exp(self.z, self.x, 1 / temperature, tick)
            self.theirs.sums[temperature] = sums
        return self.theirs.sums[temperature]

    def _highest(
        self, queries: Vectors, penalty: Vectors | None, k: int, tick: Tick | None
    ) -> tuple[Ints, Vectors]:
        """The targets of highest dot product minus penalty.

        A look-up goes through memory-mapped vectors block by block and lets go of each block, so
        that it needs little memory however large the vocabulary is.
        """
        if len(queries) > FEW:
            return similarity.topk(queries, self.z, k, penalty, tick)
        found = []
        for block in self._blocks():
            vectors = self.target[block]
            taken = None if penalty is None else penalty[block]
            indices, scores = similarity.topk(queries, vectors, k, taken)
            found.append((indices + np.int32(block.start), scores))
            release(vectors)
            if tick is not None:
                tick(block.stop / len(self.target))
        indices = np.concatenate([block[0] for block in found], axis=1)
        scores = np.concatenate([block[1] for block in found], axis=1)
        order = np.lexsort((indices, -scores), axis=1)[:, :k]
        return np.take_along_axis(indices, order, axis=1), np.take_along_axis(scores, order, axis=1)

    def _blocks(self) -> Iterator[slice]:
        """Consecutive blocks of targets."""
        return similarity.tiles(len(self.target), max(1, BLOCK // self.target.shape[1]))

    def _by_rank(
        self,
        queries: Vectors,
        rows: Ints | None,
        k: int,
        retrieval: Retrieval,
        tick: Tick | None,
    ) -> Candidates:
        """Dot product minus the number of pivots that the candidate prefers to the query."""
        if retrieval.method == RetrievalMethod.INVNN:
            pivots, highest = self.x, self.theirs.highest
            if rows is not None and not len(rows):
                pivots = np.concatenate([pivots, queries])
        elif rows is None:
            pivots, highest = self.x, None
        else:
            frequent = np.arange(min(retrieval.pivots, len(self.source)), dtype=np.int32)
            pivots = self.source[np.union1d(frequent, rows)]
            pivots = pivots if len(rows) else np.concatenate([pivots, queries])
            highest = self.theirs.to_pivots.get(retrieval.pivots)
        if highest is not None and len(queries) == 1:
            return self._by_known_ranks(queries[0], highest, len(pivots), k)
        indices, scores = similarity.rank_topk(queries, self.z, pivots, k, tick)
        return Candidates(indices, scores.astype(np.float32))

    def _by_known_ranks(self, query: Vectors, highest: Vectors, pivots: int, k: int) -> Candidates:
        """The same for one word, from the highest similarities ``(w, m)`` of each candidate.

        They give every rank below their number. If fewer than ``k`` candidates rank the query that
        high, only those are returned: finding the others would take a pass over all words.
        """
        similarities = np.concatenate([self.target[block] @ query for block in self._blocks()])
        limits = similarities + RANK_TOLERANCE
        width = len(highest)
        for rank in (*takewhile(lambda rank: rank < width, RANKS), width):
            # The candidates that prefer fewer than `rank` pivots to the query.
            known = np.flatnonzero(highest[rank - 1] <= limits)
            if rank == width >= pivots:
                known = np.arange(len(self.target))
            ranks = (highest[:rank, known] > limits[known]).sum(axis=0)
            scores = similarities[known] - ranks
            order = np.lexsort((known, -scores))[:k]
            # Others prefer at least `rank` pivots, and no similarity is above 1.
            if len(order) == k and scores[order[-1]] > 1 - rank:
                break
        return Candidates(
            known[order][None].astype(np.int32), scores[order][None].astype(np.float32)
        )


def _check(k: int) -> None:
    if k < 1:
        raise UsageError(f"the number of translations must be at least 1, not {k}")
