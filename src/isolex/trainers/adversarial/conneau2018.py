"""The adversarial part of Conneau et al. (2018): a nearly orthogonal map, chosen by a criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, OnEpoch
from isolex.core.problem import Problem
from isolex.kernels.torch_linalg import orthogonalised
from isolex.trainers.adversarial.criterion import WORST, mean_cosine
from isolex.trainers.adversarial.discriminator import Discriminator, cross_entropy
from isolex.trainers.adversarial.sampling import Batches, reproducible, seeded_generator

if TYPE_CHECKING:
    import torch
    from torch import Tensor


@dataclass(frozen=True)
class Adversarial:
    """A map whose output a discriminator cannot tell from target vectors (section 2.1).

    It is trained on the original vectors, with their original lengths, even if the rest of the
    system normalises them. So does the authors' code, for which the learning rates were chosen; on
    unit vectors the training may find nothing.

    The defaults come from the authors' code. The settings of the paper are ``steps=1``,
    ``smoothing=0.2``, ``decay=0.95``, ``discriminator_decay=0.95``, ``falls=1``,
    ``cutoff=50_000`` and ``beta=0.01``.

    Attributes:
        epochs: Number of epochs; the map with the best criterion at the end of an epoch is
            returned.
        samples: Words of each language that the map is trained on per epoch.
        batch: Words of each language per step.
        steps: Steps of the discriminator per step of the map.
        cutoff: Sample only from this many of the most frequent words of each language.
        hidden: Units in each of the discriminator's two hidden layers.
        slope: Slope of its rectifiers below zero.
        dropout: Share of its inputs that are set to zero during training.
        smoothing: Distance of the labels from zero and one (label smoothing).
        rate: Initial learning rate of the map and of the discriminator.
        decay: The map's learning rate is multiplied by this after every epoch.
        discriminator_decay: The same for the discriminator.
        shrink: The map's learning rate is also multiplied by this after an epoch whose criterion
            is below the best one ...
        falls: ... from this number of such epochs on.
        beta: Strength of the pull towards an orthogonal map.
        validated: The criterion uses this many of the most frequent source words.
    """

    epochs: int = 5
    samples: int = 1_000_000
    batch: int = 32
    steps: int = 5
    cutoff: int = 75_000
    hidden: int = 2048
    slope: float = 0.2
    dropout: float = 0.1
    smoothing: float = 0.1
    rate: float = 0.1
    decay: float = 0.98
    discriminator_decay: float = 1.0
    shrink: float = 0.5
    falls: int = 2
    beta: float = 0.001
    validated: int = 10_000

    seeded: ClassVar[bool] = True
    shares: ClassVar[tuple[str, ...]] = ("dropout", "smoothing")
    extras: ClassVar[tuple[str, ...]] = ("torch",)

    def __call__(
        self, problem: Problem, device: str, on_epoch: OnEpoch
    ) -> tuple[LinearMap, LinearMap]:
        """Return the maps of source and target; the target's is the identity."""
        x, z = problem.source.vectors[: self.cutoff], problem.target.vectors[: self.cutoff]
        generator = seeded_generator(device, problem.seed)
        game = AdversarialGame(self, x, z, generator)
        best, highest = _to_numpy(game.map), WORST
        rate, discriminator_rate, times_fallen = self.rate, self.rate, 0
        for number in range(1, self.epochs + 1):
            with reproducible(fast_products=device == "cpu"):
                for _ in range(max(1, self.samples // self.batch)):
                    game.step(rate, discriminator_rate)
            matrix = _to_numpy(game.map)
            criterion = mean_cosine(x[: self.validated], z, matrix)
            rate *= self.decay
            discriminator_rate *= self.discriminator_decay
            if criterion < highest:
                times_fallen += 1
                rate *= self.shrink if times_fallen >= self.falls else 1.0
            elif criterion > highest:
                best, highest = matrix, criterion
            if not game.is_finite:
                game = AdversarialGame(self, x, z, generator, best)
            on_epoch(Epoch(number, self.epochs, criterion))
        return LinearMap(best), LinearMap.identity(z.shape[1])


class AdversarialGame:
    """A map and a discriminator that are trained against each other.

    Args:
        settings: Settings of the training.
        x: ``(n, d)`` source vectors.
        z: ``(m, e)`` target vectors.
        generator: Source of all randomness.
        start: ``(d, e)`` initial map; the identity by default.
    """

    def __init__(
        self,
        settings: Adversarial,
        x: Vectors,
        z: Vectors,
        generator: torch.Generator,
        start: Vectors | None = None,
    ) -> None:
        import torch

        (d, e), batch, hidden = (x.shape[1], z.shape[1]), settings.batch, settings.hidden
        self.settings = settings
        self.generator = generator
        self.map = torch.eye(d, e, device=generator.device)
        if start is not None:
            self.map.copy_(torch.from_numpy(start))
        self.discriminator = Discriminator((e, hidden, hidden), settings.slope, generator)
        self.source_batches = Batches(x, batch, generator)
        self.target_batches = Batches(z, batch, generator)
        self.sources = self.map.new_empty(batch, d)
        self.rows = self.map.new_empty(2 * batch, e)
        self.kept = torch.empty_like(self.rows)
        # Label 1: mapped source word. Label 0: target word.
        self.labels = self.map.new_full((2 * batch,), settings.smoothing)
        self.labels[:batch] = 1 - settings.smoothing

    @property
    def is_finite(self) -> bool:
        """Whether map and discriminator contain neither NaN nor infinity."""
        return bool(self.map.isfinite().all() and self.discriminator.parameters.isfinite().all())

    def step(self, rate: float, discriminator_rate: float) -> None:
        """Train the discriminator for ``settings.steps`` steps, then the map for one."""
        for _ in range(self.settings.steps):
            self.step_discriminator(discriminator_rate)
        self.step_map(rate)

    def step_discriminator(self, rate: float) -> None:
        """Train the discriminator for one step."""
        import torch

        batch, keep = self.settings.batch, 1 - self.settings.dropout
        torch.mm(self.source_batches.next_into(self.sources), self.map, out=self.rows[:batch])
        self.target_batches.next_into(self.rows[batch:])
        if keep < 1:
            self.rows *= self.kept.bernoulli_(keep, generator=self.generator).div_(keep)
        _, slopes = cross_entropy(self.discriminator.log_odds(self.rows), self.labels)
        self.discriminator.descend(slopes, rate)

    def step_map(self, rate: float) -> None:
        """Move the map against the labels, then towards an orthogonal one.

        The loss covers words of both languages. Target words do not depend on the map, so they
        are not drawn.
        """
        mapped = self.source_batches.next_into(self.sources) @ self.map
        log_odds = self.discriminator.log_odds(mapped)
        _, slopes = cross_entropy(log_odds, 1 - self.labels[: self.settings.batch])
        gradient = self.sources.T @ self.discriminator.input_gradient(slopes / 2)
        self.map -= rate * gradient
        self.map.copy_(orthogonalised(self.map, self.settings.beta))


def _to_numpy(tensor: Tensor) -> Vectors:
    matrix: Vectors = tensor.cpu().numpy().copy()
    return matrix
