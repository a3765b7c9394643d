"""Schedules of self-learning (section 3.3) as data: stages, annealing, coarse to fine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from isolex.core.embeddings import Vectors
from isolex.errors import UsageError
from isolex.method.induced_pairs import Which
from isolex.method.spectrum import Flatten
from isolex.method.view import View


@dataclass(frozen=True)
class Stage:
    """A stretch of self-learning; it ends when the objective stops improving.

    Attributes:
        keep_prob: Share of the similarities that induction may choose from.
        cutoff: How many of the most frequent words of each language take part.
        patience: The stage ends after this many iterations without an improvement.
        threshold: The smallest increase of the objective that counts as an improvement.
        neighbours: Number of neighbours in CSLS; 0 for plain nearest neighbours.
        dims: How many leading principal components of each language are used; all by default.
        center: Whether the mean of the words that take part is subtracted, instead of only the mean
            of all words.
        flatten: Flattens the spectrum of both languages; by default it stays as it is.
        reweight: Exponent of the re-weighting of both languages; by default the map is a rotation.
        even: Whether the larger vocabulary is cut to the size of the smaller one: its rare words
            have no partner.
        parts: Divide the source words into this many random parts, each mapped by the pairs of the
            other parts. By default all words are mapped by all pairs. Works with rotations only.
        draws: How often an iteration draws the parts, under the same mask; the induced pairs are
            joined.
        pairs: Use only the best target of each source word (``"forward"``) or only mutual best
            pairs (``"mutual"``); by default the pairs of both directions.
    """

    keep_prob: float
    cutoff: int = 20_000
    patience: int = 50
    threshold: float = 1e-6
    neighbours: int = 10
    dims: int | None = None
    center: bool = False
    flatten: Flatten | None = None
    reweight: float | None = None
    even: bool = False
    parts: int | None = None
    draws: int | None = None
    pairs: Which | None = None

    def __post_init__(self) -> None:
        """Refuse settings that contradict one another."""
        if self.draws is not None and (self.draws < 1 or self.parts is None):
            raise UsageError("draws must be at least 1 and need parts")
        if self.parts is not None and (self.parts < 2 or self.reweight is not None):
            raise UsageError("parts must be at least 2 and exclude reweight")

    def view(self, x: Vectors, z: Vectors) -> View:
        """Both vocabularies as this stage sees them."""
        return View.of(x, z, self.cutoff, self.dims, self.flatten, center=self.center)

    def words(self, x: Vectors, z: Vectors) -> tuple[Vectors, Vectors]:
        """The vectors of both languages that take part."""
        longest = min(len(x), len(z)) if self.even else max(len(x), len(z))
        size = min(self.cutoff, longest)
        return x[:size], z[:size]

    def is_comparable(self, other: Stage) -> bool:
        """Whether objectives of the two stages are comparable."""
        return replace(self, keep_prob=1.0, patience=1, threshold=0.0) == replace(
            other, keep_prob=1.0, patience=1, threshold=0.0
        )


@dataclass(frozen=True)
class Schedule:
    """The stages of self-learning, in order."""

    stages: tuple[Stage, ...]

    def split(self) -> tuple[Schedule, Schedule]:
        """The leading stages that are comparable to the first one, and the rest."""
        first = self.stages[0]
        narrow = tuple(takewhile(first.is_comparable, self.stages))
        return Schedule(narrow), Schedule(self.stages[len(narrow) :])

    def with_cutoff(self, cutoff: int) -> Schedule:
        """The same schedule with ``cutoff`` words in its widest stages and no more in any other."""
        widest = max(stage.cutoff for stage in self.stages)
        return Schedule(
            tuple(
                replace(s, cutoff=cutoff if s.cutoff == widest else min(s.cutoff, cutoff))
                for s in self.stages
            )
        )


def annealing(start: float = 0.1, growth: float = 2.0, last: Stage | None = None) -> Schedule:
    """Stages whose ``keep_prob`` grows from ``start`` by the factor ``growth`` up to 1."""
    last = last or Stage(1.0)
    probabilities = [start]
    while probabilities[-1] < 1:
        probabilities.append(min(1.0, probabilities[-1] * growth))
    return Schedule(tuple(replace(last, keep_prob=p) for p in probabilities))


COARSE = Stage(1.0, cutoff=4000, patience=5, threshold=1e-4, dims=150, center=True)
"""Where self-learning of `coarse_to_fine` anneals.

The mean of the frequent words hides their similarities; with it subtracted, self-learning finds
its way from much worse starts.
"""


def coarse_to_fine(coarse: Stage = COARSE, fine: int = 10_000) -> Schedule:
    """Annealing on frequent words in few dimensions, where it is cheap, then a finish on more.

    The finish uses the ``fine`` most frequent words, whose vectors are more reliable than rarer
    ones': first in parts, so that no pair is induced again just because the map was fitted to
    it, then re-weighted like the final mapping. No increase reaches the threshold, so each takes
    two iterations: with noisy vectors, more of them make the lexicon worse.
    """
    annealed = annealing(last=coarse).stages
    finish = Stage(1.0, fine, patience=1, threshold=1.0, flatten=Flatten(), even=True)
    in_parts, last = replace(finish, parts=8, draws=4), replace(finish, reweight=0.5)
    return Schedule((*annealed, in_parts, last))
