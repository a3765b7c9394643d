"""The last maps: section 3.4 for all languages together, and for each pair of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from isolex.core.lexicon import Lexicon
from isolex.kernels import linalg
from isolex.method import normalise
from isolex.method.mapping import ORTHOGONAL, SYMMETRIC, LeastSquares, Moments, fit
from isolex.method.shared_maps import pair_maps, shared_maps
from tests.planted import planted_languages

STEPS = ("unit", "center", "unit")


def moments(count: int, noise: float = 0.3) -> tuple[list[np.ndarray], dict]:
    """Normalised vectors of planted languages, word by word, and the moments of all pairs."""
    vectors = []
    for one in planted_languages(count, words=500, dims=8, noise=noise):
        order = np.argsort([int(word[1:]) for word in one.words])
        vectors.append(normalise.fit(STEPS, one.vectors[order])[1])
    rows = np.arange(500, dtype=np.int32)
    lexicon = Lexicon(rows, rows)
    found = {
        (one, other): Moments.of(vectors[one], vectors[other], lexicon).scaled(1 / 500)
        for one, other in combinations(range(count), 2)
    }
    return vectors, found


def procrustes(found: dict, count: int) -> dict[int, np.ndarray]:
    """Rotations of all languages to the first one."""
    others = {place: linalg.procrustes(found[0, place].cross.T) for place in range(1, count)}
    return {0: np.eye(8, dtype=np.float32), **others}


def similarities(vectors: list[np.ndarray], maps: list[np.ndarray]) -> np.ndarray:
    mapped = [x @ matrix for x, matrix in zip(vectors, maps, strict=True)]
    one, other = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in mapped)
    return one @ other.T


def test_for_two_languages_this_is_the_symmetric_mapping() -> None:
    vectors, found = moments(2)
    maps = shared_maps(procrustes(found, 2), found, SYMMETRIC)
    symmetric = [one.matrix for one in fit(SYMMETRIC, found[0, 1])]
    seen = similarities(vectors, [maps[0].matrix, maps[1].matrix])
    np.testing.assert_allclose(seen, similarities(vectors, symmetric), atol=1e-5)


def test_maps_turn_several_languages_into_one_space() -> None:
    vectors, found = moments(4, noise=0.02)
    maps = shared_maps(procrustes(found, 4), found, SYMMETRIC)
    mapped = [x @ maps[place].matrix for place, x in enumerate(vectors)]
    for other in mapped[1:]:
        cosines = (mapped[0] * other).sum(axis=1) / (
            np.linalg.norm(mapped[0], axis=1) * np.linalg.norm(other, axis=1)
        )
        assert cosines.min() > 0.95


@pytest.mark.parametrize("noise", [0.02, 1.0])
def test_every_map_can_be_inverted(noise: float) -> None:
    _, found = moments(3, noise)
    for one in shared_maps(procrustes(found, 3), found, SYMMETRIC).values():
        assert one.is_invertible
        assert np.linalg.cond(one.matrix) < 1e3


def test_components_that_languages_share_weigh_more() -> None:
    """The first half of the components is noise of its own in each language."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(2000, 4))
    vectors = [np.hstack([rng.normal(size=(2000, 4)), common]) for _ in range(3)]
    rows = np.arange(2000, dtype=np.int32)
    found = {
        key: Moments.of(
            vectors[key[0]].astype(np.float32),
            vectors[key[1]].astype(np.float32),
            Lexicon(rows, rows),
        ).scaled(1 / 2000)
        for key in combinations(range(3), 2)
    }
    maps = shared_maps({place: np.eye(8, dtype=np.float32) for place in range(3)}, found, SYMMETRIC)
    for one in maps.values():
        lengths = np.linalg.norm(one.matrix, axis=1)
        assert lengths[:4].max() < 0.5 * lengths[4:].min()


def test_a_rotation_of_the_whole_space_changes_no_similarity() -> None:
    vectors, found = moments(3)
    start = procrustes(found, 3)
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(8, 8)))[0].astype(np.float32)
    turned = {place: one @ turn for place, one in start.items()}
    first, second = (
        similarities(vectors[1:], [maps[1].matrix, maps[2].matrix])
        for maps in (shared_maps(one, found, SYMMETRIC) for one in (start, turned))
    )
    np.testing.assert_allclose(first, second, atol=1e-4)


def test_without_whitening_the_rotations_are_the_maps() -> None:
    _, found = moments(3)
    start = procrustes(found, 3)
    for place, one in shared_maps(start, found, ORTHOGONAL).items():
        np.testing.assert_array_equal(one.matrix, start[place])


def test_a_language_without_a_pair_keeps_its_rotation() -> None:
    alone = np.eye(8, dtype=np.float32)
    np.testing.assert_array_equal(shared_maps({3: alone}, {}, SYMMETRIC)[3].matrix, alone)


@pytest.mark.parametrize("steps", [SYMMETRIC, ORTHOGONAL, (LeastSquares(),)], ids=repr)
def test_through_the_maps_of_a_pair_two_languages_are_mapped_as_if_they_were_alone(
    steps: tuple,
) -> None:
    """From original vectors into the shared space, and from there into the space of the pair."""
    _, found = moments(2)
    shared = shared_maps(procrustes(found, 2), found, steps)
    alone = fit(steps, found[0, 1])
    own = pair_maps(shared, {(0, 1): alone})[0, 1]
    for place, expected in enumerate(alone):
        reached = shared[place].matrix @ own[place].matrix
        np.testing.assert_allclose(reached, expected.matrix, atol=1e-5)


def test_every_pair_is_mapped_by_its_own_correlations() -> None:
    """Languages 0 and 1 share all components with each other, but only half with 2."""
    rng = np.random.default_rng(0)
    common, other = rng.normal(size=(2, 2000, 4))
    vectors = [np.hstack([common, one]) for one in (other, other, rng.normal(size=(2000, 4)))]
    vectors = [(one + 0.1 * rng.normal(size=one.shape)).astype(np.float32) for one in vectors]
    rows = np.arange(2000, dtype=np.int32)
    found = {
        (one, two): Moments.of(vectors[one], vectors[two], Lexicon(rows, rows)).scaled(1 / 2000)
        for one, two in combinations(range(3), 2)
    }
    shared = shared_maps(
        {place: np.eye(8, dtype=np.float32) for place in range(3)}, found, SYMMETRIC
    )
    own = pair_maps(shared, {key: fit(SYMMETRIC, one) for key, one in found.items()})
    lengths = {
        key: np.linalg.norm(shared[0].matrix @ own[key][0].matrix, axis=1)
        for key in ((0, 1), (0, 2))
    }
    assert lengths[0, 1][4:].min() > 0.8
    assert lengths[0, 2][4:].max() < 0.5 < lengths[0, 2][:4].min()
