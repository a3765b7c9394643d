"""Initialisation (section 3.2): the first lexicon, from structure, given pairs or spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon, match, match_directed
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels.induction import induce
from isolex.kernels.similarity import similarity_profile
from isolex.method import normalise
from isolex.method.induced_pairs import Which, induced_pairs
from isolex.method.view import View

NUMERAL = re.compile(r"[0-9]+")

RANK_WIDTH, RANK_OFFSET = 0.7, 5
"""Two words whose log ranks differ by this width are similar by 0.6; similarity falls off like a
Gaussian. With the offset, differences among the very first ranks matter less."""


class Initialise(Protocol):
    """A way to the first lexicon."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        ...


@dataclass(frozen=True)
class Unsupervised:
    """Pair words whose sorted similarities to their own language look alike (section 3.2).

    Attributes:
        cutoff: How many of the most frequent words take part; fewer if a vocabulary is smaller.
        neighbours: Number of neighbours in the CSLS retrieval over these distributions.
        normalise: Normalisation of the sorted similarities.
        dims: How many leading principal components of each language are used; all by default.
        center: Whether the mean of the words that take part is subtracted first.
        rank: Share of the frequency rank in the similarity of two words; by default it has none.
        pairs: Which induced pairs are used, see `isolex.method.schedule.Stage`.
    """

    cutoff: int = 4000
    neighbours: int = 10
    normalise: tuple[str, ...] = ("unit", "center", "unit")
    dims: int | None = None
    center: bool = False
    rank: float | None = None
    pairs: Which | None = None

    def __post_init__(self) -> None:
        """Refuse a share outside 0 to 1."""
        if self.rank is not None and not 0 <= self.rank <= 1:
            raise UsageError(f"rank must be between 0 and 1, not {self.rank}")

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        size = min(self.cutoff, len(problem.x), len(problem.z))
        view = View.of(problem.x[:size], problem.z[:size], size, self.dims, center=self.center)
        profiles = []
        for vectors in (view.x, view.z):
            profile = similarity_profile(vectors)
            profile = normalise.fit(self.normalise, profile)[1]
            profiles.append(_with_rank(profile, self.rank) if self.rank else profile)
        return induced_pairs(induce(profiles[0], profiles[1], self.neighbours), self.pairs)


START = Unsupervised(3000, center=True, rank=0.3)
"""The start of ``robust``."""


def _with_rank(profiles: Vectors, share: float) -> Vectors:
    """Append features whose dot product compares the frequency ranks of two words.

    They are overlapping Gaussian bumps over the logarithm of the rank, scaled to unit length.

    Args:
        profiles: ``(n, k)`` unit vectors, most frequent word first.
        share: The share of these features in the dot product of two words.
    """
    rank = np.log(np.arange(len(profiles)) + RANK_OFFSET)
    centers = np.arange(rank[0] - 1, rank[-1] + 1, RANK_WIDTH / 2)
    bumps = unit(np.exp(-(((rank[:, None] - centers) / RANK_WIDTH) ** 2)).astype(np.float32))
    return np.hstack([profiles * np.sqrt(1 - share), bumps * np.sqrt(share)], dtype=np.float32)


@dataclass(frozen=True)
class Given:
    """The training pairs that are in both vocabularies."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        if problem.seed_pairs is None:
            raise UsageError("this system learns from training pairs: give a lexicon")
        lexicon, _ = match_directed(problem.seed_pairs, problem.source, problem.target)
        if not len(lexicon):
            raise UsageError(
                "no training pair has both words in the vocabularies: check direction and "
                "spelling, or raise or leave out --max-words"
            )
        return lexicon


@dataclass(frozen=True)
class Identical:
    """Words that are spelled alike in both languages."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        return _shared(problem, "the vocabularies share no word")


@dataclass(frozen=True)
class Numerals:
    """Numbers in digits that are in both vocabularies (Artetxe et al., 2017)."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        return _shared(problem, "the vocabularies share no number in digits", NUMERAL)


@dataclass(frozen=True)
class Induced:
    """The pairs that trained maps induce.

    Attributes:
        cutoff: How many of the most frequent words of each language take part.
        neighbours: Number of neighbours in CSLS.
        pairs: Which induced pairs are used, see `isolex.method.schedule.Stage`.
    """

    cutoff: int = 20_000
    neighbours: int = 10
    pairs: Which | None = None

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        if problem.trained is None:
            raise UsageError("Induced needs a system that trains its maps")
        mapped = [
            unit(linear.transform(vectors[: self.cutoff]))
            for linear, vectors in zip(problem.trained, (problem.x, problem.z), strict=True)
        ]
        found = induced_pairs(induce(mapped[0], mapped[1], self.neighbours), self.pairs)
        return _not_empty(found, "the trained maps induce no pair")


@dataclass(frozen=True)
class Random:
    """A random one-to-one pairing of the most frequent words: the ablation that fails."""

    cutoff: int = 4000

    seeded: ClassVar[bool] = True

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        size = min(self.cutoff, len(problem.x), len(problem.z))
        return Lexicon.shuffled(size, problem.seed)


def _shared(problem: Problem, otherwise: str, pattern: re.Pattern[str] | None = None) -> Lexicon:
    shared = [
        (word, word)
        for word in problem.source.words
        if word in problem.target.index and (pattern is None or pattern.fullmatch(word))
    ]
    return _not_empty(match(shared, problem.source, problem.target)[0], otherwise)


def _not_empty(lexicon: Lexicon, otherwise: str) -> Lexicon:
    if not len(lexicon):
        raise UsageError(f"{otherwise}: choose another system or check the spelling")
    return lexicon
