"""Checkpoint: how far an alignment has come, so that an interrupted run can continue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from isolex.core.embeddings import Vectors
from isolex.core.history import Attempt, IterationRecord
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.core.verdict import Verdict


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
        counted: Whether the lexicon comes from co-occurrence counts.
    """

    solution: Solution
    restarts_done: bool = False
    attempts: tuple[Attempt, ...] = ()
    history: tuple[IterationRecord, ...] = ()
    trained: tuple[LinearMap, LinearMap] | None = None
    counted: bool = False


@dataclass(frozen=True, eq=False)
class PairRun:
    """Self-learning of two languages without the others, and the verdict on it."""

    found: Checkpoint
    verdict: Verdict


@dataclass(frozen=True)
class Round:
    """How far the rounds of several languages have come.

    Attributes:
        rotations: The rotation of each language into the shared space, by position.
        width: Index of the width that the rounds have reached.
        number: Number of rounds so far with this width.
        objective: Mean objective of the last round.
        cut: Pairs that turned out not to connect their languages.
        history: All rounds so far.
    """

    rotations: Mapping[int, Vectors]
    width: int = 0
    number: int = 0
    objective: float = 0.0
    cut: tuple[tuple[int, int], ...] = ()
    history: tuple[IterationRecord, ...] = ()


@dataclass(frozen=True, eq=False)
class SpaceCheckpoint:
    """How far an alignment of several languages has come.

    Attributes:
        runs: Pairs of languages, by position, that were run on their own.
        restarted: The same pairs after restarts.
        round: The rounds, once they have begun.
    """

    runs: Mapping[tuple[int, int], PairRun] = field(default_factory=dict)
    restarted: Mapping[tuple[int, int], PairRun] = field(default_factory=dict)
    round: Round | None = None
