"""Pair: what is known about two languages of a space, and the vectors for look-ups between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.core.choices import Outcome
from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import unit
from isolex.core.spelling import SpellingFacts
from isolex.core.verdict import Verdict
from isolex.errors import UsageError


def pair_labels(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """All pairs of languages, in both orders, by their labels, such as ``en-es``."""
    labels: dict[str, tuple[str, str]] = {}
    for both in permutations(names, 2):
        if labels.setdefault(label := "-".join(both), both) != both:
            raise UsageError(f"{label} could be two pairs of languages: name them without hyphens")
    return labels


@dataclass(frozen=True, eq=False)
class Pair:
    """Two languages of a space, in the order of the space.

    Attributes:
        verdict: Whether they are aligned, as far as can be told without gold data.
        alone: The verdict on a run of these two languages without the others, if there was one.
        through: The languages that connect them, if they were not joined directly.
        maps: Maps from the shared space into a space re-weighted for these two languages, where
            translations between them are chosen. ``None``: the shared space itself is used.
        mutual: Share of the first language's frequent words that have a mutual best translation.
        validation: Precision at 1 on validation pairs in percent, if there are any.
        spelling: What their spelling contributed, if the system considers it.
        counted: Whether self-learning started from a lexicon that co-occurrence counts gave.
    """

    verdict: Verdict | None = None
    alone: Outcome | None = None
    through: tuple[str, ...] = ()
    maps: tuple[LinearMap, LinearMap] | None = field(default=None, repr=False)
    mutual: float | None = None
    validation: float | None = None
    spelling: SpellingFacts | None = None
    counted: bool = False

    @property
    def is_recovered(self) -> bool:
        """Whether the two failed on their own but other languages connect them."""
        now = self.verdict.outcome if self.verdict else None
        return self.alone == Outcome.FAILED and now not in (None, Outcome.FAILED)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for run.json."""
        return {
            **(self.verdict.as_dict() if self.verdict else {"verdict": None}),
            "alone": self.alone and self.alone.value,
            "recovered": self.is_recovered,
            "through": list(self.through),
            "mutual": None if self.mutual is None else round(self.mutual, 4),
            "validation": None if self.validation is None else round(self.validation, 2),
            "spelling": self.spelling and self.spelling.as_dict(),
            "counted": self.counted,
        }


class PairVectors:
    """Unit vectors of a language, re-weighted for one pair when they are used.

    A look-up of a few words goes through a vocabulary block by block, so it needs little memory.
    ``numpy.asarray`` computes all vectors and keeps them.

    Args:
        vectors: ``(n, k)`` unit vectors in the shared space.
        linear: The map of the pair for this language.
    """

    def __init__(self, vectors: Vectors, linear: LinearMap) -> None:
        self._vectors, self._map = vectors, linear
        self.shape = (len(vectors), linear.matrix.shape[1])

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice | NDArray[np.integer[Any]]) -> Vectors:
        if "whole" in self.__dict__:
            return self.whole[rows]
        return unit(self._map.transform(self._vectors[rows]))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Vectors:
        return self.whole

    @cached_property
    def whole(self) -> Vectors:
        """All vectors."""
        return self._map.transform_to_unit(self._vectors)
