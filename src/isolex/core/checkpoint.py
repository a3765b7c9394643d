"""Checkpoint: how far an alignment has come, so that an interrupted run can continue."""

from __future__ import annotations

from dataclasses import dataclass

from isolex.core.history import Attempt, IterationRecord
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap


@dataclass(frozen=True)
class Position:
    """The position of self-learning in its schedule.

    Attributes:
        stage: Number of the stage, counted from zero.
        waited: Iterations since the objective last improved.
        best: Highest objective so far among comparable iterations.
    """

    stage: int
    waited: int
    best: float


@dataclass(frozen=True)
class Solution:
    """What self-learning has arrived at; without an objective, the lexicon it starts from.

    Attributes:
        lexicon: The lexicon induced last.
        objective: The objective of the last iteration.
        iterations: Number of iterations so far, including those before a resume.
        seconds: Time they took.
        stopped: Whether an observer ended self-learning.
        position: Where in a schedule it was interrupted, if it was.
    """

    lexicon: Lexicon
    objective: float | None = None
    iterations: int = 0
    seconds: float = 0.0
    stopped: bool = False
    position: Position | None = None


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """How far an alignment has come.

    Attributes:
        solution: The current lexicon and the position in the schedule.
        restarts_done: Whether restarts are over, if any were needed.
        attempts: The restarts.
        history: All iterations so far.
        trained: The maps of a system that trains them, for source and target.
    """

    solution: Solution
    restarts_done: bool = False
    attempts: tuple[Attempt, ...] = ()
    history: tuple[IterationRecord, ...] = ()
    trained: tuple[LinearMap, LinearMap] | None = None
