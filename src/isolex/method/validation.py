"""Callbacks of self-learning that remember what happened, and measure how well it went."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.history import Record
from isolex.core.lexicon import Lexicon
from isolex.kernels.similarity import topk
from isolex.method.self_learning import Iteration


class History:
    """A callback that remembers every iteration, after those that there were before."""

    def __init__(self, before: Sequence[Record] = ()) -> None:
        self.records = list(before)

    def __call__(self, iteration: Iteration) -> None:
        """Remember an iteration."""
        self.records.append(
            Record(
                iteration.number,
                iteration.stage.keep_prob,
                iteration.stage.cutoff,
                iteration.objective,
                iteration.seconds,
                iteration.validation,
            )
        )


class Validation:
    """A callback that notes the share of validation words whose nearest target is a gold one.

    Args:
        src: ``(n, d)`` normalised source vectors.
        trg: ``(m, e)`` normalised target vectors.
        gold: The validation pairs.
    """

    def __init__(self, src: Vectors, trg: Vectors, gold: Lexicon) -> None:
        self.queries = np.unique(gold.src)
        self.src, self.trg = src[self.queries], trg
        self.gold = set(zip(gold.src.tolist(), gold.trg.tolist(), strict=True))

    def __call__(self, iteration: Iteration) -> None:
        """Note the accuracy of an iteration."""
        found = topk(*iteration.maps.mapped(self.src, self.trg), 1)[0][:, 0]
        pairs = zip(self.queries.tolist(), found.tolist(), strict=True)
        iteration.validation = 100 * sum(pair in self.gold for pair in pairs) / len(self.queries)
