"""Translations of one word under every retrieval method, without a pass over the vocabulary.

Candidates are the nearest words of the other language, measured again under each method by what is
known of each word: neighbourhood means (csls), softmax sums (invsoftmax). The two methods that rank
may choose words that lie further off: to the candidates come the words that have the asked one
among their nearest, which a survey tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isolex.core.choices import Method
from isolex.core.embeddings import Vectors
from isolex.core.retrieval import Retrieval
from isolex.kernels.nearest import Nearest
from isolex.kernels.survey import Surveyed
from isolex.kernels.types import RANK_TOLERANCE, Ints

POOL = 500
"""Candidates that are measured again."""
WIDTH = 32
"""Words that a survey keeps of each: up to this rank invnn is exact."""
COUNTED = 50_000
"""Pivots that are few enough to be counted while somebody waits."""


class Ranking(NamedTuple):
    """The best answers, up to ``(k,)``, and their scores, best first, ties by index."""

    rows: Ints
    scores: Vectors


class Pool(NamedTuple):
    """Candidates ``(c,)`` of a word and their similarities to it."""

    rows: Ints
    similarities: Vectors

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Pool:
        """Some of them."""
        return Pool(self.rows[chosen], self.similarities[chosen])


@dataclass
class Known:
    """What is known of each word of one language, as far as it has been computed.

    Attributes:
        means: ``(n,)`` neighbourhood means.
        surveyed: What a survey told.
        liked: ``(n, w)`` the highest similarities to the pivots of the other language (gc).
    """

    means: Vectors | None = None
    surveyed: Surveyed | None = None
    liked: Vectors | None = None

    def take(self, surveyed: Surveyed, neighbours: int) -> None:
        """Take what a survey told; the means of so many neighbours are among it."""
        if self.means is None:
            nearest = surveyed.similarities[:, :neighbours]
            self.means = nearest.mean(axis=1, dtype=np.float64).astype(np.float32)
        self.surveyed = surveyed

    @cached_property
    def admirers(self) -> tuple[Ints, NDArray[np.int64]]:
        """Who has which word of the other language among its nearest.

        All of those, one after the other in the order of the words of the other language; and
        where those of each word begin.
        """
        if self.surveyed is None:
            raise ValueError("no survey yet")
        nearest = self.surveyed.nearest
        order = np.argsort(nearest, axis=None, kind="stable")
        highest = int(nearest.max())
        starts = np.searchsorted(nearest.reshape(-1)[order], np.arange(highest + 2))
        return (order // nearest.shape[1]).astype(np.int32), starts


@dataclass(frozen=True)
class Direction:
    """Asking words of one language for their translations into the other.

    Attributes:
        asked: The vocabulary that is asked.
        answering: The vocabulary that answers.
        own: What is known of the former.
        theirs: What is known of the latter.
        retrieval: The parameters of the methods.
    """

    asked: Nearest
    answering: Nearest
    own: Known
    theirs: Known
    retrieval: Retrieval

    def ready(self, method: Method) -> bool:
        """Whether a method can answer by now, and tell mutual pairs, which takes both sides."""
        both = (self.own, self.theirs)
        if method == Method.CSLS:
            return all(known.means is not None for known in both)
        if method == Method.GC:
            return all(known.liked is not None for known in both)
        return method == Method.NN or all(known.surveyed is not None for known in both)

    def pool(self, row: int) -> Pool:
        """The nearest words of the other language."""
        return Pool(*self.answering.search(self.asked.vectors[row], POOL))

    def rank(self, row: int, method: Method, k: int, pool: Pool) -> Ranking:
        """The ``k`` best translations of a word, of whose candidates ``pool`` are the nearest."""
        rows, similarities = pool
        if method == Method.NN:
            return _best(rows, similarities, k)
        if method == Method.CSLS and self.own.means is not None and self.theirs.means is not None:
            scores = 2 * similarities - self.own.means[row] - self.theirs.means[rows]
            return _best(rows, scores, k)
        if method == Method.INVSOFTMAX and self.theirs.surveyed is not None:
            scale = np.float32(1 / self.retrieval.temperature)
            return _best(rows, scale * similarities - self.theirs.surveyed.sums[rows], k)
        if method == Method.GC and self.theirs.liked is not None:
            pivots = self.asked.vectors[: self.retrieval.pivots]
            return self._by_rank(row, k, pool, self.theirs.liked, pivots)
        if method == Method.INVNN and self.theirs.surveyed is not None:
            liked = self.theirs.surveyed.similarities
            return self._by_rank(row, k, pool, liked, self.asked.vectors)
        raise ValueError(f"{method} is not ready")

    def mutual(self, row: int, method: Method, answer: int, back: Pool) -> bool:
        """Whether a word is the best translation of its own best translation ``answer``.

        ``back`` are the candidates of the latter.
        """
        best = self.reversed.rank(answer, method, 1, back).rows
        return bool(len(best) and best[0] == row)

    @cached_property
    def reversed(self) -> Direction:
        """Asking the other way."""
        return Direction(self.answering, self.asked, self.theirs, self.own, self.retrieval)

    def _by_rank(self, row: int, k: int, pool: Pool, liked: Vectors, pivots: Vectors) -> Ranking:
        """Similarities less the number of pivots that a candidate likes better (Dinu et al., 2015).

        Args:
            row: The word that is asked.
            k: How many are wanted.
            pool: The nearest candidates.
            liked: ``(m, w)`` the highest similarities of each candidate to the pivots, which tell
                ranks below ``w``. Where they are not enough, the nearest of the other candidates
                follow, their ranks counted.
            pivots: ``(p, d)``; more than `COUNTED` are not counted, and the answers may be fewer.
        """
        pool = self._joined(row, pool)
        ranks = _above(liked[pool.rows], pool.similarities)
        told = (ranks < liked.shape[1]) | (liked.shape[1] == len(pivots))
        chosen, ranks = pool.where(told), ranks[told]
        if len(chosen.rows) < k and len(pivots) <= COUNTED:
            others = pool.where(~told)
            more = others.where(np.argsort(-others.similarities)[: k - len(chosen.rows)])
            counted = _above(self.answering.vectors[more.rows] @ pivots.T, more.similarities)
            chosen = Pool(
                np.concatenate([chosen.rows, more.rows]),
                np.concatenate([chosen.similarities, more.similarities]),
            )
            ranks = np.concatenate([ranks, counted])
        return _best(chosen.rows, chosen.similarities - ranks, k)

    def _joined(self, row: int, pool: Pool) -> Pool:
        """The candidates and those words that have the asked one among their nearest."""
        if self.theirs.surveyed is None:
            return pool
        everyone, starts = self.theirs.admirers
        bounds = starts[row : row + 2].tolist()
        admirers = everyone[slice(*bounds)] if len(bounds) == 2 else everyone[:0]
        rows = np.union1d(pool.rows, admirers).astype(np.int32)
        return Pool(rows, self.answering.vectors[rows] @ self.asked.vectors[row])


class Pools:
    """The candidates of a word and of its translations, each looked for once."""

    def __init__(self, direction: Direction, row: int) -> None:
        self.direction, self.row = direction, row
        self.forward = direction.pool(row)
        self._back: dict[int, Pool] = {}

    def back(self, answer: int) -> Pool:
        """The candidates of a translation."""
        if answer not in self._back:
            self._back[answer] = self.direction.reversed.pool(answer)
        return self._back[answer]


def _best(rows: Ints, scores: NDArray[np.floating], k: int) -> Ranking:
    order = np.lexsort((rows, -scores))[:k]
    return Ranking(rows[order], scores[order].astype(np.float32))


def _above(liked: Vectors, similarities: Vectors) -> NDArray[np.intp]:
    """How many of each row of ``liked`` ``(c, w)`` are above the similarity ``(c,)`` of the row."""
    counts: NDArray[np.intp] = (liked > (similarities + RANK_TOLERANCE)[:, None]).sum(axis=1)
    return counts
