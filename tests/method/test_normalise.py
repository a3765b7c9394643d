"""Normalisation steps, remembered for later vectors."""

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


def test_center_takes_the_mean_vector_off(vectors: np.ndarray) -> None:
    np.testing.assert_allclose(fit(["center"], vectors)[1].mean(axis=0), 0, atol=1e-6)


def test_unitdim_gives_each_dimension_length_one(vectors: np.ndarray) -> None:
    lengths = np.linalg.norm(fit(["unitdim"], vectors)[1], axis=0)
    np.testing.assert_allclose(lengths, 1, rtol=1e-6)


def test_centeremb_takes_each_vectors_own_mean_off(vectors: np.ndarray) -> None:
    np.testing.assert_allclose(fit(["centeremb"], vectors)[1].mean(axis=1), 0, atol=1e-6)


@pytest.mark.parametrize("steps", [["unit", "center", "unit"], list(STEPS), list(STEPS)[::-1]])
def test_the_same_vectors_go_the_same_way_again(vectors: np.ndarray, steps: list[str]) -> None:
    normaliser, result = fit(steps, vectors)
    np.testing.assert_array_equal(normaliser.transform(vectors), result)


def test_later_vectors_use_what_was_learnt_not_their_own_mean(vectors: np.ndarray) -> None:
    normaliser, _ = fit(["center"], vectors)
    later = vectors[:3] + 5
    np.testing.assert_allclose(
        normaliser.transform(later), later - vectors.mean(axis=0), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize("step", STEPS)
def test_a_zero_vector_stays_zero(vectors: np.ndarray, step: str) -> None:
    vectors[3] = 0
    result = fit([step], vectors)[1]
    assert not result[3].any()
    assert np.isfinite(result).all()


def test_an_unknown_step_is_refused(vectors: np.ndarray) -> None:
    with pytest.raises(UsageError, match="unknown normalisation 'units': choose from unit"):
        fit(["units"], vectors)


@pytest.mark.parametrize(
    "steps", [[], ["unit"], ["center"], ["unitdim"], ["unit", "center"], ["unit", "center", "unit"]]
)
def test_normalisation_is_undone_but_for_the_length(vectors: np.ndarray, steps: list[str]) -> None:
    vectors[3] = 0
    normaliser, result = fit(steps, vectors)
    expected = unit(vectors) if "unit" in steps else vectors
    np.testing.assert_allclose(normaliser.undo(result), expected, atol=1e-5)


def test_a_direction_is_enough_to_undo_unit_center_unit(vectors: np.ndarray) -> None:
    normaliser, result = fit(["unit", "center", "unit"], vectors)
    np.testing.assert_allclose(normaliser.undo(7 * result), unit(vectors), atol=1e-5)


@pytest.mark.parametrize("steps", [["centeremb"], ["center", "unit"]])
def test_what_cannot_be_undone_is_refused(vectors: np.ndarray, steps: list[str]) -> None:
    normaliser, result = fit(steps, vectors)
    with pytest.raises(UsageError, match="cannot be"):
        normaliser.undo(result)
