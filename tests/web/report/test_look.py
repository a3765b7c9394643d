"""The numbers behind the plots and tables of the report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from isolex.core.history import IterationRecord
from isolex.core.normaliser import unit
from isolex.core.space import Space
from isolex.systems.align import align
from isolex.web.report import look
from tests.planted import Planted, planted


@pytest.fixture(scope="module")
def made() -> Planted:
    return planted(words=300, dims=15)


@pytest.fixture(scope="module")
def space(made: Planted) -> Space:
    return align(
        made.source, made.target, system="supervised", lexicon=made.pairs[:60], progress=False
    )


@pytest.mark.parametrize(("size", "count"), [(1, 50), (30, 50), (50, 50), (20_000, 50), (3, 2)])
def test_ranks_are_spread_over_the_whole_range(size: int, count: int) -> None:
    ranks = look.spread_ranks(size, count)
    assert ranks == sorted(set(ranks))
    assert len(ranks) == min(size, count)
    assert ranks[0] == 1
    assert ranks[-1] == size


def test_samples_include_rare_and_frequent_words() -> None:
    ranks = look.spread_ranks(5000, 50)
    assert sum(rank > 2500 for rank in ranks) >= 14
    assert sum(rank <= 100 for rank in ranks) >= 5


def test_samples_are_the_translations_of_the_space(space: Space) -> None:
    lexicon = space.lexicon()
    assert lexicon.mutual is not None
    for sample in look.samples(space, lexicon):
        assert sample.word == space.languages[0].words[sample.rank - 1]
        expected = [translation.word for translation in space.translate(sample.word, 3)]
        assert [translation.word for translation in sample.translations] == expected
        assert sample.mutual == lexicon.mutual[sample.rank - 1]


def test_hubs_count_the_entries_of_the_lexicon(space: Space) -> None:
    targets = [entry.target for entry in space.lexicon()]
    found = look.hubs(space, space.lexicon())
    assert found[0][1] == max(map(targets.count, targets))
    assert all(targets.count(word) == count for word, count in found)


@pytest.mark.parametrize(("sizes", "expected"), [((120, 150), [100, 120]), ((90, 90), [90, 90])])
def test_no_more_words_take_part_than_there_are(
    sizes: tuple[int, int], expected: list[int]
) -> None:
    made = planted(words=max(sizes), dims=8)
    source, target = made.source.head(sizes[0]), made.target.head(sizes[1])
    space = align(source, target, system="artetxe2018", progress=False)
    stages = [{"keep_prob": 0.1, "cutoff": 100, "even": False}]
    stages.append({"keep_prob": 1.0, "cutoff": 10_000, "even": True})
    history = tuple(
        IterationRecord(n, s["keep_prob"], int(s["cutoff"]), 0.5, 0.1, None)
        for n, s in enumerate(stages)
    )
    even = replace(space, settings={"schedule": stages}, history=history)
    assert look.participating_words(even) == expected
    stages = [stage | {"even": False} for stage in stages]
    uneven = replace(space, settings={"schedule": stages}, history=history)
    assert look.participating_words(uneven)[-1] == max(sizes)


def test_normalised_vectors_are_recovered_from_mapped_ones(made: Planted, space: Space) -> None:
    rows = np.array([0, 7, 299])
    for language, original in zip(space, (made.source, made.target), strict=True):
        expected = unit(language.normaliser.transform(original.vectors[rows]))
        np.testing.assert_allclose(look.normalised(language, rows), expected, atol=1e-5)


def test_the_unrelated_word_is_equally_frequent_and_dissimilar(space: Space) -> None:
    source, target = space.languages
    lexicon = space.lexicon()
    for source_row, target_row in look.mutual_pairs(lexicon, 20, 12):
        other = look.unrelated_word(space, source_row, target_row)
        similarities = target.vectors @ source.vectors[source_row]
        assert 0 < abs(other - target_row) <= look.RANK_DISTANCE
        assert similarities[other] < np.quantile(similarities, 0.2) < similarities[target_row]


def test_distributions_are_reproducible_densities(space: Space) -> None:
    lexicon = space.lexicon()
    found = look.distributions(space, lexicon)
    assert len(found) == 3
    assert [one.words for one in found] == [one.words for one in look.distributions(space, lexicon)]
    for one in found:
        width = one.centres[1] - one.centres[0]
        np.testing.assert_allclose(one.densities.sum(axis=1) * width, 1, atol=0.05)


def test_pairs_are_chosen_within_a_range(space: Space) -> None:
    chosen = look.mutual_pairs(space.lexicon(), 20, 10, 100)
    assert len(chosen) == 10
    assert all(20 <= source < 100 and target < 100 for source, target in chosen)


def test_pairs_are_close_after_mapping_only(space: Space) -> None:
    points = look.pair_points(space, look.mutual_pairs(space.lexicon(), 30, 60))
    assert points is not None
    before, after = (np.array(pairs) for pairs in points)

    def distance(pairs: np.ndarray) -> float:
        return float(np.linalg.norm(pairs[:, 0] - pairs[:, 1], axis=1).mean() / pairs.std())

    assert distance(after) < 0.1 < distance(before)


def test_fewer_than_three_pairs_are_not_drawn(space: Space) -> None:
    assert look.pair_points(space, [(0, 0), (1, 1)]) is None
