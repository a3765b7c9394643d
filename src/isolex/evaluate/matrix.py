"""Lexicon extraction for many pairs of languages of a space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from isolex.core.choices import Outcome, Retrieval
from isolex.core.space import Space
from isolex.errors import UsageError
from isolex.evaluate.lexicon import CUTS, LexiconResult, evaluate_lexicon
from isolex.kernels.types import Tick, part

Names = tuple[str, str]
"""The names of a source and a target language."""


@dataclass(frozen=True)
class LexiconMatrix:
    """Accuracy on the gold dictionaries of several pairs of languages.

    Attributes:
        languages: The names of all languages of the space, in order.
        results: The results of the pairs that have gold pairs, by source and target language.
        verdicts: The verdicts on these pairs, for comparison.
    """

    languages: tuple[str, ...]
    results: Mapping[Names, LexiconResult]
    verdicts: Mapping[Names, Outcome | None]

    def as_dict(self) -> dict[str, Any]:
        """Plain values; ``pairs`` has the figures for each pair by its label, such as ``en-es``."""
        pairs = {
            "-".join(names): {
                "languages": list(names),
                **self.results[names].as_dict(),
                "verdict": self.verdicts[names],
            }
            for names in permutations(self.languages, 2)
            if names in self.results
        }
        return {"languages": list(self.languages), "pairs": pairs}


def evaluate_lexicons(
    space: Space,
    gold: Mapping[Names, Iterable[tuple[str, str]]],
    retrieval: str | Retrieval | None = None,
    *,
    cuts: Sequence[int] = CUTS,
    tick: Tick | None = None,
) -> LexiconMatrix:
    """Score the pairs of languages of a space that have gold translations.

    Args:
        space: The space.
        gold: Word pairs by the names of their source and target language.
        retrieval: How translations are chosen; by default as the system does.
        cuts: The ranks at which precision is measured.
        tick: Called with the share of the work done.
    """
    results = {}
    for number, (names, pairs) in enumerate(gold.items()):
        one, other = names
        try:
            results[names] = evaluate_lexicon(
                space,
                pairs,
                retrieval,
                source=one,
                target=other,
                cuts=cuts,
                tick=part(tick, number, len(gold)),
            )
        except UsageError as error:
            raise UsageError(f"{'-'.join(names)}: {error}") from error
    verdicts = {names: space.about(*names).verdict for names in results}
    outcomes = {names: one.outcome if one else None for names, one in verdicts.items()}
    return LexiconMatrix(space.names, results, outcomes)
