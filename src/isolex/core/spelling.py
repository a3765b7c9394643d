"""Spelling: how alike words of two languages are spelled, and what that says about a pair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from isolex.core.words import folded
from isolex.kernels.parallel import thread_count
from isolex.kernels.similarity import tiles
from isolex.kernels.types import Doubles, Floats, Ints

GRADES = 11
"""Similarities are divided into tenths; the last grade is for words that are the same."""

LENGTHS = (4, 7)
"""Words are short up to the first length, long above the second; the longer of a pair counts."""

ALIKE = 0.6
"""Similarity from which two words count as alike in reports and for the gate."""

BLOCK = 500
"""Words that are compared with a whole vocabulary at once."""


@dataclass(frozen=True)
class SpellingFacts:
    """What the spelling of two languages contributed to their alignment.

    Attributes:
        alike: Share of the surest pairs whose words are spelled alike.
        ratios: ``(lengths, grades)`` log-likelihood ratios of right pairs to wrong ones; empty if
            spelling was not used as evidence.
    """

    alike: float
    ratios: tuple[tuple[float, ...], ...] = ()

    @classmethod
    def of(cls, alike: float, ratios: Iterable[Iterable[float]]) -> Self:
        """The facts, from any table of ratios."""
        return cls(alike, tuple(tuple(map(float, row)) for row in ratios))

    @property
    def used(self) -> bool:
        """Whether spelling was used as evidence."""
        return bool(self.ratios)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for run.json."""
        return {"alike": round(self.alike, 4), "used": self.used}


class Similarities(NamedTuple):
    """How similar the spelling of some pairs is, and how long the longer word is."""

    values: Floats
    lengths: Ints

    @property
    def grades(self) -> Ints:
        """The grade of each pair, from 0."""
        tenths: Ints = (self.values * (GRADES - 1) + 1e-6).astype(np.int32)
        return tenths

    def scored(self, ratios: Doubles) -> Doubles:
        """The log-likelihood ratio of each pair."""
        scores: Doubles = ratios[self.lengths, self.grades]
        return scores


@dataclass(frozen=True, eq=False)
class Spellings:
    """The words of two languages without case and accents.

    Attributes:
        own: The words of the source language, as `folded` returns them.
        theirs: The words of the target language, likewise.
    """

    own: Sequence[str]
    theirs: Sequence[str]

    def reversed(self) -> Spellings:
        """The opposite direction."""
        return Spellings(self.theirs, self.own)

    def compare(self, rows: Ints, found: Ints) -> Similarities:
        """Compare words ``rows`` ``(n,)`` with others ``(n, k)``; -1 for a missing one gives 0."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cpdist

        place, column = np.nonzero(found >= 0)
        values = np.zeros(found.shape, dtype=np.float32)
        pairs = rows[place].tolist(), found[place, column].tolist()
        values[place, column] = cpdist(
            [self.own[row] for row in pairs[0]],
            [self.theirs[row] for row in pairs[1]],
            scorer=Levenshtein.normalized_similarity,
            dtype=np.float32,
            workers=thread_count(),
        )
        lengths = np.array([len(self.own[row]) for row in rows.tolist()])
        others = np.array([len(self.theirs[row]) for row in found.reshape(-1).tolist()])
        longest = np.maximum(lengths[:, None], others.reshape(found.shape))
        return Similarities(values, np.searchsorted(LENGTHS, longest).astype(np.int32))

    def most_alike(self, rows: Ints, count: int) -> Ints:
        """The ``(n, count)`` targets most similar to words ``rows`` ``(n,)``; -1 if too few."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        count = min(count, len(self.theirs))
        found = np.empty((len(rows), count), dtype=np.int32)
        for block in tiles(len(rows), BLOCK):
            values = cdist(
                [self.own[row] for row in rows[block].tolist()],
                self.theirs,
                scorer=Levenshtein.normalized_similarity,
                score_cutoff=ALIKE - 0.1,
                dtype=np.float32,
                workers=thread_count(),
            )
            best = np.argpartition(-values, count - 1, axis=1)[:, :count]
            best[np.take_along_axis(values, best, axis=1) == 0] = -1
            found[block] = best
        return found


@dataclass(frozen=True, eq=False)
class SpellingEvidence:
    """What the spelling of a pair says about whether it is right.

    Attributes:
        words: The words of both languages.
        ratios: ``(lengths, grades)`` log-likelihood ratios; zeros if it says too little.
    """

    words: Spellings
    ratios: Doubles

    @classmethod
    def of(cls, facts: SpellingFacts, words: Spellings) -> Self:
        """The evidence that an alignment used."""
        return cls(words, np.array(facts.ratios or np.zeros((len(LENGTHS) + 1, GRADES))))

    def reversed(self) -> SpellingEvidence:
        """The opposite direction."""
        return replace(self, words=self.words.reversed())

    def about(self, words: Sequence[str]) -> SpellingEvidence:
        """The same for other words of the source language."""
        return replace(self, words=replace(self.words, own=[folded(word) for word in words]))

    def others_alike(self, rows: Ints, found: Ints, count: int) -> Ints:
        """The targets most similar to words ``rows`` ``(n,)`` that are not among ``found``.

        The result is ``(n, count)``, with -1 for missing ones; ``found`` is ``(n, k)``.
        """
        alike = self.words.most_alike(rows, count)
        alike[(alike[:, :, None] == found[:, None, :]).any(axis=2)] = -1
        return alike

    def score(self, rows: Ints, found: Ints) -> Doubles:
        """The log-likelihood ratio of each pair of ``rows`` ``(n,)`` and ``found`` ``(n, k)``."""
        return self.words.compare(rows, found).scored(self.ratios)
