"""When the first attempt fails: other starts, learnt where it is cheap and little noise is seen.

In the leading principal components of the most frequent words a patient annealing finds its way
from starts that lead nowhere in the whole space, an iteration takes milliseconds, and the objective
ranks solutions by how many of their pairs are right. docs/robustness.md has the comparison of what
was tried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

import numpy as np

from isolex.core.history import Attempt
from isolex.core.lexicon import Lexicon
from isolex.core.problem import Problem
from isolex.kernels.types import Inducer
from isolex.method.initialise import Unsupervised
from isolex.method.schedule import Schedule, Stage, annealing
from isolex.method.self_learning import Callback, Iteration, Learnt, learn
from isolex.method.verdict import CLEAR, Jury

STARTS = (
    Unsupervised(1000),
    Unsupervised(4000, dims=100),
    Unsupervised(2000),
    Unsupervised(3000, dims=100),
)


NARROW = Stage(1.0, cutoff=3000, patience=10, threshold=1e-4, dims=50)


ONWARD = Stage(1.0, cutoff=5000, patience=2, threshold=1.0, dims=150, parts=8, draws=4)


@dataclass(frozen=True)
class Search:
    """The attempts that follow a first one that failed.

    Attributes:
        starts: Ways to a first lexicon, in the order in which they are tried.
        rounds: How often they are gone through; the masks differ each time. Where there are so few
            words that some of them are the same, the others have more rounds.
        stage: What is seen, and the last stage of the annealing that every attempt goes through.
        onward: Leads from what was found to the whole space.
        tolerance: Attempts whose objective is lower than the best by at most this share of it
            found the same: their lexicons are joined.
        minutes: The search may take; an attempt under way is then broken off.
        leisure: With fewer words than the stage could see it is more patient, up to this: they need
            it, and an iteration costs less.
    """

    starts: tuple[Unsupervised, ...] = STARTS
    rounds: int = 2
    stage: Stage = NARROW
    onward: Stage = ONWARD
    tolerance: float = 0.005
    minutes: float = 10.0
    leisure: int = 50

    def with_cutoff(self, cutoff: int) -> Search:
        """The same search where only ``cutoff`` words of each side take part in self-learning."""
        onward = replace(self.onward, cutoff=min(cutoff, self.onward.cutoff))
        if cutoff >= self.stage.cutoff:
            return replace(self, onward=onward)
        more = self.stage.patience * self.stage.cutoff // cutoff
        patience = max(self.stage.patience, min(more, self.leisure))
        stage = replace(self.stage, cutoff=cutoff, patience=patience)
        return replace(self, stage=stage, onward=onward)


def search(
    problem: Problem,
    first: Learnt,
    plan: Search,
    jury: Jury,
    callbacks: Sequence[Callback] = (),
    inducer: Inducer | None = None,
    announce: Callable[[str], None] | None = None,
) -> tuple[Learnt, tuple[Attempt, ...]]:
    """Look for a better lexicon than that of a first attempt.

    Args:
        problem: The two spaces.
        first: What the first attempt ended with.
        plan: The attempts.
        jury: Of these spaces; an attempt that it finds clearly right is the last one.
        callbacks: Called after each iteration of each attempt.
        inducer: What does an induction; by default the CPU.
        announce: Called with a line on each attempt as it begins.

    Returns:
        The best that was found, and all attempts.
    """
    watch = _Watch(callbacks, plan.minutes)
    stage = plan.with_cutoff(min(len(problem.x), len(problem.z))).stage
    learnt, found = first, list[Lexicon]()
    attempts: list[Attempt] = []
    starts = list(_starts(problem, plan))
    for number, start in enumerate(starts, start=2):
        if announce is not None:
            announce(f"attempt {number} of at most {len(starts) + 1}: {_named(start)}")
        lexicon = start(problem) if start else first.lexicon
        taking_part = np.maximum(lexicon.src, lexicon.trg) < stage.cutoff
        schedule = Schedule((stage,)) if start is None else annealing(last=stage)
        learnt = learn(
            problem.x,
            problem.z,
            lexicon.pairs(taking_part),
            schedule,
            problem.seed,
            [watch],
            inducer,
            learnt,
        )
        recovered = jury.recovered(learnt.lexicon)
        found.append(learnt.lexicon)
        words, dims = (start.cutoff, start.dims) if start else (None, None)
        objective = learnt.objective or 0.0
        attempts.append(Attempt(words, dims, objective, recovered, finished=not learnt.stopped))
        if learnt.stopped or recovered >= CLEAR:
            break
    attempts = _chosen(attempts, plan.tolerance)
    taken = [place for place, attempt in enumerate(attempts) if attempt.taken]
    ended = replace(
        learnt,
        lexicon=Lexicon.joined([found[place] for place in taken]),
        objective=max(attempts[place].objective for place in taken),
        stopped=watch.stopped,
    )
    return ended, tuple(attempts)


def _chosen(attempts: Sequence[Attempt], tolerance: float) -> list[Attempt]:
    """The attempts, marked: the last one where it is clear, else the best ones, are taken."""
    *others, last = attempts
    if last.recovered >= CLEAR:
        return [*others, replace(last, taken=True)]
    least = max(attempt.objective for attempt in attempts) * (1 - tolerance)
    return [replace(attempt, taken=attempt.objective >= least) for attempt in attempts]


def _starts(problem: Problem, plan: Search) -> Iterator[Unsupervised | None]:
    """First the solution that is there, then the starts in turns, as they are on this problem."""
    words = min(len(problem.x), len(problem.z))
    dims = max(problem.x.shape[1], problem.z.shape[1])

    def here(start: Unsupervised) -> Unsupervised:
        seen = start.dims if start.dims and start.dims < dims else None
        return replace(start, cutoff=min(start.cutoff, words), dims=seen)

    different = dict.fromkeys(map(here, plan.starts))
    yield None
    yield from islice(cycle(different), plan.rounds * len(plan.starts))


def _named(start: Unsupervised | None) -> str:
    if start is None:
        return "the first one, in fewer dimensions"
    return f"{start.cutoff:,} words" + (f" in {start.dims} dimensions" if start.dims else "")


class _Watch:
    """A callback that asks the others, and ends an attempt when the time is up."""

    def __init__(self, callbacks: Sequence[Callback], minutes: float) -> None:
        self._callbacks = callbacks
        self._end = time.perf_counter() + 60 * minutes
        self.stopped = False

    def __call__(self, iteration: Iteration) -> bool:
        answers = [callback(iteration) for callback in self._callbacks]
        self.stopped = any(answers)
        return self.stopped or time.perf_counter() > self._end
