"""Model 3 of Zhang et al. (ACL 2017): an adversarial auto-encoder whose way back is transposed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from isolex.adversarial.game import Rules
from isolex.adversarial.rounds import Length, play
from isolex.mapping import LinearMap
from isolex.problem import Problem
from isolex.training import Watch


@dataclass(frozen=True)
class AdversarialReconstruction:
    """A map that deceives a noisy discriminator and is undone by its transpose (section 2.3).

    The loss of the map is that of its words being told from target words plus ``weight`` times the
    cosine distance of ``x`` and ``x G G'``. The map of the lowest loss is returned, as the authors
    do (section 3.2), the time apart in which the discriminator has yet to learn.

    Attributes:
        weight: Of the reconstruction, the paper's lambda.
        epochs: After each of them the mean loss is taken.
        steps: Per epoch.
        batch: Words of each language per step.
        hidden: Units of the discriminator's hidden layer.
        slope: Of its rectifiers below zero.
        noise: The deviation of the factors, one in the mean, of its inputs and hidden units.
        rate: Of Adam, for the map.
        discriminator_rate: Of Adam, for the discriminator.
        cutoff: How many of the most frequent words of each side are drawn from.
    """

    weight: float = 1.0
    epochs: int = 50
    steps: int = 1000
    batch: int = 128
    hidden: int = 500
    slope: float = 0.0
    noise: float = 1.0
    rate: float = 0.001
    discriminator_rate: float = 0.001
    cutoff: int = 75_000

    seeded: ClassVar[bool] = True

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of the package that it needs."""
        return ("torch",)

    def __call__(self, problem: Problem, device: str, watch: Watch) -> tuple[LinearMap, LinearMap]:
        """The two maps; that of the target changes nothing."""
        rules = Rules(
            tied=True,
            weight=self.weight,
            hidden=(self.hidden,),
            slope=self.slope,
            noise=self.noise,
            batch=self.batch,
            rate=self.rate,
            discriminator_rate=self.discriminator_rate,
        )
        length = Length(self.epochs, self.steps, self.cutoff)
        return play(rules, length, problem, device, watch, select=True)
