"""Schedules of self-learning (section 3.3), as data: stages, annealing, coarse to fine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from isolex.core.embeddings import Vectors
from isolex.errors import UsageError
from isolex.method.induction import Which


@dataclass(frozen=True)
class Stage:
    """A stretch of self-learning; it ends when the objective has stopped rising.

    Attributes:
        keep_prob: The share of the similarities that induction may choose from.
        cutoff: How many of the most frequent words of each side take part.
        patience: Iterations without an improvement that end the stage.
        threshold: The least rise of the objective that counts as an improvement.
        neighbours: Of the CSLS retrieval; with none the plain nearest neighbour is taken.
        dims: How many of the leading principal components of each side are seen; all by default.
        reweight: Exponent of the re-weighting of both sides; none by default: a mere rotation.
        even: Whether the longer vocabulary is cut to the shorter: its rare words have no partner.
        parts: Into how many random parts the source words are divided, each of which is mapped by
            the pairs of the others; by default all words are mapped by all pairs. Parts are for
            mere rotations: with ``reweight`` they are refused.
        draws: How often an iteration divides the words anew, under the same mask; what is induced
            is joined.
        pairs: ``"forward"`` takes the best target of each source word only, ``"mutual"`` those
            pairs that are each other's best; by default both directions, one after the other.
    """

    keep_prob: float
    cutoff: int = 20_000
    patience: int = 50
    threshold: float = 1e-6
    neighbours: int = 10
    dims: int | None = None
    reweight: float | None = None
    even: bool = False
    parts: int | None = None
    draws: int | None = None
    pairs: Which | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be done."""
        if self.draws is not None and (self.draws < 1 or self.parts is None):
            raise UsageError("a stage has one draw or more, and parts to draw")
        if self.parts is not None and (self.parts < 2 or self.reweight is not None):
            raise UsageError("a stage has two parts or more, and no re-weighting with them")

    def words(self, src: Vectors, trg: Vectors) -> tuple[Vectors, Vectors]:
        """The vectors of both sides that take part."""
        shorter = min(len(src), len(trg)) if self.even else max(len(src), len(trg))
        size = min(self.cutoff, shorter)
        return src[:size], trg[:size]

    def compares(self, other: Stage) -> bool:
        """Whether objectives of both can be told from one another."""
        return replace(self, keep_prob=1.0, patience=1, threshold=0.0) == replace(
            other, keep_prob=1.0, patience=1, threshold=0.0
        )


@dataclass(frozen=True)
class Schedule:
    """The stages of self-learning, one after the other."""

    stages: tuple[Stage, ...]

    def split(self) -> tuple[Schedule, Schedule]:
        """What is learnt on as many words as at first, and what is learnt on others after that."""
        first = self.stages[0]
        narrow = list(takewhile(first.compares, self.stages))
        return Schedule(tuple(narrow)), Schedule(self.stages[len(narrow) :])

    def with_cutoff(self, cutoff: int) -> Schedule:
        """The same schedule with ``cutoff`` words at its widest, and no stage wider than that."""
        widest = max(stage.cutoff for stage in self.stages)
        return Schedule(
            tuple(
                replace(s, cutoff=cutoff if s.cutoff == widest else min(s.cutoff, cutoff))
                for s in self.stages
            )
        )


def annealing(start: float = 0.1, growth: float = 2.0, last: Stage | None = None) -> Schedule:
    """Stages from ``keep_prob`` ``start``, each ``growth`` times the one before, up to one."""
    last = last or Stage(1.0)
    probabilities = [start]
    while probabilities[-1] < 1:
        probabilities.append(min(1.0, probabilities[-1] * growth))
    return Schedule(tuple(replace(last, keep_prob=p) for p in probabilities))


def coarse_to_fine(coarse: int = 4000, fine: int = 10_000) -> Schedule:
    """Annealing on the ``coarse`` most frequent words, where it is cheap, then a finish on more.

    The finish is of the ``fine`` words, whose vectors are better known than those of rarer ones:
    first in parts, so that no pair is found again for having been learnt from, then re-weighted as
    the final mapping will do it. Two iterations of each, for no rise passes the threshold: where
    vectors are rough, more of them make the lexicon worse.
    """
    annealed = annealing(last=Stage(1.0, cutoff=coarse, patience=5, threshold=1e-4)).stages
    finish = Stage(1.0, cutoff=fine, patience=1, threshold=1.0, even=True)
    in_parts, last = replace(finish, parts=8, draws=4), replace(finish, reweight=0.5)
    return Schedule((*annealed, in_parts, last))
