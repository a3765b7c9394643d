"""The kernels of numbers and text against Python's float and NumPy's shortest form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from isolex.kernels.text import parse_number, parse_rows
from isolex.kernels.text_format import format_number, format_rows

tokens = st.one_of(
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
    data = np.frombuffer(token.encode() + b" 7\n", dtype=np.uint8)
    value, end = parse_number(data, 0)
    return None if end < 0 else (np.float32(value), end)


def right(token):
    with np.errstate(over="ignore"):
        return np.float32(float(token))


def write(value):
    out = np.zeros(40, dtype=np.uint8)
    value = np.float32(value)
    end = format_number(float(value), int(value.view(np.int32)), out, 0)
    return None if end < 0 else out[:end].tobytes().decode()


def shortest(value):
    if value == 0 or 1e-4 <= abs(float(value)) < 1e16:
        return np.format_float_positional(value, unique=True, trim="0")
    return np.format_float_scientific(value, unique=True, trim="-", exp_digits=2)


@given(token=tokens)
@example(token="1.00000005960464477540")  # the middle of two float32, nearly
@example(token="1.0000000596046448")
@example(token="16777217")
@settings(max_examples=2000, deadline=None)
def test_a_parsed_number_is_the_float32_of_the_float(token):
    parsed = parse(token)
    if parsed is not None:
        assert parsed[0].tobytes() == right(token).tobytes()
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
    assert parse(token) == (right(token), len(token))


@pytest.mark.parametrize(
    "token", ["", "nan", "inf", "-", "+", ".", "e5", "1e", "1e+", "abc", "-Infinity"]
)
def test_what_is_no_plain_number_is_left_to_the_caller(token):
    assert parse(token) is None


@pytest.mark.parametrize("token", ["1_0", "0x1", "1,5", "1.2.3", "1e5e5", "1-"])
def test_a_number_ends_where_it_ends(token):
    assert parse(token) is None or parse(token)[1] < len(token)


@given(value=st.floats(width=32, allow_nan=False, allow_infinity=False))
@settings(max_examples=3000, deadline=None)
def test_a_written_number_is_the_shortest(value):
    text = write(value)
    if text is not None:
        assert text == shortest(np.float32(value))


@pytest.mark.parametrize("scale", [1e-12, 1e-5, 1e-4, 0.05, 1.0, 1e3, 1e9, 1e15])
def test_random_numbers_are_written_as_numpy_does_and_seldom_left(scale):
    values = (np.random.default_rng(1).standard_normal(2000) * scale).astype(np.float32)
    written = [(write(value), shortest(value)) for value in values]
    assert all(left == right for left, right in written if left is not None)
    assert sum(left is None for left, _ in written) < 200


@pytest.mark.parametrize(
    "value", [0.0, -0.0, 1, -1, 0.5, 0.1, 1e-5, 10, 1e15, 0.00012, 123456.7, 8]
)
def test_round_numbers_are_plain(value):
    assert write(value) == shortest(np.float32(value))


def outputs(rows, dims):
    return (*(np.zeros(rows, np.int64) for _ in range(3)), np.zeros((rows, dims), np.float32))


def test_rows_are_parsed_and_odd_ones_marked():
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


def test_parsing_goes_on_where_it_stopped():
    data = np.frombuffer(b"a 1\nb 2\nc 3\n", dtype=np.uint8)
    position, seen = 0, []
    while position < len(data):
        starts, word_ends, ends, values = outputs(2, 1)
        count, position = parse_rows(data, position, starts, word_ends, ends, values)
        seen += values[:count, 0].tolist()
    assert seen == [1, 2, 3]


def test_rows_are_written_up_to_an_odd_number():
    rows = np.array([[1, 2], [3, 1e-40]], dtype=np.float32)
    words = np.frombuffer(b"dogcat", dtype=np.uint8)
    out = np.zeros(100, dtype=np.uint8)
    row, column, position = format_rows(rows, words, np.array([3, 6]), out, 0, -1, 0)
    assert (row, column) == (1, 1)
    assert out[:position].tobytes() == b"dog 1.0 2.0\ncat 3.0"
    row, column, position = format_rows(rows, words, np.array([3, 6]), out, 1, 2, position)
    assert (row, column) == (2, -1)
    assert out[:position].tobytes() == b"dog 1.0 2.0\ncat 3.0\n"
