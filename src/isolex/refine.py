"""Self-learning (section 3.3): map, induce, and again, with an annealed share of the similarities.

The schedule is data. The loop knows no files and prints nothing: callbacks see every iteration.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from isolex.embeddings import Vectors
from isolex.induce import union
from isolex.kernels import linalg
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.similarity import topk
from isolex.kernels.types import Inducer
from isolex.lexicon import Lexicon
from isolex.mapping import rotation
from isolex.normalise import unit


@dataclass(frozen=True)
class Stage:
    """A stretch of self-learning; it ends when the objective has stopped rising.

    Attributes:
        keep_prob: The share of the similarities that induction may choose from.
        cutoff: How many of the most frequent words of each side take part.
        patience: Iterations without an improvement that end the stage.
        threshold: The least rise of the objective that counts as an improvement.
        neighbours: Of the CSLS retrieval.
        dims: How many of the leading principal components of each side are seen; all by default.
    """

    keep_prob: float
    cutoff: int = 20_000
    patience: int = 50
    threshold: float = 1e-6
    neighbours: int = 10
    dims: int | None = None

    def compares(self, other: Stage) -> bool:
        """Whether objectives of both can be told from one another."""
        return (self.cutoff, self.dims) == (other.cutoff, other.dims)


@dataclass(frozen=True)
class Schedule:
    """The stages of self-learning, one after the other."""

    stages: tuple[Stage, ...]

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


def coarse_to_fine(coarse: int = 4000, middle: int = 10_000, fine: int = 20_000) -> Schedule:
    """Annealing on the ``coarse`` most frequent words, where it is cheap, then a finish on more.

    The finish needs few iterations, fewer at its full width after some at the ``middle`` one.
    """
    annealed = annealing(last=Stage(1.0, cutoff=coarse, patience=5, threshold=1e-4)).stages
    widened = Stage(1.0, cutoff=middle, patience=1, threshold=2e-4)
    return Schedule((*annealed, widened, replace(widened, cutoff=fine, patience=2)))


@dataclass
class Iteration:
    """What a callback sees after each iteration; it may note a validation accuracy here.

    Attributes:
        number: Counted from one.
        stage: The stage it belongs to.
        objective: Mean of the highest similarities, both ways, before the mask.
        best: Highest objective so far at this cutoff.
        remaining: Iterations left if the objective rises no more.
        seconds: Since the loop began.
        lexicon: What was induced.
        map: ``(d, e)`` the orthogonal map of this iteration, from source to target.
        validation: Accuracy in percent, where a callback measured it.
    """

    number: int
    stage: Stage
    objective: float
    best: float
    remaining: int
    seconds: float
    lexicon: Lexicon
    map: Vectors
    validation: float | None = None


Callback = Callable[[Iteration], bool | None]
"""Called after each iteration; a true answer ends the run."""


@dataclass(frozen=True)
class Learnt:
    """Where self-learning ended; or, without an objective, the lexicon it would start from."""

    lexicon: Lexicon
    objective: float | None = None
    iterations: int = 0


def learn(
    src: Vectors,
    trg: Vectors,
    lexicon: Lexicon,
    schedule: Schedule,
    seed: int = 0,
    callbacks: Sequence[Callback] = (),
    inducer: Inducer | None = None,
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
    """
    inducer = inducer or partial(induce, workspace=Workspace())
    began = time.perf_counter()
    best, number, objective = -np.inf, 0, -np.inf
    before, view = None, View(src, trg)
    for position, stage in enumerate(schedule.stages):
        if before is None or not stage.compares(before):
            best, view = -np.inf, View.of(src, trg, stage)
        before = stage
        later = sum(s.patience for s in schedule.stages[position + 1 :])
        waited = 0
        while waited < stage.patience:
            number += 1
            turn = rotation(view.src, view.trg, lexicon)
            induced = inducer(
                _turned(view.src[: stage.cutoff], turn),
                view.trg[: stage.cutoff],
                stage.neighbours,
                stage.keep_prob,
                mask_key(seed, number),
            )
            lexicon, objective = union(induced), induced.objective
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
                map=view.whole(turn),
            )
            answers = [callback(iteration) for callback in callbacks]
            if any(answers):
                return Learnt(lexicon, objective, number)
    return Learnt(lexicon, objective, number)


@dataclass(frozen=True, eq=False)
class View:
    """What a stage sees of the two spaces: all of them, or their leading principal components.

    Attributes:
        src: ``(n, k)`` vectors of unit length.
        trg: ``(m, l)`` likewise.
        src_base: ``(d, k)`` the components that were kept; none where all of it is seen.
        trg_base: ``(e, l)`` likewise.
    """

    src: Vectors
    trg: Vectors
    src_base: Vectors | None = None
    trg_base: Vectors | None = None

    @classmethod
    def of(cls, src: Vectors, trg: Vectors, stage: Stage) -> View:
        """The view of a stage; its components are those of the words that take part."""
        if stage.dims is None:
            return cls(src, trg)
        bases = [linalg.principal(side[: stage.cutoff], stage.dims) for side in (src, trg)]
        seen = [unit(linalg.product(*pair)) for pair in zip((src, trg), bases, strict=True)]
        return cls(*seen, *bases)

    def whole(self, turn: Vectors) -> Vectors:
        """A map of the view as a map of the whole spaces."""
        if self.src_base is None or self.trg_base is None:
            return turn
        return linalg.product(linalg.product(self.src_base, turn), self.trg_base.T)


def _turned(src: Vectors, turn: Vectors) -> Vectors:
    """The mapped source; of unit length again where the target has fewer dimensions."""
    mapped = linalg.product(src, turn)
    return unit(mapped) if turn.shape[0] > turn.shape[1] else mapped


def mask_key(seed: int, iteration: int) -> int:
    """64 bits that seed the mask of one iteration."""
    return int(np.random.SeedSequence((seed, iteration)).generate_state(1, np.uint64)[0])


@dataclass(frozen=True)
class Record:
    """One line of the history."""

    iteration: int
    keep_prob: float
    cutoff: int
    objective: float
    seconds: float
    validation: float | None


class History:
    """A callback that remembers every iteration."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def __call__(self, iteration: Iteration) -> None:
        """Remember an iteration."""
        self.records.append(
            Record(
                iteration.number,
                iteration.stage.keep_prob,
                iteration.stage.cutoff,
                iteration.objective,
                iteration.seconds,
                iteration.validation,
            )
        )


class Validation:
    """A callback that notes the share of validation words whose nearest target is a gold one.

    Args:
        src: ``(n, d)`` normalised source vectors.
        trg: ``(m, e)`` normalised target vectors.
        gold: The validation pairs.
    """

    def __init__(self, src: Vectors, trg: Vectors, gold: Lexicon) -> None:
        self.queries = np.unique(gold.src)
        self.src, self.trg = src[self.queries], trg
        self.gold = set(zip(gold.src.tolist(), gold.trg.tolist(), strict=True))

    def __call__(self, iteration: Iteration) -> None:
        """Note the accuracy of an iteration."""
        found = topk(_turned(self.src, iteration.map), self.trg, 1)[0][:, 0]
        pairs = zip(self.queries.tolist(), found.tolist(), strict=True)
        iteration.validation = 100 * sum(pair in self.gold for pair in pairs) / len(self.queries)
