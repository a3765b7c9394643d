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
def test_products_equal_the_reference(rows: int, left: int, right: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.integers(-5, 6, size=(rows, left)).astype(np.float32)
    b = rng.integers(-5, 6, size=(rows, right)).astype(np.float32)
    np.testing.assert_array_equal(linalg.cross_moment(a, b), reference.cross_moment(a, b))
    turn = rng.integers(-5, 6, size=(left, right)).astype(np.float32)
    np.testing.assert_array_equal(linalg.product(a, turn), reference.product(a, turn))


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_no_bit(threads: int) -> None:
    a = np.random.default_rng(0).normal(size=(9000, 60)).astype(np.float32)
    turn = a[:60]
    with use_threads(1):
        expected = linalg.product(a, turn), linalg.cross_moment(a, a)
    with use_threads(threads):
        np.testing.assert_array_equal(linalg.product(a, turn), expected[0])
        np.testing.assert_array_equal(linalg.cross_moment(a, a), expected[1])


def test_svd_has_stable_signs_and_gives_the_matrix_back() -> None:
    matrix = np.random.default_rng(1).normal(size=(7, 5))
    u, s, v = linalg.svd(matrix)
    np.testing.assert_allclose((u * s) @ v.T, matrix, atol=1e-12)
    assert (u[np.abs(u).argmax(axis=0), np.arange(5)] > 0).all()


def test_powers_invert_and_skip_directions_that_carry_nothing() -> None:
    x = np.random.default_rng(2).normal(size=(50, 4))
    gram = x.T @ x
    np.testing.assert_allclose(linalg.power(gram, 0.5) @ linalg.power(gram, 0.5), gram)
    np.testing.assert_allclose(
        linalg.power(gram, -0.5) @ linalg.power(gram, 0.5), np.eye(4), atol=1e-12
    )
    flat = np.diag([4.0, 1.0, 0.0])
    np.testing.assert_allclose(linalg.power(flat, -0.5), np.diag([0.5, 1.0, 0.0]))


def test_least_squares_equals_lstsq() -> None:
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(60, 5)), rng.normal(size=(60, 3))
    expected = np.linalg.lstsq(x, z, rcond=None)[0]
    np.testing.assert_allclose(linalg.least_squares(x.T @ x, x.T @ z), expected, atol=1e-10)


def test_principal_directions_are_those_of_the_svd() -> None:
    vectors = (np.random.default_rng(2).normal(size=(500, 8)) * np.arange(8, 0, -1)).astype("f4")
    found = linalg.principal(vectors, 3)
    expected = np.linalg.svd(vectors, full_matrices=False)[2][:3].T
    np.testing.assert_allclose(np.abs(found.T @ expected), np.eye(3), atol=1e-4)
    assert (found[np.abs(found).argmax(axis=0), np.arange(3)] > 0).all()
    assert linalg.principal(vectors, 20).shape == (8, 8)
