"""Bilingual lexicon extraction: how many gold translations are retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from isolex.core.embeddings import Embeddings
from isolex.core.lexicon import match_directed
from isolex.core.normaliser import unit
from isolex.core.retrieval import Retrieval, Space
from isolex.errors import UsageError
from isolex.kernels.types import Tick

CUTS = (1, 5, 10)


@dataclass(frozen=True)
class LexiconResult:
    """Accuracy on a gold dictionary.

    Attributes:
        precision: Percent of entries with a gold translation among the first 1, 5 and 10.
        coverage: Share of gold source words with a translation in both vocabularies.
        entries: How many source words those are.
        oov: The gold source words that could not be asked, in their order.
    """

    precision: dict[int, float]
    coverage: float
    entries: int
    oov: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values; ``oov`` as a count."""
        return {
            "precision": {str(cut): value for cut, value in self.precision.items()},
            "coverage": self.coverage,
            "entries": self.entries,
            "oov": len(self.oov),
        }


def evaluate_lexicon(
    src: Embeddings,
    trg: Embeddings,
    gold: Iterable[tuple[str, str]],
    retrieval: str | Retrieval = "csls",
    *,
    space: Space | None = None,
    cuts: Sequence[int] = CUTS,
    tick: Tick | None = None,
) -> LexiconResult:
    """Score mapped vectors against gold translations.

    A source word counts as right if any of its gold translations is retrieved.

    Args:
        src: Source vectors in the shared space.
        trg: Target vectors in the shared space.
        gold: Word pairs; several for a word with several translations.
        retrieval: How translations are chosen.
        space: The two as a `Space` of unit vectors, if there is one already.
        cuts: The ranks at which precision is taken.
        tick: Called with the share of work done.
    """
    lexicon, coverage = match_directed(gold, src, trg)
    if not len(lexicon):
        raise UsageError(
            "no gold pair has both words in the vocabularies: check its direction and spelling"
        )
    space = space or Space(unit(src.vectors), unit(trg.vectors))
    queries, place = np.unique(lexicon.src, return_inverse=True)
    found = space.retrieve(queries, max(cuts), Retrieval.of(retrieval), tick).indices
    ranks = np.full(len(queries), found.shape[1])
    hits = found[place] == lexicon.trg[:, None]
    pair_ranks = np.where(hits.any(axis=1), hits.argmax(axis=1), found.shape[1])
    np.minimum.at(ranks, place, pair_ranks)
    precision = {cut: 100 * float((ranks < min(cut, found.shape[1])).mean()) for cut in cuts}
    return LexiconResult(precision, coverage.share, coverage.entries, coverage.oov)
