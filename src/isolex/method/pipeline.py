"""The whole method, step by step, in the order of section 3 of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from isolex.core.checkpoint import Checkpoint, Solution
from isolex.core.embeddings import Embeddings
from isolex.core.language import Language
from isolex.core.lexicon import Lexicon
from isolex.core.observer import Observer
from isolex.core.pair import Pair
from isolex.core.problem import Problem
from isolex.core.space import Space
from isolex.kernels.types import Inducer
from isolex.kernels.warm_up import warm_up
from isolex.method import normalise
from isolex.method.learner import Learner, StepTimer
from isolex.method.system import System
from isolex.method.temperature import fit_temperature
from isolex.method.validation import Validation

STEPS = {
    "compile": "compile the inner loops for this machine, once",
    "normalise": "normalise the vectors",
    "train": "train maps",
    "initialise": "make the first lexicon",
    "count": "compare the co-occurrence counts of both texts",
    "learn": "self-learning on the most frequent words",
    "check": "check whether that found something",
    "restart": "try other starting points",
    "widen": "self-learning on more words",
    "spell": "compare the spelling of both languages",
    "move": "move all languages together (three or more)",
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
    validation = None if job.validation is None else Validation(problem, job.validation)
    learner = Learner(system, problem, timer, job.inducer, validation)
    ended = learner.learn(resume)
    lexicon, spelling = learner.spell(ended.solution)
    with timer("map"):
        maps = system.mapping(problem, lexicon)
    verdict = None
    if job.judged:
        with timer("judge"):
            verdict = learner.judge.verdict(lexicon)
    # From here on only the mapped vectors are needed: they take the place of the normalised ones.
    languages = (
        Language.mapped(job.source, source_normaliser, maps[0], x),
        Language.mapped(job.target, target_normaliser, maps[1], z),
    )
    return Space(
        languages=languages,
        settings=system.describe() | {"seed": job.seed},
        objective=ended.solution.objective,
        temperature=_temperature(system, languages, lexicon),
        pairs={
            (job.source.name, job.target.name): Pair(
                verdict, spelling=spelling, counted=ended.counted
            )
        },
        attempts=ended.attempts,
        history=ended.history,
        timings=timer.seconds,
    )


def _temperature(
    system: System, languages: tuple[Language, Language], lexicon: Lexicon
) -> float | None:
    if not system.fit_temperature:
        return None
    return fit_temperature(languages[0].vectors, languages[1].vectors, lexicon)
