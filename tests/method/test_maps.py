"""The maps of an iteration: a rotation, re-weighted maps, and rotations in parts."""

from __future__ import annotations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import rotation
from isolex.core.normaliser import unit
from isolex.method.maps import IterationMaps, cross_fitted, rotate


def everyone(size: int) -> Lexicon:
    index = np.arange(size, dtype=np.int32)
    return Lexicon(index, index)


def random_vectors(words: int, *dims: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [unit(rng.normal(size=(words, d)).astype(np.float32)) for d in dims]


def test_a_rotation_maps_the_source_and_leaves_the_target() -> None:
    x, z = random_vectors(60, 8, 8)
    maps = IterationMaps.of(x, z, everyone(60), None)
    assert maps.target is None
    mapped, same = maps.transform(x, z)
    np.testing.assert_allclose(mapped, x @ rotation(x, z, everyone(60)), atol=1e-5)
    assert same is z


@pytest.mark.parametrize("reweight", [None, 0.5])
def test_mapped_vectors_have_length_one(reweight: float | None) -> None:
    x, z = random_vectors(60, 8, 5)
    for vectors in IterationMaps.of(x, z, everyone(60), reweight).transform(x, z):
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_rotation_into_fewer_dimensions_scales_to_length_one() -> None:
    x, z = random_vectors(60, 8, 5)
    mapped = rotate(x, rotation(x, z, everyone(60)))
    np.testing.assert_allclose(np.linalg.norm(mapped, axis=1), 1, atol=1e-5)


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
        own = np.isin(lexicon.sources, np.flatnonzero(parts == part))
        matrix = rotation(x, z, lexicon.select(~own))
        members = np.flatnonzero(parts == part)
        np.testing.assert_allclose(mapped[members], x[members] @ matrix, atol=1e-5)


def test_cross_fitted_vectors_in_fewer_dimensions_have_length_one() -> None:
    rng = np.random.default_rng(6)
    x, z = (rng.normal(size=(50, dims)).astype(np.float32) for dims in (8, 5))
    mapped = cross_fitted(x, z, everyone(50), rng.integers(2, size=50).astype(np.int32))
    np.testing.assert_allclose(np.linalg.norm(mapped, axis=1), 1, atol=1e-5)
