"""The hand-written gradients of the discriminator against autograd."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from isolex.trainers.adversarial.discriminator import Discriminator, cross_entropy
from isolex.trainers.adversarial.sampling import Noise, seeded_generator
from tests.trainers.adversarial.autograd import assert_close, log_odds

SIZES = (5, 16, 12)
SLOPE = 0.2


class Case(NamedTuple):
    net: Discriminator
    rows: Tensor
    labels: Tensor
    noise: list[Tensor]


@pytest.fixture(params=[0, 1, 3], ids=["no noise", "input noise", "noise everywhere"])
def case(request: pytest.FixtureRequest) -> Case:
    generator = seeded_generator("cpu", 3)
    net = Discriminator(SIZES, SLOPE, generator)
    rows = torch.empty(7, SIZES[0]).normal_(generator=generator)
    noise = Noise(0.8, 7 * sum(SIZES), generator).factors(7, SIZES)
    return Case(net, rows, torch.linspace(0, 1, 7), noise[: request.param])


def test_gradients_agree_with_autograd(case: Case) -> None:
    net, rows, labels, noise = case
    loss, slopes = cross_entropy(net.log_odds(rows, noise), labels)
    gradient = net.gradient(slopes)
    input_gradient = None if noise else net.input_gradient(slopes)

    rows.requires_grad_()
    for part in (*net.weights, *net.biases):
        part.requires_grad_()
    expected = nn.functional.binary_cross_entropy_with_logits(log_odds(net, rows, noise), labels)
    expected.backward()
    assert_close(loss, expected)
    if input_gradient is not None:
        assert_close(input_gradient, rows.grad)
    layers = zip(net.weights, net.biases, strict=True)
    parts = [part.grad.flatten() for layer in layers for part in layer if part.grad is not None]
    assert_close(gradient, torch.cat(parts))


def test_descent_is_a_step_against_the_gradient(case: Case) -> None:
    net, rows, labels, noise = case
    _, slopes = cross_entropy(net.log_odds(rows, noise), labels)
    expected = net.parameters - 0.3 * net.gradient(slopes)
    net.descend(slopes, 0.3)
    assert_close(net.parameters, expected)


def test_weights_start_within_one_over_the_root_of_the_inputs() -> None:
    net = Discriminator((100, 400), SLOPE, seeded_generator("cpu", 0))
    for inputs, weight in zip((100, 400), net.weights, strict=True):
        assert 0.9 * inputs**-0.5 < weight.abs().max() <= inputs**-0.5
