"""The unsupervised criterion."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.kernels import linalg
from isolex.trainers.adversarial.criterion import WORST, mean_cosine
from tests.trainers.helpers import planted_problem, true_rows

pytestmark = pytest.mark.usefixtures("loaded_libraries")


def test_the_criterion_is_higher_for_the_true_map_than_for_the_identity() -> None:
    problem = planted_problem(words=300, dims=10)
    identity = mean_cosine(problem.x, problem.z, np.eye(10, dtype=np.float32))
    true = linalg.procrustes(linalg.cross_moment(problem.x, problem.z[true_rows(problem)]))
    assert mean_cosine(problem.x, problem.z, true) > identity + 0.05


def test_a_map_with_nan_has_the_worst_criterion() -> None:
    problem = planted_problem(dims=10)
    nan = np.full((10, 10), np.nan, np.float32)
    assert mean_cosine(problem.x, problem.z, nan) == WORST
