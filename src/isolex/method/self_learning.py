"""Self-learning (section 3.3): alternate mapping and induction, with annealed random masks.

The stopping rule is in `learn`: a stage ends when its objective has not improved for ``patience``
iterations. The schedule is data (`isolex.method.schedule`); a callback sees every iteration.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import fmean

import numpy as np

from isolex.core.checkpoint import Position, Solution
from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.types import Inducer, Induction
from isolex.method.induced_pairs import Which, induced_pairs
from isolex.method.maps import IterationMaps, cross_fitted
from isolex.method.schedule import Schedule, Stage
from isolex.method.view import View


@dataclass(frozen=True)
class LearningState:
    """The state of the loop after an iteration.

    Attributes:
        solution: The lexicon, the objective and the position in the schedule.
        stage: The stage that the iteration belongs to.
        best: Highest objective so far among comparable iterations.
        remaining: How many iterations are left if the objective no longer improves.
        view: The whole vocabularies as the stage sees them.
        maps: Maps of the view, fitted to all pairs of the lexicon before this one.
    """

    solution: Solution
    stage: Stage
    best: float
    remaining: int
    view: View
    maps: IterationMaps


OnIteration = Callable[[LearningState], bool | None]
"""Called after each iteration; a true return value ends self-learning."""


def learn(
    x: Vectors,
    z: Vectors,
    lexicon: Lexicon,
    schedule: Schedule,
    seed: int = 0,
    on_iteration: OnIteration | None = None,
    inducer: Inducer | None = None,
    after: Solution | None = None,
) -> Solution:
    """Improve a lexicon until the last stage has converged.

    Args:
        x: ``(n, d)`` normalised source vectors, most frequent first.
        z: ``(m, e)`` normalised target vectors, most frequent first.
        lexicon: The first lexicon.
        schedule: The stages.
        seed: Seed of the random masks.
        on_iteration: Called after each iteration.
        inducer: Computes an induction; by default on the CPU, with its own memory.
        after: Continue counting iterations and seconds from this solution; if it was interrupted in
            this very schedule, continue there.
    """
    inducer = inducer or partial(induce, workspace=Workspace())
    after = after or Solution(lexicon)
    began = time.perf_counter() - after.seconds
    best, number, objective = -np.inf, after.iterations, after.objective
    before, view, start = None, View(x, z), after.position or Position(0, 0, -np.inf)
    for position, stage in enumerate(schedule.stages[start.stage :], start=start.stage):
        if before is None or not stage.is_comparable(before):
            best, view = -np.inf, stage.view(x, z)
        before = stage
        later = _iterations_left(schedule.stages[position:])
        waited = 0
        if position == start.stage:
            waited, best = start.waited, start.best
        while waited < stage.patience:
            number += 1
            maps = IterationMaps.of(view.x, view.z, lexicon, stage.reweight)
            found, objective = _induce(inducer, view, stage, maps, lexicon, mask_key(seed, number))
            lexicon = found if len(found) else lexicon  # a mask may hide all of a few words
            waited = 0 if objective > best + stage.threshold else waited + 1
            best = max(best, objective) if waited == 0 else best
            seconds = time.perf_counter() - began
            place = Position(position, waited, best)
            solution = Solution(lexicon, objective, number, seconds, position=place)
            left = stage.patience - waited + later
            state = LearningState(solution, stage, best, left, view, maps)
            if on_iteration is not None and on_iteration(state):
                return Solution(lexicon, objective, number, seconds, stopped=True)
    return Solution(lexicon, objective, number, time.perf_counter() - began)


def _induce(
    inducer: Inducer,
    view: View,
    stage: Stage,
    maps: IterationMaps,
    lexicon: Lexicon,
    key: int,
) -> tuple[Lexicon, float]:
    """The next lexicon and its objective."""
    induced = [
        inducer(*mapped, stage.neighbours, stage.keep_prob, key)
        for mapped in _mapped(view, stage, maps, lexicon, key)
    ]
    found = Lexicon.joined([induced_pairs(once, stage.pairs) for once in induced])
    return found, fmean(_objective(once, stage.pairs) for once in induced)


def _mapped(
    view: View, stage: Stage, maps: IterationMaps, lexicon: Lexicon, key: int
) -> Iterator[tuple[Vectors, Vectors]]:
    """The mapped vectors that take part: once, or once for each division into parts."""
    x, z = stage.words(view.x, view.z)
    if stage.parts is None:
        yield maps.transform(x, z)
        return
    rng = np.random.default_rng(key)
    for _ in range(stage.draws or 1):
        parts = rng.integers(stage.parts, size=len(x), dtype=np.int32)
        yield cross_fitted(view.x, view.z, lexicon, parts), z


def _objective(induction: Induction, pairs: Which | None) -> float:
    """The mean highest similarity; in one direction only if the pairs are."""
    if pairs == "forward":
        return float(induction.src_best.mean(dtype=np.float64))
    return induction.objective


def _iterations_left(stages: Sequence[Stage]) -> int:
    """Iterations of the stages after the first if the objective no longer improves.

    The first iteration that is not comparable to the one before counts as an improvement.
    """
    return sum(s.patience + (not s.is_comparable(before)) for before, s in pairwise(stages))


def mask_key(seed: int, iteration: int) -> int:
    """64 bits that seed the mask and the parts of one iteration."""
    return int(np.random.SeedSequence((seed, iteration)).generate_state(1, np.uint64)[0])
