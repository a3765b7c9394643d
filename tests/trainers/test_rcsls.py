"""RCSLS: the gradient is right, and the loss never rises."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import rotation
from isolex.core.problem import Problem
from isolex.trainers.rcsls import RelaxedCsls


def test_the_loss_never_rises(stretched: Problem, training_lexicon: Lexicon) -> None:
    x, y = stretched.x[training_lexicon.sources], stretched.z[training_lexicon.targets]
    losses = []
    for iterations in (1, 2, 5, 10):
        trainer = RelaxedCsls(neighbours=3, iterations=iterations, rate=50.0)
        matrix = trainer(stretched, training_lexicon)[0].matrix
        losses.append(trainer._loss_and_gradient(stretched, x, y, matrix)[0])
    assert losses == sorted(losses, reverse=True)


def test_the_gradient_agrees_with_finite_differences(
    stretched: Problem, training_lexicon: Lexicon
) -> None:
    x, y = stretched.x[training_lexicon.sources], stretched.z[training_lexicon.targets]
    matrix = rotation(stretched.x, stretched.z, training_lexicon)

    def loss(at: Vectors) -> float:
        return RelaxedCsls()._loss_and_gradient(stretched, x, y, at)[0]

    _, gradient = RelaxedCsls()._loss_and_gradient(stretched, x, y, matrix)
    direction = np.random.default_rng(0).normal(size=matrix.shape).astype(np.float32)
    step = np.float32(1e-3)
    difference = loss(matrix + step * direction) - loss(matrix - step * direction)
    assert difference / (2 * step) == pytest.approx(float((gradient * direction).sum()), rel=0.05)
