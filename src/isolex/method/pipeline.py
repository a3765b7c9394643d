"""The course of self-learning: a schedule, with a search in its midst where need be."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from isolex.core.problem import Problem
from isolex.kernels.types import Inducer
from isolex.method import self_learning
from isolex.method.checkpoint import Checkpoint, Keep
from isolex.method.restarts import Search, search
from isolex.method.schedule import Schedule
from isolex.method.self_learning import Callback, Iteration
from isolex.method.system import System
from isolex.method.validation import History
from isolex.method.verdict import CLEAR, Jury

OnStep = Callable[[str], None]


class Clock:
    """Announces each step and times it."""

    def __init__(self, on_step: OnStep | None) -> None:
        self.seconds: dict[str, float] = {}
        self.announce = on_step or (lambda _: None)

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """A step, from its beginning to its end."""
        self.announce(step)
        began = time.perf_counter()
        yield
        self.seconds[step] = time.perf_counter() - began


class Course:
    """Goes through a schedule; searches between its narrow stages and the others where need be.

    Args:
        system: What is to be done.
        problem: The two spaces.
        inducer: What does an induction.
        clock: Times the steps.
        watching: Called after each iteration.
        keep: Told of every checkpoint.
    """

    def __init__(
        self,
        system: System,
        problem: Problem,
        inducer: Inducer,
        clock: Clock,
        watching: Sequence[Callback],
        keep: Keep,
    ) -> None:
        self.system, self.problem, self.inducer = system, problem, inducer
        self.jury = Jury(problem.x, problem.z, problem.seed, inducer)
        self._clock, self._watching, self._keep = clock, watching, keep

    def go(self, start: Checkpoint) -> Checkpoint:
        """From a checkpoint to the end."""
        schedule, plan = self.system.schedule, self.system.search
        self._keep(start)
        if schedule is None:
            return start
        if plan is None:
            return self._learn("learn", schedule, start)
        narrow, wide = schedule.split()
        if not start.searched:
            start = self._search(plan, self._learn("learn", narrow, start))
        if start.attempts:
            wide = Schedule((plan.onward, *wide.stages))
        return self._learn("widen", wide, start)

    def _learn(self, step: str, schedule: Schedule, start: Checkpoint) -> Checkpoint:
        """Self-learning through a schedule; nothing where a callback has ended the run."""
        if start.learnt.stopped:
            return start
        history = History(start.history)

        def remember(iteration: Iteration) -> None:
            self._keep(start.at(iteration, history.records))

        with self._clock(step):
            learnt = self_learning.learn(
                self.problem.x,
                self.problem.z,
                start.learnt.lexicon,
                schedule,
                self.problem.seed,
                [*self._watching, history, remember],
                self.inducer,
                start.learnt,
            )
        return replace(start, learnt=learnt, history=tuple(history.records))

    def _search(self, plan: Search, found: Checkpoint) -> Checkpoint:
        """Other starts where what was found is not clear."""
        if found.learnt.stopped:
            return found
        with self._clock("check"):
            clear = self.jury.recovered(found.learnt.lexicon) >= CLEAR
        if clear:
            return replace(found, searched=True)
        history = History(found.history)
        with self._clock("search"):
            learnt, attempts = search(
                self.problem,
                found.learnt,
                plan,
                self.jury,
                [*self._watching, history],
                self.inducer,
                self._clock.announce,
            )
        return replace(
            found,
            learnt=learnt,
            searched=True,
            attempts=attempts,
            history=tuple(history.records),
        )
