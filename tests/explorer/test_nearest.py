"""The index finds what a look at every word finds, and is right about what it finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from isolex.explorer import kept, nearest
from isolex.explorer.nearest import Nearest
from isolex.kernels import reference
from isolex.normalise import unit
from tests.explorer.conftest import open_atlas
from tests.planted import planted

POOL = 100


@pytest.fixture(scope="module")
def indexed() -> Nearest:
    made = Nearest(unit(planted(words=4000, dims=40).src.vectors))
    made.build(POOL, threads=1)
    return made


def test_without_an_index_every_word_is_looked_at() -> None:
    vectors = unit(planted(words=300, dims=10).src.vectors)
    rows, similarities = Nearest(vectors).search(vectors[7], 20)
    expected, values = reference.topk(vectors[7:8], vectors, 20)
    assert set(rows.tolist()) == set(expected[0].tolist())
    np.testing.assert_allclose(np.sort(similarities)[::-1], values[0], atol=1e-6)


def test_the_index_finds_nearly_all_of_the_nearest_words(indexed: Nearest) -> None:
    queries = np.random.default_rng(0).choice(4000, 100, replace=False)
    exact, _ = reference.topk(indexed.vectors[queries], indexed.vectors, 10)
    found = [set(indexed.search(indexed.vectors[q], POOL)[0].tolist()) for q in queries]
    recall = np.mean(
        [len(one & set(row)) / 10 for one, row in zip(found, exact.tolist(), strict=True)]
    )
    assert recall > 0.98


def test_similarities_are_those_of_the_vectors_not_of_the_index(indexed: Nearest) -> None:
    rows, similarities = indexed.search(indexed.vectors[5], POOL)
    np.testing.assert_allclose(similarities, indexed.vectors[rows] @ indexed.vectors[5], atol=1e-6)


def test_an_index_is_built_only_where_it_is_worth_its_while(
    indexed: Nearest, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not indexed.wants_index
    monkeypatch.setattr(nearest, "EXACT_UP_TO", 3999)
    assert indexed.wants_index


def test_indexes_are_kept_and_a_damaged_one_is_not_taken(folder: Path, tmp_path: Path) -> None:
    atlas = open_atlas(folder)
    file = kept.Kept(tmp_path / "cache" / "explorer.safetensors", "mark")
    for language in (atlas.source, atlas.target):
        language.nearest.build(POOL, threads=1)
    file.save(atlas)
    again = open_atlas(folder)
    file.load(again)
    query = atlas.source.nearest.vectors[3]
    for one, other in ((atlas.source, again.source), (atlas.target, again.target)):
        assert other.nearest.index is not None
        np.testing.assert_array_equal(
            one.nearest.search(query, 50)[0], other.nearest.search(query, 50)[0]
        )
    data = bytearray(file.path.read_bytes())
    data[-100:] = bytes(100)
    file.path.write_bytes(data)
    damaged = open_atlas(folder)
    file.load(damaged)
    assert damaged.target.nearest.index is None
