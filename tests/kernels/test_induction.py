"""Induction equals the reference, whatever the number of threads and the memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import induction, reference
from isolex.kernels.induction import Workspace
from isolex.kernels.parallel import use_threads
from tests.kernels.examples import (
    assert_close_induction,
    assert_same_induction,
    integer_pair,
    normal_pair,
)


@given(
    rows=st.integers(1, 90),
    columns=st.integers(1, 90),
    dims=st.integers(1, 8),
    neighbours=st.integers(0, 12),
    keep_prob=st.sampled_from([0.0, 0.05, 0.1, 0.5, 1.0]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_induction_equals_the_reference_including_ties(
    rows: int, columns: int, dims: int, neighbours: int, keep_prob: float, seed: int
) -> None:
    src, trg = integer_pair(rows, columns, dims, seed)
    expected = reference.induce(src, trg, neighbours, keep_prob, key=seed)
    assert_same_induction(induction.induce(src, trg, neighbours, keep_prob, key=seed), expected)


@pytest.mark.parametrize("shape", [(513, 1025), (1300, 2100), (2100, 700)])
@pytest.mark.parametrize("keep_prob", [0.1, 1.0])
def test_induction_over_several_tiles_equals_the_reference(
    shape: tuple[int, int], keep_prob: float
) -> None:
    src, trg = integer_pair(*shape, dims=6, seed=1)
    assert_same_induction(
        induction.induce(src, trg, 10, keep_prob, key=9),
        reference.induce(src, trg, 10, keep_prob, key=9),
    )


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("budget", [0, 1 << 30])
def test_threads_and_memory_do_not_change_a_single_bit(threads: int, budget: int) -> None:
    src, trg = normal_pair(2100, 1700, dims=33, seed=5)
    with use_threads(1):
        expected = induction.induce(src, trg, 10, 0.3, key=4)
    with use_threads(threads):
        found = induction.induce(src, trg, 10, 0.3, key=4, workspace=Workspace(budget))
    assert_same_induction(found, expected)


def test_induction_on_real_numbers_agrees_with_the_reference_up_to_rounding() -> None:
    src, trg = normal_pair(700, 1500, dims=50, seed=6)
    found, expected = induction.induce(src, trg, 10), reference.induce(src, trg, 10)
    assert_close_induction(found, expected, agreement=0.999)
    assert found.objective == pytest.approx(expected.objective, rel=1e-6)


def test_zero_neighbours_choose_the_plain_nearest_neighbour() -> None:
    src, trg = integer_pair(30, 40, dims=3, seed=0)
    found = induction.induce(src, trg, 0)
    np.testing.assert_array_equal(found.forward, (src @ trg.T).argmax(axis=1))
    np.testing.assert_array_equal(found.backward, (src @ trg.T).argmax(axis=0))
    assert not found.src_means.any()
    assert found.objective == induction.induce(src, trg, 5).objective


def test_empty_input_is_refused() -> None:
    src, trg = integer_pair(5, 5, dims=2, seed=0)
    for pair in ((src[:0], trg), (src, trg[:0])):
        with pytest.raises(ValueError, match=r"at least one .* not 0"):
            induction.induce(*pair, 3)


def test_a_workspace_can_be_reused_for_smaller_and_larger_problems() -> None:
    workspace = Workspace()
    for rows in (300, 900, 100):
        src, trg = integer_pair(rows, 200, dims=4, seed=rows)
        assert_same_induction(
            induction.induce(src, trg, 5, 0.5, key=1, workspace=workspace),
            reference.induce(src, trg, 5, 0.5, key=1),
        )


def test_neighbourhood_means_equal_the_reference_and_report_progress() -> None:
    src, trg = integer_pair(1300, 700, dims=6, seed=2)
    shares: list[float] = []
    src_means, trg_means = induction.neighbourhood_means(src, trg, 10, shares.append)
    np.testing.assert_array_equal(src_means, reference.topk_mean(src, trg, 10))
    np.testing.assert_array_equal(trg_means, reference.topk_mean(trg, src, 10))
    assert max(shares) == 1.0


def test_best_both_ways_equals_retrieval_in_each_direction() -> None:
    src, trg = integer_pair(1300, 700, dims=6, seed=3)
    means = reference.topk_mean(src, trg, 10), reference.topk_mean(trg, src, 10)
    targets, scores, sources = induction.best_both_ways(src, trg, means, 4)
    expected = reference.topk(src, trg, 4, means[1] / 2)
    np.testing.assert_array_equal(targets, expected[0])
    np.testing.assert_array_equal(scores, expected[1])
    np.testing.assert_array_equal(sources, reference.topk(trg, src, 1, means[0] / 2)[0][:, 0])
