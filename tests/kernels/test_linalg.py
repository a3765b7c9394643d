"""Products, moments and decompositions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import linalg, reference
from isolex.kernels.parallel import use_threads


@given(st.integers(1, 300), st.integers(1, 9), st.integers(1, 9), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_products_equal_the_reference(
    rows: int, left_dims: int, right_dims: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    left = rng.integers(-5, 6, size=(rows, left_dims)).astype(np.float32)
    right = rng.integers(-5, 6, size=(rows, right_dims)).astype(np.float32)
    found, expected = linalg.cross_moment(left, right), reference.cross_moment(left, right)
    np.testing.assert_array_equal(found, expected)
    matrix = rng.integers(-5, 6, size=(left_dims, right_dims)).astype(np.float32)
    np.testing.assert_array_equal(linalg.product(left, matrix), reference.product(left, matrix))


@pytest.mark.parametrize("threads", [2, 5])
def test_the_number_of_threads_does_not_change_a_single_bit(threads: int) -> None:
    vectors = np.random.default_rng(0).normal(size=(9000, 60)).astype(np.float32)
    matrix = vectors[:60]
    with use_threads(1):
        expected = linalg.product(vectors, matrix), linalg.cross_moment(vectors, vectors)
    with use_threads(threads):
        np.testing.assert_array_equal(linalg.product(vectors, matrix), expected[0])
        np.testing.assert_array_equal(linalg.cross_moment(vectors, vectors), expected[1])


def test_svd_reproduces_the_matrix_with_fixed_signs() -> None:
    matrix = np.random.default_rng(1).normal(size=(7, 5))
    u, s, v = linalg.svd(matrix)
    np.testing.assert_allclose((u * s) @ v.T, matrix, atol=1e-12)
    assert (u[np.abs(u).argmax(axis=0), np.arange(5)] > 0).all()


def test_power_inverts_the_range_and_keeps_the_null_space_at_zero() -> None:
    x = np.random.default_rng(2).normal(size=(50, 4))
    gram = x.T @ x
    np.testing.assert_allclose(linalg.power(gram, 0.5) @ linalg.power(gram, 0.5), gram)
    np.testing.assert_allclose(
        linalg.power(gram, -0.5) @ linalg.power(gram, 0.5), np.eye(4), atol=1e-12
    )
    singular = np.diag([4.0, 1.0, 0.0])
    np.testing.assert_allclose(linalg.power(singular, -0.5), np.diag([0.5, 1.0, 0.0]))


def test_least_squares_equals_numpy_lstsq() -> None:
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(60, 5)), rng.normal(size=(60, 3))
    expected = np.linalg.lstsq(x, z, rcond=None)[0]
    np.testing.assert_allclose(linalg.least_squares(x.T @ x, x.T @ z), expected, atol=1e-10)


def test_principal_directions_equal_the_svd_with_fixed_signs() -> None:
    vectors = (np.random.default_rng(2).normal(size=(500, 8)) * np.arange(8, 0, -1)).astype("f4")
    found = linalg.principal(vectors, 3)
    expected = np.linalg.svd(vectors, full_matrices=False)[2][:3].T
    np.testing.assert_allclose(np.abs(found.T @ expected), np.eye(3), atol=1e-4)
    assert (found[np.abs(found).argmax(axis=0), np.arange(3)] > 0).all()
    assert linalg.principal(vectors, 20).shape == (8, 8)
