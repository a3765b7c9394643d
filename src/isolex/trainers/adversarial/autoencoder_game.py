"""The adversarial game of an auto-encoder: an encoder, a decoder and a discriminator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from isolex.core.embeddings import Vectors
from isolex.kernels.torch_linalg import rotation
from isolex.trainers.adversarial.adam import Adam
from isolex.trainers.adversarial.discriminator import Discriminator, cross_entropy
from isolex.trainers.adversarial.sampling import Batches, Noise

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from isolex.trainers.adversarial.autoencoder import AutoEncoder


class AutoEncoderGame:
    """An encoder into the target space, a decoder back, and a discriminator in that space.

    Args:
        settings: Settings of the training.
        x: ``(n, d)`` source vectors.
        z: ``(m, e)`` target vectors.
        generator: Source of all randomness.

    Attributes:
        encoder: ``(d, e)`` map from source to target, initially a random orthogonal matrix.
        decoder: ``(e, d)`` map back, initially the transpose of the encoder.
        parameters: Encoder and, unless it is tied, decoder in one vector.
    """

    def __init__(
        self, settings: AutoEncoder, x: Vectors, z: Vectors, generator: torch.Generator
    ) -> None:
        import torch

        (d, e), batch = (x.shape[1], z.shape[1]), settings.batch
        self.settings = settings
        start = rotation(d, e, generator)
        self.parameters = torch.cat([start.flatten(), start.T.flatten()][: 2 - settings.tied])
        self.encoder = self.parameters[: d * e].view(d, e)
        self.decoder = self.encoder.T if settings.tied else self.parameters[d * e :].view(e, d)
        self.widths = (e, *[settings.hidden] * settings.layers)
        self.discriminator = Discriminator(self.widths, settings.slope, generator)
        self.source_batches, self.target_batches = (
            Batches(vectors, batch, generator, by_frequency=settings.by_frequency)
            for vectors in (x, z)
        )
        self.sources = start.new_empty(batch, d)
        self.rows = start.new_empty(2 * batch, e)
        self.noise = (
            Noise(settings.noise, 2 * batch * sum(self.widths), generator)
            if settings.noise
            else None
        )
        # Label 1: target word. Label 0: mapped source word.
        self.labels = start.new_zeros(2 * batch)
        self.labels[batch:] = 1
        self.map_optimiser = Adam(self.parameters, settings.rate)
        self.discriminator_optimiser = Adam(
            self.discriminator.parameters, settings.discriminator_rate
        )

    @property
    def is_finite(self) -> bool:
        """Whether encoder and decoder contain neither NaN nor infinity."""
        return bool(self.parameters.isfinite().all())

    def step(self) -> Tensor:
        """Train the discriminator for one step, then the map; return the loss of the map."""
        self.step_discriminator()
        return self.step_map()

    def step_discriminator(self) -> None:
        """Train the discriminator for one step."""
        import torch

        batch = self.settings.batch
        torch.mm(self.source_batches.next_into(self.sources), self.encoder, out=self.rows[:batch])
        self.target_batches.next_into(self.rows[batch:])
        noise = self.noise.factors(2 * batch, self.widths) if self.noise else ()
        log_odds = self.discriminator.log_odds(self.rows, noise)
        _, slopes = cross_entropy(log_odds, self.labels)
        self.discriminator_optimiser.step(self.discriminator.gradient(slopes))

    def step_map(self) -> Tensor:
        """Train encoder and decoder for one step; return their loss."""
        loss, gradient = self.loss_and_gradient(self.source_batches.next_into(self.sources))
        self.map_optimiser.step(gradient)
        return loss

    def loss_and_gradient(self, sources: Tensor) -> tuple[Tensor, Tensor]:
        """Loss of ``(n, d)`` source vectors without noise, and its gradient at ``parameters``."""
        import torch

        mapped = sources @ self.encoder
        log_odds = self.discriminator.log_odds(mapped)
        adversarial_loss, slopes = cross_entropy(log_odds, torch.ones_like(log_odds))
        at_mapped = self.discriminator.input_gradient(slopes)
        distance, at_decoded = cosine_distance(sources, mapped @ self.decoder)
        at_decoded *= self.settings.weight
        at_mapped += at_decoded @ self.decoder.T
        at_encoder, at_decoder = sources.T @ at_mapped, mapped.T @ at_decoded
        loss = adversarial_loss + self.settings.weight * distance
        if self.settings.tied:
            return loss, (at_encoder + at_decoder.T).flatten()
        return loss, torch.cat([at_encoder.flatten(), at_decoder.flatten()])


def cosine_distance(sources: Tensor, decoded: Tensor) -> tuple[Tensor, Tensor]:
    """One minus the mean cosine of the rows, and its gradient ``(n, d)`` at ``decoded``."""
    import torch

    unit_sources = torch.nn.functional.normalize(sources)
    lengths = decoded.norm(dim=1, keepdim=True).clamp_(min=1e-12)
    unit_decoded = decoded / lengths
    cosines = (unit_sources * unit_decoded).sum(1, keepdim=True)
    gradient = (cosines * unit_decoded - unit_sources) / (lengths * len(sources))
    return 1 - cosines.mean(), gradient
