"""Induction of a lexicon from two mapped spaces: the retrieval methods of the field.

A retrieval is data. Three of the methods are a dot product less a penalty on each candidate: no
penalty (nn), half its neighbourhood mean (csls), the log of its softmax sum (invsoftmax). The other
two rank the query among pivots as the candidate sees them (invnn, gc).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from isolex.embeddings import Vectors
from isolex.errors import UsageError
from isolex.kernels import similarity
from isolex.kernels.types import Induction, Ints
from isolex.lexicon import Lexicon

Tick = Callable[[float], None]
Means = dict[tuple[str, int], Vectors]


class Method(StrEnum):
    """The names of the retrieval methods."""

    NN = "nn"
    CSLS = "csls"
    INVSOFTMAX = "invsoftmax"
    INVNN = "invnn"
    GC = "gc"


class Candidates(NamedTuple):
    """The best targets of each of ``n`` queries.

    Attributes:
        indices: ``(n, k)``, best first.
        scores: ``(n, k)``; higher is better under every method.
    """

    indices: Ints
    scores: Vectors


@dataclass(frozen=True)
class Retrieval:
    """How translations are chosen from two mapped spaces of unit vectors.

    Attributes:
        method: ``nn``, the highest cosine. ``csls``, cosines corrected by the neighbourhood means
            of both words (Conneau et al., 2018). ``invsoftmax``, the probability of the query given
            the candidate (Smith et al., 2017). ``invnn``, the candidate that ranks the query
            highest among all source words, ties by cosine. ``gc``, globally corrected: the same
            over the queries and the most frequent source words only (Dinu et al., 2015).
        neighbours: Neighbours per neighbourhood mean (csls).
        temperature: Of the inverted softmax; lower is sharper.
        pivots: How many frequent source words join the queries in the ranking (gc).
    """

    method: Method = Method.CSLS
    neighbours: int = 10
    temperature: float = 1 / 30
    pivots: int = 5000

    @classmethod
    def of(cls, name: str | Retrieval) -> Retrieval:
        """A retrieval by the name of its method."""
        if isinstance(name, Retrieval):
            return name
        if name not in list(Method):
            raise UsageError(f"unknown retrieval {name!r}: choose from {', '.join(Method)}")
        return replace(cls(), method=Method(name))


class Space:
    """Two mapped vocabularies of unit vectors, and the penalties that were computed for them.

    Args:
        src: ``(n, d)`` the vocabulary that is asked.
        trg: ``(m, d)`` the vocabulary that answers.
        means: ``{(side, neighbours): (n,)}`` the neighbourhood means that are known already.
    """

    def __init__(self, src: Vectors, trg: Vectors, means: Means | None = None) -> None:
        if src.shape[1] != trg.shape[1]:
            raise UsageError(
                f"a shared space has one number of dimensions, not {src.shape[1]} and "
                f"{trg.shape[1]}: map the vectors first"
            )
        self.src, self.trg = src, trg
        self.known_means: Means = dict(means or {})

    def reversed(self) -> Space:
        """The same space asked the other way."""
        other = {"src": "trg", "trg": "src"}
        return Space(
            self.trg,
            self.src,
            {(other[side], neighbours): m for (side, neighbours), m in self.known_means.items()},
        )

    def retrieve(
        self, queries: Ints, k: int, retrieval: Retrieval, tick: Tick | None = None
    ) -> Candidates:
        """The ``k`` best targets of the source words ``queries`` ``(q,)``, in bounded memory."""
        if retrieval.method in (Method.INVNN, Method.GC):
            return self._by_rank(queries, k, retrieval, tick)
        penalty, scale, offset = self._penalty(queries, retrieval)
        indices, scores = similarity.topk(self.src[queries], self.trg, k, penalty, tick)
        return Candidates(indices, scale * scores - offset[:, None])

    def _penalty(self, queries: Ints, retrieval: Retrieval) -> tuple[Vectors, np.float32, Vectors]:
        """Penalties ``(m,)`` of the candidates, and what turns the rest into the method's score."""
        nothing = np.zeros(len(queries), dtype=np.float32)
        if retrieval.method == Method.CSLS:
            means = self.means("trg", retrieval.neighbours)
            own = self._own_means(queries, retrieval.neighbours)
            return means * np.float32(0.5), np.float32(2), own
        if retrieval.method == Method.INVSOFTMAX:
            scale = np.float32(1 / retrieval.temperature)
            sums = similarity.log_sum_exp(self.trg, self.src, float(scale))
            return sums * np.float32(retrieval.temperature), scale, nothing
        return np.zeros(len(self.trg), dtype=np.float32), np.float32(1), nothing

    def means(self, side: str, neighbours: int) -> Vectors:
        """Neighbourhood means of all words of one side, ``"src"`` or ``"trg"``."""
        if (side, neighbours) not in self.known_means:
            ours, others = (self.src, self.trg) if side == "src" else (self.trg, self.src)
            self.known_means[side, neighbours] = similarity.topk_mean(ours, others, neighbours)
        return self.known_means[side, neighbours]

    def _own_means(self, queries: Ints, neighbours: int) -> Vectors:
        if ("src", neighbours) not in self.known_means and len(queries) < len(self.src):
            return similarity.topk_mean(self.src[queries], self.trg, neighbours)
        return self.means("src", neighbours)[queries]

    def _by_rank(
        self, queries: Ints, k: int, retrieval: Retrieval, tick: Tick | None
    ) -> Candidates:
        pivots = self.src
        if retrieval.method == Method.GC:
            frequent = np.arange(min(retrieval.pivots, len(self.src)), dtype=np.int32)
            pivots = self.src[np.union1d(frequent, queries)]
        indices, scores = similarity.rank_topk(self.src[queries], self.trg, pivots, k, tick)
        return Candidates(indices, scores.astype(np.float32))

    def lexicon(self, k: int, retrieval: Retrieval, tick: Tick | None = None) -> Lexicon:
        """The ``k`` best targets of every source word, mutual best pairs marked."""
        everyone = np.arange(len(self.src), dtype=np.int32)
        candidates = self.retrieve(everyone, k, retrieval, tick)
        others = np.arange(len(self.trg), dtype=np.int32)
        back = self.reversed().retrieve(others, 1, retrieval).indices[:, 0]
        width = candidates.indices.shape[1]
        src, trg = np.repeat(everyone, width), candidates.indices.reshape(-1)
        first = np.tile(np.arange(width) == 0, len(everyone))
        return Lexicon(src, trg, candidates.scores.reshape(-1), first & (back[trg] == src))


def union(induction: Induction) -> Lexicon:
    """Both directions of an induction, one after the other: D = D(X to Z) + D(Z to X)."""
    forward, backward = induction.forward, induction.backward
    sources = np.flatnonzero(forward >= 0).astype(np.int32)
    targets = np.flatnonzero(backward >= 0).astype(np.int32)
    return Lexicon(
        np.concatenate([sources, backward[targets]]),
        np.concatenate([forward[sources], targets]),
    )
