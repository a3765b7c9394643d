"""Single steps of the Wasserstein GAN."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from isolex.trainers.transport.wasserstein_gan import WassersteinGan
from tests.trainers.helpers import planted_problem

pytestmark = pytest.mark.usefixtures("loaded_libraries")

CLIP = 0.01


def gan(
    seed: int = 0, zipf: float = 0.5, rates: tuple[float, float] = (0.02, 5e-4)
) -> WassersteinGan:
    problem = planted_problem(dims=8, target_dims=6)
    return WassersteinGan(
        problem.x.astype(np.float64),
        problem.z.astype(np.float64),
        zipf=zipf,
        hidden=20,
        clip=CLIP,
        rates=rates,
        batch=64,
        seed=seed,
        device="cpu",
    )


def test_the_initial_map_is_orthogonal_and_depends_on_the_seed() -> None:
    first, again, other = (gan(seed).matrix for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)
    np.testing.assert_allclose(first.T @ first, np.eye(6), atol=1e-6)


def test_the_weights_of_the_critic_stay_clipped() -> None:
    trained = gan(rates=(0.02, 1.0))
    trained.step(3, 0.1)
    largest = [float(weights.detach().abs().max()) for weights in trained._critic]
    np.testing.assert_allclose(largest, CLIP)


def test_the_critic_learns_to_score_targets_above_mapped_sources() -> None:
    trained = gan(rates=(0.02, 5e-3))

    def advantage() -> float:
        with torch.no_grad():
            targets, mapped = trained._targets, trained._sources @ trained._map
            return float(trained._criticise(targets).mean() - trained._criticise(mapped).mean())

    before = advantage()
    for _ in range(5):
        trained._step_critic()
    assert advantage() > before


def test_a_step_of_the_map_raises_its_score() -> None:
    trained = gan(rates=(1e-3, 5e-3), zipf=0.0)

    def score() -> float:
        with torch.no_grad():
            return float(trained._criticise(trained._sources @ trained._map).mean())

    for _ in range(5):
        trained._step_critic()
    before = score()
    trained.step(0, 0.0)
    assert score() > before


@pytest.mark.parametrize("zipf", [0.0, 1.0])
def test_words_are_sampled_by_their_rank(zipf: float) -> None:
    weights = gan(zipf=zipf)._source_weights.numpy()
    np.testing.assert_allclose(weights, np.arange(1, 121) ** -zipf)
