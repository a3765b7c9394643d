"""Linear maps: transformation, inverse, and the rotation that a lexicon determines."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap, rotation
from isolex.core.normaliser import unit
from isolex.errors import UsageError


def random_rotation(dims: int, seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).normal(size=(dims, dims))
    return np.linalg.qr(values)[0].astype(np.float32)


@pytest.fixture
def vectors() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(700, 8)).astype(np.float32)


@pytest.fixture
def matrix() -> np.ndarray:
    return np.random.default_rng(1).normal(size=(8, 8)).astype(np.float32)


def test_a_rotation_is_recovered_from_pairs(vectors: np.ndarray) -> None:
    turn, every = random_rotation(8), np.arange(700, dtype=np.int32)
    found = rotation(vectors, vectors @ turn, Lexicon(every, every))
    np.testing.assert_allclose(found, turn, atol=1e-4)


def test_the_identity_changes_nothing(vectors: np.ndarray) -> None:
    np.testing.assert_array_equal(LinearMap.identity(8).transform(vectors), vectors)


def test_vectors_are_multiplied_by_the_matrix(vectors: np.ndarray, matrix: np.ndarray) -> None:
    expected = vectors @ matrix
    linear = LinearMap(matrix)
    np.testing.assert_allclose(linear.transform(vectors), expected, atol=1e-4)
    np.testing.assert_allclose(linear.transform_to_unit(vectors), unit(expected), atol=1e-6)


def test_a_map_after_a_matrix_multiplies_by_both(vectors: np.ndarray, matrix: np.ndarray) -> None:
    first = np.random.default_rng(2).normal(size=(8, 8))
    found = LinearMap(matrix).after(first).transform(vectors)
    np.testing.assert_allclose(found, vectors @ (first @ matrix), atol=1e-4)
    assert LinearMap(matrix).after(None).matrix is matrix


def test_mapping_in_place_gives_the_same_bits(vectors: np.ndarray, matrix: np.ndarray) -> None:
    expected = LinearMap(matrix).transform_to_unit(vectors)
    found = LinearMap(matrix).transform_to_unit(vectors, overwrite=True)
    assert found is vectors
    np.testing.assert_array_equal(found, expected)


def test_vectors_are_overwritten_only_on_request(vectors: np.ndarray, matrix: np.ndarray) -> None:
    before = vectors.copy()
    LinearMap(matrix).transform_to_unit(vectors)
    np.testing.assert_array_equal(vectors, before)


def test_read_only_vectors_and_other_dimensions_are_not_overwritten(
    vectors: np.ndarray, matrix: np.ndarray
) -> None:
    before = vectors.copy()
    narrow = LinearMap(matrix[:, :5]).transform_to_unit(vectors, overwrite=True)
    assert narrow.shape == (700, 5)
    vectors.flags.writeable = False
    LinearMap(matrix).transform_to_unit(vectors, overwrite=True)
    np.testing.assert_array_equal(vectors, before)


def test_an_invertible_map_is_inverted(vectors: np.ndarray, matrix: np.ndarray) -> None:
    linear = LinearMap(matrix)
    assert linear.is_invertible
    back = linear.inverse().transform(linear.transform(vectors))
    np.testing.assert_allclose(back, vectors, atol=1e-3)


def test_a_map_that_loses_dimensions_is_not_inverted(matrix: np.ndarray) -> None:
    with pytest.raises(UsageError, match="8 to 5"):
        LinearMap(matrix[:, :5]).inverse()
    singular = LinearMap(np.ones((3, 3), dtype=np.float32))
    assert not singular.is_invertible
    with pytest.raises(UsageError, match="cannot be inverted"):
        singular.inverse()


def test_rotations_are_orthonormal_with_or_without_all_dimensions(matrix: np.ndarray) -> None:
    turn = random_rotation(8)
    assert LinearMap(turn).is_orthonormal
    assert LinearMap(turn[:, :5]).is_orthonormal
    assert not LinearMap(turn[:5]).is_orthonormal
    assert not LinearMap(matrix).is_orthonormal
