"""Flattening: how far, and what it does to the variances."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.normaliser import unit
from isolex.kernels import linalg
from isolex.kernels.types import Floats
from isolex.method.spectrum import Flatten, flattened, flattening, used


def steep(power: float, dims: int = 20, words: int = 3000, seed: int = 0) -> Floats:
    """Unit vectors; component i of a hidden basis has a scale of i to a negative power."""
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(rng.normal(size=(dims, dims)))
    scale = np.arange(1, dims + 1) ** -power
    return unit(((rng.normal(size=(words, dims)) * scale) @ basis).astype(np.float32))


def test_the_share_used_is_one_if_all_variances_are_equal_and_1_d_if_only_one_is_left() -> None:
    assert used(np.eye(20, dtype=np.float32)) == pytest.approx(1)
    assert used(np.outer(np.ones(5), np.eye(20)[3]).astype(np.float32)) == pytest.approx(1 / 20)


def test_flat_vectors_stay_as_they_are() -> None:
    vectors = steep(0.0)
    assert Flatten()(vectors) is None
    assert flattened(vectors, None) is vectors
    assert flattening(None, steep(2.0)) is None


@pytest.mark.parametrize("seed", range(3))
def test_steep_vectors_are_flattened_until_the_frequent_words_use_the_share(seed: int) -> None:
    vectors = steep(0.7, seed=seed)
    plan = Flatten(share=0.75, words=1000)
    assert used(vectors[:1000]) < 0.7
    flat = flattened(vectors, plan(vectors))
    assert used(flat[:1000]) == pytest.approx(0.75, abs=0.005)
    np.testing.assert_allclose(np.linalg.norm(flat, axis=1), 1, rtol=1e-5)


def test_the_power_has_an_upper_limit() -> None:
    vectors = steep(3.0)
    matrix = Flatten(share=0.9, most=0.2)(vectors)
    assert matrix is not None
    limit = linalg.power(linalg.cross_moment(vectors, vectors), -0.2)
    np.testing.assert_allclose(matrix, limit, rtol=1e-6, atol=1e-9)
    assert used(flattened(vectors, matrix)) < 0.9


def test_flattening_follows_a_rotation_of_the_vectors() -> None:
    vectors = steep(1.0)
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(20, 20)))
    turned = (vectors @ turn).astype(np.float32)
    plan = Flatten(share=0.8)
    np.testing.assert_allclose(
        flattened(turned, plan(turned)), flattened(vectors, plan(vectors)) @ turn, atol=1e-4
    )


def test_a_component_without_variance_stays_empty() -> None:
    vectors = steep(1.0)
    vectors[:, :] = unit(np.hstack([vectors[:, :15], np.zeros((3000, 5), dtype=np.float32)]))
    matrix = Flatten(share=0.99)(vectors)
    flat = flattened(vectors, matrix)
    assert np.isfinite(flat).all()
    assert not flat[:, 15:].any()
