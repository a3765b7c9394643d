"""Gradients by hand against autograd's, and Adam against PyTorch's."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from isolex.trainers.adversarial.adam import Adam
from isolex.trainers.adversarial.autoencoder import AutoEncoder
from isolex.trainers.adversarial.chance import COMMON, OFFSET, Batches, Noise, alone, generator
from isolex.trainers.adversarial.conneau2018 import Adversarial, Duel
from isolex.trainers.adversarial.game import Game, cosine_distance
from isolex.trainers.adversarial.nets import Discriminator, cross_entropy

SIZES = (5, 16, 12)
SLOPE = 0.2


def close(ours: Tensor, theirs: Tensor | None) -> None:
    assert theirs is not None
    torch.testing.assert_close(ours, theirs.detach(), rtol=1e-4, atol=1e-6)


def log_odds(net: Discriminator, rows: Tensor, noise: list[Tensor]) -> Tensor:
    """The plain forward pass, for autograd to follow."""
    factors = noise + [torch.ones(())] * (len(net.weights) - len(noise))
    for place, (weight, bias) in enumerate(zip(net.weights, net.biases, strict=True)):
        rows = nn.functional.leaky_relu(rows, net.slope) if place else rows
        rows = (rows * factors[place]) @ weight + bias
    return rows[:, 0]


@pytest.fixture(params=[0, 1, 3], ids=["no noise", "input noise", "noise everywhere"])
def case(request: pytest.FixtureRequest) -> tuple[Discriminator, Tensor, Tensor, list[Tensor]]:
    chance = generator("cpu", 3)
    net = Discriminator(SIZES, SLOPE, chance)
    rows = torch.empty(7, SIZES[0]).normal_(generator=chance)
    truth = torch.linspace(0, 1, 7)
    noise = Noise(0.8, 7 * sum(SIZES), chance).factors(7, SIZES)
    return net, rows, truth, noise[: request.param]


def test_the_gradients_of_the_discriminator_are_those_of_autograd(
    case: tuple[Discriminator, Tensor, Tensor, list[Tensor]],
) -> None:
    net, rows, truth, noise = case
    odds = net.log_odds(rows, noise)
    loss, slopes = cross_entropy(odds, truth)
    gradient = net.gradient(slopes)
    at_input = None if noise else net.at_input(slopes)

    rows.requires_grad_()
    leaves = [part.requires_grad_() for part in (*net.weights, *net.biases)]
    expected = nn.functional.binary_cross_entropy_with_logits(log_odds(net, rows, noise), truth)
    expected.backward()
    close(loss, expected)
    if at_input is not None:
        close(at_input, rows.grad)
    assert all(leaf.grad is not None for leaf in leaves)
    parts = [p.grad.flatten() for pair in zip(net.weights, net.biases, strict=True) for p in pair]
    close(gradient, torch.cat(parts))


def test_learning_is_a_step_against_the_gradient(
    case: tuple[Discriminator, Tensor, Tensor, list[Tensor]],
) -> None:
    net, rows, truth, noise = case
    _, slopes = cross_entropy(net.log_odds(rows, noise), truth)
    expected = net.parameters - 0.3 * net.gradient(slopes)
    net.learn(slopes, 0.3)
    close(net.parameters, expected)


def test_weights_start_within_one_over_the_root_of_the_inputs() -> None:
    net = Discriminator((100, 400), SLOPE, generator("cpu", 0))
    for rows, weight in zip((100, 400), net.weights, strict=True):
        assert 0.9 * rows**-0.5 < weight.abs().max() <= rows**-0.5


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_the_gradients_of_an_auto_encoder_are_those_of_autograd_without_noise(
    tied: bool, noise: float
) -> None:
    rules = AutoEncoder(tied, weight=2.5, hidden=9, slope=SLOPE, noise=noise, batch=8)
    x, z = np.random.default_rng(0).normal(size=(2, 30, 6)).astype(np.float32)
    game = Game(rules, x, z[:, :5], generator("cpu", 1))
    game.parameters += 0.1 * torch.randn(
        len(game.parameters), generator=torch.Generator().manual_seed(2)
    )
    words = torch.from_numpy(x[:8])
    loss, gradient = game.slope(words)

    game.parameters.requires_grad_()
    encoder = game.parameters[:30].view(6, 5)
    decoder = encoder.T if tied else game.parameters[30:].view(5, 6)
    odds = log_odds(game.discriminator, words @ encoder, [])
    cosines = nn.functional.cosine_similarity(words, words @ encoder @ decoder)
    expected = nn.functional.softplus(-odds).mean() + 2.5 * (1 - cosines.mean())
    expected.backward()
    close(loss, expected)
    close(gradient, game.parameters.grad)


def test_a_reconstruction_that_vanishes_has_a_gradient_still() -> None:
    loss, slopes = cosine_distance(torch.eye(3), torch.zeros(3, 3))
    assert loss == 1
    assert slopes.isfinite().all()


@pytest.mark.parametrize("trg_dims", [4, 6, 8])
def test_a_step_of_the_map_is_that_of_the_loss_of_both_languages(trg_dims: int) -> None:
    rules = Adversarial(batch=8, hidden=16, dropout=0.0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 6)).astype(np.float32)
    z = rng.normal(size=(30, trg_dims)).astype(np.float32)
    duel = Duel(rules, x, z, generator("cpu", 1))
    before = duel.map.clone().requires_grad_()
    duel.deceive(0.5)

    rows = torch.cat([duel.words @ before, torch.from_numpy(z[:8])])
    odds = log_odds(duel.discriminator, rows, [])
    nn.functional.binary_cross_entropy_with_logits(odds, 1 - duel.truth).backward()
    assert before.grad is not None
    stepped = before.detach() - 0.5 * before.grad
    close(duel.map, 1.001 * stepped - 0.001 * stepped @ stepped.T @ stepped)


def test_adam_steps_as_that_of_pytorch() -> None:
    ours, theirs = torch.ones(4), torch.ones(4, requires_grad=True)
    adam, peer = Adam(ours, 0.01, 0.8), torch.optim.Adam([theirs], 0.01, (0.8, 0.999))
    for step in range(5):
        gradient = torch.linspace(-1, 2, 4) * (step + 1)
        adam.step(gradient)
        theirs.grad = gradient.clone()
        peer.step()
        close(ours, theirs)


def test_noise_is_around_one_and_differs_from_step_to_step() -> None:
    noise = Noise(0.5, 300, generator("cpu", 0))
    drawn = [noise.factors(20, (5, 10)) for _ in range(100)]
    assert [part.shape for part in drawn[0]] == [(20, 5), (20, 10)]
    every = torch.stack([torch.cat(parts, dim=1) for parts in drawn])
    assert abs(every.mean() - 1) < 0.02
    assert abs(every.std() - 0.5) < 0.02
    assert not any(torch.equal(a, b) for a, b in pairwise(every))


@pytest.mark.parametrize(("wide", "precision"), [(False, "highest"), (True, "medium")])
def test_threads_products_and_gradients_are_as_before_after_a_training(
    wide: bool, precision: str
) -> None:
    before = torch.get_num_threads()
    with alone(wide=wide):
        assert torch.get_num_threads() == 1
        assert torch.get_float32_matmul_precision() == precision
        assert not torch.is_grad_enabled()
    assert torch.get_num_threads() == before
    assert torch.get_float32_matmul_precision() == "highest"
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("rows", [32, 64])
def test_wide_products_are_those_of_double_precision_but_for_rounding(rows: int) -> None:
    chance = generator("cpu", 5)
    inputs, weights = (torch.randn(shape, generator=chance) for shape in ((rows, 700), (700, 900)))
    with alone(wide=True):
        found = inputs @ weights
    expected = inputs.double() @ weights.double()
    # Where a processor is fast at bfloat16 factors keep eight bits; this is of the worst sum.
    assert (found - expected).abs().max() < 2**-6 * expected.std()


@pytest.mark.parametrize("by_frequency", [False, True])
def test_words_are_drawn_alike_or_the_frequent_ones_more_often(by_frequency: bool) -> None:
    ranks = np.arange(1, 201, dtype=np.float32)
    batches = Batches(ranks[:, None], 500, generator("cpu", 3), by_frequency=by_frequency)
    drawn = np.concatenate([batches.into(torch.empty(500, 1)).numpy() for _ in range(600)])
    found = np.bincount(drawn[:, 0].astype(int), minlength=201)[1:] / len(drawn)
    expected = np.ones(200)
    if by_frequency:
        text = (1 / (ranks + OFFSET)) / (1 / (ranks + OFFSET)).sum()
        expected = np.maximum(text, np.sqrt(text * COMMON) + COMMON)
        assert (expected > text).any()
        assert (expected == text).any()
    expected /= expected.sum()
    assert np.abs(found / expected - 1).max() < 5 / np.sqrt(len(drawn) * expected.min())
