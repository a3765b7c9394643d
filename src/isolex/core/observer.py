"""Observer: called for everything that happens during an alignment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from isolex.core.checkpoint import Checkpoint, SpaceCheckpoint


class Epoch(NamedTuple):
    """An epoch of training has ended.

    Attributes:
        number: Its number, counted from one.
        of: How many epochs there will be.
        criterion: The unsupervised criterion of the system; higher is better.
    """

    number: int
    of: int
    criterion: float


OnEpoch = Callable[[Epoch], None]
"""Called by a trainer after each epoch; an exception ends the training."""


@dataclass(frozen=True)
class Iteration:
    """An iteration of self-learning has ended.

    Attributes:
        number: Its number, counted from one.
        keep_prob: Share of the similarities that induction could choose from.
        cutoff: How many of the most frequent words took part at most.
        objective: Mean of the highest similarities, in both directions.
        best: Highest objective so far among comparable iterations.
        remaining: How many iterations are left if the objective no longer improves.
        seconds: Time since self-learning began.
        validation: Accuracy on the validation pairs in percent, if there are any.
    """

    number: int
    keep_prob: float
    cutoff: int
    objective: float
    best: float
    remaining: int
    seconds: float
    validation: float | None = None


class Observer:
    """Base class: override the methods you need. An exception in any of them ends the run."""

    def step(self, name: str) -> None:
        """A step begins: a name from `isolex.method.pipeline.STEPS`."""

    def pair(self, names: tuple[str, str], done: int, of: int) -> None:
        """With several languages: work on a pair begins or ends; ``done`` pairs are finished."""

    def note(self, line: str) -> None:
        """Something worth telling a person happened within a step."""

    def epoch(self, epoch: Epoch) -> None:
        """An epoch of training has ended."""

    def iteration(self, iteration: Iteration) -> bool | None:  # noqa: ARG002
        """An iteration of self-learning has ended; return true to end self-learning here."""
        return None

    def checkpoint(self, checkpoint: Checkpoint | SpaceCheckpoint) -> None:
        """The run could be resumed from here: after training and after every iteration.

        With several languages: after each pair and each round.
        """


class Observers(Observer):
    """Passes everything on to several observers."""

    def __init__(self, *observers: Observer | None) -> None:
        self._observers = [observer for observer in observers if observer is not None]

    def step(self, name: str) -> None:
        """Tell all of them."""
        for observer in self._observers:
            observer.step(name)

    def pair(self, names: tuple[str, str], done: int, of: int) -> None:
        """Tell all of them."""
        for observer in self._observers:
            observer.pair(names, done, of)

    def note(self, line: str) -> None:
        """Tell all of them."""
        for observer in self._observers:
            observer.note(line)

    def epoch(self, epoch: Epoch) -> None:
        """Tell all of them."""
        for observer in self._observers:
            observer.epoch(epoch)

    def iteration(self, iteration: Iteration) -> bool:
        """Tell all of them; each may end self-learning."""
        answers = [observer.iteration(iteration) for observer in self._observers]
        return any(answers)

    def checkpoint(self, checkpoint: Checkpoint | SpaceCheckpoint) -> None:
        """Tell all of them."""
        for observer in self._observers:
            observer.checkpoint(checkpoint)


class WithoutCheckpoints(Observers):
    """Passes on everything except checkpoints, which would describe only one pair."""

    def checkpoint(self, checkpoint: Checkpoint | SpaceCheckpoint) -> None:
        """Tell nobody."""
