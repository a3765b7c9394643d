"""Rows of text to numbers, for plain rows only; the others are left to the caller."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

_NEWLINE, _RETURN, _SPACE, _TAB = ord("\n"), ord("\r"), ord(" "), ord("\t")
_PLUS, _MINUS, _POINT, _ZERO, _E = ord("+"), ord("-"), ord("."), ord("0"), ord("e")
POWERS = np.array([float(f"1e{exponent}") for exponent in range(61)])
_EXACT_POWER = 22  # up to here a power of ten is exact in float64
_EXACT_MANTISSA = 1 << 53
_MOST_DIGITS = 18  # digits of a mantissa that are surely below 2**63
_MOST_EXPONENT = 4000
_NORMAL = float(np.finfo(np.float32).tiny)
_SLACK = 16  # float64 steps; the approximate value is wrong by less than three


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _is_separator(byte: int) -> bool:
    return byte in (_SPACE, _TAB)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def scaled(value: float, power: int) -> float:
    """``value * 10**power``, rounded once or twice."""
    return value * float(POWERS[power]) if power >= 0 else value / float(POWERS[-power])


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _scale(mantissa: int, exponent: int, exact: bool) -> tuple[float, bool]:
    """``mantissa * 10**exponent`` so that its float32 is surely right, and whether that is so."""
    if mantissa == 0:
        return 0.0, exact
    if exponent > 60 or exponent < -60:
        return 0.0, False
    value = scaled(float(mantissa), exponent)
    if exact and mantissa <= _EXACT_MANTISSA and -_EXACT_POWER <= exponent <= _EXACT_POWER:
        return value, True
    # Wrong by a few steps of float64: harmless unless the middle of two float32 is as near.
    low = int(np.float64(value).view(np.int64)) & 0x1FFFFFFF
    return value, _NORMAL < value < 1e38 and abs(low - 0x10000000) > _SLACK


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _exponent(text: Bytes, position: int) -> tuple[int, int]:
    """The integer after an "e", and where it ends; it ends at -1 if there is none."""
    size = len(text)
    negative = position < size and text[position] == _MINUS
    if negative or (position < size and text[position] == _PLUS):
        position += 1
    first = position
    value = 0
    while position < size and 0 <= int(text[position]) - _ZERO <= 9:
        if value < _MOST_EXPONENT:
            value = 10 * value + int(text[position]) - _ZERO
        position += 1
    return (-value if negative else value), (position if position > first else -1)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _digits(text: Bytes, position: int, value: int) -> tuple[int, int]:
    """``value`` with the digits from ``position`` on appended, and where they end."""
    while position < len(text):
        digit = int(text[position]) - _ZERO
        if digit < 0 or digit > 9:
            break
        value = 10 * value + digit
        position += 1
    return value, position


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _long_mantissa(text: Bytes, position: int) -> tuple[int, int, bool]:
    """The first digits of a number that has too many, their power of ten, and if they are all."""
    mantissa, digits, exponent = 0, 0, 0
    fraction, exact = False, True
    while position < len(text):
        digit = int(text[position]) - _ZERO
        if digit == _POINT - _ZERO and not fraction:
            fraction = True
        elif digit < 0 or digit > 9:
            break
        elif digits < _MOST_DIGITS:
            mantissa = 10 * mantissa + digit
            digits += mantissa > 0
            exponent -= fraction
        else:
            exact = False
            exponent += not fraction
        position += 1
    return mantissa, exponent, exact


@numba.njit(nogil=True, cache=True, error_model="numpy")
def parse_number(text: Bytes, position: int) -> tuple[float, int]:
    """The number that begins at ``position``, and where it ends; that is -1 if it is not plain.

    The value, made a float32, is ``np.float32(float(token))``.
    """
    size = len(text)
    negative = position < size and text[position] == _MINUS
    if negative or (position < size and text[position] == _PLUS):
        position += 1
    start = position
    mantissa, position = _digits(text, position, 0)
    seen = position - start
    exponent, exact = 0, True
    if position < size and text[position] == _POINT:
        mantissa, end = _digits(text, position + 1, mantissa)
        exponent = position + 1 - end
        seen -= exponent
        position = end
    if seen == 0:
        return 0.0, -1
    if seen > _MOST_DIGITS:
        mantissa, exponent, exact = _long_mantissa(text, start)
    if position < size and (text[position] | 32) == _E:
        power, position = _exponent(text, position + 1)
        exponent += power
        if position < 0:
            return 0.0, -1
    value, sure = _scale(mantissa, exponent, exact)
    return (-value if negative else value), (position if sure else -1)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _parse_row(text: Bytes, start: int, values: Floats) -> tuple[int, int]:
    """Where the word and where the line end; the word ends at -1 if the line is not plain."""
    size = len(text)
    position = start
    while position < size and text[position] != _NEWLINE and not _is_separator(text[position]):
        position += 1
    word_end = position if position > start else -1
    for column in range(len(values)):
        if word_end < 0 or position >= size or not _is_separator(text[position]):
            return -1, position
        while position < size and _is_separator(text[position]):
            position += 1
        value, end = parse_number(text, position)
        if end < 0:
            return -1, position
        values[column] = value
        position = end
    while position < size and _is_separator(text[position]):
        position += 1
    if position < size and text[position] == _RETURN:
        position += 1
    if position < size and text[position] != _NEWLINE:
        return -1, position
    return word_end, position


@numba.njit(nogil=True, cache=True, error_model="numpy")
def parse_rows(
    text: Bytes, position: int, starts: Ints, word_ends: Ints, ends: Ints, values: Floats
) -> tuple[int, int]:
    r"""Parse lines from ``position`` on until the text ends or the outputs are full.

    Args:
        text: ``(bytes,)`` whole lines; the last may lack its newline.
        position: Where to begin.
        starts: ``(rows,)`` out: where each line begins.
        word_ends: ``(rows,)`` out: where its word ends; -1 if the line is not plain.
        ends: ``(rows,)`` out: where the line ends, its ``\n`` not counted.
        values: ``(rows, dims)`` out: its numbers, if it is plain.

    Returns:
        The number of lines parsed, and where to go on.
    """
    size = len(text)
    count = 0
    while position < size and count < len(starts):
        starts[count] = position
        word_ends[count], position = _parse_row(text, position, values[count])
        while position < size and text[position] != _NEWLINE:
            position += 1
        ends[count] = position
        position += 1
        count += 1
    return count, min(position, size)
