"""RCSLS: the gradient is right, and training improves on the rotation."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import rotation
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.kernels import reference
from isolex.trainers.rcsls import RelaxedCsls

TRAINER = RelaxedCsls(neighbours=3, iterations=50, rate=5.0)


def share_right(problem: Problem, matrix: Vectors, gold: Lexicon) -> float:
    """Share of the gold pairs whose target has the highest CSLS score."""
    mapped = unit(problem.x @ matrix)
    penalty = reference.topk_mean(problem.z, mapped, 10)
    nearest = (2 * mapped @ problem.z.T - penalty).argmax(axis=1)
    return float((nearest[gold.sources] == gold.targets).mean())


def test_training_improves_on_the_rotation_it_starts_from(
    stretched: Problem, training_lexicon: Lexicon, held_out_lexicon: Lexicon
) -> None:
    start = rotation(stretched.x, stretched.z, training_lexicon)
    source, target = TRAINER(stretched, training_lexicon)
    before, after = (
        share_right(stretched, matrix, held_out_lexicon) for matrix in (start, source.matrix)
    )
    assert after > before
    np.testing.assert_array_equal(target.matrix, np.eye(15))


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
