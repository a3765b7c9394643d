"""The adversarial part of Conneau et al. (2018): a nearly orthogonal map, chosen by a criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from isolex.core.embeddings import Vectors
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Epoch, Watch
from isolex.core.problem import Problem
from isolex.kernels.torch_linalg import orthogonalised
from isolex.trainers.adversarial.chance import Batches, alone, generator
from isolex.trainers.adversarial.criterion import WORST, mean_cosine
from isolex.trainers.adversarial.nets import Discriminator, cross_entropy

if TYPE_CHECKING:
    import torch
    from torch import Tensor


@dataclass(frozen=True)
class Adversarial:
    """A map after which a discriminator cannot tell the languages apart (section 2.1).

    It learns from the vectors with the lengths that they came with, whatever the rest of the
    system makes of them. So does the authors' code, for which the rates were chosen; from vectors
    of unit length it may find nothing.

    The defaults are those of the authors' code. Those of their paper are ``steps=1``,
    ``smoothing=0.2``, ``decay=0.95``, ``discriminator_decay=0.95``, ``falls=1``,
    ``cutoff=50_000`` and ``beta=0.01``.

    Attributes:
        epochs: After each of them the criterion is taken; the best map of all is returned.
        samples: Words of each language that the map sees in an epoch.
        batch: Words of each language per step.
        steps: Of the discriminator, for each step of the map.
        cutoff: How many of the most frequent words of each side are drawn from.
        hidden: Units of each of the discriminator's two hidden layers.
        slope: Of its rectifiers below zero.
        dropout: The share of its inputs that are set to zero while it learns.
        smoothing: How far the labels are from zero and one.
        rate: The length of the first steps, of both.
        decay: The map's rate is multiplied by it after every epoch.
        discriminator_decay: The discriminator's likewise.
        shrink: The map's rate is also multiplied by it where the criterion is below its best...
        falls: ... from this time on.
        beta: How strongly the map is drawn to an orthogonal one.
        validated: How many of the most frequent source words the criterion looks at.
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

    def __call__(self, problem: Problem, device: str, watch: Watch) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        x, z = (side.vectors[: self.cutoff] for side in (problem.src, problem.trg))
        chance = generator(device, problem.seed)
        duel = Duel(self, x, z, chance)
        best, highest = _matrix(duel.map), WORST
        rate, discriminator_rate, fallen = self.rate, self.rate, 0
        for number in range(1, self.epochs + 1):
            with alone(wide=device == "cpu"):
                for _ in range(max(1, self.samples // self.batch)):
                    duel.play(rate, discriminator_rate)
            matrix = _matrix(duel.map)
            criterion = mean_cosine(x[: self.validated], z, matrix)
            rate *= self.decay
            discriminator_rate *= self.discriminator_decay
            if criterion < highest:
                fallen += 1
                rate *= self.shrink if fallen >= self.falls else 1.0
            elif criterion > highest:
                best, highest = matrix, criterion
            if not duel.sane:
                duel = Duel(self, x, z, chance, best)
            watch(Epoch(number, self.epochs, criterion))
        return LinearMap(best), LinearMap.unchanged(z.shape[1])


class Duel:
    """The map and the discriminator that learn from each other.

    Args:
        rules: The settings.
        x: ``(n, d)`` source vectors.
        z: ``(m, e)`` target vectors.
        chance: Draws everything.
        start: Of the map; by default it changes nothing.
    """

    def __init__(
        self,
        rules: Adversarial,
        x: Vectors,
        z: Vectors,
        chance: torch.Generator,
        start: Vectors | None = None,
    ) -> None:
        import torch

        (d, e), batch, device = (x.shape[1], z.shape[1]), rules.batch, chance.device
        self.rules = rules
        self.chance = chance
        self.map = torch.eye(d, e, device=device)
        if start is not None:
            self.map.copy_(torch.from_numpy(start))
        self.discriminator = Discriminator((e, rules.hidden, rules.hidden), rules.slope, chance)
        self.sources, self.targets = Batches(x, batch, chance), Batches(z, batch, chance)
        self.words = self.map.new_empty(batch, d)
        self.rows = self.map.new_empty(2 * batch, e)
        self.kept = torch.empty_like(self.rows)
        # A source word is to be told by a one, a target word by a zero.
        self.truth = self.map.new_full((2 * batch,), rules.smoothing)
        self.truth[:batch] = 1 - rules.smoothing

    @property
    def sane(self) -> bool:
        """Whether every number is one."""
        return bool(self.map.isfinite().all() and self.discriminator.parameters.isfinite().all())

    def play(self, rate: float, discriminator_rate: float) -> None:
        """The discriminator learns in a few steps, the map in one."""
        for _ in range(self.rules.steps):
            self.discriminate(discriminator_rate)
        self.deceive(rate)

    def discriminate(self, rate: float) -> None:
        """One step of the discriminator."""
        import torch

        batch, keep = self.rules.batch, 1 - self.rules.dropout
        torch.mm(self.sources.into(self.words), self.map, out=self.rows[:batch])
        self.targets.into(self.rows[batch:])
        if keep < 1:
            self.rows *= self.kept.bernoulli_(keep, generator=self.chance).div_(keep)
        _, slopes = cross_entropy(self.discriminator.log_odds(self.rows), self.truth)
        self.discriminator.learn(slopes, rate)

    def deceive(self, rate: float) -> None:
        """One step of the map against the labels, and one towards an orthogonal map.

        The loss is that of words of both languages; those of the target do not move the map and
        need not be drawn.
        """
        mapped = self.sources.into(self.words) @ self.map
        odds = self.discriminator.log_odds(mapped)
        _, slopes = cross_entropy(odds, 1 - self.truth[: self.rules.batch])
        gradient = self.words.T @ self.discriminator.at_input(slopes / 2)
        self.map -= rate * gradient
        self.map.copy_(orthogonalised(self.map, self.rules.beta))


def _matrix(tensor: Tensor) -> Vectors:
    matrix: Vectors = tensor.cpu().numpy().copy()
    return matrix
