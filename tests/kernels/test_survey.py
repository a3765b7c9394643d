"""A survey of all pairs of words, compared with the reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import reference
from isolex.kernels.parallel import use_threads
from isolex.kernels.survey import STEEPEST, Surveyed, survey
from isolex.kernels.types import Floats

SCALE = 30.0


def vectors(rows: int, dims: int, seed: int) -> Floats:
    """Multiples of a quarter: every dot product is exact, and many are equal."""
    whole = np.random.default_rng(seed).integers(-1, 2, size=(rows, dims))
    return (whole / 4).astype(np.float32)


def assert_equals_the_reference(found: Surveyed, queries: Floats, keys: Floats, width: int) -> None:
    _, similarities = reference.topk(queries, keys, width)
    np.testing.assert_array_equal(found.highest, similarities[:, ::-1])
    expected = reference.log_sum_exp(queries, keys, SCALE)
    np.testing.assert_allclose(found.sums, expected, rtol=0, atol=1e-4)


@given(st.integers(1, 70), st.integers(1, 70), st.integers(1, 8), st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_a_survey_equals_the_reference_in_both_directions(
    n: int, m: int, width: int, seed: int
) -> None:
    x, z = vectors(n, 5, seed), vectors(m, 5, seed + 1)
    source, target = survey(x, z, width, SCALE)
    assert_equals_the_reference(source, x, z, width)
    assert_equals_the_reference(target, z, x, width)


@pytest.mark.parametrize("threads", [1, 3])
def test_several_tiles_and_threads_equal_the_reference(threads: int) -> None:
    x, z = vectors(1100, 4, 0), vectors(2500, 4, 1)
    shares: list[float] = []
    with use_threads(threads):
        source, target = survey(x, z, 6, SCALE, shares.append)
    assert_equals_the_reference(source, x, z, 6)
    assert_equals_the_reference(target, z, x, 6)
    assert shares[-1] == 1.0


def test_a_scale_whose_exponentials_underflow_is_refused() -> None:
    pair = np.eye(2, dtype=np.float32)
    survey(pair, pair, 1, STEEPEST)
    with pytest.raises(ValueError, match=r"1000 .* 40"):
        survey(pair, pair, 1, 1000.0)


def test_at_least_one_similarity_is_kept() -> None:
    pair = np.eye(2, dtype=np.float32)
    with pytest.raises(ValueError, match="0"):
        survey(pair, pair, 0, SCALE)
