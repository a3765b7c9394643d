"""Blocked retrieval equals the slow truth."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import reference, similarity
from isolex.kernels.scans import scan_topk
from isolex.kernels.types import Floats

sizes = st.integers(1, 70)


def vectors(rows: int, dims: int, seed: int) -> Floats:
    """Small whole numbers: every product is exact, and many values tie."""
    return np.random.default_rng(seed).integers(-3, 4, size=(rows, dims)).astype(np.float32)


@pytest.mark.parametrize("scan", [scan_topk, similarity.scan_few], ids=["compiled", "numpy"])
@given(sizes, sizes, st.integers(1, 6), st.integers(1, 15), st.booleans(), st.integers(0, 999))
@settings(max_examples=100, deadline=None)
def test_topk_equals_the_reference_ties_by_index(
    scan: similarity.Scan, queries: int, keys: int, dims: int, k: int, penalised: bool, seed: int
) -> None:
    q, c = vectors(queries, dims, seed), vectors(keys, dims, seed + 1)
    penalty = vectors(keys, 1, seed + 2)[:, 0] / 2 if penalised else None
    with mock.patch.object(similarity, "_scan_of", return_value=scan):
        found, expected = similarity.topk(q, c, k, penalty), reference.topk(q, c, k, penalty)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


@given(sizes, sizes, sizes, st.integers(1, 6), st.integers(1, 15), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_rank_topk_equals_the_reference(
    queries: int, keys: int, pivots: int, dims: int, k: int, seed: int
) -> None:
    arrays = (
        vectors(queries, dims, seed),
        vectors(keys, dims, seed + 1),
        vectors(pivots, dims, seed + 2),
    )
    found, expected = similarity.rank_topk(*arrays, k), reference.rank_topk(*arrays, k)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


@given(sizes, sizes, st.integers(1, 6), st.floats(0.1, 50), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_log_sum_exp_equals_the_reference(
    queries: int, keys: int, dims: int, scale: float, seed: int
) -> None:
    q, c = vectors(queries, dims, seed), vectors(keys, dims, seed + 1)
    found = similarity.log_sum_exp(q, c, scale)
    np.testing.assert_allclose(found, reference.log_sum_exp(q, c, scale), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("scan", [scan_topk, similarity.scan_few], ids=["compiled", "numpy"])
def test_several_tiles_equal_the_reference(
    scan: similarity.Scan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similarity, "_scan_of", lambda _: scan)
    q, c = vectors(600, 7, 1), vectors(4500, 7, 2)
    for found, expected in zip(similarity.topk(q, c, 10), reference.topk(q, c, 10), strict=True):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(
        similarity.topk_mean(q, c, 10), reference.topk_mean(q, c, 10), rtol=1e-6
    )
    monkeypatch.setattr(similarity, "RANK_TILE", 50_000)
    found = similarity.rank_topk(q[:40], c, q, 10)
    expected = reference.rank_topk(q[:40], c, q, 10)
    np.testing.assert_array_equal(found[0], expected[0])


@pytest.mark.parametrize("shape", [(5, 9), (40, 7), (600, 30)])
def test_the_similarity_profile_equals_the_reference(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(3).normal(size=shape).astype(np.float32)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_allclose(
        similarity.similarity_profile(x), reference.similarity_profile(x), atol=2e-5
    )


def test_none_to_choose_is_refused() -> None:
    q = vectors(5, 3, 0)
    with pytest.raises(ValueError, match="at least one"):
        similarity.topk(q, q, 0)
    with pytest.raises(ValueError, match="at least one"):
        similarity.rank_topk(q, q, q, 0)


def test_progress_ends_at_one() -> None:
    seen: list[float] = []
    similarity.topk(vectors(900, 3, 0), vectors(50, 3, 1), 3, tick=seen.append)
    assert max(seen) == 1.0
