"""A Wasserstein GAN whose generator is a linear map from the source to the target space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from isolex.kernels.torch_linalg import orthogonalised, rotation
from isolex.kernels.types import Doubles

if TYPE_CHECKING:
    from torch import Tensor


class WassersteinGan:
    """A linear generator and a critic with one hidden layer and clipped weights.

    Args:
        x: ``(n, d)`` source vectors, most frequent words first.
        z: ``(m, e)`` target vectors, most frequent words first.
        zipf: Words are sampled with probability proportional to ``rank ** -zipf``.
        hidden: Hidden units of the critic.
        clip: Largest magnitude of the critic's weights.
        rates: Learning rates of the generator and of the critic.
        batch: Words of each language per step.
        seed: Random seed.
        device: A PyTorch device.
    """

    def __init__(
        self,
        x: Doubles,
        z: Doubles,
        *,
        zipf: float,
        hidden: int,
        clip: float,
        rates: tuple[float, float],
        batch: int,
        seed: int,
        device: str,
    ) -> None:
        import torch

        # All random numbers are drawn on the CPU: they are the same for every device.
        self._random = torch.Generator().manual_seed(seed)
        self._device, self._clip, self._batch = device, clip, batch
        self._sources, self._targets = (
            torch.from_numpy(vectors).float().to(device) for vectors in (x, z)
        )
        self._source_weights, self._target_weights = (
            torch.arange(1, len(vectors) + 1, dtype=torch.float64) ** -zipf for vectors in (x, z)
        )
        d, e = x.shape[1], z.shape[1]
        self._map = self._trainable(rotation(d, e, self._random))
        self._critic = [
            self._trainable(self._within_clip(e, hidden)),
            self._trainable(torch.zeros(hidden)),
            self._trainable(self._within_clip(hidden)),
        ]
        self._map_optimiser = torch.optim.RMSprop([self._map], lr=rates[0])
        self._critic_optimiser = torch.optim.RMSprop(self._critic, lr=rates[1])

    @property
    def matrix(self) -> Doubles:
        """The current map ``(d, e)``."""
        return self._map.detach().cpu().numpy().astype(np.float64)

    def step(self, lessons: int, orthogonality: float) -> None:
        """Train the critic for ``lessons`` steps, then the map for one.

        Args:
            lessons: Number of steps of the critic.
            orthogonality: Strength of the pull towards an orthogonal map afterwards.
        """
        import torch

        for _ in range(lessons):
            self._step_critic()
        self._map_optimiser.zero_grad()
        (-self._criticise(self._sample_sources() @ self._map).mean()).backward()  # type: ignore[no-untyped-call]
        self._map_optimiser.step()
        with torch.no_grad():
            self._map.copy_(orthogonalised(self._map, orthogonality))

    def _step_critic(self) -> None:
        import torch

        with torch.no_grad():
            mapped = self._sample_sources() @ self._map
        targets = self._sample_targets()
        self._critic_optimiser.zero_grad()
        (self._criticise(mapped).mean() - self._criticise(targets).mean()).backward()  # type: ignore[no-untyped-call]
        self._critic_optimiser.step()
        with torch.no_grad():
            for weights in self._critic:
                weights.clamp_(-self._clip, self._clip)

    def _criticise(self, vectors: Tensor) -> Tensor:
        """Score ``(n,)`` of ``(n, e)`` vectors; higher means more like target vectors."""
        inner, bias, outer = self._critic
        return (vectors @ inner + bias).relu() @ outer

    def _sample_sources(self) -> Tensor:
        return self._sample(self._sources, self._source_weights)

    def _sample_targets(self) -> Tensor:
        return self._sample(self._targets, self._target_weights)

    def _sample(self, vectors: Tensor, weights: Tensor) -> Tensor:
        """A batch of rows, drawn with replacement."""
        import torch

        rows = torch.multinomial(weights, self._batch, replacement=True, generator=self._random)
        return vectors[rows.to(self._device)]

    def _within_clip(self, *shape: int) -> Tensor:
        """Uniform random weights in ``[-clip, clip]``."""
        import torch

        return (2 * torch.rand(*shape, generator=self._random) - 1) * self._clip

    def _trainable(self, start: Tensor) -> Tensor:
        return start.contiguous().to(self._device).requires_grad_()
