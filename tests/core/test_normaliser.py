"""Fitted normalisation is applied to later vectors, and undone."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.normaliser import STEPS, unit
from isolex.errors import UsageError
from isolex.method.normalise import fit


@pytest.fixture
def vectors() -> np.ndarray:
    return np.random.default_rng(0).normal(1.0, 2.0, size=(200, 12)).astype(np.float32)


def test_unit_gives_length_one(vectors: np.ndarray) -> None:
    np.testing.assert_allclose(np.linalg.norm(unit(vectors), axis=1), 1, rtol=1e-6)


@pytest.mark.parametrize("size", [1e20, 1e-25])
def test_unit_survives_squares_that_overflow_or_vanish(size: float) -> None:
    result = unit(np.full((1, 4), size, dtype=np.float32))
    np.testing.assert_allclose(result, 0.5, rtol=1e-6)


@pytest.mark.parametrize("steps", [["unit", "center", "unit"], list(STEPS), list(STEPS)[::-1]])
def test_the_same_vectors_give_the_same_result_again(vectors: np.ndarray, steps: list[str]) -> None:
    normaliser, result = fit(steps, vectors)
    np.testing.assert_array_equal(normaliser.transform(vectors), result)


def test_later_vectors_are_centered_by_the_fitted_mean_not_their_own(vectors: np.ndarray) -> None:
    normaliser, _ = fit(["center"], vectors)
    later = vectors[:3] + 5
    np.testing.assert_allclose(
        normaliser.transform(later), later - vectors.mean(axis=0), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize(
    "steps", [[], ["unit"], ["center"], ["unitdim"], ["unit", "center"], ["unit", "center", "unit"]]
)
def test_normalisation_is_undone_except_for_the_length(
    vectors: np.ndarray, steps: list[str]
) -> None:
    vectors[3] = 0
    normaliser, result = fit(steps, vectors)
    expected = unit(vectors) if "unit" in steps else vectors
    np.testing.assert_allclose(normaliser.undo(result), expected, atol=1e-5)


def test_a_direction_is_enough_to_undo_unit_center_unit(vectors: np.ndarray) -> None:
    normaliser, result = fit(["unit", "center", "unit"], vectors)
    np.testing.assert_allclose(normaliser.undo(7 * result), unit(vectors), atol=1e-5)


@pytest.mark.parametrize("steps", [["centeremb"], ["center", "unit"]])
def test_steps_that_cannot_be_undone_are_refused(vectors: np.ndarray, steps: list[str]) -> None:
    normaliser, result = fit(steps, vectors)
    with pytest.raises(UsageError, match="cannot be"):
        normaliser.undo(result)
