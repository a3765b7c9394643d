"""The first lexicon: found in the structure of the two spaces, given, or guessed from spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Protocol

from isolex.core.lexicon import Lexicon, match, match_directed
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.kernels.induction import induce
from isolex.kernels.similarity import similarity_profile
from isolex.method import normalise
from isolex.method.induction import Which, chosen
from isolex.method.view import View

NUMERAL = re.compile(r"[0-9]+")


class Initialise(Protocol):
    """A way to the first lexicon."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        ...


@dataclass(frozen=True)
class Unsupervised:
    """Words with alike distributions of similarities are paired (section 3.2).

    Attributes:
        cutoff: How many of the most frequent words take part; fewer if a vocabulary is smaller.
        neighbours: Of the CSLS retrieval over the distributions.
        normalise: Steps that the sorted similarities go through.
        dims: How many of the leading principal components of each side are seen; all by default.
        pairs: As in a stage of self-learning.
    """

    cutoff: int = 4000
    neighbours: int = 10
    normalise: tuple[str, ...] = ("unit", "center", "unit")
    dims: int | None = None
    pairs: Which | None = None

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        size = min(self.cutoff, len(problem.x), len(problem.z))
        view = View.of(problem.x[:size], problem.z[:size], size, self.dims)
        profiles = []
        for vectors in (view.src, view.trg):
            profile = similarity_profile(vectors)
            profiles.append(normalise.fit(self.normalise, profile)[1])
        return chosen(induce(profiles[0], profiles[1], self.neighbours), self.pairs)


@dataclass(frozen=True)
class Given:
    """The training pairs that both vocabularies hold."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        if problem.pairs is None:
            raise UsageError("this system learns from training pairs: give a lexicon")
        lexicon, _ = match_directed(problem.pairs, problem.src, problem.trg)
        if not len(lexicon):
            raise UsageError(
                "no training pair, source word first, is in the vocabularies: check direction and "
                "spelling, or read more words (--max-words)"
            )
        return lexicon


@dataclass(frozen=True)
class Identical:
    """Words spelt alike in both languages."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        return _shared(problem, "the vocabularies share no word")


@dataclass(frozen=True)
class Numerals:
    """Numbers in digits that both vocabularies hold (Artetxe et al., 2017)."""

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        return _shared(problem, "the vocabularies share no number in digits", NUMERAL)


@dataclass(frozen=True)
class Induced:
    """What the maps that were trained pair.

    Attributes:
        cutoff: How many of the most frequent words of each side take part.
        neighbours: Of the CSLS retrieval.
        pairs: As in a stage of self-learning.
    """

    cutoff: int = 20_000
    neighbours: int = 10
    pairs: Which | None = None

    def __call__(self, problem: Problem) -> Lexicon:
        """The first lexicon of a problem."""
        if problem.maps is None:
            raise UsageError("Induced needs a system that trains its maps")
        mapped = [
            unit(linear.transform(vectors[: self.cutoff]))
            for linear, vectors in zip(problem.maps, (problem.x, problem.z), strict=True)
        ]
        found = chosen(induce(mapped[0], mapped[1], self.neighbours), self.pairs)
        return _some(found, "the maps pair nothing")


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
        for word in problem.src.words
        if word in problem.trg.index and (pattern is None or pattern.fullmatch(word))
    ]
    return _some(match(shared, problem.src, problem.trg)[0], otherwise)


def _some(lexicon: Lexicon, otherwise: str) -> Lexicon:
    if not len(lexicon):
        raise UsageError(f"{otherwise}: choose another system or check spelling")
    return lexicon
