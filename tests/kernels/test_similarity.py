"""Blocked retrieval equals the reference."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import reference, similarity
from isolex.kernels.scans import scan_topk
from tests.kernels.examples import integer_vectors

SIZES = st.integers(1, 70)

both_scans = pytest.mark.parametrize(
    "scan", [scan_topk, similarity.scan_few], ids=["compiled", "numpy"]
)


@both_scans
@given(SIZES, SIZES, st.integers(1, 6), st.integers(1, 15), st.booleans(), st.integers(0, 999))
@settings(max_examples=100, deadline=None)
def test_topk_equals_the_reference_with_ties_by_index(
    scan: similarity.Scan, n: int, m: int, dims: int, k: int, penalised: bool, seed: int
) -> None:
    queries, keys = integer_vectors(n, dims, seed), integer_vectors(m, dims, seed + 1)
    penalty = integer_vectors(m, 1, seed + 2)[:, 0] / 2 if penalised else None
    with mock.patch.object(similarity, "_choose_scan", return_value=scan):
        found = similarity.topk(queries, keys, k, penalty)
    expected = reference.topk(queries, keys, k, penalty)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


@given(SIZES, SIZES, SIZES, st.integers(1, 6), st.integers(1, 15), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_rank_topk_equals_the_reference(
    n: int, m: int, pivots: int, dims: int, k: int, seed: int
) -> None:
    arrays = (
        integer_vectors(n, dims, seed),
        integer_vectors(m, dims, seed + 1),
        integer_vectors(pivots, dims, seed + 2),
    )
    found, expected = similarity.rank_topk(*arrays, k), reference.rank_topk(*arrays, k)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


@given(SIZES, SIZES, st.integers(1, 6), st.floats(0.1, 50), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_log_sum_exp_equals_the_reference(
    n: int, m: int, dims: int, scale: float, seed: int
) -> None:
    queries, keys = integer_vectors(n, dims, seed), integer_vectors(m, dims, seed + 1)
    found = similarity.log_sum_exp(queries, keys, scale)
    expected = reference.log_sum_exp(queries, keys, scale)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


@both_scans
def test_retrieval_over_several_tiles_equals_the_reference(
    scan: similarity.Scan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similarity, "_choose_scan", lambda _: scan)
    queries, keys = integer_vectors(600, 7, 1), integer_vectors(4500, 7, 2)
    found, expected = similarity.topk(queries, keys, 10), reference.topk(queries, keys, 10)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])
    means = similarity.topk_mean(queries, keys, 10)
    np.testing.assert_allclose(means, reference.topk_mean(queries, keys, 10), rtol=1e-6)
    monkeypatch.setattr(similarity, "RANK_TILE", 50_000)
    indices, _ = similarity.rank_topk(queries[:40], keys, queries, 10)
    np.testing.assert_array_equal(indices, reference.rank_topk(queries[:40], keys, queries, 10)[0])


@pytest.mark.parametrize("shape", [(5, 9), (40, 7), (600, 30)])
def test_the_similarity_profile_equals_the_reference(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(3).normal(size=shape).astype(np.float32)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_allclose(
        similarity.similarity_profile(x), reference.similarity_profile(x), atol=2e-5
    )


def test_zero_results_are_refused() -> None:
    vectors = integer_vectors(5, 3, 0)
    with pytest.raises(ValueError, match=r"at least one .* not 0"):
        similarity.topk(vectors, vectors, 0)
    with pytest.raises(ValueError, match=r"at least one .* not 0"):
        similarity.rank_topk(vectors, vectors, vectors, 0)


def test_progress_reaches_one() -> None:
    queries, keys = integer_vectors(900, 3, 0), integer_vectors(50, 3, 1)
    for run in (
        lambda tick: similarity.topk(queries, keys, 3, tick=tick),
        lambda tick: similarity.log_sum_exp(queries, keys, 2.0, tick),
        lambda tick: similarity.rank_topk(queries, keys, keys, 3, tick),
    ):
        shares: list[float] = []
        run(shares.append)
        assert max(shares) == 1.0
