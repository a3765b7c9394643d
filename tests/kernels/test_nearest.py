"""The nearest rows are those that a look at every row finds, whatever the rounding hides."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels import reference
from isolex.kernels.nearest import BAND, Nearest
from isolex.kernels.types import Floats


def vectors(rows: int, dims: int, seed: int, decay: float = 0.5) -> Floats:
    """Of unit length, some directions far wider than others, as those of words are."""
    rng = np.random.default_rng(seed)
    made = rng.standard_normal((rows, dims)) * np.arange(1, dims + 1) ** -decay
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def check(keys: Floats, query: Floats, count: int) -> None:
    rows, similarities = Nearest(keys).search(query, count)
    expected, values = reference.topk(query[None], keys, min(count, len(keys)))
    order = np.argsort(-similarities, kind="stable")
    np.testing.assert_allclose(similarities[order], values[0], rtol=0, atol=1e-6)
    assert len(set(rows.tolist())) == len(rows)
    np.testing.assert_allclose(similarities, keys[rows] @ query, rtol=0, atol=1e-6)
    gaps = values[0][:-1] - values[0][1:]
    if len(rows) > 1 and gaps.min() > 1e-6 and len(keys) > count:
        assert set(rows.tolist()) == set(expected[0].tolist())


@given(
    st.integers(1, 300), st.integers(1, 40), st.integers(1, 60), st.integers(0, 999),
    st.floats(0, 3),
)  # fmt: skip
@settings(max_examples=100, deadline=None)
def test_it_finds_what_a_look_at_every_row_finds(
    rows: int, dims: int, count: int, seed: int, decay: float
) -> None:
    keys = vectors(rows, dims, seed, decay)
    check(keys, vectors(1, dims, seed + 1, decay)[0], count)


@pytest.mark.parametrize("seed", range(3))
def test_many_rows_that_lie_closer_together_than_the_rounding(seed: int) -> None:
    """Only the vectors themselves can tell them apart."""
    rng = np.random.default_rng(seed)
    middle = vectors(1, 50, seed)
    keys = middle + rng.standard_normal((2 * BAND + 5, 50)).astype(np.float32) * 1e-3
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    check(keys, middle[0], 20)


def test_few_rows_are_left_open_by_the_rounding() -> None:
    keys = vectors(20_000, 300, 0)
    searched = Nearest(keys)
    left_open = [len(searched._possible(keys[row], 500)) for row in range(20)]
    assert max(left_open) < 2000


def test_rows_of_nothing_and_queries_of_any_length() -> None:
    keys = np.concatenate([np.zeros((3, 4), np.float32), np.eye(4, dtype=np.float32)])
    rows, similarities = Nearest(keys).search(np.array([0, 7, 0, 0], np.float32), 1)
    assert rows.tolist() == [4]
    assert similarities.tolist() == [7]
    assert len(Nearest(keys).search(keys[5], 99)[0]) == 7


def test_nothing_asked_for_is_refused() -> None:
    with pytest.raises(ValueError, match="at least"):
        Nearest(np.eye(3, dtype=np.float32)).search(np.ones(3, np.float32), 0)
