"""Rounds of a game of `isolex.adversarial.game`, and which map is taken in the end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from isolex.adversarial.chance import alone, generator
from isolex.adversarial.game import Game, Rules
from isolex.embeddings import Vectors
from isolex.mapping import LinearMap
from isolex.problem import Problem
from isolex.training import Epoch, Watch

LOST = 1e9
"""The loss of an epoch that ended in numbers that are none."""


class Length(NamedTuple):
    """How long is played, and with how many words.

    Attributes:
        epochs: How many.
        steps: Per epoch.
        cutoff: How many of the most frequent words of each side are drawn from.
    """

    epochs: int
    steps: int
    cutoff: int


class Round(NamedTuple):
    """What an epoch has come to.

    Attributes:
        matrix: ``(d, e)`` the map at its end.
        loss: Of the map, the mean over the epoch; `LOST` where it got out of hand.
    """

    matrix: Vectors
    loss: float


class Selection:
    """Which map is taken: that of the lowest loss since the highest.

    The loss is low at first, while the discriminator knows nothing, and rises as it learns; that
    is no sign of a good map. Where one is found the loss falls sharply.

    Args:
        start: What is taken where nothing is seen.
    """

    def __init__(self, start: Vectors) -> None:
        self.best = start
        self._highest, self._lowest = -math.inf, math.inf

    def see(self, played: Round) -> None:
        """One epoch after the other."""
        if played.loss >= self._highest:
            self._highest, self._lowest = played.loss, math.inf
        if played.loss < self._lowest:
            self._lowest, self.best = played.loss, played.matrix


def play(
    rules: Rules, length: Length, problem: Problem, device: str, watch: Watch, *, select: bool
) -> tuple[LinearMap, LinearMap]:
    """The maps that a game ends with, or the best of all epochs; the target's changes nothing.

    Args:
        rules: The settings.
        length: How long is played.
        problem: The two spaces.
        device: As PyTorch names it.
        watch: Told minus the loss of every epoch.
        select: Take what `Selection` does, not the last map.
    """
    matrix = np.eye(problem.x.shape[1], problem.z.shape[1], dtype=np.float32)
    selection = Selection(matrix)
    for number, played in enumerate(_rounds(rules, length, problem, device), 1):
        selection.see(played)
        matrix = selection.best if select else played.matrix
        watch(Epoch(number, length.epochs, -played.loss))
    return LinearMap(matrix), LinearMap(np.eye(problem.z.shape[1], dtype=np.float32))


def _rounds(rules: Rules, length: Length, problem: Problem, device: str) -> Iterator[Round]:
    """The epochs of a game; one that got out of hand is begun anew."""
    chance = generator(device, problem.seed)
    x, z = problem.x[: length.cutoff], problem.z[: length.cutoff]
    game = Game(rules, x, z, chance)
    for _ in range(length.epochs):
        with alone():
            losses = [game.play() for _ in range(length.steps)]
        loss = sum(map(float, losses)) / length.steps
        if not (math.isfinite(loss) and game.sane):
            game, loss = Game(rules, x, z, chance), LOST
        yield Round(game.encoder.cpu().numpy().copy(), loss)
