"""The maps of an iteration: a rotation, and rotations in parts."""

from __future__ import annotations

import numpy as np

from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import rotation
from isolex.method.maps import cross_fitted


def everyone(size: int) -> Lexicon:
    index = np.arange(size, dtype=np.int32)
    return Lexicon(index, index)


def test_a_rotation_is_recovered() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 8)).astype(np.float32)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0].astype(np.float32)
    np.testing.assert_allclose(rotation(x, x @ turn, everyone(300)), turn, atol=1e-4)


def test_cross_fitted_vectors_are_rotated_by_the_pairs_of_the_other_parts() -> None:
    rng = np.random.default_rng(5)
    x, z = (rng.normal(size=(60, 8)).astype(np.float32) for _ in range(2))
    lexicon = Lexicon(
        rng.integers(60, size=200).astype(np.int32), rng.integers(60, size=200).astype(np.int32)
    )
    parts = rng.integers(3, size=40).astype(np.int32)
    mapped = cross_fitted(x, z, lexicon, parts)
    assert mapped.shape == (40, 8)
    for part in range(3):
        own = np.isin(lexicon.src, np.flatnonzero(parts == part))
        matrix = rotation(x, z, lexicon.pairs(~own))
        members = np.flatnonzero(parts == part)
        np.testing.assert_allclose(mapped[members], x[members] @ matrix, atol=1e-5)


def test_cross_fitted_vectors_of_more_dimensions_have_length_one() -> None:
    rng = np.random.default_rng(6)
    x, z = (rng.normal(size=(50, dims)).astype(np.float32) for dims in (8, 5))
    mapped = cross_fitted(x, z, everyone(50), rng.integers(2, size=50).astype(np.int32))
    np.testing.assert_allclose(np.linalg.norm(mapped, axis=1), 1, atol=1e-5)
