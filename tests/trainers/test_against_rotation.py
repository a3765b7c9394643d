"""Supervised training improves on the rotation it starts from, where no rotation is enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from isolex.core.embeddings import Vectors
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import rotation
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.kernels import reference
from isolex.trainers.max_margin import MaxMargin
from isolex.trainers.rcsls import RelaxedCsls


def share_right(problem: Problem, matrix: Vectors, gold: Lexicon, csls: bool) -> float:
    """Share of the gold pairs whose target has the highest cosine or CSLS score."""
    mapped = unit(problem.x @ matrix)
    penalty = reference.topk_mean(problem.z, mapped, 10) if csls else 0
    nearest = (2 * mapped @ problem.z.T - penalty).argmax(axis=1)
    return float((nearest[gold.sources] == gold.targets).mean())


@pytest.mark.parametrize(
    ("trainer", "csls"),
    [
        (MaxMargin(epochs=20, rate=0.1), False),
        (RelaxedCsls(neighbours=3, iterations=50, rate=5.0), True),
    ],
    ids=["max-margin", "rcsls"],
)
def test_training_improves_on_the_rotation_it_starts_from(
    stretched: Problem,
    training_lexicon: Lexicon,
    held_out_lexicon: Lexicon,
    trainer: Any,
    csls: bool,
) -> None:
    start = rotation(stretched.x, stretched.z, training_lexicon)
    source, target = trainer(stretched, training_lexicon)
    before, after = (
        share_right(stretched, matrix, held_out_lexicon, csls) for matrix in (start, source.matrix)
    )
    assert after > before
    np.testing.assert_array_equal(target.matrix, np.eye(15))
