"""Restarts: further attempts after a first one that failed.

They differ in where they start and in how they see the vectors, because no view is best for all
vectors. All end in the leading principal components of the most frequent words. There, an iteration
takes milliseconds, and the objective ranks solutions by how many of their pairs are right.
docs/robustness.md compares the alternatives that were tried.
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
from isolex.method.initialise import START, Unsupervised
from isolex.method.judge import CLEAR, Judge
from isolex.method.schedule import COARSE, Schedule, Stage, annealing
from isolex.method.self_learning import LearningState, OnIteration, learn

NARROW = Stage(1.0, cutoff=3000, patience=10, threshold=1e-4, dims=50)


@dataclass(frozen=True)
class Trial:
    """A way to make an attempt.

    Attributes:
        start: The way to the first lexicon.
        stage: The last stage of the annealing that follows; by default the one in which all
            attempts end.
    """

    start: Unsupervised
    stage: Stage | None = None

    def schedule(self, last: Stage) -> Schedule:
        """The schedule of an attempt whose last stage is given."""
        if self.stage is None:
            return annealing(last=last)
        return Schedule((*annealing(last=self.stage).stages, last))

    def __str__(self) -> str:
        """A description for people."""
        dims = f" in {self.start.dims} dimensions" if self.start.dims else ""
        again = "like the first attempt, " if self.stage else ""
        return f"{again}{self.start.cutoff:,} words{dims}"


TRIALS = (
    Trial(replace(START, cutoff=4000), COARSE),
    Trial(Unsupervised(1000)),
    Trial(replace(START, cutoff=2000), COARSE),
    Trial(Unsupervised(4000, dims=100)),
    Trial(Unsupervised(2000)),
    Trial(Unsupervised(3000, dims=100)),
)
ONWARD = Stage(1.0, cutoff=5000, patience=2, threshold=1.0, dims=150, parts=8, draws=4)
AGAIN = "the first attempt, in fewer dimensions"


@dataclass(frozen=True)
class Restarts:
    """The attempts that follow a failed one.

    Attributes:
        trials: Ways to make an attempt, in the order in which they are tried.
        rounds: How often all of them are tried, with different masks each time. If a vocabulary is
            so small that some coincide, the others are tried more often.
        stage: The stage in which all attempts end, so that their objectives are comparable.
        onward: The stage that leads from the result back to the whole space.
        tolerance: Attempts whose objective is within this share of the best one found the same
            solution; their lexicons are joined.
        minutes: Time limit for all restarts; the current attempt is then stopped.
        max_patience: With fewer words than the stage could use, patience grows up to this: small
            vocabularies need it, and an iteration costs less.
    """

    trials: tuple[Trial, ...] = TRIALS
    rounds: int = 2
    stage: Stage = NARROW
    onward: Stage = ONWARD
    tolerance: float = 0.005
    minutes: float = 10.0
    max_patience: int = 50

    def with_cutoff(self, cutoff: int) -> Restarts:
        """The same restarts with only ``cutoff`` words of each language."""

        def here(stage: Stage) -> Stage:
            if cutoff >= stage.cutoff:
                return stage
            more = stage.patience * stage.cutoff // cutoff
            patience = max(stage.patience, min(more, self.max_patience))
            return replace(stage, cutoff=cutoff, patience=patience)

        trials = tuple(replace(one, stage=one.stage and here(one.stage)) for one in self.trials)
        onward = replace(self.onward, cutoff=min(cutoff, self.onward.cutoff))
        return replace(self, trials=trials, stage=here(self.stage), onward=onward)


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
    plan = plan.with_cutoff(min(len(problem.x), len(problem.z)))
    solution, found = first, list[Lexicon]()
    attempts: list[Attempt] = []
    trials = list(_trials(problem, plan))
    for number, trial in enumerate(trials, start=2):
        if note is not None:
            note(f"attempt {number} of at most {len(trials) + 1}: {trial or AGAIN}")
        lexicon = trial.start(problem) if trial else first.lexicon
        schedule = trial.schedule(plan.stage) if trial else Schedule((plan.stage,))
        taking_part = np.maximum(lexicon.sources, lexicon.targets) < schedule.stages[0].cutoff
        solution = learn(
            problem.x,
            problem.z,
            lexicon.select(taking_part),
            schedule,
            problem.seed,
            watch,
            inducer,
            solution,
        )
        recovered = judge.recovered(solution.lexicon)
        found.append(solution.lexicon)
        attempts.append(_attempt(trial, solution, recovered))
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


def _attempt(trial: Trial | None, solution: Solution, recovered: float) -> Attempt:
    return Attempt(
        words=trial.start.cutoff if trial else None,
        dims=trial.start.dims if trial else None,
        objective=solution.objective or 0.0,
        recovered=recovered,
        finished=not solution.stopped,
        centered=bool(trial and trial.start.center),
    )


def _mark_taken(attempts: Sequence[Attempt], tolerance: float) -> list[Attempt]:
    """Mark the attempts to continue from: the last one if it is clear, else the best ones."""
    *others, last = attempts
    if last.recovered >= CLEAR:
        return [*others, replace(last, taken=True)]
    # The objective of an attempt that was cut short may come from another view.
    rivals = attempts if last.finished or not others else others
    least = max(attempt.objective for attempt in rivals) * (1 - tolerance)
    marked = [replace(attempt, taken=attempt.objective >= least) for attempt in rivals]
    return [*marked, *attempts[len(rivals) :]]


def _trials(problem: Problem, plan: Restarts) -> Iterator[Trial | None]:
    """First the existing solution, then the trials in turn, fitted to this problem."""
    words = min(len(problem.x), len(problem.z))
    dims = max(problem.x.shape[1], problem.z.shape[1])

    def here(trial: Trial) -> Trial:
        start = trial.start
        seen = start.dims if start.dims and start.dims < dims else None
        return replace(trial, start=replace(start, cutoff=min(start.cutoff, words), dims=seen))

    different = dict.fromkeys(map(here, plan.trials))
    yield None
    yield from islice(cycle(different), plan.rounds * len(plan.trials))


class _TimeLimit:
    """Passes iterations on, and ends an attempt when the time is up."""

    def __init__(self, on_iteration: OnIteration | None, minutes: float) -> None:
        self._on_iteration = on_iteration
        self._end = time.perf_counter() + 60 * minutes
        self.stopped = False

    def __call__(self, state: LearningState) -> bool:
        self.stopped = bool(self._on_iteration and self._on_iteration(state))
        return self.stopped or time.perf_counter() > self._end
