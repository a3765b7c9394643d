"""Word similarity: do cosines rank word pairs as people do?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

from isolex.core.embeddings import Embeddings
from isolex.core.normaliser import unit
from isolex.errors import UsageError
from isolex.kernels.types import Doubles

ScoredPair: TypeAlias = tuple[str, str, float]


@dataclass(frozen=True)
class SimilarityResult:
    """Correlation with human judgements.

    Attributes:
        pearson: Correlation of the values.
        spearman: Correlation of the ranks, ties at their mean rank.
        coverage: Percent of the pairs with both words in the vocabularies.
        entries: How many pairs those are.
        oov: How many pairs are out of vocabulary.
    """

    pearson: float
    spearman: float
    coverage: float
    entries: int
    oov: int

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def evaluate_similarity(
    left: Embeddings, right: Embeddings, gold: Iterable[ScoredPair]
) -> SimilarityResult:
    """Correlate cosines with scores; for one language, pass the same embeddings twice."""
    gold = list(gold)
    asked = known(left, right, gold)
    if len(asked) < 2:
        raise UsageError(
            "fewer than two pairs have both words in the vocabularies: check their languages and "
            "case (--lowercase)"
        )
    x = unit(left.vectors[[left.index[row[0]] for row in asked]])
    z = unit(right.vectors[[right.index[row[1]] for row in asked]])
    cosines = np.einsum("ij,ij->i", x, z, dtype=np.float64)
    scores = np.array([row[2] for row in asked])
    return SimilarityResult(
        pearson=_correlation(cosines, scores),
        spearman=_correlation(_ranks(cosines), _ranks(scores)),
        coverage=100 * len(asked) / len(gold),
        entries=len(asked),
        oov=len(gold) - len(asked),
    )


def known(left: Embeddings, right: Embeddings, gold: Iterable[ScoredPair]) -> list[ScoredPair]:
    """The pairs with their first word in ``left`` and their second in ``right``."""
    return [row for row in gold if row[0] in left and row[1] in right]


def _correlation(left: Doubles, right: Doubles) -> float:
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        raise UsageError("all scores are equal, so there is no correlation to measure")
    return float(np.corrcoef(left, right)[0, 1])


def _ranks(values: Doubles) -> Doubles:
    """Ranks counted from one; equal values get their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Doubles = (last - (counts - 1) / 2)[place]
    return ranks
