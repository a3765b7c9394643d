"""Rounds: languages that move together end in one space."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from isolex.method.joining import Key
from isolex.method.rounds import along_tree, move, sample

DIMS = 6


def rotations(count: int, seed: int = 0) -> list[np.ndarray]:
    """Random rotations."""
    rng = np.random.default_rng(seed)
    return [np.linalg.qr(rng.normal(size=(DIMS, DIMS)))[0] for _ in range(count)]


def crosses(turned: list[np.ndarray], keys: list[Key]) -> dict[Key, np.ndarray]:
    """Cross moments of the same vectors, seen by languages that are rotated differently."""
    common = np.random.default_rng(9).normal(size=(200, DIMS))
    return {
        (one, other): (common @ turned[one]).T @ (common @ turned[other]) for one, other in keys
    }


def every(count: int) -> list[Key]:
    return list(combinations(range(count), 2))


def assert_together(found: dict[int, np.ndarray], turned: list[np.ndarray]) -> None:
    """All languages are seen alike: what a map undoes is the rotation of its language."""
    seen = [turned[place] @ found[place] for place in sorted(found)]
    for other in seen[1:]:
        np.testing.assert_allclose(other, seen[0], atol=1e-4)


def test_planted_rotations_are_recovered_from_any_start() -> None:
    turned = rotations(4)
    start = {place: np.eye(DIMS, dtype=np.float32) for place in range(4)}
    found = move(start, crosses(turned, every(4)))
    assert sorted(found) == [0, 1, 2, 3]
    assert_together(found, turned)
    for rotation in found.values():
        np.testing.assert_allclose(rotation.T @ rotation, np.eye(DIMS), atol=1e-5)


def test_fixed_languages_stay_and_others_come_to_them() -> None:
    turned = rotations(4, seed=1)
    start = {place: np.eye(DIMS, dtype=np.float32) for place in range(4)}
    start[1] = (turned[1].T @ turned[0]).astype(np.float32)  # where it sees what 0 sees
    before = {place: start[place].copy() for place in (0, 1)}
    found = move(start, crosses(turned, every(4)), fixed=(0, 1))
    for place in (0, 1):
        np.testing.assert_array_equal(found[place], before[place])
    assert_together(found, turned)


def test_languages_in_no_pair_stay_where_they_are() -> None:
    turned = rotations(3, seed=2)
    start = {place: one.astype(np.float32) for place, one in enumerate(rotations(3, seed=3))}
    found = move(start, crosses(turned, [(0, 1)]))
    np.testing.assert_array_equal(found[2], start[2])
    assert_together({place: found[place] for place in (0, 1)}, turned)


def test_what_is_right_already_does_not_move() -> None:
    turned = rotations(3, seed=4)
    start = {place: one.T.astype(np.float32) for place, one in enumerate(turned)}
    found = move(start, crosses(turned, every(3)))
    for place, rotation in found.items():
        np.testing.assert_allclose(rotation, start[place], atol=1e-5)


@pytest.mark.parametrize("edges", [[(0, 1), (1, 2), (2, 3)], [(2, 3), (0, 3), (1, 3)]])
def test_a_tree_leads_all_languages_into_one_space(edges: list[Key]) -> None:
    turned = rotations(4, seed=5)
    found = along_tree(edges, crosses(turned, every(4)), [DIMS] * 4)
    np.testing.assert_array_equal(found[0], np.eye(DIMS))
    assert_together(found, turned)


def test_groups_that_a_tree_does_not_connect_get_a_place_of_their_own() -> None:
    turned = rotations(5, seed=6)
    found = along_tree([(0, 2), (1, 3)], crosses(turned, every(5)), [DIMS] * 5)
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert_together({place: found[place] for place in (0, 2)}, turned)
    assert_together({place: found[place] for place in (1, 3)}, turned)
    np.testing.assert_array_equal(found[4], np.eye(DIMS))


def test_numbers_of_dimensions_may_differ_along_a_tree_and_in_a_move() -> None:
    turned = rotations(3, seed=7)
    turned[0], turned[2] = turned[0][:, :4], turned[2][:, :5]  # they see less
    known = crosses(turned, every(3))
    found = along_tree([(0, 1), (1, 2)], known, [4, DIMS, 5])
    for placed in (found, move(found, known)):
        assert [placed[place].shape for place in range(3)] == [(4, 6), (6, 6), (5, 6)]
        for matrix in placed.values():
            rank = min(matrix.shape)
            np.testing.assert_allclose(
                np.linalg.svd(matrix, compute_uv=False), np.ones(rank), atol=1e-5
            )


def test_few_languages_use_all_pairs_in_a_round() -> None:
    assert sample(every(11), [], 0) == every(11)


def test_many_languages_use_the_tree_and_a_random_part() -> None:
    edges = [(place, place + 1) for place in range(39)]
    found = sample(every(40), edges, 0)
    assert set(edges) <= set(found) < set(every(40))
    assert 200 <= len(found) <= 239, "about ten per language"
    assert found == sorted(set(found)) == sample(every(40), edges, 0)
    assert found != sample(every(40), edges, 1)


def test_only_pairs_that_take_part_are_in_a_sample() -> None:
    pairs = [key for key in every(40) if 7 not in key]
    found = sample(pairs, [(7, 8), (8, 9)], 0)
    assert (8, 9) in found
    assert not any(7 in key for key in found)
