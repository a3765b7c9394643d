"""Plain versions of the networks, for autograd to differentiate."""

from __future__ import annotations

import numpy as np
from torch import Tensor, nn, ones

from isolex.trainers.adversarial.discriminator import Discriminator


def log_odds(net: Discriminator, rows: Tensor, noise: list[Tensor]) -> Tensor:
    """The forward pass of a discriminator."""
    factors = noise + [ones(())] * (len(net.weights) - len(noise))
    for layer, (weight, bias) in enumerate(zip(net.weights, net.biases, strict=True)):
        rows = nn.functional.leaky_relu(rows, net.slope) if layer else rows
        rows = (rows * factors[layer]) @ weight + bias
    return rows[:, 0]


def assert_close(found: Tensor, expected: Tensor | None) -> None:
    """Compare two tensors; `torch.testing` takes four seconds to import."""
    assert expected is not None
    np.testing.assert_allclose(
        found.detach().numpy(), expected.detach().numpy(), rtol=1e-4, atol=1e-6
    )
