"""The gradients of an adversarial auto-encoder against autograd."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from isolex.trainers.adversarial.autoencoder import AutoEncoder
from isolex.trainers.adversarial.autoencoder_game import AutoEncoderGame, cosine_distance
from isolex.trainers.adversarial.sampling import reproducible, seeded_generator
from tests.trainers.adversarial.autograd import assert_close, log_odds
from tests.trainers.helpers import planted_problem


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_loss_and_gradient_agree_with_autograd_without_noise(tied: bool, noise: float) -> None:
    settings = AutoEncoder(tied, weight=2.5, hidden=9, slope=0.2, noise=noise, batch=8)
    x, z = np.random.default_rng(0).normal(size=(2, 30, 6)).astype(np.float32)
    game = AutoEncoderGame(settings, x, z[:, :5], seeded_generator("cpu", 1))
    game.parameters += 0.1 * torch.randn(
        len(game.parameters), generator=torch.Generator().manual_seed(2)
    )
    sources = torch.from_numpy(x[:8])
    loss, gradient = game.loss_and_gradient(sources)

    game.parameters.requires_grad_()
    encoder = game.parameters[:30].view(6, 5)
    decoder = encoder.T if tied else game.parameters[30:].view(5, 6)
    odds = log_odds(game.discriminator, sources @ encoder, [])
    cosines = nn.functional.cosine_similarity(sources, sources @ encoder @ decoder)
    expected = nn.functional.softplus(-odds).mean() + 2.5 * (1 - cosines.mean())
    expected.backward()
    assert_close(loss, expected)
    assert_close(gradient, game.parameters.grad)


def test_the_gradient_at_a_zero_reconstruction_is_finite() -> None:
    loss, gradient = cosine_distance(torch.eye(3), torch.zeros(3, 3))
    assert loss == 1
    assert gradient.isfinite().all()


def test_training_makes_the_decoder_invert_the_encoder() -> None:
    problem = planted_problem(words=300, dims=10, normalisation=("unit",))
    settings = AutoEncoder(
        tied=False, weight=10.0, hidden=16, slope=0.2, noise=0.0, batch=64, rate=0.01
    )
    game = AutoEncoderGame(settings, problem.x, problem.z, seeded_generator("cpu", 0))
    game.parameters += 0.3 * torch.randn(200, generator=torch.Generator().manual_seed(0))
    sources = torch.from_numpy(problem.x)

    def distance() -> float:
        return float(cosine_distance(sources, sources @ game.encoder @ game.decoder)[0])

    before = distance()
    with reproducible():
        for _ in range(100):
            game.step()
    assert distance() < before / 5
