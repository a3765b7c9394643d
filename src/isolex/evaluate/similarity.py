"""Word similarity: do cosines rank word pairs as people do?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from isolex.embeddings import Embeddings
from isolex.errors import UsageError
from isolex.kernels.types import Doubles
from isolex.normalise import unit


@dataclass(frozen=True)
class SimilarityResult:
    """Correlation with human judgements.

    Attributes:
        pearson: Correlation of the values.
        spearman: Correlation of the ranks, ties at their mean rank.
        coverage: Share of pairs with both words in the vocabularies.
        entries: How many pairs those are.
        oov: How many pairs could not be asked.
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
    src: Embeddings, trg: Embeddings, gold: Iterable[tuple[str, str, float]]
) -> SimilarityResult:
    """Correlate the cosine of each pair with its score; monolingual when both sides are one."""
    gold = list(gold)
    known = [row for row in gold if row[0] in src and row[1] in trg]
    if len(known) < 2:
        raise UsageError("fewer than two pairs have both words in the vocabularies")
    left = unit(src.vectors[[src.index[row[0]] for row in known]])
    right = unit(trg.vectors[[trg.index[row[1]] for row in known]])
    cosines = np.einsum("ij,ij->i", left, right, dtype=np.float64)
    scores = np.array([row[2] for row in known])
    return SimilarityResult(
        pearson=_correlation(cosines, scores),
        spearman=_correlation(_ranks(cosines), _ranks(scores)),
        coverage=len(known) / len(gold),
        entries=len(known),
        oov=len(gold) - len(known),
    )


def _correlation(left: Doubles, right: Doubles) -> float:
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        raise UsageError("all scores are equal: there is nothing to correlate with")
    return float(np.corrcoef(left, right)[0, 1])


def _ranks(values: Doubles) -> Doubles:
    """Ranks from one up, equal values at their mean rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Doubles = (last - (counts - 1) / 2)[place]
    return ranks
