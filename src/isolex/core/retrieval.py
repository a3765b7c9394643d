"""Induction of a lexicon from two mapped spaces: the retrieval methods of the field.

A retrieval is data. Three of the methods are a dot product less a penalty on each candidate: no
penalty (nn), half its neighbourhood mean (csls), the log of its softmax sum (invsoftmax). The other
two rank the query among pivots as the candidate sees them (invnn, gc).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from isolex.core.choices import Method
from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.errors import UsageError
from isolex.kernels import induction, similarity
from isolex.kernels.types import Ints, Tick, part


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

    def __post_init__(self) -> None:
        if self.method not in list(Method):
            raise UsageError(f"unknown retrieval {self.method!r}: choose from {', '.join(Method)}")
        object.__setattr__(self, "method", Method(self.method))
        if self.neighbours < 1 or self.pivots < 1 or not self.temperature > 0:
            raise UsageError("neighbours, pivots and temperature of a retrieval are above zero")

    @property
    def by_rank(self) -> bool:
        """Whether candidates rank the query, rather than being scored."""
        return self.method in (Method.INVNN, Method.GC)

    def by(self, method: str) -> Retrieval:
        """The same parameters with another method, by its name."""
        return replace(self, method=method)  # type: ignore[arg-type]

    @classmethod
    def of(cls, name: str | Retrieval) -> Retrieval:
        """A retrieval by the name of its method."""
        return name if isinstance(name, Retrieval) else cls(method=name)  # type: ignore[arg-type]


Key = tuple[str, float]


OwnMeans = Callable[[Tick | None], Vectors]
"""Computes the neighbourhood means ``(q,)`` of what is asked."""


def means_key(neighbours: int) -> Key:
    """Under which the neighbourhood means of words are kept."""
    return "means", neighbours


class Penalties:
    """Figures of each word of a space that were computed once and are kept, for both sides.

    Args:
        src: ``{key: (n,)}`` of the vocabulary that is asked.
        trg: ``{key: (m,)}`` of the vocabulary that answers.
    """

    def __init__(
        self, src: dict[Key, Vectors] | None = None, trg: dict[Key, Vectors] | None = None
    ) -> None:
        self.src: dict[Key, Vectors] = {} if src is None else src
        self.trg: dict[Key, Vectors] = {} if trg is None else trg

    def reversed(self) -> Penalties:
        """The same figures with the sides exchanged."""
        return Penalties(self.trg, self.src)

    def knows(self, key: Key) -> bool:
        """Whether a figure of the source words is there."""
        return key in self.src

    def of_source(self, key: Key, compute: Callable[[], Vectors]) -> Vectors:
        """A figure of the source words, computed if it is not there."""
        if key not in self.src:
            self.src[key] = compute()
        return self.src[key]


class Space:
    """Two mapped vocabularies of unit vectors, and the penalties that were computed for them.

    Args:
        src: ``(n, d)`` the vocabulary that is asked.
        trg: ``(m, d)`` the vocabulary that answers.
        penalties: What is known of them already; what is computed is added to it.
    """

    def __init__(self, src: Vectors, trg: Vectors, penalties: Penalties | None = None) -> None:
        if src.shape[1] != trg.shape[1]:
            raise UsageError(
                f"a shared space has one number of dimensions, not {src.shape[1]} and "
                f"{trg.shape[1]}: map the vectors first"
            )
        self.src, self.trg = src, trg
        self.penalties = penalties or Penalties()

    def reversed(self) -> Space:
        """The same space asked the other way; what is known of it is shared."""
        return Space(self.trg, self.src, self.penalties.reversed())

    def retrieve(
        self, queries: Ints | None, k: int, retrieval: Retrieval, tick: Tick | None = None
    ) -> Candidates:
        """The ``k`` best targets of the source words ``queries`` ``(q,)``, in bounded memory.

        All source words are asked where ``queries`` is ``None``.
        """
        if k < 1:
            raise UsageError(f"at least one translation has to be asked for, not {k}")
        asked = self.src if queries is None else self.src[queries]
        if retrieval.by_rank:
            return self._by_rank(asked, self._pivots(queries, retrieval), k, tick)
        own = partial(self._own_means, queries, asked, retrieval.neighbours)
        return self._by_penalty(asked, own, k, retrieval, tick)

    def retrieve_vectors(self, asked: Vectors, k: int, retrieval: Retrieval) -> Candidates:
        """The ``k`` best targets of ``(q, d)`` unit vectors that belong to no source word."""
        if k < 1:
            raise UsageError(f"at least one translation has to be asked for, not {k}")
        if retrieval.by_rank:
            pivots = np.concatenate([self._pivots(np.empty(0, np.int32), retrieval), asked])
            return self._by_rank(asked, pivots, k, None)
        own = partial(similarity.topk_mean, asked, self.trg, retrieval.neighbours)
        return self._by_penalty(asked, own, k, retrieval, None)

    def _by_penalty(
        self, asked: Vectors, own: OwnMeans, k: int, retrieval: Retrieval, tick: Tick | None
    ) -> Candidates:
        if retrieval.method != Method.NN:
            before, tick = part(tick, 0, 2), part(tick, 1, 2)
        else:
            before = None
        penalty, scale, offset = self._penalty(len(asked), own, retrieval, before)
        indices, scores = similarity.topk(asked, self.trg, k, penalty, tick)
        return Candidates(indices, scale * scores - offset[:, None])

    def lexicon(self, k: int, retrieval: Retrieval, tick: Tick | None = None) -> Lexicon:
        """The ``k`` best targets of every source word, mutual best pairs marked."""
        if retrieval.method == Method.CSLS:
            found, back = self._both_ways(k, retrieval.neighbours, tick)
        else:
            found = self.retrieve(None, k, retrieval, part(tick, 0, 2))
            back = self.reversed().retrieve(None, 1, retrieval, part(tick, 1, 2)).indices[:, 0]
        size, width = found.indices.shape
        src, trg = np.repeat(np.arange(size, dtype=np.int32), width), found.indices.reshape(-1)
        first = np.tile(np.arange(width) == 0, size)
        return Lexicon(src, trg, found.scores.reshape(-1), first & (back[trg] == src))

    def _both_ways(self, k: int, neighbours: int, tick: Tick | None) -> tuple[Candidates, Ints]:
        """CSLS from all words to all: two products, one where the means are known."""
        if k < 1:
            raise UsageError(f"at least one translation has to be asked for, not {k}")
        key = means_key(neighbours)
        if not (self.penalties.knows(key) and self.penalties.reversed().knows(key)):
            before, tick = part(tick, 0, 2), part(tick, 1, 2)
            means = induction.neighbourhood_means(self.src, self.trg, neighbours, before)
            self.penalties.src[key], self.penalties.trg[key] = means
        means = self.penalties.src[key], self.penalties.trg[key]
        indices, scores, back = induction.best_both_ways(self.src, self.trg, means, k, tick)
        return Candidates(indices, 2 * scores - means[0][:, None]), back

    def means(self, neighbours: int, tick: Tick | None = None) -> Vectors:
        """Mean similarity of each source word to its nearest targets: ``(n,)``."""
        return self.penalties.of_source(
            means_key(neighbours),
            lambda: similarity.topk_mean(self.src, self.trg, neighbours, tick),
        )

    def _penalty(
        self, asked: int, own: OwnMeans, retrieval: Retrieval, tick: Tick | None
    ) -> tuple[Vectors, np.float32, Vectors]:
        """Penalties ``(m,)`` of the candidates, and what turns the rest into the method's score."""
        nothing = np.zeros(asked, dtype=np.float32)
        if retrieval.method == Method.NN:
            return np.zeros(len(self.trg), dtype=np.float32), np.float32(1), nothing
        if retrieval.method == Method.INVSOFTMAX:
            scale = np.float32(1 / retrieval.temperature)
            sums = self.penalties.reversed().of_source(
                ("softmax", retrieval.temperature),
                lambda: similarity.log_sum_exp(self.trg, self.src, float(scale), tick),
            )
            return sums * np.float32(retrieval.temperature), scale, nothing
        means = self.reversed().means(retrieval.neighbours, part(tick, 0, 2))
        return means * np.float32(0.5), np.float32(2), own(part(tick, 1, 2))

    def _own_means(
        self, queries: Ints | None, asked: Vectors, neighbours: int, tick: Tick | None
    ) -> Vectors:
        if queries is None:
            return self.means(neighbours, tick)
        if self.penalties.knows(means_key(neighbours)):
            return self.means(neighbours)[queries]
        return similarity.topk_mean(asked, self.trg, neighbours, tick)

    def _pivots(self, queries: Ints | None, retrieval: Retrieval) -> Vectors:
        """The source words that candidates rank a query among."""
        if retrieval.method == Method.INVNN or queries is None:
            return self.src
        frequent = np.arange(min(retrieval.pivots, len(self.src)), dtype=np.int32)
        pivots: Vectors = self.src[np.union1d(frequent, queries)]
        return pivots

    def _by_rank(self, asked: Vectors, pivots: Vectors, k: int, tick: Tick | None) -> Candidates:
        indices, scores = similarity.rank_topk(asked, self.trg, pivots, k, tick)
        return Candidates(indices, scores.astype(np.float32))
