"""The adversarial auto-encoder of Miceli Barone (2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from isolex.adversarial.game import Rules
from isolex.adversarial.rounds import Length, play
from isolex.mapping import LinearMap
from isolex.problem import Problem
from isolex.training import Watch


@dataclass(frozen=True)
class AdversarialAutoEncoder:
    """An encoder into the target space, a decoder back, and a discriminator of that space.

    Encoder and decoder are linear and learn together: mapped words are to look like target words
    to the discriminator, and to lead back to where they came from, by the cosine. The paper calls
    its results preliminary and not competitive, and gives few settings: the network here is a
    plain one. The encoder at the end is returned; there is no selection.

    Attributes:
        weight: Of the reconstruction.
        epochs: How often the loss is told of.
        steps: Per epoch.
        batch: Words of each language per step.
        hidden: Units of each of the discriminator's two hidden layers.
        slope: Of its rectifiers below zero.
        rate: Of Adam, for encoder and decoder.
        discriminator_rate: Of Adam, for the discriminator.
        cutoff: How many of the most frequent words of each side are drawn from.
    """

    weight: float = 1.0
    epochs: int = 50
    steps: int = 1000
    batch: int = 128
    hidden: int = 500
    slope: float = 0.2
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
            tied=False,
            weight=self.weight,
            hidden=(self.hidden, self.hidden),
            slope=self.slope,
            noise=0.0,
            batch=self.batch,
            rate=self.rate,
            discriminator_rate=self.discriminator_rate,
        )
        length = Length(self.epochs, self.steps, self.cutoff)
        return play(rules, length, problem, device, watch, select=False)
