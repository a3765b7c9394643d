"""Single steps of Wasserstein-Procrustes."""

from __future__ import annotations

import numpy as np

from isolex.kernels import linalg
from isolex.kernels.types import Doubles
from isolex.trainers.transport import WassersteinProcrustes
from tests.trainers.helpers import BRIEF, planted_problem, run, true_rows


def planted_map(noise: float) -> tuple[Doubles, Doubles, Doubles]:
    """Source vectors, target vectors and the orthogonal map of the true pairs."""
    problem = planted_problem(noise=noise)
    x, z = problem.x.astype(np.float64), problem.z.astype(np.float64)
    return x, z, linalg.procrustes(x.T @ z[true_rows(problem)]).astype(np.float64)


def test_steps_lead_from_a_rough_map_to_the_planted_one() -> None:
    x, z, true = planted_map(noise=0.0)
    disturbance = np.random.default_rng(0).normal(size=true.shape)
    matrix = linalg.procrustes(true + 0.25 * disturbance).astype(np.float64)
    train = WassersteinProcrustes(regularisation=0.01)
    distances = [np.linalg.norm(matrix - true)]
    for _ in range(5):
        matrix = train.step(x, z, matrix)
        distances.append(np.linalg.norm(matrix - true))
    assert distances == sorted(distances, reverse=True)
    assert distances[-1] < 0.2 * distances[0]


def test_the_map_with_the_best_criterion_is_returned() -> None:
    problem = planted_problem()
    trained = run(BRIEF["wasserstein-procrustes"], problem)
    x, z = problem.x.astype(np.float64), problem.z.astype(np.float64)
    criterion = BRIEF["wasserstein-procrustes"]._criterion(x, z, trained.source.matrix)
    best = max(epoch.criterion for epoch in trained.epochs)
    np.testing.assert_allclose(criterion, best, rtol=1e-5)
