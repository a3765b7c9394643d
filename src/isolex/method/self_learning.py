"""Self-learning (section 3.3): map, induce, and again, with an annealed share of the similarities.

The schedule is data. The loop knows no files and prints nothing: callbacks see every iteration.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.types import Inducer, Induction
from isolex.method.induction import Which, chosen
from isolex.method.maps import Maps, cross_fitted
from isolex.method.schedule import Schedule, Stage
from isolex.method.view import View


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
