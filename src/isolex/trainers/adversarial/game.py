"""The game of the adversarial auto-encoders: a map, a way back, and a discriminator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isolex.core.embeddings import Vectors
from isolex.kernels.torch_linalg import rotation
from isolex.trainers.adversarial.adam import Adam
from isolex.trainers.adversarial.chance import Batches, Noise
from isolex.trainers.adversarial.nets import Discriminator, cross_entropy

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from isolex.trainers.adversarial.autoencoder import AutoEncoder


class Game:
    """An encoder into the target space, a decoder back, and a discriminator of that space.

    Args:
        rules: The settings.
        x: ``(n, d)`` source vectors.
        z: ``(m, e)`` target vectors.
        chance: Draws everything.

    Attributes:
        encoder: ``(d, e)``, at first a random orthogonal matrix.
        decoder: ``(e, d)``, at first its transpose.
    """

    def __init__(self, rules: AutoEncoder, x: Vectors, z: Vectors, chance: torch.Generator) -> None:
        import torch

        (d, e), batch = (x.shape[1], z.shape[1]), rules.batch
        self.rules, self.chance = rules, chance
        start = rotation(d, e, chance)
        self.parameters = torch.cat([start.flatten(), start.T.flatten()][: 2 - rules.tied])
        self.encoder = self.parameters[: d * e].view(d, e)
        self.decoder = self.encoder.T if rules.tied else self.parameters[d * e :].view(e, d)
        self.widths = (e, *[rules.hidden] * rules.layers)
        self.discriminator = Discriminator(self.widths, rules.slope, chance)
        self.sources, self.targets = (
            Batches(vectors, batch, chance, by_frequency=rules.by_frequency) for vectors in (x, z)
        )
        self.words = start.new_empty(batch, d)
        self.rows = start.new_empty(2 * batch, e)
        self.noise = (
            Noise(rules.noise, 2 * batch * sum(self.widths), chance) if rules.noise else None
        )
        # A target word is to be told by a one, a mapped source word by a zero.
        self.truth = start.new_zeros(2 * batch)
        self.truth[batch:] = 1
        self.map_steps = Adam(self.parameters, rules.rate)
        self.own_steps = Adam(self.discriminator.parameters, rules.discriminator_rate)

    @property
    def sane(self) -> bool:
        """Whether every number of the map is one."""
        return bool(self.parameters.isfinite().all())

    def play(self) -> Tensor:
        """One step of each; returns the loss of the map."""
        self.discriminate()
        return self.deceive()

    def discriminate(self) -> None:
        """One step of the discriminator."""
        import torch

        batch = self.rules.batch
        torch.mm(self.sources.into(self.words), self.encoder, out=self.rows[:batch])
        self.targets.into(self.rows[batch:])
        noise = self.noise.factors(2 * batch, self.widths) if self.noise else ()
        odds = self.discriminator.log_odds(self.rows, noise)
        _, slopes = cross_entropy(odds, self.truth)
        self.own_steps.step(self.discriminator.gradient(slopes))

    def deceive(self) -> Tensor:
        """One step of the map, and of the way back."""
        loss, gradient = self.slope(self.sources.into(self.words))
        self.map_steps.step(gradient)
        return loss

    def slope(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """The loss of ``(n, d)`` words without noise, and its gradient at the parameters."""
        import torch

        mapped = words @ self.encoder
        odds = self.discriminator.log_odds(mapped)
        deception, slopes = cross_entropy(odds, torch.ones_like(odds))
        pull = self.discriminator.at_input(slopes)
        distance, back = cosine_distance(words, mapped @ self.decoder)
        back *= self.rules.weight
        pull += back @ self.decoder.T
        encoder, decoder = words.T @ pull, mapped.T @ back
        loss = deception + self.rules.weight * distance
        if self.rules.tied:
            return loss, (encoder + decoder.T).flatten()
        return loss, torch.cat([encoder.flatten(), decoder.flatten()])


def cosine_distance(words: Tensor, found: Tensor) -> tuple[Tensor, Tensor]:
    """One minus the mean cosine of rows, and its gradient ``(n, d)`` at those found."""
    import torch

    unit = torch.nn.functional.normalize(words)
    lengths = found.norm(dim=1, keepdim=True).clamp_(min=1e-12)
    towards = found / lengths
    cosines = (unit * towards).sum(1, keepdim=True)
    slopes = (cosines * towards - unit) / (lengths * len(words))
    return 1 - cosines.mean(), slopes
