"""Gromov-Wasserstein against POT."""

from __future__ import annotations

import numpy as np
import ot
import pytest

from isolex.kernels.types import Doubles
from isolex.trainers.transport import GromovWasserstein
from isolex.trainers.transport.gromov_wasserstein import PointCloud, iterate_couplings


def cloud(words: int, dims: int, seed: int, zipf: float = 0.0) -> PointCloud:
    vectors = np.random.default_rng(seed).normal(size=(words, dims))
    return PointCloud.of(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), zipf)


def distance_matrix(points: PointCloud) -> Doubles:
    distances: Doubles = 1 - points.vectors @ points.vectors.T
    return distances / distances.mean()


@pytest.mark.parametrize("zipf", [0.0, 0.7])
def test_iterations_agree_with_pot(zipf: float) -> None:
    source, target = cloud(25, 4, 0, zipf), cloud(30, 5, 1, zipf)
    *_, (coupling, loss) = iterate_couplings(source, target, [0.05] * 11, tolerance=1e-10)
    expected, log = ot.gromov.entropic_gromov_wasserstein(
        distance_matrix(source),
        distance_matrix(target),
        source.masses,
        target.masses,
        "square_loss",
        epsilon=0.05,
        max_iter=11,
        tol=0,
        numItermax=10_000,
        log=True,
    )
    np.testing.assert_allclose(coupling, expected, atol=1e-6)
    assert loss == pytest.approx(float(log["gw_dist"]), rel=1e-5)


def test_products_with_the_distance_matrix_do_not_need_it() -> None:
    points = cloud(12, 5, 2, 0.5)
    matrix = np.random.default_rng(3).normal(size=(12, 3))
    expected = distance_matrix(points)
    np.testing.assert_allclose(points.distances_times(matrix), expected @ matrix)
    np.testing.assert_allclose(points.mean_squared_distances(), expected**2 @ points.masses)
    assert points.masses.sum() == pytest.approx(1)


def test_the_regularisation_cools_down_to_its_final_value() -> None:
    train = GromovWasserstein(first=0.1, cooling=0.5, regularisation=0.02, iterations=5)
    assert train.regularisations() == [0.1, 0.05, 0.025, 0.02, 0.02]
