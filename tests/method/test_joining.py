"""Joining: which pairs are run first, and the tree of pairs that connects the languages."""

from __future__ import annotations

import pytest

from isolex.core.verdict import Evidence, Verdict
from isolex.method.joining import Groups, likeness, path, tree
from tests.planted import planted_languages, scrambled


def verdict(score: float) -> Verdict:
    return Verdict.of(Evidence(score, 0.0, 0.6, 0.5, 100))


def test_the_tree_has_the_most_reliable_pairs_that_connect_the_languages() -> None:
    verdicts = {(0, 1): 0.6, (0, 2): 0.9, (1, 2): 0.7, (1, 3): 0.3, (2, 3): 0.05}
    found = tree({key: verdict(score) for key, score in verdicts.items()}, 4)
    assert found == [(0, 2), (1, 2), (1, 3)]


def test_pairs_that_failed_are_not_part_of_the_tree() -> None:
    assert tree({(0, 1): verdict(0.9), (0, 2): verdict(0.1)}, 3) == [(0, 1)]
    assert tree({}, 3) == []


def test_a_verdict_counts_more_than_its_score() -> None:
    weak_fit = Verdict.of(Evidence(0.99, 0.0, 0.5, 0.6, 100))  # doubtful in spite of its score
    found = tree({(0, 1): weak_fit, (0, 2): verdict(0.6), (1, 2): verdict(0.6)}, 3)
    assert found == [(0, 2), (1, 2)]


def test_pairs_that_were_right_on_their_own_come_first_and_recovered_ones_last() -> None:
    verdicts = {(0, 1): verdict(0.9), (0, 2): verdict(0.8), (1, 2): verdict(0.4)}
    assert tree(verdicts, 3, {(0, 2): verdict(0.0)}) == [(0, 1), (1, 2)]
    assert tree(verdicts, 3, {(1, 2): verdict(0.7)}) == [(1, 2), (0, 1)]
    assert tree({(0, 2): verdict(0.8)}, 3, {(0, 2): verdict(0.0)}) == [(0, 2)]


def test_links_are_part_of_every_tree() -> None:
    verdicts = {(0, 2): verdict(0.9), (1, 2): verdict(0.8)}
    assert tree(verdicts, 3, links=[(0, 1)]) == [(0, 1), (0, 2)]


def test_the_path_names_the_languages_between_two_others() -> None:
    edges = [(0, 2), (1, 2), (3, 4), (1, 3)]
    assert path(edges, 0, 2) == ()
    assert path(edges, 0, 1) == (2,)
    assert path(edges, 0, 4) == (2, 1, 3)
    assert path(edges, 4, 0) == (3, 1, 2)


def test_without_a_path_there_is_none() -> None:
    assert path([(0, 1), (2, 3)], 0, 3) is None
    assert path([], 0, 1) is None


def test_groups_are_joined_once_and_for_good() -> None:
    groups = Groups(5)
    assert list(groups) == [[0], [1], [2], [3], [4]]
    assert groups.join((0, 1))
    assert groups.join((2, 3))
    assert groups.join((1, 3))
    assert not groups.join((0, 2)), "connected through others"
    assert list(groups) == [[0, 1, 2, 3], [4]]
    assert groups.together((0, 3))
    assert not groups.together((0, 4))
    assert not groups.is_one
    groups.join((2, 4))
    assert groups.is_one


def test_the_outsider_is_in_the_smaller_group() -> None:
    groups = Groups(4, [(0, 1), (1, 2)])
    assert groups.outsider((0, 3)) == 3
    assert groups.outsider((3, 0)) == 3
    assert Groups(2).outsider((0, 1)) == 1, "of two alike the later one"


def test_a_wave_has_the_most_promising_pair_of_every_group() -> None:
    groups = Groups(5, [(0, 1)])
    promise = {(0, 1): 0.99, (0, 2): 0.2, (1, 2): 0.5, (0, 3): 0.4, (2, 3): 0.1, (3, 4): 0.6}
    # Groups {0, 1} and 2 choose (1, 2), 3 and 4 choose (3, 4); (0, 1) are together already.
    assert groups.wave(promise, promise) == [(1, 2), (3, 4)]
    assert groups.wave([(0, 3), (2, 3)], promise) == [(0, 3), (2, 3)]
    assert groups.wave([(0, 1)], promise) == []


def test_related_languages_are_more_promising_than_noise() -> None:
    languages = planted_languages(2, words=300, dims=15)
    languages.append(scrambled(languages[0], "n"))
    found = likeness([one.vectors for one in languages])
    assert set(found) == {(0, 1), (0, 2), (1, 2)}
    assert found[0, 1] > 2 * max(found[0, 2], found[1, 2])


@pytest.mark.parametrize("sizes", [(300, 40), (40, 300)])
def test_likeness_takes_vocabularies_of_different_sizes(sizes: tuple[int, int]) -> None:
    languages = planted_languages(2, words=300, dims=15)
    cut = [one.vectors[:size] for one, size in zip(languages, sizes, strict=True)]
    assert 0 <= likeness(cut)[0, 1] <= 1
