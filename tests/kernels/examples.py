"""Random inputs and comparisons shared by the kernel tests."""

from __future__ import annotations

import numpy as np

from isolex.kernels.types import Floats, Induction


def integer_vectors(rows: int, dims: int, seed: int) -> Floats:
    """Small integers: every product is exact, and many values tie."""
    return np.random.default_rng(seed).integers(-3, 4, size=(rows, dims)).astype(np.float32)


def integer_pair(rows: int, columns: int, dims: int, seed: int) -> tuple[Floats, Floats]:
    """Source and target vectors of small integers."""
    both = integer_vectors(rows + columns, dims, seed)
    return both[:rows], both[rows:]


def normal_pair(rows: int, columns: int, dims: int, seed: int) -> tuple[Floats, Floats]:
    """Source and target vectors from a normal distribution."""
    both = np.random.default_rng(seed).normal(size=(rows + columns, dims)).astype(np.float32)
    return both[:rows], both[rows:]


def assert_same_induction(found: Induction, expected: Induction) -> None:
    """Every field is equal, bit by bit."""
    for name in Induction._fields:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)


def assert_close_induction(found: Induction, expected: Induction, agreement: float) -> None:
    """Equal up to rounding; near ties may be decided either way."""
    for name in ("forward", "backward"):
        assert (getattr(found, name) == getattr(expected, name)).mean() > agreement, name
    for name in ("src_means", "trg_means", "src_best", "trg_best"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-5)
