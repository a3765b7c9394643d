"""Formatted numbers equal NumPy's shortest representation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isolex.kernels.text_format import format_number, format_rows


def write(value):
    """Return the text of a float32, or None if it is not plain."""
    out = np.zeros(40, dtype=np.uint8)
    value = np.float32(value)
    end = format_number(float(value), int(value.view(np.int32)), out, 0)
    return None if end < 0 else out[:end].tobytes().decode()


def shortest(value):
    if value == 0 or 1e-4 <= abs(float(value)) < 1e16:
        return np.format_float_positional(value, unique=True, trim="0")
    return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2)


@given(value=st.floats(width=32, allow_nan=False, allow_infinity=False))
@settings(max_examples=3000, deadline=None)
def test_a_number_is_written_in_its_shortest_form(value):
    text = write(value)
    if text is not None:
        assert text == shortest(np.float32(value))


@pytest.mark.parametrize("scale", [1e-12, 1e-5, 1e-4, 0.05, 1.0, 1e3, 1e9, 1e15])
def test_random_numbers_are_written_like_numpy_and_nearly_all_are_plain(scale):
    values = (np.random.default_rng(1).standard_normal(2000) * scale).astype(np.float32)
    written = [(write(value), shortest(value)) for value in values]
    assert all(text == expected for text, expected in written if text is not None)
    assert sum(text is None for text, _ in written) < 200


@pytest.mark.parametrize(
    "value", [0.0, -0.0, 1, -1, 0.5, 0.1, 1e-5, 10, 1e15, 0.00012, 123456.7, 8]
)
def test_round_numbers_are_plain(value):
    assert write(value) == shortest(np.float32(value))


def test_rows_are_written_up_to_a_number_that_is_not_plain():
    rows = np.array([[1, 2], [3, 1e-40]], dtype=np.float32)
    words = np.frombuffer(b"dogcat", dtype=np.uint8)
    out = np.zeros(100, dtype=np.uint8)
    row, column, position = format_rows(rows, words, np.array([3, 6]), out, 0, -1, 0)
    assert (row, column) == (1, 1)
    assert out[:position].tobytes() == b"dog 1.0 2.0\ncat 3.0"
    row, column, position = format_rows(rows, words, np.array([3, 6]), out, 1, 2, position)
    assert (row, column) == (2, -1)
    assert out[:position].tobytes() == b"dog 1.0 2.0\ncat 3.0\n"
