"""Bilingual lexicon extraction: how many gold translations are retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isolex.core.choices import Retrieval
from isolex.core.lexicon import match_directed
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.kernels.types import Tick

CUTS = (1, 5, 10)


@dataclass(frozen=True)
class LexiconResult:
    """Accuracy on a gold dictionary.

    Attributes:
        precision: Percent of the entries with a gold translation among the first 1, 5 and 10.
        coverage: Percent of the gold source words that are in the vocabulary and have a gold
            translation in the other.
        entries: Number of these source words.
        oov: The gold source words that are out of vocabulary, in order.
    """

    precision: dict[int, float]
    coverage: float
    entries: int
    oov: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, with ``oov`` as a count."""
        return {
            "precision": {str(cut): value for cut, value in self.precision.items()},
            "coverage": self.coverage,
            "entries": self.entries,
            "oov": len(self.oov),
        }


def evaluate_lexicon(
    space: Space,
    gold: Iterable[tuple[str, str]],
    retrieval: str | Retrieval | None = None,
    *,
    source: str | None = None,
    target: str | None = None,
    cuts: Sequence[int] = CUTS,
    tick: Tick | None = None,
) -> LexiconResult:
    """Score a space against gold translations.

    A source word counts as correct if any of its gold translations is retrieved.

    Args:
        space: The space.
        gold: Word pairs; several for a word with several translations.
        retrieval: How translations are chosen; by default as the system does.
        source: Name of the language to translate from; by default the first.
        target: Name of the language to translate into; by default the second.
        cuts: The ranks at which precision is measured.
        tick: Called with the share of the work done.
    """
    one, other = space.pair(source, target)
    lexicon, coverage = match_directed(gold, one, other)
    if not len(lexicon):
        raise UsageError(
            "no gold pair has both words in the vocabularies: check its direction and spelling"
        )
    queries, place = np.unique(lexicon.sources, return_inverse=True)
    direction = space.direction(one.name, other.name)
    found = direction.retrieve(queries, max(cuts), space.choose(retrieval), tick).indices
    ranks = np.full(len(queries), found.shape[1])
    hits = found[place] == lexicon.targets[:, None]
    pair_ranks = np.where(hits.any(axis=1), hits.argmax(axis=1), found.shape[1])
    np.minimum.at(ranks, place, pair_ranks)
    precision = {cut: 100 * float((ranks < min(cut, found.shape[1])).mean()) for cut in cuts}
    return LexiconResult(precision, coverage.percent, coverage.entries, coverage.oov)
