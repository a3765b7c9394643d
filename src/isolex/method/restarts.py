"""Restarts: further attempts after a first one that failed.

They run in the leading principal components of the most frequent words. There, patient annealing
succeeds from starting points that lead nowhere in the whole space, an iteration takes milliseconds,
and the objective ranks solutions by how many of their pairs are right. docs/robustness.md compares
the alternatives that were tried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

import numpy as np

from isolex.core.checkpoint import Solution
from isolex.core.history import Attempt
from isolex.core.lexicon import Lexicon
from isolex.core.problem import Problem
from isolex.kernels.types import Inducer
from isolex.method.initialise import Unsupervised
from isolex.method.judge import CLEAR, Judge
from isolex.method.schedule import Schedule, Stage, annealing
from isolex.method.self_learning import LearningState, OnIteration, learn

STARTS = (
    Unsupervised(1000),
    Unsupervised(4000, dims=100),
    Unsupervised(2000),
    Unsupervised(3000, dims=100),
)
NARROW = Stage(1.0, cutoff=3000, patience=10, threshold=1e-4, dims=50)
ONWARD = Stage(1.0, cutoff=5000, patience=2, threshold=1.0, dims=150, parts=8, draws=4)


@dataclass(frozen=True)
class Restarts:
    """The attempts that follow a failed one.

    Attributes:
        starts: Ways to a first lexicon, in the order in which they are tried.
        rounds: How often all of them are tried, with different masks each time. If a vocabulary is
            so small that some coincide, the others are tried more often.
        stage: The principal components and words that restarts use, and the last stage of the
            annealing in every attempt.
        onward: The stage that leads from the result back to the whole space.
        tolerance: Attempts whose objective is within this share of the best one found the same
            solution; their lexicons are joined.
        minutes: Time limit for all restarts; the current attempt is then stopped.
        max_patience: With fewer words than the stage could use, patience grows up to this: small
            vocabularies need it, and an iteration costs less.
    """

    starts: tuple[Unsupervised, ...] = STARTS
    rounds: int = 2
    stage: Stage = NARROW
    onward: Stage = ONWARD
    tolerance: float = 0.005
    minutes: float = 10.0
    max_patience: int = 50

    def with_cutoff(self, cutoff: int) -> Restarts:
        """The same restarts with only ``cutoff`` words of each language."""
        onward = replace(self.onward, cutoff=min(cutoff, self.onward.cutoff))
        if cutoff >= self.stage.cutoff:
            return replace(self, onward=onward)
        more = self.stage.patience * self.stage.cutoff // cutoff
        patience = max(self.stage.patience, min(more, self.max_patience))
        stage = replace(self.stage, cutoff=cutoff, patience=patience)
        return replace(self, stage=stage, onward=onward)


def restart(
    problem: Problem,
    first: Solution,
    plan: Restarts,
    judge: Judge,
    on_iteration: OnIteration | None = None,
    inducer: Inducer | None = None,
    note: Callable[[str], None] | None = None,
) -> tuple[Solution, tuple[Attempt, ...]]:
    """Search for a better lexicon than the one of a first attempt.

    Args:
        problem: The two languages.
        first: The result of the first attempt.
        plan: The attempts.
        judge: Judges solutions of this problem; a clearly right attempt is the last one.
        on_iteration: Called after each iteration of each attempt.
        inducer: Computes an induction; by default on the CPU.
        note: Called with a line about each attempt when it begins.

    Returns:
        The best solution found, and all attempts.
    """
    watch = _TimeLimit(on_iteration, plan.minutes)
    stage = plan.with_cutoff(min(len(problem.x), len(problem.z))).stage
    solution, found = first, list[Lexicon]()
    attempts: list[Attempt] = []
    starts = list(_starts(problem, plan))
    for number, start in enumerate(starts, start=2):
        if note is not None:
            note(f"attempt {number} of at most {len(starts) + 1}: {_describe(start)}")
        lexicon = start(problem) if start else first.lexicon
        taking_part = np.maximum(lexicon.sources, lexicon.targets) < stage.cutoff
        solution = learn(
            problem.x,
            problem.z,
            lexicon.select(taking_part),
            Schedule((stage,)) if start is None else annealing(last=stage),
            problem.seed,
            watch,
            inducer,
            solution,
        )
        recovered = judge.recovered(solution.lexicon)
        found.append(solution.lexicon)
        words, dims = (start.cutoff, start.dims) if start else (None, None)
        objective = solution.objective or 0.0
        attempts.append(Attempt(words, dims, objective, recovered, finished=not solution.stopped))
        if solution.stopped or recovered >= CLEAR:
            break
    attempts = _mark_taken(attempts, plan.tolerance)
    taken = [place for place, attempt in enumerate(attempts) if attempt.taken]
    ended = replace(
        solution,
        lexicon=Lexicon.joined([found[place] for place in taken]),
        objective=max(attempts[place].objective for place in taken),
        stopped=watch.stopped,
    )
    return ended, tuple(attempts)


def _mark_taken(attempts: Sequence[Attempt], tolerance: float) -> list[Attempt]:
    """Mark the attempts to continue from: the last one if it is clear, else the best ones."""
    *others, last = attempts
    if last.recovered >= CLEAR:
        return [*others, replace(last, taken=True)]
    least = max(attempt.objective for attempt in attempts) * (1 - tolerance)
    return [replace(attempt, taken=attempt.objective >= least) for attempt in attempts]


def _starts(problem: Problem, plan: Restarts) -> Iterator[Unsupervised | None]:
    """First the existing solution, then the starts in turn, fitted to this problem."""
    words = min(len(problem.x), len(problem.z))
    dims = max(problem.x.shape[1], problem.z.shape[1])

    def here(start: Unsupervised) -> Unsupervised:
        seen = start.dims if start.dims and start.dims < dims else None
        return replace(start, cutoff=min(start.cutoff, words), dims=seen)

    different = dict.fromkeys(map(here, plan.starts))
    yield None
    yield from islice(cycle(different), plan.rounds * len(plan.starts))


def _describe(start: Unsupervised | None) -> str:
    if start is None:
        return "the first attempt, in fewer dimensions"
    return f"{start.cutoff:,} words" + (f" in {start.dims} dimensions" if start.dims else "")


class _TimeLimit:
    """Passes iterations on, and ends an attempt when the time is up."""

    def __init__(self, on_iteration: OnIteration | None, minutes: float) -> None:
        self._on_iteration = on_iteration
        self._end = time.perf_counter() + 60 * minutes
        self.stopped = False

    def __call__(self, state: LearningState) -> bool:
        self.stopped = bool(self._on_iteration and self._on_iteration(state))
        return self.stopped or time.perf_counter() > self._end
