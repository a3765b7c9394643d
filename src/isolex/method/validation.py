"""Validation: accuracy on given pairs after each iteration; it changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from isolex.core.lexicon import match
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels.similarity import topk
from isolex.method.maps import IterationMaps
from isolex.method.view import View


class Validation:
    """Measures how many validation words have a gold translation as their nearest target.

    Args:
        problem: The two languages.
        pairs: The validation pairs.
    """

    def __init__(self, problem: Problem, pairs: Sequence[tuple[str, str]]) -> None:
        gold, _ = match(pairs, problem.source, problem.target)
        if not len(gold):
            raise UsageError(
                "no validation pair has both words in the vocabularies: check direction and "
                "spelling"
            )
        self.queries = np.unique(gold.sources)
        self.gold = set(zip(gold.sources.tolist(), gold.targets.tolist(), strict=True))

    def accuracy(self, view: View, maps: IterationMaps) -> float:
        """The accuracy of maps of a view, in percent."""
        found = topk(*maps.transform(view.x[self.queries], view.z), 1)[0][:, 0]
        pairs = zip(self.queries.tolist(), found.tolist(), strict=True)
        return 100 * sum(pair in self.gold for pair in pairs) / len(self.queries)
