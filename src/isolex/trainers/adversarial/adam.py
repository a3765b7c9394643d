"""Adam (Kingma and Ba, 2015) on one vector of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

EPSILON = 1e-8


class Adam:
    """Steps whose length does not depend on the gradient's.

    Args:
        parameters: Changed by every step.
        rate: The length of a step, about.
        momentum: The share of the former mean gradient that is kept.
        memory: The share of the former mean squared gradient that is kept.
    """

    def __init__(
        self, parameters: Tensor, rate: float, momentum: float = 0.9, memory: float = 0.999
    ) -> None:
        import torch

        self.parameters = parameters
        self.rate = rate
        self.momentum, self.memory = momentum, memory
        self.mean, self.square = torch.zeros_like(parameters), torch.zeros_like(parameters)
        self.root = torch.empty_like(parameters)
        self.taken = 0

    def step(self, gradient: Tensor) -> None:
        """Go against the gradient."""
        import torch

        self.taken += 1
        self.mean.lerp_(gradient, 1 - self.momentum)
        self.square.mul_(self.memory).addcmul_(gradient, gradient, value=1 - self.memory)
        bias = (1 - self.memory**self.taken) ** 0.5
        torch.sqrt(self.square, out=self.root).add_(EPSILON * bias)
        rate = self.rate * bias / (1 - self.momentum**self.taken)
        self.parameters.addcdiv_(self.mean, self.root, value=-rate)
