"""Parse rows of word-vector text; rows that are not plain are left to the caller.

A plain row is a word followed by plain numbers. NaN, infinities and the rare decimals whose nearest
float32 is uncertain are not plain.
"""

from __future__ import annotations

import numba
import numpy as np

from isolex.kernels.types import Bytes, Floats, Longs

_NEWLINE, _RETURN, _SPACE, _TAB = ord("\n"), ord("\r"), ord(" "), ord("\t")
_PLUS, _MINUS, _POINT, _ZERO, _E = ord("+"), ord("-"), ord("."), ord("0"), ord("e")
POWERS = np.array([float(f"1e{exponent}") for exponent in range(61)])
_EXACT_POWER = 22  # highest power of ten that is exact in float64
_EXACT_MANTISSA = 1 << 53
_MAX_DIGITS = 18  # a mantissa of so many digits is below 2**63
_MAX_EXPONENT = 4000
_SMALLEST_NORMAL = float(np.finfo(np.float32).tiny)
_SLACK = 16  # float64 steps; the approximation is off by less than three


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _is_separator(byte: int) -> bool:
    return byte in (_SPACE, _TAB)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def scaled(value: float, power: int) -> float:
    """Return ``value * 10**power``, rounded once or twice."""
    return value * float(POWERS[power]) if power >= 0 else value / float(POWERS[-power])


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _to_float(mantissa: int, exponent: int, exact: bool) -> tuple[float, bool]:
    """Return ``mantissa * 10**exponent``, and whether it certainly rounds to the right float32."""
    if mantissa == 0:
        return 0.0, exact
    if exponent > 60 or exponent < -60:
        return 0.0, False
    value = scaled(float(mantissa), exponent)
    if exact and mantissa <= _EXACT_MANTISSA and -_EXACT_POWER <= exponent <= _EXACT_POWER:
        return value, True
    # Off by a few float64 steps, which only matters next to the midpoint of two float32.
    low = int(np.float64(value).view(np.int64)) & 0x1FFFFFFF
    return value, _SMALLEST_NORMAL < value < 1e38 and abs(low - 0x10000000) > _SLACK


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _parse_exponent(text: Bytes, position: int) -> tuple[int, int]:
    """Return the integer at ``position`` and where it ends, or -1 if there is none."""
    size = len(text)
    negative = position < size and text[position] == _MINUS
    if negative or (position < size and text[position] == _PLUS):
        position += 1
    first = position
    value = 0
    while position < size and 0 <= int(text[position]) - _ZERO <= 9:
        if value < _MAX_EXPONENT:
            value = 10 * value + int(text[position]) - _ZERO
        position += 1
    return (-value if negative else value), (position if position > first else -1)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _append_digits(text: Bytes, position: int, value: int) -> tuple[int, int]:
    """Append the digits at ``position`` to ``value``; return it and where the digits end."""
    while position < len(text):
        digit = int(text[position]) - _ZERO
        if digit < 0 or digit > 9:
            break
        value = 10 * value + digit
        position += 1
    return value, position


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _parse_long_mantissa(text: Bytes, position: int) -> tuple[int, int, bool]:
    """Return the leading digits of a long number, their power of ten, and whether none was cut."""
    mantissa, digits, exponent = 0, 0, 0
    fraction, exact = False, True
    while position < len(text):
        digit = int(text[position]) - _ZERO
        if digit == _POINT - _ZERO and not fraction:
            fraction = True
        elif digit < 0 or digit > 9:
            break
        elif digits < _MAX_DIGITS:
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
    """Return the number at ``position`` and where it ends, or -1 if it is not plain.

    Converted to float32, the value equals ``np.float32(float(token))``.
    """
    size = len(text)
    negative = position < size and text[position] == _MINUS
    if negative or (position < size and text[position] == _PLUS):
        position += 1
    start = position
    mantissa, position = _append_digits(text, position, 0)
    digits = position - start
    exponent, exact = 0, True
    if position < size and text[position] == _POINT:
        mantissa, end = _append_digits(text, position + 1, mantissa)
        exponent = position + 1 - end
        digits -= exponent
        position = end
    if digits == 0:
        return 0.0, -1
    if digits > _MAX_DIGITS:
        mantissa, exponent, exact = _parse_long_mantissa(text, start)
    if position < size and (text[position] | 32) == _E:
        power, position = _parse_exponent(text, position + 1)
        exponent += power
        if position < 0:
            return 0.0, -1
    value, certain = _to_float(mantissa, exponent, exact)
    return (-value if negative else value), (position if certain else -1)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _parse_row(text: Bytes, start: int, values: Floats) -> tuple[int, int]:
    """Parse the line at ``start`` into ``values``.

    Returns:
        The end of the word, or -1 if the line is not plain; and where parsing stopped.
    """
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
    text: Bytes, position: int, starts: Longs, word_ends: Longs, ends: Longs, values: Floats
) -> tuple[int, int]:
    r"""Parse lines from ``position`` until the text ends or the outputs are full.

    Args:
        text: ``(bytes,)`` whole lines; the last may lack its newline.
        position: Where to start.
        starts: ``(rows,)`` output: start of each line.
        word_ends: ``(rows,)`` output: end of its word, or -1 if the line is not plain.
        ends: ``(rows,)`` output: end of the line, before its ``\n``.
        values: ``(rows, dims)`` output: its numbers, if the line is plain.

    Returns:
        The number of lines parsed, and where to continue.
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
