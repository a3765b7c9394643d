"""Parsed numbers equal Python's float, rounded to float32."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from isolex.kernels.text import parse_number, parse_rows

TOKENS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(
        lambda value: str(np.float32(value))
    ),
    st.floats(-10, 10).map(lambda value: f"{value:.6f}"),
    st.floats(-10, 10).map(lambda value: f"{value:.25f}"),
    st.from_regex(
        r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?", fullmatch=True
    ),
)


def parse(token):
    """Return the value and where it ends, or None if the token is not plain."""
    data = np.frombuffer(token.encode() + b" 7\n", dtype=np.uint8)
    value, end = parse_number(data, 0)
    return None if end < 0 else (np.float32(value), end)


def expected(token):
    with np.errstate(over="ignore"):
        return np.float32(float(token))


@pytest.mark.slow
@given(token=TOKENS)
@example(token="1.00000005960464477540")  # close to the midpoint of two float32
@example(token="1.0000000596046448")
@example(token="16777217")
@settings(max_examples=2000, deadline=None)
def test_a_parsed_number_is_the_float_rounded_to_float32(token):
    parsed = parse(token)
    if parsed is not None:
        assert parsed[0].tobytes() == expected(token).tobytes()
        assert parsed[1] == len(token)


@pytest.mark.parametrize(
    "token",
    [
        "0.123456",
        "-0.5",
        "1e-05",
        "-.5",
        "+1",
        "5.",
        "1E+3",
        "0.0071275374",
        "-0",
        "0.12345678901234567",
    ],
)
def test_common_numbers_are_plain(token):
    assert parse(token) == (expected(token), len(token))


@pytest.mark.parametrize(
    "token", ["", "nan", "inf", "-", "+", ".", "e5", "1e", "1e+", "abc", "-Infinity"]
)
def test_anything_else_is_left_to_the_caller(token):
    assert parse(token) is None


@pytest.mark.parametrize("token", ["1_0", "0x1", "1,5", "1.2.3", "1e5e5", "1-"])
def test_a_number_ends_at_the_first_character_that_does_not_belong_to_it(token):
    assert parse(token) is None or parse(token)[1] < len(token)


def outputs(rows, dims):
    return (*(np.zeros(rows, np.int64) for _ in range(3)), np.zeros((rows, dims), np.float32))


def test_plain_rows_are_parsed_and_others_are_marked():
    text = b"dog 1 2\r\n\nnew york 1 2\ncat\t3  4 \n 5 6\nx 1\ny 1 2 3\nz nan 1\nlast 7 8"
    starts, word_ends, ends, values = outputs(20, 2)
    data = np.frombuffer(text, dtype=np.uint8)
    count, position = parse_rows(data, 0, starts, word_ends, ends, values)
    assert (count, position) == (9, len(text))
    lines = [text[start:end] for start, end in zip(starts[:9], ends[:9], strict=True)]
    assert lines == text.split(b"\n")
    assert (word_ends[:9] >= 0).tolist() == [True, False, False, True] + 4 * [False] + [True]
    plain = [text[starts[row] : word_ends[row]] for row in (0, 3, 8)]
    assert plain == [b"dog", b"cat", b"last"]
    assert values[[0, 3, 8]].tolist() == [[1, 2], [3, 4], [7, 8]]


def test_parsing_continues_where_it_stopped():
    data = np.frombuffer(b"a 1\nb 2\nc 3\n", dtype=np.uint8)
    position, parsed = 0, []
    while position < len(data):
        starts, word_ends, ends, values = outputs(2, 1)
        count, position = parse_rows(data, position, starts, word_ends, ends, values)
        parsed += values[:count, 0].tolist()
    assert parsed == [1, 2, 3]
