"""The loop of Gromov-Wasserstein against POT's own."""

from __future__ import annotations

import numpy as np
import ot
import pytest

from isolex.kernels.types import Doubles
from isolex.trainers.transport import GromovWasserstein
from isolex.trainers.transport.gromov_wasserstein import Cloud, couplings


def cloud(words: int, dims: int, seed: int, zipf: float = 0.0) -> Cloud:
    vectors = np.random.default_rng(seed).normal(size=(words, dims))
    return Cloud.of(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), zipf)


def distances(some: Cloud) -> Doubles:
    plain: Doubles = 1 - some.vectors @ some.vectors.T
    return plain / plain.mean()


@pytest.mark.parametrize("zipf", [0.0, 0.7])
def test_it_takes_the_steps_of_pot(zipf: float) -> None:
    src, trg = cloud(25, 4, 0, zipf), cloud(30, 5, 1, zipf)
    *_, (coupling, loss) = couplings(src, trg, [0.05] * 11, tolerance=1e-10)
    theirs, log = ot.gromov.entropic_gromov_wasserstein(
        distances(src),
        distances(trg),
        src.masses,
        trg.masses,
        "square_loss",
        epsilon=0.05,
        max_iter=11,
        tol=0,
        numItermax=10_000,
        log=True,
    )
    np.testing.assert_allclose(coupling, theirs, atol=1e-6)
    assert loss == pytest.approx(float(log["gw_dist"]), rel=1e-5)


def test_products_with_distances_need_no_distances() -> None:
    some = cloud(12, 5, 2, 0.5)
    rows = np.random.default_rng(3).normal(size=(12, 3))
    np.testing.assert_allclose(some.distances(rows), distances(some) @ rows)
    np.testing.assert_allclose(some.squared(), distances(some) ** 2 @ some.masses)
    assert some.masses.sum() == pytest.approx(1)


def test_the_regularisation_falls_to_its_end_and_stays() -> None:
    worths = GromovWasserstein(first=0.1, cooling=0.5, regularisation=0.02, iterations=5).worths()
    assert worths == [0.1, 0.05, 0.025, 0.02, 0.02]
