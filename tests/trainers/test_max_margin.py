"""Max-margin ranking: the gradient is right, and the seed determines the map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.kernels.types import Doubles
from isolex.trainers.max_margin import MaxMargin


def test_the_seed_determines_the_map(stretched: Problem, training_lexicon: Lexicon) -> None:
    brief = MaxMargin(epochs=2)
    first, again, other = (
        brief(replace(stretched, seed=seed), training_lexicon)[0].matrix for seed in (7, 7, 8)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_gradient_agrees_with_finite_differences() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(30, 6)), unit(rng.normal(size=(20, 6)).astype(np.float32))
    targets: Doubles = y.astype(np.float64)
    own, similarity = rng.integers(20, size=30), targets @ targets.T
    excluded = [np.array([target, (target + 1) % 20]) for target in own]

    def loss(matrix: Doubles) -> float:
        mapped = x @ matrix
        mapped /= np.linalg.norm(mapped, axis=1, keepdims=True)
        cosines = mapped @ targets.T
        intrusion = cosines - similarity[own]
        for row, places in zip(intrusion, excluded, strict=True):
            row[places] = -np.inf
        wrong = cosines[np.arange(30), intrusion.argmax(axis=1)]
        return float(np.maximum(0, 0.5 + wrong - cosines[np.arange(30), own]).mean())

    matrix, direction = rng.normal(size=(6, 6)), rng.normal(size=(6, 6))
    expected = (loss(matrix + 1e-6 * direction) - loss(matrix - 1e-6 * direction)) / 2e-6
    gradient = MaxMargin(margin=0.5)._gradient(x, targets, own, excluded, matrix)
    assert (gradient * direction).sum() == pytest.approx(expected, rel=1e-4)
