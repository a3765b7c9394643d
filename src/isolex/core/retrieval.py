"""Retrieval: how translations are chosen in a shared space, for look-ups, lexicons and evaluation.

Self-learning induces its lexicons with the same CSLS in one fused pass, `isolex.kernels.induction`.

A retrieval is data. Three of the methods score a dot product minus a penalty on each candidate: no
penalty (nn), half its neighbourhood mean (csls), the log of its softmax sum (invsoftmax). The other
two rank the query among pivots, as seen from the candidate (invnn, gc). The last one (spelling)
scores the best candidates of csls, and words that are spelled like the query, anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from isolex.core.candidates import Candidates
from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.pair import PairVectors
from isolex.core.spelling import SpellingEvidence
from isolex.core.statistics import Statistics
from isolex.core.tensors import release
from isolex.errors import UsageError
from isolex.kernels import induction, similarity
from isolex.kernels.ranks import by_known_ranks
from isolex.kernels.types import Ints, Tick, part

BLOCK = 1 << 21
"""Numbers that a look-up of a few words holds in memory at once."""

CANDIDATES, ALIKE = 10, 8
"""By spelling, the best targets by csls and those spelled most alike compete, so many of each."""

WEIGHT = 0.06
"""Weight of the log-likelihood ratio of the spelling, compared with the csls score."""

FEW = 64
"""So many queries are a look-up; more of them are a pass over the vocabulary."""


class Direction:
    """Translation from one language of a space into another.

    Args:
        x: ``(n, d)`` unit vectors of the source language.
        z: ``(m, d)`` unit vectors of the target language.
        own: What is known about the source words; new results are added to it.
        theirs: What is known about the target words, likewise.
        spelling: What the spelling of two words says about them, if that is known.
    """

    def __init__(
        self,
        x: Vectors | PairVectors,
        z: Vectors | PairVectors,
        own: Statistics | None = None,
        theirs: Statistics | None = None,
        spelling: SpellingEvidence | None = None,
    ) -> None:
        if x.shape[1] != z.shape[1]:
            raise UsageError(
                f"vectors of a shared space have the same number of dimensions, not {x.shape[1]} "
                f"and {z.shape[1]}: map them first"
            )
        self.source, self.target = x, z
        self.own, self.theirs = own or Statistics(), theirs or Statistics()
        self.spelling = spelling

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
        spelling = self.spelling and self.spelling.reversed()
        return Direction(self.target, self.source, self.theirs, self.own, spelling)

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
        if retrieval.method == RetrievalMethod.SPELLING:
            rows = np.arange(len(queries), dtype=np.int32) if rows is None else rows
            return self._by_spelling(queries, own, self.spelling, rows, k, retrieval, tick)
        return self._by_penalty(queries, own, k, retrieval, tick)

    def retrieve_vectors(
        self, queries: Vectors, k: int, retrieval: Retrieval, words: Sequence[str] | None = None
    ) -> Candidates:
        """The ``k`` best targets of ``(q, d)`` unit vectors outside the vocabulary.

        Only retrieval by spelling needs to know the words that the vectors belong to.
        """
        _check(k)
        if retrieval.ranks:
            return self._by_rank(queries, np.empty(0, np.int32), k, retrieval, None)
        own = partial(similarity.topk_mean, queries, self.z)
        if retrieval.method == RetrievalMethod.SPELLING:
            if words is None:
                raise UsageError("retrieval by spelling needs the words of the vectors")
            spelling = self.spelling and self.spelling.about(words)
            rows = np.arange(len(queries), dtype=np.int32)
            return self._by_spelling(queries, own, spelling, rows, k, retrieval, None)
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
            return self._highest(queries, None, k, tick)
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

    def _by_spelling(
        self,
        queries: Vectors,
        own_means: Callable[[int], Vectors],
        spelling: SpellingEvidence | None,
        rows: Ints,
        k: int,
        retrieval: Retrieval,
        tick: Tick | None,
    ) -> Candidates:
        """The csls score plus the evidence of spelling."""
        if spelling is None:
            raise UsageError(
                "the alignment did not consider spelling: choose another retrieval, or align with "
                "--spelling on (spelling=True)"
            )
        own = own_means(retrieval.neighbours)
        found = self._by_penalty(queries, lambda _: own, max(k, CANDIDATES), retrieval, tick)
        alike = spelling.others_alike(rows, found.indices, ALIKE)
        theirs = self.reversed().means(retrieval.neighbours)[alike]
        others = 2 * self._dots(queries, alike) - own[:, None] - theirs
        scores = np.concatenate([found.scores, np.where(alike < 0, -np.inf, others)], axis=1)
        indices = np.concatenate([found.indices, alike], axis=1)
        scores += WEIGHT * spelling.score(rows, indices)
        return Candidates.best(indices, scores, min(k, len(self.target)))

    def _dots(self, queries: Vectors, targets: Ints) -> Vectors:
        """Dot products ``(q, n)`` of queries ``(q, d)`` with targets ``(q, n)`` of their own."""
        dots = np.empty(targets.shape, dtype=np.float32)
        for band in similarity.tiles(
            len(queries), BLOCK // (targets[:1].size * queries[:1].size) + 1
        ):
            vectors = self.target[targets[band].reshape(-1)].reshape(*targets[band].shape, -1)
            dots[band] = np.einsum("qd,qnd->qn", queries[band], vectors)
        return dots

    def _sums(self, temperature: float, tick: Tick | None) -> Vectors:
        """The logs of the softmax sums ``(m,)`` of the target words."""
        if temperature not in self.theirs.sums:
            sums = similarity.log_sum_exp(self.z, self.x, 1 / temperature, tick)
            self.theirs.sums[temperature] = sums
        return self.theirs.sums[temperature]

    def _highest(
        self, queries: Vectors, penalty: Vectors | None, k: int, tick: Tick | None
    ) -> Candidates:
        """The targets of highest dot product minus penalty.

        A look-up goes through memory-mapped vectors block by block and lets go of each block, so
        that it needs little memory however large the vocabulary is.
        """
        if len(queries) > FEW:
            return Candidates(*similarity.topk(queries, self.z, k, penalty, tick))
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
        return Candidates.best(indices, scores, k)

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
            similar = np.concatenate([self.target[block] @ queries[0] for block in self._blocks()])
            known = by_known_ranks(similar, highest, len(pivots), k)
            return Candidates(known[0][None], known[1][None])
        indices, scores = similarity.rank_topk(queries, self.z, pivots, k, tick)
        return Candidates(indices, scores.astype(np.float32))


def _check(k: int) -> None:
    if k < 1:
        raise UsageError(f"the number of translations must be at least 1, not {k}")
