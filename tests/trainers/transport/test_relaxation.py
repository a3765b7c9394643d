"""The convex relaxation."""

from __future__ import annotations

import numpy as np

from isolex.kernels.types import Doubles
from isolex.trainers.transport.relaxation import relaxed_matching
from tests.trainers.helpers import planted_problem


def loss(x: Doubles, z: Doubles, matching: Doubles) -> float:
    source, target = x @ x.T, z @ z.T
    target *= np.linalg.norm(source) / np.linalg.norm(target)
    return float(np.linalg.norm(source @ matching - matching @ target))


def test_iterations_lower_the_loss_and_keep_the_masses() -> None:
    problem = planted_problem(words=80, dims=6)
    x, z = problem.x.astype(np.float64), problem.z.astype(np.float64)
    losses = []
    for iterations in (0, 1, 2, 5, 10, 20):
        matching = relaxed_matching(x, z, iterations, blur=0.05)
        np.testing.assert_allclose(matching.sum(axis=1), 1 / 80, rtol=1e-6)
        np.testing.assert_allclose(matching.sum(axis=0), 1 / 80, rtol=0.1)
        losses.append(loss(x, z, matching))
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.8 * losses[0]
