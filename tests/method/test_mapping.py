"""The steps of a mapping against their formulas, and the final maps they give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon, match
from isolex.core.linear_map import LinearMap, rotation
from isolex.core.problem import Problem
from isolex.errors import UsageError
from isolex.method import normalise
from isolex.method.mapping import (
    ORTHOGONAL,
    SYMMETRIC,
    AsTrained,
    ClosedForm,
    Dewhiten,
    LeastSquares,
    Moments,
    Reduce,
    Reweight,
    Rotate,
    Whiten,
    fit,
)
from isolex.method.spectrum import Flatten, flattened
from tests.planted import planted


@pytest.fixture
def vectors() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 8)).astype(np.float32)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    z = (x @ turn + 0.1 * rng.normal(size=(300, 8))).astype(np.float32)
    return x, z


def everyone(size: int) -> Lexicon:
    index = np.arange(size, dtype=np.int32)
    return Lexicon(index, index)


def moments(x: np.ndarray, z: np.ndarray) -> Moments:
    return Moments.of(x, z, everyone(len(x)))


def root(gram: np.ndarray, exponent: float) -> np.ndarray:
    values, vectors = np.linalg.eigh(gram.astype(np.float64))
    return (vectors * values**exponent) @ vectors.T


def test_orthogonal_maps_recover_a_rotation(vectors: tuple[np.ndarray, np.ndarray]) -> None:
    x, _ = vectors
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(8, 8)))[0].astype(np.float32)
    source, target = fit(ORTHOGONAL, moments(x, x @ turn))
    np.testing.assert_allclose(source.transform(x), target.transform(x @ turn), atol=1e-4)
    np.testing.assert_allclose(source.matrix @ source.matrix.T, np.eye(8), atol=1e-5)


def test_symmetric_reweighting_is_the_formula_of_the_paper(
    vectors: tuple[np.ndarray, np.ndarray],
) -> None:
    x, z = vectors
    white_x, white_z = root(x.T @ x, -0.5), root(z.T @ z, -0.5)
    u, s, vt = np.linalg.svd((x @ white_x).T @ (z @ white_z))
    v = vt.T
    w_x = white_x @ u @ np.diag(s**0.5) @ u.T @ root(x.T @ x, 0.5) @ u
    w_z = white_z @ v @ np.diag(s**0.5) @ v.T @ root(z.T @ z, 0.5) @ v
    source, target = fit(SYMMETRIC, moments(x, z))
    np.testing.assert_allclose(
        source.transform(x) @ target.transform(z).T, (x @ w_x) @ (z @ w_z).T, atol=1e-3
    )


def test_whitening_gives_every_direction_the_same_variance(vectors: tuple[np.ndarray, ...]) -> None:
    x, z = vectors
    source, target = fit((Whiten(),), moments(x, z))
    for mapped in (source.transform(x), target.transform(z)):
        np.testing.assert_allclose(mapped.T @ mapped, np.eye(8), atol=1e-4)


def test_dewhitening_undoes_whitening_up_to_the_rotation(vectors: tuple[np.ndarray, ...]) -> None:
    x, z = vectors
    source, _ = fit((Whiten(), Rotate(), Dewhiten()), moments(x, z))
    np.testing.assert_allclose(source.transform(x) @ source.transform(x).T, x @ x.T, atol=1e-3)


def test_reduce_keeps_the_components_of_highest_correlation(
    vectors: tuple[np.ndarray, ...],
) -> None:
    x, z = vectors
    whole = fit((Whiten(), Rotate(), Reweight(1, 0)), moments(x, z))[0].matrix
    cut = fit((Whiten(), Rotate(), Reweight(1, 0), Reduce(3)), moments(x, z))[0].matrix
    np.testing.assert_array_equal(cut, whole[:, :3])


def test_least_squares_equals_lstsq(vectors: tuple[np.ndarray, ...]) -> None:
    x, z = vectors
    source, target = fit((LeastSquares(),), moments(x, z))
    expected = np.linalg.lstsq(x, z, rcond=None)[0]
    np.testing.assert_allclose(source.matrix, expected, atol=1e-4)
    np.testing.assert_array_equal(target.matrix, np.eye(8))


def test_least_squares_can_map_the_target_with_a_ridge(vectors: tuple[np.ndarray, ...]) -> None:
    x, z = vectors
    source, target = fit((LeastSquares("target", ridge=30.0),), moments(x, z))
    expected = np.linalg.solve(z.T @ z + 30 * np.eye(8), z.T @ x)
    np.testing.assert_allclose(target.matrix, expected, atol=1e-4)
    np.testing.assert_array_equal(source.matrix, np.eye(8))


def test_a_share_of_the_components_is_kept(vectors: tuple[np.ndarray, ...]) -> None:
    for share, dims in ((0.5, 4), (2 / 3, 5), (0.01, 1)):
        source, target = fit((Rotate(), Reduce(share=share)), moments(*vectors))
        assert source.matrix.shape == target.matrix.shape == (8, dims)


def test_unequal_dimensions_are_mapped_to_the_smaller(vectors: tuple[np.ndarray, ...]) -> None:
    x, z = vectors
    source, target = fit(SYMMETRIC, moments(x, z[:, :5]))
    assert source.matrix.shape == (8, 5)
    assert target.matrix.shape == (5, 5)


@pytest.mark.parametrize(
    "steps", [(Reweight(),), (Rotate(), Dewhiten()), (Reduce(2),), (Dewhiten(),)]
)
def test_a_step_out_of_order_is_refused(steps: tuple, vectors: tuple[np.ndarray, ...]) -> None:
    with pytest.raises(UsageError, match="before it"):
        fit(steps, moments(*vectors))


def test_an_empty_lexicon_cannot_be_mapped(vectors: tuple[np.ndarray, ...]) -> None:
    with pytest.raises(UsageError, match="lexicon is empty"):
        Moments.of(*vectors, everyone(0))


@pytest.fixture
def problem() -> Problem:
    made = planted(words=200, dims=10)
    x, z = (normalise.fit(("unit",), given.vectors)[1] for given in (made.source, made.target))
    return Problem(made.source, made.target, x, z, made.pairs)


@pytest.fixture
def gold(problem: Problem) -> Lexicon:
    return match(problem.seed_pairs or [], problem.source, problem.target)[0]


def test_the_closed_form_is_fitted_to_the_pairs_of_the_lexicon(
    problem: Problem, gold: Lexicon
) -> None:
    expected = fit(ORTHOGONAL, Moments.of(problem.x, problem.z, gold))
    for found, other in zip(ClosedForm(ORTHOGONAL)(problem, gold), expected, strict=True):
        np.testing.assert_array_equal(found.matrix, other.matrix)


def test_the_closed_form_may_flatten_first(problem: Problem, gold: Lexicon) -> None:
    flatten = Flatten(share=0.99)
    matrices = [flatten(vectors) for vectors in (problem.x, problem.z)]
    x, z = map(flattened, (problem.x, problem.z), matrices)
    found = ClosedForm(ORTHOGONAL, flatten)(problem, gold)
    flat = fit(ORTHOGONAL, Moments.of(x, z, gold))
    for one, matrix, linear in zip(found, matrices, flat, strict=True):
        assert matrix is not None
        np.testing.assert_allclose(one.matrix, matrix @ linear.matrix, atol=1e-4)


def test_dewhitening_may_restore_a_part_of_the_variance(
    vectors: tuple[np.ndarray, np.ndarray],
) -> None:
    x, z = vectors
    part, whole, none = (
        fit((Whiten(), Rotate(), Dewhiten("source", "target", exponent)), moments(x, z))[0].matrix
        for exponent in (0.25, None, 0.0)
    )
    spread = [np.ptp(np.log(np.linalg.svd(x @ m, compute_uv=False))) for m in (none, part, whole)]
    assert spread[0] == pytest.approx(0, abs=1e-3)
    assert spread[1] == pytest.approx(spread[2] / 2, rel=1e-3)


def test_trained_maps_are_used_as_they_are(problem: Problem, gold: Lexicon) -> None:
    maps = LinearMap(rotation(problem.x, problem.z, gold)), LinearMap.identity(10)
    assert AsTrained()(replace(problem, trained=maps), gold) is maps


def test_without_training_there_are_no_trained_maps(problem: Problem, gold: Lexicon) -> None:
    with pytest.raises(UsageError, match="AsTrained needs a system that trains"):
        AsTrained()(problem, gold)
