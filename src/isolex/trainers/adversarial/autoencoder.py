"""Adversarial auto-encoders: a map into the target space and a map back (two papers)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, OnEpoch
from isolex.core.problem import Problem
from isolex.trainers.adversarial.autoencoder_game import AutoEncoderGame
from isolex.trainers.adversarial.sampling import reproducible, seeded_generator

DIVERGED = 1e9
"""Stands for the loss of an epoch that diverged (NaN or infinity)."""


@dataclass(frozen=True)
class AutoEncoder:
    """A map that fools a discriminator, and a map back (decoder) to the source space.

    The loss of the map is the adversarial loss plus ``weight`` times the mean cosine distance
    between source words and their reconstructions.

    The defaults are Model 3 of Zhang et al. (ACL 2017) with the settings of the authors' code. The
    decoder is the transpose of the map, which pulls the map towards an orthogonal one. The
    discriminator is trained with noise, frequent words are sampled more often, and the map with
    the lowest loss is returned. Miceli Barone (2016) has a separate decoder, no noise and no
    selection; that paper calls its results preliminary and gives few settings.

    Attributes:
        tied: Use the transpose of the map as decoder; otherwise train a separate decoder.
        weight: Weight of the reconstruction loss (lambda in Zhang et al.).
        layers: Number of hidden layers of the discriminator.
        hidden: Units per hidden layer.
        slope: Slope of its rectifiers below zero.
        noise: Standard deviation of the multiplicative noise (mean one) on the discriminator's
            input and hidden units; zero for none.
        epochs: Maximum number of epochs; the loss is averaged over each epoch.
        steps: Steps per epoch.
        batch: Words of each language per step.
        rate: Adam's learning rate for the map and the decoder.
        discriminator_rate: Adam's learning rate for the discriminator.
        cutoff: Sample only from this many of the most frequent words of each language.
        by_frequency: Sample frequent words more often, see `Batches`; otherwise uniformly.
        selected: Return the map with the lowest loss instead of the last one.
        early: Ignore the loss in this many first epochs, while the discriminator is untrained.
        fall: With ``selected``, allow early stopping once the loss has dropped by this share of
            its highest value in the ``patience`` epochs before. Such a sharp drop shows that a map
            was found; without one the loss drifts by as much, but over hundreds of epochs.
        patience: Stop after this many epochs without a sharper drop or a lower loss.
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

    def __call__(
        self, problem: Problem, device: str, on_epoch: OnEpoch
    ) -> tuple[LinearMap, LinearMap]:
        """Return the maps of source and target; the target's is the identity."""
        matrix = np.eye(problem.x.shape[1], problem.z.shape[1], dtype=np.float32)
        selection = Selection(matrix, self.early, self.patience)
        for number, epoch in enumerate(self._epochs(problem, device), 1):
            selection.update(epoch)
            matrix = selection.best if self.selected else epoch.matrix
            on_epoch(Epoch(number, self.epochs, -epoch.loss))
            if self.selected and selection.drop > self.fall and selection.waited >= self.patience:
                break
        return LinearMap(matrix), LinearMap.identity(problem.z.shape[1])

    def _epochs(self, problem: Problem, device: str) -> Iterator[EpochResult]:
        """Train epoch by epoch; restart with new random weights if an epoch diverges."""
        generator = seeded_generator(device, problem.seed)
        x, z = problem.x[: self.cutoff], problem.z[: self.cutoff]
        game = AutoEncoderGame(self, x, z, generator)
        for _ in range(self.epochs):
            with reproducible(fast_products=self.layers > 1 and device == "cpu"):
                losses = [game.step() for _ in range(self.steps)]
            loss = sum(map(float, losses)) / self.steps
            if not (math.isfinite(loss) and game.is_finite):
                game, loss = AutoEncoderGame(self, x, z, generator), DIVERGED
            yield EpochResult(game.encoder.cpu().numpy().copy(), loss)


class EpochResult(NamedTuple):
    """The state at the end of an epoch.

    Attributes:
        matrix: ``(d, e)`` map from source to target.
        loss: Loss of the map, averaged over the epoch; `DIVERGED` if the epoch diverged.
    """

    matrix: Vectors
    loss: float


class Selection:
    """Selects the map with the lowest loss among the epochs after the early ones.

    The loss rises while the discriminator learns, drops sharply when a good map is found, and
    rises again as the discriminator adapts to that map.

    Args:
        start: Selected until the first epoch.
        early: Number of early epochs; until they are over the latest map is selected.
        window: A drop is measured from the highest loss of this many previous epochs.

    Attributes:
        best: ``(d, e)`` the selected map.
        drop: Largest drop of the loss so far, as a share of the highest value in its window.
        waited: Epochs since a larger drop was seen or another map was selected.
    """

    def __init__(self, start: Vectors, early: int, window: int) -> None:
        self.best, self.drop, self.waited = start, 0.0, 0
        self._early = early
        self._age, self._lowest = 0, DIVERGED
        self._recent: deque[float] = deque(maxlen=window)

    def update(self, epoch: EpochResult) -> None:
        """Take the next epoch into account; a diverged one restarts the early epochs."""
        self.waited += 1
        if epoch.loss == DIVERGED:
            self._age = 0
            self._recent.clear()
            return
        self._age += 1
        loss = epoch.loss if self._age > self._early else DIVERGED
        if loss <= self._lowest:
            self.best, self._lowest, self.waited = epoch.matrix, loss, 0
        highest = max(self._recent, default=epoch.loss)
        self._recent.append(epoch.loss)
        if (drop := 1 - epoch.loss / highest) > self.drop:
            self.drop, self.waited = drop, 0
