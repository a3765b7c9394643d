"""Learner: self-learning of two languages, with everything that a system adds to it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from isolex.core.checkpoint import Checkpoint, Solution
from isolex.core.history import IterationRecord
from isolex.core.lexicon import Lexicon
from isolex.core.observer import Iteration, Observer
from isolex.core.problem import Problem
from isolex.core.spelling import SpellingFacts
from isolex.core.verdict import FAILURE
from isolex.kernels.types import Inducer
from isolex.method.counted import Counted
from isolex.method.judge import CLEAR, Judge
from isolex.method.restarts import restart
from isolex.method.schedule import Schedule
from isolex.method.self_learning import LearningState, learn
from isolex.method.system import System
from isolex.method.validation import Validation


class StepTimer:
    """Announces each step to the observer and adds up the time it takes."""

    def __init__(self, observer: Observer, seconds: dict[str, float] | None = None) -> None:
        self.observer = observer
        self.seconds = {} if seconds is None else seconds

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Announce a step, and time it."""
        self.observer.step(step)
        began = time.perf_counter()
        yield
        self.seconds[step] = self.seconds.get(step, 0.0) + time.perf_counter() - began


class Learner:
    """Self-learning through a schedule, with restarts after its narrow stages if they fail.

    Args:
        system: The system.
        problem: The two languages.
        timer: Announces and times the steps.
        inducer: Computes an induction, on the CPU or another device.
        validation: Measures the accuracy after each iteration.
    """

    def __init__(
        self,
        system: System,
        problem: Problem,
        timer: StepTimer,
        inducer: Inducer,
        validation: Validation | None = None,
    ) -> None:
        self.system, self.problem, self.timer, self.inducer = system, problem, timer, inducer
        self.judge = Judge(problem.x, problem.z, problem.seed, inducer)
        self.validation = validation
        counted = problem.source.counts is not None and problem.target.counts is not None
        self._counts = system.counts if counted and problem.seed_pairs is None else None

    def learn(self, start: Checkpoint) -> Checkpoint:
        """Continue from a checkpoint to the end of the schedule."""
        schedule, restarts = self.system.schedule, self.system.restarts
        self.timer.observer.checkpoint(start)
        start = self.restart(self.narrow(start))
        if schedule is None or (restarts is None and not start.counted):
            return start
        _, wide = schedule.split()
        if restarts is not None and start.attempts:
            wide = Schedule((restarts.onward, *wide.stages))
        return self._learn("widen", wide, start)

    def spell(self, ended: Solution) -> tuple[Lexicon, SpellingFacts | None]:
        """Improve the last lexicon by spelling, if the system does that."""
        spelling, schedule = self.system.spelling, self.system.schedule
        if spelling is None or schedule is None or ended.stopped:
            return ended.lexicon, None
        with self.timer("spell"):
            return spelling(self.problem, ended.lexicon, schedule.stages[-1])

    def narrow(self, start: Checkpoint) -> Checkpoint:
        """Continue from a checkpoint to where restarts would begin, or else to the end."""
        schedule = self.system.schedule
        if schedule is None or start.restarts_done:
            return start
        narrow = schedule.split()[0] if self.system.restarts else schedule
        if self._counts is None:
            return self._learn("learn", narrow, start)
        return self._narrow_or_counted(self._counts, narrow, start)

    def _narrow_or_counted(
        self, counts: Counted, narrow: Schedule, start: Checkpoint
    ) -> Checkpoint:
        """Find a lexicon from the counts and, if it is not clear, from the vectors too.

        Clear counts are used at once: with them, dictionaries were better even where the vectors
        alone succeeded.
        """
        with self.timer("count"):
            source, target = self.problem.source, self.problem.target
            lexicon = counts(source, target, self.problem.seed, self.inducer)
            recovered = self.judge.recovered(lexicon)
        if recovered >= CLEAR:
            solution = replace(start.solution, lexicon=lexicon)
            return replace(start, solution=solution, restarts_done=True, counted=True)
        ended = self._learn("learn", narrow, start)
        if ended.solution.stopped:
            return ended
        with self.timer("check"):
            others = self.judge.recovered(ended.solution.lexicon)
        if recovered < max(others, FAILURE):
            return ended
        solution = replace(ended.solution, lexicon=lexicon)
        return replace(ended, solution=solution, restarts_done=True, counted=True)

    def _learn(self, step: str, schedule: Schedule, start: Checkpoint) -> Checkpoint:
        """Go through a schedule, unless the observer has ended self-learning."""
        if start.solution.stopped:
            return start
        records = list(start.history)

        def on_iteration(state: LearningState) -> bool:
            ends = self._record(state, records)
            here = replace(start, solution=state.solution, history=tuple(records))
            self.timer.observer.checkpoint(here)
            return ends

        with self.timer(step):
            solution = learn(
                self.problem.x,
                self.problem.z,
                start.solution.lexicon,
                schedule,
                self.problem.seed,
                on_iteration,
                self.inducer,
                start.solution,
            )
        return replace(start, solution=solution, history=tuple(records))

    def restart(self, found: Checkpoint) -> Checkpoint:
        """Try other starting points, unless the first attempt is clearly right."""
        plan = self.system.restarts
        if found.solution.stopped or found.restarts_done or plan is None:
            return found
        with self.timer("check"):
            clear = self.judge.recovered(found.solution.lexicon) >= CLEAR
        if clear:
            return replace(found, restarts_done=True)
        records = list(found.history)
        with self.timer("restart"):
            solution, attempts = restart(
                self.problem,
                found.solution,
                plan,
                self.judge,
                lambda state: self._record(state, records),
                self.inducer,
                self.timer.observer.note,
            )
        return replace(
            found,
            solution=solution,
            restarts_done=True,
            attempts=attempts,
            history=tuple(records),
        )

    def _record(self, state: LearningState, records: list[IterationRecord]) -> bool:
        """Note an iteration and tell the observer; true if it ends self-learning."""
        solution, stage = state.solution, state.stage
        objective = solution.objective or 0.0
        accuracy = self.validation.accuracy(state.view, state.maps) if self.validation else None
        told = Iteration(
            solution.iterations,
            stage.keep_prob,
            stage.cutoff,
            objective,
            state.best,
            state.remaining,
            solution.seconds,
            accuracy,
        )
        records.append(
            IterationRecord(
                told.number, told.keep_prob, told.cutoff, objective, told.seconds, accuracy
            )
        )
        return bool(self.timer.observer.iteration(told))
