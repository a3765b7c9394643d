"""Adversarial auto-encoders: a map into the target space and a way back (two papers)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from isolex.adversarial.chance import alone, generator
from isolex.adversarial.game import Game
from isolex.embeddings import Vectors
from isolex.mapping import LinearMap
from isolex.problem import Problem
from isolex.training import Epoch, Watch

LOST = 1e9
"""The loss of an epoch that ended in numbers that are none."""

NOISE = 0.05
"""By so much a loss goes up and down without a reason."""

UNSEEN = math.inf, -math.inf, 0.0
"""The lowest loss, the highest and the rise between them before any epoch."""


@dataclass(frozen=True)
class AutoEncoder:
    """A map that deceives a discriminator, and a way back to where the words came from.

    The loss of the map is that of its words being told from target words plus ``weight`` times the
    cosine distance of words and what they come back as.

    The defaults are Model 3 of Zhang et al. (ACL 2017): the way back is the transpose, so that
    the map is drawn to an orthogonal one, the discriminator is noisy, words are drawn by their
    frequency, and the map is returned before which the loss fell most. Miceli Barone (2016) has a
    way back of its own, no noise and no selection; that paper calls its results preliminary, and
    gives few settings.

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
        by_frequency: Words are drawn as often as those of their rank are in a text; else alike.
        selected: The map that `Selection` takes is returned, not the last one.
        fall: The share of its rise that the loss has to lose again for the training to end before
            its last epoch,
        patience: once it has not fallen further for so many epochs.
    """

    tied: bool = True
    weight: float = 1.0
    layers: int = 1
    hidden: int = 500
    slope: float = 0.0
    noise: float = 1.0
    epochs: int = 500
    steps: int = 1000
    batch: int = 128
    rate: float = 0.001
    discriminator_rate: float = 0.001
    cutoff: int = 75_000
    by_frequency: bool = True
    selected: bool = True
    fall: float = 1 / 3
    patience: int = 25

    seeded: ClassVar[bool] = True
    extras: ClassVar[tuple[str, ...]] = ("torch",)

    def __call__(self, problem: Problem, device: str, watch: Watch) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        matrix = np.eye(problem.x.shape[1], problem.z.shape[1], dtype=np.float32)
        selection = Selection(matrix)
        for number, played in enumerate(self._rounds(problem, device), 1):
            selection.see(played)
            matrix = selection.best if self.selected else played.matrix
            watch(Epoch(number, self.epochs, -played.loss))
            if self.selected and selection.ended(self.fall, self.patience):
                break
        return LinearMap(matrix), LinearMap.unchanged(problem.z.shape[1])

    def _rounds(self, problem: Problem, device: str) -> Iterator[Round]:
        """The epochs of a game; one that got out of hand is begun anew."""
        chance = generator(device, problem.seed)
        x, z = problem.x[: self.cutoff], problem.z[: self.cutoff]
        game = Game(self, x, z, chance)
        for _ in range(self.epochs):
            with alone(wide=self.layers > 1):
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
    """Which map is taken: the one before which the loss fell most.

    The loss rises as the discriminator learns. Where a good map is found it falls sharply, and
    rises again as the discriminator learns to tell that one, too; neither its lowest nor its last
    value says anything.

    Args:
        start: What is taken where nothing is seen.

    Attributes:
        best: What is taken.
        fall: How far the loss fell from its highest value before.
        share: Of its rise up to that value. Early on a good map is found from a low loss; later a
            high one goes up and down by as much, without one.
        since: Epochs since then.
    """

    def __init__(self, start: Vectors) -> None:
        self.best = start
        self.fall, self.share, self.since = -math.inf, 0.0, 0
        self._lowest, self._highest, self._rise = UNSEEN

    def see(self, played: Round) -> None:
        """One epoch after the other; one that got out of hand says nothing."""
        self.since += 1
        if played.loss == LOST:
            self._lowest, self._highest, self._rise = UNSEEN
            return
        self._lowest = min(self._lowest, played.loss)
        if played.loss > self._highest:
            self._highest, self._rise = played.loss, played.loss - self._lowest
        if (fall := self._highest - played.loss) >= self.fall:
            self.best, self.fall, self.since = played.matrix, fall, 0
            self.share = fall / self._rise if self._rise else 0.0

    def ended(self, share: float, patience: int) -> bool:
        """Whether the loss has lost a share of its rise again, more than noise, and has settled."""
        clear = self.fall > NOISE and self.share > share
        return clear and self.since >= patience
