"""The steps of the multi-step framework, against their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.errors import UsageError
from isolex.method.mapping import (
    ORTHOGONAL,
    SYMMETRIC,
    Dewhiten,
    LeastSquares,
    Moments,
    Reduce,
    Reweight,
    Rotate,
    Whiten,
    fit,
)


@pytest.fixture
def sides() -> tuple[np.ndarray, np.ndarray]:
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


def test_orthogonal_maps_recover_a_rotation(sides: tuple[np.ndarray, np.ndarray]) -> None:
    x, _ = sides
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(8, 8)))[0].astype(np.float32)
    src, trg = fit(ORTHOGONAL, moments(x, x @ turn))
    np.testing.assert_allclose(src.transform(x), trg.transform(x @ turn), atol=1e-4)
    np.testing.assert_allclose(src.matrix @ src.matrix.T, np.eye(8), atol=1e-5)


def test_symmetric_reweighting_is_the_papers_formula(sides: tuple[np.ndarray, np.ndarray]) -> None:
    x, z = sides
    white_x, white_z = root(x.T @ x, -0.5), root(z.T @ z, -0.5)
    u, s, vt = np.linalg.svd((x @ white_x).T @ (z @ white_z))
    v = vt.T
    w_x = white_x @ u @ np.diag(s**0.5) @ u.T @ root(x.T @ x, 0.5) @ u
    w_z = white_z @ v @ np.diag(s**0.5) @ v.T @ root(z.T @ z, 0.5) @ v
    src, trg = fit(SYMMETRIC, moments(x, z))
    np.testing.assert_allclose(
        src.transform(x) @ trg.transform(z).T, (x @ w_x) @ (z @ w_z).T, atol=1e-3
    )


def test_whitening_gives_every_direction_the_same_variance(sides: tuple[np.ndarray, ...]) -> None:
    x, z = sides
    src, trg = fit((Whiten(),), moments(x, z))
    for mapped in (src.transform(x), trg.transform(z)):
        np.testing.assert_allclose(mapped.T @ mapped, np.eye(8), atol=1e-4)


def test_dewhitening_undoes_whitening_up_to_the_rotation(sides: tuple[np.ndarray, ...]) -> None:
    x, z = sides
    src, _ = fit((Whiten(), Rotate(), Dewhiten()), moments(x, z))
    np.testing.assert_allclose(src.transform(x) @ src.transform(x).T, x @ x.T, atol=1e-3)


def test_reduce_keeps_the_components_of_highest_correlation(sides: tuple[np.ndarray, ...]) -> None:
    x, z = sides
    whole = fit((Whiten(), Rotate(), Reweight(1, 0)), moments(x, z))[0].matrix
    cut = fit((Whiten(), Rotate(), Reweight(1, 0), Reduce(3)), moments(x, z))[0].matrix
    np.testing.assert_array_equal(cut, whole[:, :3])


def test_least_squares_equals_lstsq(sides: tuple[np.ndarray, ...]) -> None:
    x, z = sides
    src, trg = fit((LeastSquares(),), moments(x, z))
    expected = np.linalg.lstsq(x, z, rcond=None)[0]
    np.testing.assert_allclose(src.matrix, expected, atol=1e-4)
    np.testing.assert_array_equal(trg.matrix, np.eye(8))


def test_least_squares_may_map_the_target_with_a_ridge(sides: tuple[np.ndarray, ...]) -> None:
    x, z = sides
    src, trg = fit((LeastSquares("trg", ridge=30.0),), moments(x, z))
    expected = np.linalg.solve(z.T @ z + 30 * np.eye(8), z.T @ x)
    np.testing.assert_allclose(trg.matrix, expected, atol=1e-4)
    np.testing.assert_array_equal(src.matrix, np.eye(8))


def test_a_share_of_the_components_is_kept(sides: tuple[np.ndarray, ...]) -> None:
    for share, dims in ((0.5, 4), (2 / 3, 5), (0.01, 1)):
        src, trg = fit((Rotate(), Reduce(share=share)), moments(*sides))
        assert src.matrix.shape == trg.matrix.shape == (8, dims)


def test_unequal_dimensions_meet_in_the_smaller(sides: tuple[np.ndarray, ...]) -> None:
    x, z = sides
    src, trg = fit(SYMMETRIC, moments(x, z[:, :5]))
    assert src.matrix.shape == (8, 5)
    assert trg.matrix.shape == (5, 5)


def test_a_map_is_inverted_where_it_can_be(sides: tuple[np.ndarray, ...]) -> None:
    x, z = sides
    src, _ = fit(SYMMETRIC, moments(x, z))
    np.testing.assert_allclose(src.inverse().transform(src.transform(x)), x, atol=1e-3)
    with pytest.raises(UsageError, match="8 to 5"):
        LinearMap(src.matrix[:, :5]).inverse()
    with pytest.raises(UsageError, match="cannot be inverted"):
        LinearMap(np.ones((3, 3), dtype=np.float32)).inverse()


@pytest.mark.parametrize(
    "steps", [(Reweight(),), (Rotate(), Dewhiten()), (Reduce(2),), (Dewhiten(),)]
)
def test_a_step_out_of_order_is_refused(steps: tuple, sides: tuple[np.ndarray, ...]) -> None:
    with pytest.raises(UsageError, match="before it"):
        fit(steps, moments(*sides))


def test_an_empty_lexicon_cannot_be_mapped(sides: tuple[np.ndarray, ...]) -> None:
    with pytest.raises(UsageError, match="empty lexicon"):
        Moments.of(*sides, everyone(0))
