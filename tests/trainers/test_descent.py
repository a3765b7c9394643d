"""Maps by descent: better than where they start, and along the true gradient."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon, match
from isolex.core.linear_map import rotation
from isolex.core.normaliser import unit
from isolex.core.problem import Problem
from isolex.core.retrieval import Retrieval, Space
from isolex.kernels.types import Doubles
from isolex.method import normalise
from isolex.trainers.max_margin import MaxMargin
from isolex.trainers.rcsls import RelaxedCsls
from tests.planted import planted


@pytest.fixture(params=range(3))
def problem(request: pytest.FixtureRequest) -> Problem:
    """A problem that no rotation solves: the dimensions of the target are stretched."""
    made = planted(words=400, dims=15, seed=request.param, noise=0.1)
    stretched = made.trg.vectors * np.geomspace(0.1, 3, 15)
    sides = (made.src.vectors, stretched.astype(np.float32))
    x, z = (normalise.fit(("unit", "center", "unit"), side)[1] for side in sides)
    return Problem(made.src, made.trg, x, z, made.pairs, seed=request.param)


@pytest.fixture
def lexicon(problem: Problem) -> Lexicon:
    return match((problem.pairs or [])[:200], problem.src, problem.trg)[0]


def right(problem: Problem, matrix: np.ndarray, method: str) -> float:
    """The share of the words not trained on that are translated rightly."""
    gold, _ = match((problem.pairs or [])[200:], problem.src, problem.trg)
    space = Space(unit(problem.x @ matrix), problem.z)
    found = space.lexicon(1, Retrieval.of(method))
    return float((found.trg[gold.src] == gold.trg).mean())


@pytest.mark.parametrize(
    ("mapper", "method"),
    [
        (MaxMargin(epochs=40, rate=0.01), "nn"),
        (RelaxedCsls(neighbours=3, iterations=50, rate=5.0), "csls"),
    ],
)
def test_descent_betters_the_rotation_it_starts_from(
    problem: Problem, lexicon: Lexicon, mapper: MaxMargin | RelaxedCsls, method: str
) -> None:
    before = right(problem, rotation(problem.x, problem.z, lexicon), method)
    src, trg = mapper(problem, lexicon)
    assert right(problem, src.matrix, method) > before
    np.testing.assert_array_equal(trg.matrix, np.eye(15))


def test_the_slope_of_the_csls_loss_is_that_of_differences(
    problem: Problem, lexicon: Lexicon
) -> None:
    loss = RelaxedCsls()._loss
    x, y = problem.x[lexicon.src], problem.z[lexicon.trg]
    matrix = rotation(problem.x, problem.z, lexicon)
    _, gradient = loss(problem, x, y, matrix)
    way = np.random.default_rng(0).normal(size=matrix.shape).astype(np.float32)
    step = np.float32(1e-3)
    ahead, back = (loss(problem, x, y, matrix + sign * step * way)[0] for sign in (1, -1))
    assert (ahead - back) / (2 * step) == pytest.approx(float((gradient * way).sum()), rel=0.05)


def test_the_slope_of_the_margin_loss_is_that_of_differences() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(30, 6)), unit(rng.normal(size=(20, 6)).astype(np.float32))
    targets: Doubles = y.astype(np.float64)
    own, alike = rng.integers(20, size=30), targets @ targets.T
    right = [np.array([place, (place + 1) % 20]) for place in own]
    mapper = MaxMargin(margin=0.5)

    def loss(matrix: Doubles) -> float:
        mapped = x @ matrix
        mapped /= np.linalg.norm(mapped, axis=1, keepdims=True)
        cosines = mapped @ targets.T
        intrusion = cosines - alike[own]
        for row, places in zip(intrusion, right, strict=True):
            row[places] = -np.inf
        wrong = cosines[np.arange(30), intrusion.argmax(axis=1)]
        return float(np.maximum(0, 0.5 + wrong - cosines[np.arange(30), own]).mean())

    matrix, way = rng.normal(size=(6, 6)), rng.normal(size=(6, 6))
    expected = (loss(matrix + 1e-6 * way) - loss(matrix - 1e-6 * way)) / 2e-6
    found = (mapper._gradient(x, targets, own, right, matrix) * way).sum()
    assert found == pytest.approx(expected, rel=1e-4)
