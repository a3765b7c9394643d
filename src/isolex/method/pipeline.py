"""The whole method, step by step, in the order of section 3 of the paper."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from isolex.core.checkpoint import Checkpoint, Solution
from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.history import IterationRecord
from isolex.core.language import Checksums, Language
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.core.normaliser import Normaliser
from isolex.core.observer import Iteration, Observer
from isolex.core.problem import Problem
from isolex.core.space import Space
from isolex.kernels.types import Inducer
from isolex.kernels.warm_up import warm_up
from isolex.method import normalise
from isolex.method.judge import CLEAR, Judge
from isolex.method.restarts import restart
from isolex.method.schedule import Schedule
from isolex.method.self_learning import LearningState, learn
from isolex.method.system import System
from isolex.method.temperature import fit_temperature
from isolex.method.validation import Validation

STEPS = {
    "compile": "compile the inner loops for this machine, once",
    "normalise": "normalise the vectors",
    "train": "train maps",
    "initialise": "make the first lexicon",
    "learn": "self-learning on the most frequent words",
    "check": "check whether that found something",
    "restart": "try other starting points",
    "widen": "self-learning on more words",
    "map": "fit the final maps",
    "judge": "reach the verdict",
}
"""The steps of an alignment, in order, and what each does."""


@dataclass(frozen=True)
class Job:
    """What to align, and how.

    Attributes:
        source: Source words and vectors, most frequent first.
        target: Target words and vectors, most frequent first.
        system: The system.
        inducer: Computes an induction, on the CPU or another device.
        seed_pairs: Training pairs, for systems that learn from them.
        validation: Pairs whose accuracy is measured after each iteration.
        seed: Random seed.
        device: Where a trainer computes.
        judged: Whether to reach a verdict; that takes far longer than one mapping of given pairs.
    """

    source: Embeddings
    target: Embeddings
    system: System
    inducer: Inducer
    seed_pairs: Sequence[tuple[str, str]] | None = None
    validation: Sequence[tuple[str, str]] | None = None
    seed: int = 0
    device: str = "cpu"
    judged: bool = True


class StepTimer:
    """Announces each step to the observer and times it."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """A step, from its beginning to its end."""
        self.observer.step(step)
        began = time.perf_counter()
        yield
        self.seconds[step] = time.perf_counter() - began


def run(job: Job, observer: Observer, resume: Checkpoint | None = None) -> Space:
    """Align two languages: normalise, initialise, self-learn, map, judge.

    Args:
        job: What to align, and how.
        observer: Is told about every step, epoch, iteration and checkpoint.
        resume: Continue from this checkpoint of the same job.
    """
    system, timer = job.system, StepTimer(observer)
    with timer("compile"):
        warm_up()
    with timer("normalise"):
        source_normaliser, x = normalise.fit(system.normalise, job.source.vectors)
        target_normaliser, z = normalise.fit(system.normalise, job.target.vectors)
    trained = resume.trained if resume else None
    problem = Problem(job.source, job.target, x, z, job.seed_pairs, job.seed, trained)
    if system.train is not None and problem.trained is None:
        with timer("train"):
            trained = system.train(problem, job.device, observer.epoch)
        problem = replace(problem, trained=trained)
    if resume is None:
        with timer("initialise"):
            resume = Checkpoint(Solution(system.initialise(problem)), trained=problem.trained)
    learner = Learner(job, problem, timer)
    ended = learner.learn(resume)
    lexicon = ended.solution.lexicon
    with timer("map"):
        maps = system.mapping(problem, lexicon)
    verdict = None
    if job.judged:
        with timer("judge"):
            verdict = learner.judge.verdict(lexicon)
    # From here on only the mapped vectors are needed: they take the place of the normalised ones.
    languages = (
        _language(job.source, source_normaliser, maps[0], x),
        _language(job.target, target_normaliser, maps[1], z),
    )
    return Space(
        languages=languages,
        settings=system.describe() | {"seed": job.seed},
        objective=ended.solution.objective,
        temperature=_temperature(system, languages, lexicon),
        verdict=verdict,
        attempts=ended.attempts,
        history=ended.history,
        timings=timer.seconds,
    )


class Learner:
    """Self-learning through a schedule, with restarts after its narrow stages if they fail."""

    def __init__(self, job: Job, problem: Problem, timer: StepTimer) -> None:
        self.job, self.problem, self.timer = job, problem, timer
        self.judge = Judge(problem.x, problem.z, problem.seed, job.inducer)
        self.validation = (
            Validation(problem, job.validation) if job.validation is not None else None
        )

    def learn(self, start: Checkpoint) -> Checkpoint:
        """From a checkpoint to the end of the schedule."""
        schedule, restarts = self.job.system.schedule, self.job.system.restarts
        self.timer.observer.checkpoint(start)
        if schedule is None:
            return start
        if restarts is None:
            return self._learn("learn", schedule, start)
        narrow, wide = schedule.split()
        if not start.restarts_done:
            start = self._restart(self._learn("learn", narrow, start))
        if start.attempts:
            wide = Schedule((restarts.onward, *wide.stages))
        return self._learn("widen", wide, start)

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
                self.job.inducer,
                start.solution,
            )
        return replace(start, solution=solution, history=tuple(records))

    def _restart(self, found: Checkpoint) -> Checkpoint:
        """Try other starting points, unless the first attempt is clearly right."""
        plan = self.job.system.restarts
        if found.solution.stopped or plan is None:
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
                self.job.inducer,
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
        accuracy = self.validation.accuracy(state.maps) if self.validation else None
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


def _language(
    embeddings: Embeddings, normaliser: Normaliser, linear: LinearMap, normalised: Vectors
) -> Language:
    """A language of the space; its normalised vectors are overwritten by the mapped ones."""
    vectors = linear.transform_to_unit(normalised, overwrite=True)
    vectors.flags.writeable = False
    return Language(
        embeddings.name,
        embeddings.words,
        vectors,
        normaliser,
        linear,
        Checksums.of(embeddings),
        embeddings.subwords,
    )


def _temperature(
    system: System, languages: tuple[Language, Language], lexicon: Lexicon
) -> float | None:
    if not system.fit_temperature:
        return None
    return fit_temperature(languages[0].vectors, languages[1].vectors, lexicon)
