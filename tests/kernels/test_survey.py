"""One product says what four would: against the slow truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import reference
from isolex.kernels.parallel import use_threads
from isolex.kernels.survey import Surveyed, survey
from isolex.kernels.types import Floats

SCALE = 30.0


def vectors(rows: int, dims: int, seed: int) -> Floats:
    """Quarters: every product is exact, and many values tie."""
    whole = np.random.default_rng(seed).integers(-1, 2, size=(rows, dims))
    return (whole / 4).astype(np.float32)


def check(found: Surveyed, queries: Floats, keys: Floats, width: int) -> None:
    nearest, similarities = reference.topk(queries, keys, width)
    np.testing.assert_array_equal(found.nearest, nearest)
    np.testing.assert_array_equal(found.similarities, similarities)
    expected = reference.log_sum_exp(queries, keys, SCALE)
    np.testing.assert_allclose(found.sums, expected, rtol=0, atol=1e-4)


@given(st.integers(1, 70), st.integers(1, 70), st.integers(1, 8), st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_a_survey_equals_the_reference_both_ways(n: int, m: int, width: int, seed: int) -> None:
    src, trg = vectors(n, 5, seed), vectors(m, 5, seed + 1)
    source, target = survey(src, trg, width, SCALE)
    check(source, src, trg, width)
    check(target, trg, src, width)


@pytest.mark.parametrize("threads", [1, 3])
def test_several_tiles_and_workers_equal_the_reference(threads: int) -> None:
    src, trg = vectors(1100, 4, 0), vectors(2500, 4, 1)
    shares: list[float] = []
    with use_threads(threads):
        source, target = survey(src, trg, 6, SCALE, shares.append)
    check(source, src, trg, 6)
    check(target, trg, src, 6)
    assert shares[-1] == 1.0


def test_a_scale_beyond_float32_is_refused() -> None:
    pair = np.eye(2, dtype=np.float32)
    with pytest.raises(ValueError, match="beyond 40"):
        survey(pair, pair, 1, 1000.0)
