"""The refinement after the Wasserstein GAN."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from isolex.kernels import linalg
from isolex.trainers.transport import EarthMover
from isolex.trainers.transport.coupling import exact_coupling
from tests.trainers.helpers import planted_problem, share_right, true_rows


def test_refinement_raises_the_criterion_and_recovers_the_planted_map_from_a_rough_one() -> None:
    problem = planted_problem(noise=0.0)
    x, z = problem.x.astype(np.float64), problem.z.astype(np.float64)
    true = linalg.procrustes(x.T @ z[true_rows(problem)]).astype(np.float64)
    disturbance = np.random.default_rng(0).normal(size=true.shape)
    rough = linalg.procrustes(true + 0.25 * disturbance).astype(np.float64)
    coupling, criterion = exact_coupling(x @ rough @ z.T)
    rounds = list(EarthMover().refine(x, z, rough, coupling))
    criteria = [criterion, *(reached for _, reached in rounds)]
    assert all(after > before for before, after in pairwise(criteria))
    np.testing.assert_allclose(rounds[-1][0], true, atol=1e-5)
    assert share_right(problem, rough) < 0.9
    assert share_right(problem, rounds[-1][0]) == 1
