"""The adversarial training of Conneau et al. (2018)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from isolex.core.embeddings import Embeddings
from isolex.trainers.adversarial import Adversarial, conneau2018
from isolex.trainers.adversarial.conneau2018 import AdversarialGame
from isolex.trainers.adversarial.sampling import seeded_generator
from tests.trainers.adversarial.autograd import assert_close, log_odds
from tests.trainers.helpers import planted_problem, run

pytestmark = pytest.mark.usefixtures("loaded_libraries")

BRIEF = Adversarial(epochs=2, samples=640, hidden=32)


@pytest.mark.parametrize("target_dims", [4, 6, 8])
def test_a_step_of_the_map_follows_the_gradient_of_the_loss_over_both_languages(
    target_dims: int,
) -> None:
    settings = Adversarial(batch=8, hidden=16, dropout=0.0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(30, 6)).astype(np.float32)
    z = rng.normal(size=(30, target_dims)).astype(np.float32)
    game = AdversarialGame(settings, x, z, seeded_generator("cpu", 1))
    before = game.map.clone().requires_grad_()
    game.step_map(0.5)

    rows = torch.cat([game.sources @ before, torch.from_numpy(z[:8])])
    odds = log_odds(game.discriminator, rows, [])
    nn.functional.binary_cross_entropy_with_logits(odds, 1 - game.labels).backward()
    assert before.grad is not None
    stepped = before.detach() - 0.5 * before.grad
    assert_close(game.map, 1.001 * stepped - 0.001 * stepped @ stepped.T @ stepped)


def test_a_step_of_the_discriminator_follows_the_gradient_of_its_loss() -> None:
    settings = Adversarial(batch=8, hidden=16, dropout=0.0)
    x, z = np.random.default_rng(0).normal(size=(2, 30, 6)).astype(np.float32)
    game = AdversarialGame(settings, x, z, seeded_generator("cpu", 1))
    before = game.discriminator.parameters.clone()
    game.step_discriminator(0.5)
    after = game.discriminator.parameters.clone()

    game.discriminator.parameters.copy_(before)
    parts = [*game.discriminator.weights, *game.discriminator.biases]
    for part in parts:
        part.requires_grad_()
    odds = log_odds(game.discriminator, game.rows, [])
    nn.functional.binary_cross_entropy_with_logits(odds, game.labels).backward()
    with torch.no_grad():
        for part in parts:
            assert part.grad is not None
            part -= 0.5 * part.grad
    assert_close(game.discriminator.parameters, after)


def test_the_map_with_the_highest_criterion_is_returned() -> None:
    problem = planted_problem(words=300, dims=10)
    train = Adversarial(epochs=4, samples=640, hidden=32, rate=2.0, decay=1.0)
    result = run(train, problem)
    best = max(result.epochs, key=lambda epoch: epoch.criterion)
    until_best = run(replace(train, epochs=best.number), problem)
    np.testing.assert_array_equal(until_best.source.matrix, result.source.matrix)


def test_training_uses_the_original_vectors_and_not_the_normalised_ones() -> None:
    problem = planted_problem()
    normalised = replace(problem, x=3 * problem.x, z=3 * problem.z)
    original = replace(problem, source=Embeddings(problem.source.words, 3 * problem.source.vectors))
    first, same, other = (run(BRIEF, p).source.matrix for p in (problem, normalised, original))
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(("falls", "rates"), [(1, [1, 1, 0.5, 0.5, 0.25]), (2, [1, 1, 1, 1, 0.5])])
def test_the_rate_is_halved_once_the_criterion_has_fallen_often_enough(
    falls: int, rates: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    criteria = iter([0.5, 0.4, 0.6, 0.5, 0.7])
    seen = []
    monkeypatch.setattr(conneau2018, "mean_cosine", lambda *_: next(criteria))
    monkeypatch.setattr(AdversarialGame, "step", lambda _, *rates: seen.append(rates[0]))
    train = Adversarial(epochs=5, samples=1, rate=1.0, decay=1.0, hidden=4, falls=falls)
    run(train, planted_problem())
    assert seen == rates
