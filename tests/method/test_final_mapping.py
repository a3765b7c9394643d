"""The final mapping, and the first lexicon, of maps that were trained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon, match
from isolex.core.linear_map import LinearMap, rotation
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.method import normalise
from isolex.method.initialise import Induced
from isolex.method.mapping import ORTHOGONAL, AsTrained, ClosedForm, Moments, fit
from tests.planted import planted


@pytest.fixture
def problem() -> Problem:
    made = planted(words=200, dims=10)
    x, z = (normalise.fit(("unit",), side.vectors)[1] for side in (made.src, made.trg))
    return Problem(made.src, made.trg, x, z, made.pairs)


@pytest.fixture
def gold(problem: Problem) -> Lexicon:
    return match(problem.pairs or [], problem.src, problem.trg)[0]


@pytest.fixture
def trained(problem: Problem, gold: Lexicon) -> Problem:
    maps = LinearMap(rotation(problem.x, problem.z, gold)), LinearMap(np.eye(10, dtype=np.float32))
    return replace(problem, maps=maps)


def test_the_closed_form_is_that_of_the_moments(problem: Problem, gold: Lexicon) -> None:
    expected = fit(ORTHOGONAL, Moments.of(problem.x, problem.z, gold))
    for found, other in zip(ClosedForm(ORTHOGONAL)(problem, gold), expected, strict=True):
        np.testing.assert_array_equal(found.matrix, other.matrix)


def test_trained_maps_are_taken_as_they_are(trained: Problem, gold: Lexicon) -> None:
    assert AsTrained()(trained, gold) is trained.maps


@pytest.mark.parametrize("pairs", [None, "forward", "mutual"])
def test_trained_maps_make_a_lexicon(trained: Problem, gold: Lexicon, pairs: str | None) -> None:
    found = Induced(cutoff=150, pairs=pairs)(trained)  # type: ignore[arg-type]
    assert max(found.src.max(), found.trg.max()) < 150
    truth = dict(zip(gold.src.tolist(), gold.trg.tolist(), strict=True))
    known = [(s, t) for s, t in zip(found.src.tolist(), found.trg.tolist(), strict=True)]
    share = np.mean([truth[s] == t for s, t in known])
    assert share > {None: 0.8, "forward": 0.8, "mutual": 0.95}[pairs]
    assert (len(found) == 300) == (pairs is None)
    assert (len(found) == 150) == (pairs == "forward")


def test_without_training_there_is_nothing_to_take(problem: Problem, gold: Lexicon) -> None:
    for part in (AsTrained(), Induced()):
        with pytest.raises(UsageError, match="needs a system that trains its maps"):
            part(problem, gold) if isinstance(part, AsTrained) else part(problem)
