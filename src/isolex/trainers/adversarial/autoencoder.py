"""Adversarial auto-encoders: a map into the target space and a way back (two papers)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, Watch
from isolex.core.problem import Problem
from isolex.trainers.adversarial.chance import alone, generator
from isolex.trainers.adversarial.game import Game

LOST = 1e9
"""The loss of an epoch that ended in numbers that are none."""


@dataclass(frozen=True)
class AutoEncoder:
    """A map that deceives a discriminator, and a way back to where the words came from.

    The loss of the map is that of its words being told from target words plus ``weight`` times the
    cosine distance of words and what they come back as.

    The defaults are Model 3 of Zhang et al. (ACL 2017), with the settings of the authors' program:
    the way back is the transpose, so that the map is drawn to an orthogonal one, the discriminator
    is noisy where it learns, frequent words are drawn more often, and the map of the lowest loss is
    returned. Miceli Barone (2016) has a way back of its own, no noise and no selection; that paper
    calls its results preliminary, and gives few settings.

    Attributes:
        tied: The way back is the transpose of the map; else it learns on its own.
        weight: Of the reconstruction, Zhang's lambda.
        layers: Hidden layers of the discriminator.
        hidden: Units of each.
        slope: Of its rectifiers below zero.
        noise: The deviation of the factors, one in the mean, of its inputs and hidden units.
        epochs: At most; after each of them the mean loss is taken.
        steps: Per epoch.
        batch: Words of each language per step.
        rate: Of Adam, for the map and the way back.
        discriminator_rate: Of Adam, for the discriminator.
        cutoff: How many of the most frequent words of each side are drawn from.
        by_frequency: Frequent words are drawn more often, see `Batches`; else all alike.
        selected: The map of the lowest loss is returned, not the last one.
        early: Of the first so many epochs, in which the discriminator knows nothing, none is taken.
        fall: The training ends before its last epoch if the loss has fallen by this share of its
            highest value of the ``patience`` epochs before: sharply, as where a map is found. Where
            none is found yet it drifts, in hundreds of epochs by as much.
        patience: So many epochs are waited then for a deeper fall or a lower loss.
    """

    tied: bool = True
    weight: float = 1.0
    layers: int = 1
    hidden: int = 500
    slope: float = 0.0
    noise: float = 0.5
    epochs: int = 500
    steps: int = 1000
    batch: int = 128
    rate: float = 0.001
    discriminator_rate: float = 0.001
    cutoff: int = 75_000
    by_frequency: bool = True
    selected: bool = True
    early: int = 10
    fall: float = 0.15
    patience: int = 50

    seeded: ClassVar[bool] = True
    shares: ClassVar[tuple[str, ...]] = ("fall",)
    extras: ClassVar[tuple[str, ...]] = ("torch",)

    def __call__(self, problem: Problem, device: str, watch: Watch) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        matrix = np.eye(problem.x.shape[1], problem.z.shape[1], dtype=np.float32)
        selection = Selection(matrix, self.early, self.patience)
        for number, played in enumerate(self._rounds(problem, device), 1):
            selection.see(played)
            matrix = selection.best if self.selected else played.matrix
            watch(Epoch(number, self.epochs, -played.loss))
            if self.selected and selection.fall > self.fall and selection.since >= self.patience:
                break
        return LinearMap(matrix), LinearMap.unchanged(problem.z.shape[1])

    def _rounds(self, problem: Problem, device: str) -> Iterator[Round]:
        """The epochs of a game; one that got out of hand is begun anew."""
        chance = generator(device, problem.seed)
        x, z = problem.x[: self.cutoff], problem.z[: self.cutoff]
        game = Game(self, x, z, chance)
        for _ in range(self.epochs):
            with alone(wide=self.layers > 1 and device == "cpu"):
                losses = [game.play() for _ in range(self.steps)]
            loss = sum(map(float, losses)) / self.steps
            if not (math.isfinite(loss) and game.sane):
                game, loss = Game(self, x, z, chance), LOST
            yield Round(game.encoder.cpu().numpy().copy(), loss)


class Round(NamedTuple):
    """What an epoch has come to.

    Attributes:
        matrix: ``(d, e)`` the map at its end.
        loss: Of the map, the mean over the epoch; `LOST` where it got out of hand.
    """

    matrix: Vectors
    loss: float


class Selection:
    """Which map is taken: that of the lowest loss, once the discriminator has learnt something.

    The loss rises as the discriminator learns, falls sharply where a good map is found, and rises
    again as the discriminator learns to tell that one, too.

    Args:
        start: What is taken where nothing is seen.
        early: Epochs that have to be over; until then the last map is taken.
        memory: Epochs that a fall is told by.

    Attributes:
        best: What is taken.
        fall: By which share of its highest value in memory the loss has fallen, at most.
        since: Epochs since it fell as far, or since another map was taken.
    """

    def __init__(self, start: Vectors, early: int, memory: int) -> None:
        self.best, self.fall, self.since = start, 0.0, 0
        self._early = early
        self._age, self._lowest = 0, LOST
        self._last: deque[float] = deque(maxlen=memory)

    def see(self, played: Round) -> None:
        """One epoch after the other; after one that got out of hand they are counted anew."""
        self.since += 1
        if played.loss == LOST:
            self._age = 0
            self._last.clear()
            return
        self._age += 1
        loss = played.loss if self._age > self._early else LOST
        if loss <= self._lowest:
            self.best, self._lowest, self.since = played.matrix, loss, 0
        highest = max(self._last, default=played.loss)
        self._last.append(played.loss)
        if (fall := 1 - played.loss / highest) > self.fall:
            self.fall, self.since = fall, 0
