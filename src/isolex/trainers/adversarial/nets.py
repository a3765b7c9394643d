"""The discriminator: a small network with its gradients written out by hand.

Autograd would compute more than is needed, and store it: where the discriminator learns, its input
needs no gradient, and where the map learns, the weights need none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import Tensor

Visit = Callable[[int, "Tensor", "Tensor"], None]


class Discriminator:
    """Layers of leaky rectifiers that end in one number, the log odds of a row.

    Args:
        sizes: Of the input and of each hidden layer.
        slope: Of the rectifiers below zero.
        chance: Draws the weights, evenly within one over the root of a layer's inputs.

    Attributes:
        parameters: Every weight and bias, in one vector.
        weights: ``(in, out)`` of each layer; parts of ``parameters``.
        biases: ``(out,)`` likewise.
    """

    def __init__(self, sizes: Sequence[int], slope: float, chance: torch.Generator) -> None:
        import torch

        shapes = [*pairwise(sizes), (sizes[-1], 1)]
        length = sum((rows + 1) * columns for rows, columns in shapes)
        self.slope = slope
        self.parameters = torch.empty(length, device=chance.device)
        self.weights, self.biases = _parts(self.parameters, shapes)
        for weight, bias in zip(self.weights, self.biases, strict=True):
            bound = 1 / sqrt(len(weight))
            weight.uniform_(-bound, bound, generator=chance)
            bias.uniform_(-bound, bound, generator=chance)
        self._shapes = shapes
        self._room: dict[int, list[Tensor]] = {}
        self._inputs: list[Tensor] = []
        self._outputs: list[Tensor] = []
        self._noise: Sequence[Tensor] = ()

    def log_odds(self, rows: Tensor, noise: Sequence[Tensor] = ()) -> Tensor:
        """The log odds ``(n,)`` of ``(n, d)`` rows; what the gradients need is kept.

        Args:
            rows: The input.
            noise: Factors of the input and of the hidden layers after it, as far as there are any.
        """
        import torch

        room = self._rooms(len(rows))
        self._noise, self._inputs, self._outputs = noise, [], []
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            if place:
                torch.nn.functional.leaky_relu_(rows, self.slope)
            self._outputs.append(rows)
            rows = rows * noise[place] if place < len(noise) else rows
            self._inputs.append(rows)
            rows = torch.addmm(bias, rows, weight, out=room[place])
        return rows[:, 0]

    def learn(self, slopes: Tensor, rate: float) -> None:
        """A step of plain descent, given the loss's ``(n,)`` slopes at the log odds."""

        def descend(place: int, inputs: Tensor, slopes: Tensor) -> None:
            self.weights[place].addmm_(inputs.T, slopes, alpha=-rate)
            self.biases[place].sub_(slopes.sum(0), alpha=rate)

        self._back(slopes, descend)

    def gradient(self, slopes: Tensor) -> Tensor:
        """The gradient at ``parameters``."""
        import torch

        result = torch.empty_like(self.parameters)
        weights, biases = _parts(result, self._shapes)

        def keep(place: int, inputs: Tensor, slopes: Tensor) -> None:
            torch.mm(inputs.T, slopes, out=weights[place])
            torch.sum(slopes, 0, out=biases[place])

        self._back(slopes, keep)
        return result

    def at_input(self, slopes: Tensor) -> Tensor:
        """The gradient ``(n, d)`` at the rows that came in, where there was no noise on them."""
        return self._back(slopes, lambda *_: None) @ self.weights[0].T

    def _back(self, slopes: Tensor, visit: Visit) -> Tensor:
        """Visit each layer with its input and slopes, last to first; returns the first's slopes."""
        import torch

        room = self._rooms(len(slopes))
        slopes = slopes[:, None]
        for place in reversed(range(len(self.weights))):
            above = slopes
            if place:
                # Before the visit, which may change the weights.
                slopes = torch.mm(above, self.weights[place].T, out=room[-place])
                if place < len(self._noise):
                    slopes *= self._noise[place]
                torch.ops.aten.leaky_relu_backward.grad_input(
                    slopes, self._outputs[place], self.slope, True, grad_input=slopes
                )
            visit(place, self._inputs[place], above)
        return above

    def _rooms(self, rows: int) -> list[Tensor]:
        """Outputs of the layers, first to last, then slopes of the hidden layers, last to first."""
        if rows not in self._room:
            widths = [columns for _, columns in self._shapes]
            widths += widths[-2::-1]
            self._room[rows] = [self.parameters.new_empty(rows, width) for width in widths]
        return self._room[rows]


def cross_entropy(log_odds: Tensor, truth: Tensor) -> tuple[Tensor, Tensor]:
    """The mean loss against ``(n,)`` labels in [0, 1], and its slopes at the log odds."""
    import torch

    losses = torch.nn.functional.softplus(log_odds) - truth * log_odds
    return losses.mean(), (log_odds.sigmoid() - truth) / len(truth)


def _parts(vector: Tensor, shapes: Sequence[tuple[int, int]]) -> tuple[list[Tensor], list[Tensor]]:
    """Weights and biases as parts of one vector."""
    import torch

    lengths = [length for rows, columns in shapes for length in (rows * columns, columns)]
    parts = torch.split(vector, lengths)
    weights = [part.view(shape) for part, shape in zip(parts[::2], shapes, strict=True)]
    return weights, list(parts[1::2])
