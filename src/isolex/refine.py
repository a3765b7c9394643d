"""Self-learning (section 3.3): map, induce, and again, with an annealed share of the similarities.

The schedule is data. The loop knows no files and prints nothing: callbacks see every iteration.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, takewhile
from statistics import fmean

import numpy as np

from isolex.embeddings import Vectors
from isolex.errors import UsageError
from isolex.induce import Which, chosen
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.types import Inducer, Induction
from isolex.lexicon import Lexicon
from isolex.maps import Maps, cross_fitted
from isolex.view import View


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


@dataclass(frozen=True)
class Place:
    """Where in a schedule self-learning is.

    Attributes:
        stage: Its number, counted from zero.
        waited: Iterations since the objective has risen.
        best: The highest objective so far of those that compare.
    """

    stage: int
    waited: int
    best: float


@dataclass
class Iteration:
    """What a callback sees after each iteration; it may note a validation accuracy here.

    Attributes:
        number: Counted from one.
        stage: The stage it belongs to.
        objective: Mean of the highest similarities, both ways, before the mask.
        best: Highest objective so far of those that compare with it.
        remaining: Iterations left if the objective rises no more.
        seconds: Since the loop began.
        lexicon: What was induced.
        maps: What all pairs of the lexicon before it say; a stage in parts maps by some of them.
        place: Where in the schedule it is.
        validation: Accuracy in percent, where a callback measured it.
    """

    number: int
    stage: Stage
    objective: float
    best: float
    remaining: int
    seconds: float
    lexicon: Lexicon
    maps: Maps
    place: Place
    validation: float | None = None


Callback = Callable[[Iteration], bool | None]
"""Called after each iteration; a true answer ends the run."""


@dataclass(frozen=True)
class Learnt:
    """Where self-learning ended; or, without an objective, the lexicon it would start from.

    Attributes:
        lexicon: What was induced last.
        objective: Of the last iteration.
        iterations: How many there were, those it went on from included.
        seconds: They took.
        stopped: Whether a callback ended it.
        place: In the schedule that it was broken off in; none where it came to its end.
    """

    lexicon: Lexicon
    objective: float | None = None
    iterations: int = 0
    seconds: float = 0.0
    stopped: bool = False
    place: Place | None = None


def learn(
    src: Vectors,
    trg: Vectors,
    lexicon: Lexicon,
    schedule: Schedule,
    seed: int = 0,
    callbacks: Sequence[Callback] = (),
    inducer: Inducer | None = None,
    after: Learnt | None = None,
) -> Learnt:
    """Improve a lexicon until the last stage has converged.

    Args:
        src: ``(n, d)`` normalised source vectors, most frequent first.
        trg: ``(m, e)`` normalised target vectors likewise.
        lexicon: The first lexicon.
        schedule: Stages to go through.
        seed: Of the masks of stochastic induction.
        callbacks: Called in order after each iteration.
        inducer: What does an induction; by default the CPU, with memory of its own.
        after: Iterations and seconds are counted on from there; one that was broken off in this
            very schedule is gone on with.
    """
    inducer = inducer or partial(induce, workspace=Workspace())
    after = after or Learnt(lexicon)
    began = time.perf_counter() - after.seconds
    best, number, objective = -np.inf, after.iterations, after.objective
    before, view, place = None, View(src, trg), after.place or Place(0, 0, -np.inf)
    for position, stage in enumerate(schedule.stages[place.stage :], start=place.stage):
        if before is None or not stage.compares(before):
            best, view = -np.inf, View.of(src, trg, stage.cutoff, stage.dims)
        before = stage
        later = _at_least(schedule.stages[position:])
        waited = 0
        if position == place.stage:
            waited, best = place.waited, place.best
        while waited < stage.patience:
            number += 1
            key = mask_key(seed, number)
            maps = Maps.of(view.src, view.trg, lexicon, stage.reweight)
            induced = [
                inducer(*mapped, stage.neighbours, stage.keep_prob, key)
                for mapped in _mapped(view, stage, maps, lexicon, key)
            ]
            found = Lexicon.joined([chosen(once, stage.pairs) for once in induced])
            lexicon = found if len(found) else lexicon  # a mask may hide all of a few words
            objective = fmean(_objective(once, stage.pairs) for once in induced)
            waited = 0 if objective > best + stage.threshold else waited + 1
            best = max(best, objective) if waited == 0 else best
            iteration = Iteration(
                number=number,
                stage=stage,
                objective=objective,
                best=best,
                remaining=stage.patience - waited + later,
                seconds=time.perf_counter() - began,
                lexicon=lexicon,
                maps=view.whole(maps),
                place=Place(position, waited, best),
            )
            answers = [callback(iteration) for callback in callbacks]
            if any(answers):
                return Learnt(lexicon, objective, number, iteration.seconds, stopped=True)
    return Learnt(lexicon, objective, number, time.perf_counter() - began)


def _objective(induction: Induction, pairs: Which | None) -> float:
    """What is climbed: where pairs go one way, so does the objective."""
    if pairs == "forward":
        return float(induction.src_best.mean(dtype=np.float64))
    return induction.objective


def _at_least(stages: Sequence[Stage]) -> int:
    """How many iterations the stages after the first have if the objective rises no more.

    The first iteration of another comparison counts as a rise.
    """
    return sum(s.patience + (not s.compares(before)) for before, s in pairwise(stages))


def _mapped(
    view: View, stage: Stage, maps: Maps, lexicon: Lexicon, key: int
) -> Iterator[tuple[Vectors, Vectors]]:
    """The vectors that take part, in the shared space: once, or for each division into parts."""
    src, trg = stage.words(view.src, view.trg)
    if stage.parts is None:
        yield maps.mapped(src, trg)
        return
    rng = np.random.default_rng(key)
    for _ in range(stage.draws or 1):
        parts = rng.integers(stage.parts, size=len(src), dtype=np.int32)
        yield cross_fitted(view.src, view.trg, lexicon, parts), trg


def mask_key(seed: int, iteration: int) -> int:
    """64 bits that seed the mask and the parts of one iteration."""
    return int(np.random.SeedSequence((seed, iteration)).generate_state(1, np.uint64)[0])
