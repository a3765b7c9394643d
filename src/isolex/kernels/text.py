"""Numbers to and from text, for plain rows only; what is not plain is left to the caller."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

_NEWLINE, _RETURN, _SPACE, _TAB = ord("\n"), ord("\r"), ord(" "), ord("\t")
_PLUS, _MINUS, _POINT, _ZERO, _E = ord("+"), ord("-"), ord("."), ord("0"), ord("e")
_POWERS = np.array([float(f"1e{exponent}") for exponent in range(61)])
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
def _scaled(value: float, power: int) -> float:
    """``value * 10**power``, rounded once or twice."""
    return value * float(_POWERS[power]) if power >= 0 else value / float(_POWERS[-power])


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _scale(mantissa: int, exponent: int, exact: bool) -> tuple[float, bool]:
    """``mantissa * 10**exponent`` so that its float32 is surely right, and whether that is so."""
    if mantissa == 0:
        return 0.0, exact
    if exponent > 60 or exponent < -60:
        return 0.0, False
    value = _scaled(float(mantissa), exponent)
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
def parse_number(text: Bytes, position: int) -> tuple[float, int]:
    """The number that begins at ``position``, and where it ends; that is -1 if it is not plain.

    The value, made a float32, is ``np.float32(float(token))``.
    """
    size = len(text)
    negative = position < size and text[position] == _MINUS
    if negative or (position < size and text[position] == _PLUS):
        position += 1
    mantissa, digits, seen, exponent = 0, 0, 0, 0
    fraction = False
    exact = True
    while position < size:
        digit = int(text[position]) - _ZERO
        if 0 <= digit <= 9:
            seen += 1
            if digits < _MOST_DIGITS:
                mantissa = 10 * mantissa + digit
                digits += mantissa > 0
                exponent -= fraction
            else:
                exact = False
                exponent += not fraction
        elif digit == _POINT - _ZERO and not fraction:
            fraction = True
        else:
            break
        position += 1
    if seen == 0:
        return 0.0, -1
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


_DIGITS = 9  # enough to tell any two float32 apart
_TENS = 10 ** np.arange(_DIGITS + 2)
_INVERSES = 1 / _POWERS[: _DIGITS + 1]
_EDGE = 1e-5  # of a 9-digit number; float64 is wrong by 1e-6 of that at most


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _shortest(value: float, bits: int) -> tuple[int, int]:
    """The shortest ``digits * 10**exponent`` that is nearest to a positive float32.

    Args:
        value: The float32, between 1e-13 and 1e16.
        bits: Its binary form.

    Returns:
        digits, or 0 where float64 cannot tell; and exponent.
    """
    # A power of two is at least 10**(0.30103 * its exponent), rounded down.
    power = _DIGITS - 1 - (((bits >> 23) - 127) * 1233 >> 12)
    target = _scaled(value, power)
    if target >= 1e9:
        power -= 1
        target = _scaled(value, power)
    half = (float(np.int32(bits + 1).view(np.float32)) - value) / 2
    reach = _scaled(value + half, power) - target - _EDGE
    digits, best = 0, 0
    for dropped in range(_DIGITS + 1):
        step = float(_POWERS[dropped])
        quotient = target * float(_INVERSES[dropped])
        nearest = np.floor(quotient + 0.5)
        distance = abs(nearest * step - target)
        if distance > reach + 2 * _EDGE:
            break
        if distance > reach or distance > step / 2 - _EDGE:
            return 0, 0
        digits, best = int(nearest), dropped
    # Below a power of two the float32 lie closer: only what is exact in one digit is safe there.
    if bits & 0x7FFFFF == 0 and (digits > 9 or digits * _POWERS[best] != target):
        return 0, 0
    return digits, best - power


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _put_digits(out: Bytes, position: int, digits: int, count: int) -> int:
    """Write ``count`` digits, and say where they end."""
    rest = np.uint64(digits)
    for place in range(position + count - 1, position - 1, -1):
        tenth = rest // np.uint64(10)
        out[place] = _ZERO + rest - np.uint64(10) * tenth
        rest = tenth
    return position + count


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _put_scientific(out: Bytes, position: int, digits: int, count: int, exponent: int) -> int:
    start = position
    position = _put_digits(out, position + 1, digits, count)
    out[start] = out[start + 1]
    out[start + 1] = _POINT
    if count == 1:
        position = start + 1
    out[position] = _E
    out[position + 1] = _MINUS if exponent < 0 else _PLUS
    return _put_digits(out, position + 2, abs(exponent), 2)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _put_positional(out: Bytes, position: int, digits: int, count: int, exponent: int) -> int:
    if exponent >= 0:
        position = _put_digits(out, position, digits, count)
        position = _put_digits(out, position, 0, exponent)
        out[position] = _POINT
        out[position + 1] = _ZERO
        return position + 2
    whole = max(0, count + exponent)
    leading = max(1, whole)
    zeros = max(0, -exponent - count)
    # Digits before and after the point are written in one go, then the former moved to the left.
    end = _put_digits(out, position + 1 + (leading - whole) + zeros, digits, count)
    for place in range(position, position + whole):
        out[place] = out[place + 1]
    if whole == 0:
        _put_digits(out, position, 0, 2 + zeros)
    out[position + leading] = _POINT
    return end


@numba.njit(nogil=True, cache=True, error_model="numpy")
def format_number(value: float, bits: int, out: Bytes, position: int) -> int:
    """Write the shortest text that gives back a float32, and say where it ends.

    Args:
        value: A finite float32.
        bits: Its binary form.
        out: Room for the text.
        position: Where to write it.

    Returns:
        Where it ends; -1 if it is not plain and nothing was written.
    """
    size = abs(value)
    if size != 0 and not 1e-13 < size < 1e16:
        return -1
    digits, exponent = (0, 0) if size == 0 else _shortest(size, bits & 0x7FFFFFFF)
    if size != 0 and digits == 0:
        return -1
    if bits < 0:
        out[position] = _MINUS
        position += 1
    count = 1
    while count < _DIGITS + 1 and digits >= _TENS[count]:
        count += 1
    if size != 0 and size < 1e-4:
        return _put_scientific(out, position, digits, count, exponent + count - 1)
    return _put_positional(out, position, digits, count, exponent)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def format_rows(
    rows: Floats, words: Bytes, word_ends: Ints, out: Bytes, row: int, column: int, position: int
) -> tuple[int, int, int]:
    """Write lines of a word and its numbers until the rows end or a number is not plain.

    Args:
        rows: ``(n, dims)`` finite and C-contiguous.
        words: All words' bytes, one after the other.
        word_ends: ``(n,)`` where each word ends in them.
        out: Room for the text.
        row: The row to begin with.
        column: The column to begin with; -1 begins with the word.
        position: Where to write.

    Returns:
        row, column and position of the first number that is not plain; row ``n`` at the end.
    """
    bits = rows.view(np.int32)
    while row < len(rows):
        if column < 0:
            for place in range(word_ends[row - 1] if row > 0 else 0, word_ends[row]):
                out[position] = words[place]
                position += 1
            column = 0
        while column < rows.shape[1]:
            end = format_number(float(rows[row, column]), bits[row, column], out, position + 1)
            if end < 0:
                return row, column, position
            out[position] = _SPACE
            position = end
            column += 1
        out[position] = _NEWLINE
        position += 1
        column = -1
        row += 1
    return row, column, position
