"""A Wasserstein GAN whose generator is a linear map of the source into the target's space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from isolex.kernels.torch_linalg import orthogonalised, rotation
from isolex.kernels.types import Doubles

if TYPE_CHECKING:
    from torch import Tensor


class Generator:
    """A linear map, taught by a critic with one hidden layer whose weights are clipped.

    Args:
        src: ``(n, d)`` source vectors, most frequent words first.
        trg: ``(m, e)`` target vectors likewise.
        zipf: A word is drawn in proportion to its rank to this power, below the line.
        hidden: Units of the critic.
        clip: The largest magnitude of the critic's weights.
        rates: Of the generator and of the critic.
        batch: Words of each side per step.
        seed: Of the first weights and of the draws.
        device: PyTorch's.
    """

    def __init__(
        self,
        src: Doubles,
        trg: Doubles,
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

        # Drawn on the processor, so that every device is given the same numbers.
        self._random = torch.Generator().manual_seed(seed)
        self._device, self._clip, self._batch = device, clip, batch
        self._sides = [torch.from_numpy(side).float().to(device) for side in (src, trg)]
        self._chances = [_chances(len(side), zipf) for side in (src, trg)]
        dims, wide = src.shape[1], trg.shape[1]
        self._map = self._weights(rotation(dims, wide, self._random))
        self._critic = [
            self._weights(self._spread(wide, hidden)),
            self._weights(torch.zeros(hidden)),
            self._weights(self._spread(hidden)),
        ]
        self._learner = torch.optim.RMSprop([self._map], lr=rates[0])
        self._teacher = torch.optim.RMSprop(self._critic, lr=rates[1])

    @property
    def matrix(self) -> Doubles:
        """The map so far."""
        return self._map.detach().cpu().numpy().astype(np.float64)

    def step(self, lessons: int, orthogonality: float) -> None:
        """One step of the map, after so many of the critic.

        Args:
            lessons: Steps of the critic.
            orthogonality: How far the map then goes back to the orthogonal ones.
        """
        import torch

        for _ in range(lessons):
            with torch.no_grad():
                mapped = self._drawn(0) @ self._map
            self._teacher.zero_grad()
            (self._judge(mapped).mean() - self._judge(self._drawn(1)).mean()).backward()  # type: ignore[no-untyped-call]
            self._teacher.step()
            with torch.no_grad():
                for weights in self._critic:
                    weights.clamp_(-self._clip, self._clip)
        self._learner.zero_grad()
        (-self._judge(self._drawn(0) @ self._map).mean()).backward()  # type: ignore[no-untyped-call]
        self._learner.step()
        with torch.no_grad():
            self._map.copy_(orthogonalised(self._map, orthogonality))

    def _judge(self, vectors: Tensor) -> Tensor:
        """How much each vector looks like the target's."""
        inner, bias, outer = self._critic
        return (vectors @ inner + bias).relu() @ outer

    def _drawn(self, side: int) -> Tensor:
        """A batch of one side's vectors."""
        import torch

        chosen = torch.multinomial(
            self._chances[side], self._batch, replacement=True, generator=self._random
        )
        return self._sides[side][chosen.to(self._device)]

    def _spread(self, *shape: int) -> Tensor:
        """Weights between the clips."""
        import torch

        return (2 * torch.rand(*shape, generator=self._random) - 1) * self._clip

    def _weights(self, start: Tensor) -> Tensor:
        return start.contiguous().to(self._device).requires_grad_()


def _chances(count: int, zipf: float) -> Tensor:
    import torch

    return torch.arange(1, count + 1, dtype=torch.float64) ** -zipf
