"""The discriminator: a small network with hand-written gradients.

Autograd would compute and store more than necessary. The input needs no gradient while the
discriminator learns, and the weights need none while the map learns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import Tensor

VisitLayer = Callable[[int, "Tensor", "Tensor"], None]
"""Receives the index of a layer, its input and the gradient at its output."""


class Discriminator:
    """A feed-forward network with leaky rectifiers and one output: the log odds of a row.

    Args:
        sizes: Width of the input and of each hidden layer.
        slope: Slope of the rectifiers below zero.
        generator: Draws the weights uniformly from ``[-b, b]``, where ``b`` is one over the square
            root of the number of inputs of the layer.

    Attributes:
        parameters: All weights and biases in one vector.
        weights: ``(inputs, outputs)`` matrix of each layer, a view of ``parameters``.
        biases: ``(outputs,)`` vector of each layer, a view of ``parameters``.
    """

    def __init__(self, sizes: Sequence[int], slope: float, generator: torch.Generator) -> None:
        import torch

        shapes = [*pairwise(sizes), (sizes[-1], 1)]
        length = sum((inputs + 1) * outputs for inputs, outputs in shapes)
        self.slope = slope
        self.parameters = torch.empty(length, device=generator.device)
        self.weights, self.biases = _views(self.parameters, shapes)
        for weight, bias in zip(self.weights, self.biases, strict=True):
            bound = 1 / sqrt(len(weight))
            weight.uniform_(-bound, bound, generator=generator)
            bias.uniform_(-bound, bound, generator=generator)
        self._shapes = shapes
        self._buffers: dict[int, list[Tensor]] = {}
        self._inputs: list[Tensor] = []
        self._activations: list[Tensor] = []
        self._noise: Sequence[Tensor] = ()

    def log_odds(self, rows: Tensor, noise: Sequence[Tensor] = ()) -> Tensor:
        """Return the log odds ``(n,)`` of ``(n, d)`` rows; keep what the gradients need.

        Args:
            rows: The input.
            noise: Factors for the input and for the hidden layers, in this order; layers beyond
                the last one given get no noise.
        """
        import torch

        buffers = self._buffers_for(len(rows))
        self._noise, self._inputs, self._activations = noise, [], []
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if layer:
                torch.nn.functional.leaky_relu_(rows, self.slope)
            self._activations.append(rows)
            rows = rows * noise[layer] if layer < len(noise) else rows
            self._inputs.append(rows)
            rows = torch.addmm(bias, rows, weight, out=buffers[layer])
        return rows[:, 0]

    def descend(self, slopes: Tensor, rate: float) -> None:
        """Take a step of gradient descent.

        Args:
            slopes: ``(n,)`` gradient of the loss at the log odds of the last call.
            rate: Learning rate.
        """

        def update(layer: int, inputs: Tensor, slopes: Tensor) -> None:
            self.weights[layer].addmm_(inputs.T, slopes, alpha=-rate)
            self.biases[layer].sub_(slopes.sum(0), alpha=rate)

        self._backpropagate(slopes, update)

    def gradient(self, slopes: Tensor) -> Tensor:
        """Return the gradient at ``parameters``, given that at the log odds ``(n,)``."""
        import torch

        result = torch.empty_like(self.parameters)
        weights, biases = _views(result, self._shapes)

        def store(layer: int, inputs: Tensor, slopes: Tensor) -> None:
            torch.mm(inputs.T, slopes, out=weights[layer])
            torch.sum(slopes, 0, out=biases[layer])

        self._backpropagate(slopes, store)
        return result

    def input_gradient(self, slopes: Tensor) -> Tensor:
        """Return the gradient ``(n, d)`` at the input rows; they must have had no noise."""
        return self._backpropagate(slopes, lambda *_: None) @ self.weights[0].T

    def _backpropagate(self, slopes: Tensor, visit: VisitLayer) -> Tensor:
        """Visit the layers from last to first; return the gradient at the first one's output."""
        import torch

        buffers = self._buffers_for(len(slopes))
        slopes = slopes[:, None]
        for layer in reversed(range(len(self.weights))):
            above = slopes
            if layer:
                # Before the visit, which may change the weights.
                slopes = torch.mm(above, self.weights[layer].T, out=buffers[-layer])
                if layer < len(self._noise):
                    slopes *= self._noise[layer]
                torch.ops.aten.leaky_relu_backward.grad_input(
                    slopes, self._activations[layer], self.slope, True, grad_input=slopes
                )
            visit(layer, self._inputs[layer], above)
        return above

    def _buffers_for(self, rows: int) -> list[Tensor]:
        """Outputs of all layers, first to last, then gradients of hidden layers, last to first."""
        if rows not in self._buffers:
            widths = [outputs for _, outputs in self._shapes]
            widths += widths[-2::-1]
            self._buffers[rows] = [self.parameters.new_empty(rows, width) for width in widths]
        return self._buffers[rows]


def cross_entropy(log_odds: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Mean loss against ``(n,)`` labels in [0, 1], and its gradient at the log odds."""
    import torch

    losses = torch.nn.functional.softplus(log_odds) - labels * log_odds
    return losses.mean(), (log_odds.sigmoid() - labels) / len(labels)


def _views(vector: Tensor, shapes: Sequence[tuple[int, int]]) -> tuple[list[Tensor], list[Tensor]]:
    """Weights and biases of all layers as views of one vector."""
    import torch

    lengths = [length for inputs, outputs in shapes for length in (inputs * outputs, outputs)]
    parts = torch.split(vector, lengths)
    weights = [part.view(shape) for part, shape in zip(parts[::2], shapes, strict=True)]
    return weights, list(parts[1::2])
