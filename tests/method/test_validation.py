"""Validation measures accuracy on given pairs."""

from __future__ import annotations

import numpy as np
import pytest

from isolex import Embeddings
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.method.maps import IterationMaps
from isolex.method.validation import Validation
from isolex.method.view import View


@pytest.fixture
def problem() -> Problem:
    vectors = np.eye(4, dtype=np.float32)
    source, target = Embeddings(list("abcd"), vectors), Embeddings(list("ABCD"), vectors)
    return Problem(source, target, vectors, vectors)


@pytest.mark.parametrize(
    ("pairs", "accuracy"),
    [
        ([("a", "A"), ("b", "B")], 100.0),
        ([("a", "A"), ("b", "C")], 50.0),
        ([("a", "B"), ("a", "A"), ("b", "C"), ("c", "D")], 100 / 3),
        ([("a", "A"), ("x", "A"), ("b", "Y")], 100.0),
    ],
    ids=["all", "half", "any translation counts", "unknown words do not count"],
)
def test_a_word_is_right_if_its_nearest_target_is_a_gold_translation(
    problem: Problem, pairs: list[tuple[str, str]], accuracy: float
) -> None:
    maps = IterationMaps(np.eye(4, dtype=np.float32))
    found = Validation(problem, pairs).accuracy(View(problem.x, problem.z), maps)
    assert found == pytest.approx(accuracy)


def test_the_maps_of_the_iteration_are_used(problem: Problem) -> None:
    shifted = np.roll(np.eye(4, dtype=np.float32), 1, axis=1)
    validation = Validation(problem, [("a", "B"), ("d", "A")])
    view = View(problem.x, problem.z)
    assert validation.accuracy(view, IterationMaps(shifted)) == 100.0
    assert validation.accuracy(view, IterationMaps(shifted, shifted)) == 0.0
    assert validation.accuracy(View(problem.x, shifted), IterationMaps(shifted)) == 0.0


def test_pairs_outside_the_vocabularies_are_refused(problem: Problem) -> None:
    with pytest.raises(UsageError, match="no validation pair"):
        Validation(problem, [("a", "x"), ("x", "A")])
