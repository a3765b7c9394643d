"""The fused pass equals the slow truth, whatever the threads and the memory."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import induction, reference
from isolex.kernels.induction import Workspace
from isolex.kernels.parallel import use_threads
from isolex.kernels.types import Floats, Induction


def problem(rows: int, columns: int, dims: int, seed: int) -> tuple[Floats, Floats]:
    """Vectors of small whole numbers: every product is exact, and many values tie."""
    rng = np.random.default_rng(seed)
    src = rng.integers(-3, 4, size=(rows, dims)).astype(np.float32)
    trg = rng.integers(-3, 4, size=(columns, dims)).astype(np.float32)
    return src, trg


def assert_equal(found: Induction, expected: Induction) -> None:
    for name in Induction._fields:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


@given(
    rows=st.integers(1, 90),
    columns=st.integers(1, 90),
    dims=st.integers(1, 8),
    neighbours=st.integers(0, 12),
    keep_prob=st.sampled_from([0.0, 0.05, 0.1, 0.5, 1.0]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_equals_the_reference_ties_included(
    rows: int, columns: int, dims: int, neighbours: int, keep_prob: float, seed: int
) -> None:
    src, trg = problem(rows, columns, dims, seed)
    expected = reference.induce(src, trg, neighbours, keep_prob, key=seed)
    assert_equal(induction.induce(src, trg, neighbours, keep_prob, key=seed), expected)


@pytest.mark.parametrize("shape", [(513, 1025), (1300, 2100), (2100, 700)])
@pytest.mark.parametrize("keep_prob", [0.1, 1.0])
def test_equals_the_reference_over_several_tiles(shape: tuple[int, int], keep_prob: float) -> None:
    src, trg = problem(*shape, dims=6, seed=1)
    assert_equal(
        induction.induce(src, trg, 10, keep_prob, key=9),
        reference.induce(src, trg, 10, keep_prob, key=9),
    )


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("budget", [0, 1 << 30])
def test_threads_and_memory_change_no_bit(threads: int, budget: int) -> None:
    rng = np.random.default_rng(5)
    src = rng.normal(size=(2100, 33)).astype(np.float32)
    trg = rng.normal(size=(1700, 33)).astype(np.float32)
    with use_threads(1):
        expected = induction.induce(src, trg, 10, 0.3, key=4)
    with use_threads(threads):
        assert_equal(
            induction.induce(src, trg, 10, 0.3, key=4, workspace=Workspace(budget)), expected
        )


def test_real_numbers_agree_to_rounding() -> None:
    rng = np.random.default_rng(6)
    src = rng.normal(size=(700, 50)).astype(np.float32)
    trg = rng.normal(size=(1500, 50)).astype(np.float32)
    found, expected = induction.induce(src, trg, 10), reference.induce(src, trg, 10)
    for name in ("forward", "backward"):  # a near tie may fall either way
        assert (getattr(found, name) == getattr(expected, name)).mean() > 0.999
    for name in ("src_means", "trg_means", "src_best", "trg_best"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-5)
    assert found.objective == pytest.approx(expected.objective, rel=1e-6)


def test_no_neighbours_mean_no_correction() -> None:
    src, trg = problem(30, 40, dims=3, seed=0)
    found = induction.induce(src, trg, 0)
    np.testing.assert_array_equal(found.forward, (src @ trg.T).argmax(axis=1))
    np.testing.assert_array_equal(found.backward, (src @ trg.T).argmax(axis=0))
    assert not found.src_means.any()
    assert found.objective == induction.induce(src, trg, 5).objective


def test_no_words_are_refused() -> None:
    src, trg = problem(5, 5, dims=2, seed=0)
    for sides in ((src[:0], trg), (src, trg[:0])):
        with pytest.raises(ValueError, match="at least one"):
            induction.induce(*sides, 3)


def test_a_workspace_serves_smaller_and_larger_problems() -> None:
    workspace = Workspace()
    for rows in (300, 900, 100):
        src, trg = problem(rows, 200, dims=4, seed=rows)
        assert_equal(
            induction.induce(src, trg, 5, 0.5, key=1, workspace=workspace),
            reference.induce(src, trg, 5, 0.5, key=1),
        )


def test_the_mask_keeps_the_asked_share_apart_in_each_direction() -> None:
    forward, backward = reference.keep_masks((2000, 2000), 0.1, key=123)
    assert forward.mean() == pytest.approx(0.1, abs=0.001)
    assert backward.mean() == pytest.approx(0.1, abs=0.001)
    assert (forward & backward).mean() == pytest.approx(0.01, abs=0.0005)
    other, _ = reference.keep_masks((2000, 2000), 0.1, key=124)
    assert (forward & other).mean() == pytest.approx(0.01, abs=0.0005)
    assert forward.mean(axis=0).std() == pytest.approx((0.09 / 2000) ** 0.5, rel=0.1)
    assert forward.mean(axis=1).std() == pytest.approx((0.09 / 2000) ** 0.5, rel=0.1)


def test_warming_up_compiles_every_scan_of_an_alignment() -> None:
    code = (
        "from isolex.kernels import scans, warm_up; warm_up.warm_up();"
        "print([bool(scan.signatures) for scan in "
        "(scans.scan_means, scans.scan_best, scans.scan_topk)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[True, True, True]"
