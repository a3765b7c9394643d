"""Statistics make every look-up possible without a pass over all words."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.choices import Retrieval, RetrievalMethod
from isolex.core.normaliser import unit
from isolex.core.statistics import WIDTH, Statistics, is_ready, prepare
from isolex.kernels import reference
from isolex.kernels.types import Floats


@pytest.fixture(scope="module")
def vectors() -> tuple[Floats, Floats]:
    rng = np.random.default_rng(0)
    x, z = (unit(rng.normal(size=(n, 9)).astype(np.float32)) for n in (150, 210))
    return x, z


def ready(own: Statistics, theirs: Statistics, retrieval: Retrieval) -> list[str]:
    """The methods that can look words up."""
    return [
        method for method in RetrievalMethod if is_ready(own, theirs, retrieval.by(method.value))
    ]


def test_at_first_only_nearest_neighbours_can_be_looked_up() -> None:
    assert ready(Statistics(), Statistics(), Retrieval()) == ["nn"]


def test_both_languages_must_be_known() -> None:
    means = np.zeros(3, dtype=np.float32)
    known = Statistics(means={10: means})
    assert not is_ready(known, Statistics(), Retrieval())
    assert not is_ready(Statistics(), known, Retrieval())
    assert is_ready(known, known, Retrieval())
    assert not is_ready(known, known, Retrieval(neighbours=5))


@pytest.mark.parametrize("temperature", [1 / 30, 0.01], ids=["usual", "steep"])
def test_preparation_computes_what_every_method_needs(
    vectors: tuple[Floats, Floats], temperature: float
) -> None:
    x, z = vectors
    retrieval = Retrieval(neighbours=7, temperature=temperature, pivots=40)
    own, theirs = Statistics(), Statistics()
    prepare(x, z, own, theirs, retrieval)
    assert ready(own, theirs, retrieval) == list(RetrievalMethod)
    for known, one, other in ((own, x, z), (theirs, z, x)):
        means = reference.topk_mean(one, other, 7)
        sums = reference.log_sum_exp(one, other, 1 / temperature)
        np.testing.assert_allclose(known.means[7], means, atol=1e-6)
        np.testing.assert_allclose(known.sums[temperature], sums, atol=1e-4)
        assert known.highest is not None
        for found, others in ((known.highest, other), (known.to_pivots[40], other[:40])):
            expected = np.sort(one @ others.T, axis=1)[:, ::-1][:, :WIDTH]
            np.testing.assert_allclose(found.T, expected, atol=1e-6)


def test_preparation_keeps_known_means(vectors: tuple[Floats, Floats]) -> None:
    x, z = vectors
    means = np.full(len(x), 5, dtype=np.float32)
    own, theirs = Statistics(means={10: means}), Statistics()
    prepare(x, z, own, theirs, Retrieval())
    assert own.means[10] is means


@pytest.mark.parametrize(
    "other",
    [Retrieval(temperature=0.2), Retrieval(neighbours=3), Retrieval(pivots=20)],
    ids=["temperature", "neighbours", "pivots"],
)
def test_preparation_for_other_parameters_adds_to_the_first(
    vectors: tuple[Floats, Floats], other: Retrieval
) -> None:
    own, theirs = Statistics(), Statistics()
    for retrieval in (Retrieval(), other):
        prepare(*vectors, own, theirs, retrieval)
    for retrieval in (Retrieval(), other):
        assert ready(own, theirs, retrieval) == list(RetrievalMethod)


@pytest.mark.parametrize("temperature", [1 / 30, 0.01], ids=["usual", "steep"])
def test_progress_runs_from_start_to_end(temperature: float) -> None:
    rng = np.random.default_rng(2)
    x, z = (unit(rng.normal(size=(n, 4)).astype(np.float32)) for n in (600, 700))
    seen: list[float] = []
    retrieval = Retrieval(temperature=temperature)
    prepare(x, z, Statistics(), Statistics(), retrieval, seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert seen[0] <= 0.5


def test_vocabularies_smaller_than_the_width_are_known_completely() -> None:
    rng = np.random.default_rng(1)
    x, z = (unit(rng.normal(size=(n, 4)).astype(np.float32)) for n in (5, 1))
    own, theirs = Statistics(), Statistics()
    prepare(x, z, own, theirs, Retrieval())
    assert own.highest is not None
    assert theirs.highest is not None
    assert (own.highest.shape, theirs.highest.shape) == ((1, 5), (5, 1))
