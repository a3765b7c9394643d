"""Adam (Kingma and Ba, 2015) on one flat vector of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

EPSILON = 1e-8


class Adam:
    """The Adam optimiser.

    Args:
        parameters: Updated in place by every step.
        rate: Learning rate.
        mean_decay: Decay rate of the running mean of the gradient (``beta1`` in the paper).
        square_decay: Decay rate of the running mean of the squared gradient (``beta2``).
    """

    def __init__(
        self,
        parameters: Tensor,
        rate: float,
        mean_decay: float = 0.9,
        square_decay: float = 0.999,
    ) -> None:
        import torch

        self.parameters = parameters
        self.rate = rate
        self.mean_decay, self.square_decay = mean_decay, square_decay
        self.mean, self.square = torch.zeros_like(parameters), torch.zeros_like(parameters)
        self.root = torch.empty_like(parameters)
        self.steps = 0

    def step(self, gradient: Tensor) -> None:
        """Update the parameters, given the gradient of the loss."""
        import torch

        self.steps += 1
        self.mean.lerp_(gradient, 1 - self.mean_decay)
        self.square.mul_(self.square_decay).addcmul_(
            gradient, gradient, value=1 - self.square_decay
        )
        # Both bias corrections go into the rate, so that no corrected mean has to be stored.
        correction = (1 - self.square_decay**self.steps) ** 0.5
        torch.sqrt(self.square, out=self.root).add_(EPSILON * correction)
        rate = self.rate * correction / (1 - self.mean_decay**self.steps)
        self.parameters.addcdiv_(self.mean, self.root, value=-rate)
