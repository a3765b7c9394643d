"""Normalisation steps, fitted to a vocabulary."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.normaliser import FITTED, STEPS
from isolex.errors import UsageError
from isolex.method.normalise import fit


@pytest.fixture
def vectors() -> np.ndarray:
    return np.random.default_rng(0).normal(1.0, 2.0, size=(200, 12)).astype(np.float32)


def test_center_subtracts_the_mean_vector(vectors: np.ndarray) -> None:
    np.testing.assert_allclose(fit(["center"], vectors)[1].mean(axis=0), 0, atol=1e-6)


def test_unitdim_gives_each_dimension_length_one(vectors: np.ndarray) -> None:
    lengths = np.linalg.norm(fit(["unitdim"], vectors)[1], axis=0)
    np.testing.assert_allclose(lengths, 1, rtol=1e-6)


def test_centeremb_subtracts_the_mean_of_each_vector(vectors: np.ndarray) -> None:
    np.testing.assert_allclose(fit(["centeremb"], vectors)[1].mean(axis=1), 0, atol=1e-6)


@pytest.mark.parametrize("step", STEPS)
def test_a_zero_vector_stays_zero(vectors: np.ndarray, step: str) -> None:
    vectors[3] = 0
    result = fit([step], vectors)[1]
    assert not result[3].any()
    assert np.isfinite(result).all()


@pytest.mark.parametrize("steps", [[], *([step] for step in STEPS), list(STEPS)], ids=str)
def test_the_given_vectors_are_not_changed(vectors: np.ndarray, steps: list[str]) -> None:
    before = vectors.copy()
    fit(steps, vectors)
    np.testing.assert_array_equal(vectors, before)


def test_only_some_steps_learn_a_vector(vectors: np.ndarray) -> None:
    normaliser, _ = fit(STEPS, vectors)
    sizes = {
        step: len(fitted) for step, fitted in zip(normaliser.steps, normaliser.fitted, strict=True)
    }
    assert sizes == {step: 12 if step in FITTED else 0 for step in STEPS}


def test_an_unknown_step_is_refused(vectors: np.ndarray) -> None:
    with pytest.raises(UsageError, match=r"'units'.* unit, center"):
        fit(["units"], vectors)
