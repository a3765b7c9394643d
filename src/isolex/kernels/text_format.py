"""Format float32 as the shortest text; numbers that are not plain are left to the caller.

A number is plain if it is moderate in size and float64 arithmetic settles its shortest form.
"""

from __future__ import annotations

import numba
import numpy as np

from isolex.kernels.text import POWERS, scaled
from isolex.kernels.types import Bytes, Floats, Longs

_NEWLINE, _SPACE = ord("\n"), ord(" ")
_PLUS, _MINUS, _POINT, _ZERO, _E = ord("+"), ord("-"), ord("."), ord("0"), ord("e")
_DIGITS = 9  # enough to distinguish any two float32
_TENS = 10 ** np.arange(_DIGITS + 2)
_PAIRS = np.frombuffer("".join(f"{pair:02}" for pair in range(100)).encode(), dtype=np.uint8)
_INVERSES = 1 / POWERS[: _DIGITS + 1]
_EDGE = 1e-5  # in units of the ninth digit; float64 is off by at most 1e-6


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _shortest(value: float, bits: int) -> tuple[int, int]:
    """Return the shortest ``digits * 10**exponent`` that reads back as a positive float32.

    Args:
        value: The float32, between 1e-13 and 1e16.
        bits: Its binary representation.

    Returns:
        The digits, or 0 if float64 cannot decide; and the exponent.
    """
    # floor(log10(2) * binary exponent): 1233 / 4096 = 0.30103
    power = _DIGITS - 1 - (((bits >> 23) - 127) * 1233 >> 12)
    target = scaled(value, power)
    if target >= 1e9:
        power -= 1
        target = scaled(value, power)
    half = (float(np.int32(bits + 1).view(np.float32)) - value) / 2
    reach = scaled(value + half, power) - target - _EDGE
    digits, best = 0, 0
    for dropped in range(1, _DIGITS + 1):
        step = float(POWERS[dropped])
        nearest = np.floor(target * float(_INVERSES[dropped]) + 0.5)
        distance = abs(nearest * step - target)
        if distance > reach + 2 * _EDGE:
            break
        if distance > reach or distance > step / 2 - _EDGE:
            return 0, 0
        digits, best = int(nearest), dropped
    if best == 0:  # all nine digits are needed
        digits = int(np.floor(target + 0.5))
        if abs(digits - target) > 0.5 - _EDGE:
            return 0, 0
    # Just below a power of two float32 are denser: only an exact single digit is safe there.
    if bits & 0x7FFFFF == 0 and (digits > 9 or digits * POWERS[best] != target):
        return 0, 0
    return digits, best - power


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _write_digits(out: Bytes, position: int, digits: int, count: int) -> int:
    """Write ``count`` digits; return where they end."""
    rest = np.uint64(digits)
    place = position + count
    while place > position + 1:
        place -= 2
        hundredth = rest // np.uint64(100)
        pair = 2 * int(rest - np.uint64(100) * hundredth)
        out[place] = _PAIRS[pair]
        out[place + 1] = _PAIRS[pair + 1]
        rest = hundredth
    if place > position:
        out[position] = _ZERO + int(rest) % 10
    return position + count


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _write_scientific(out: Bytes, position: int, digits: int, count: int, exponent: int) -> int:
    start = position
    position = _write_digits(out, position + 1, digits, count)
    out[start] = out[start + 1]
    out[start + 1] = _POINT
    if count == 1:
        position = start + 1
    out[position] = _E
    out[position + 1] = _MINUS if exponent < 0 else _PLUS
    return _write_digits(out, position + 2, abs(exponent), 2)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def _write_positional(out: Bytes, position: int, digits: int, count: int, exponent: int) -> int:
    if exponent >= 0:
        position = _write_digits(out, position, digits, count)
        position = _write_digits(out, position, 0, exponent)
        out[position] = _POINT
        out[position + 1] = _ZERO
        return position + 2
    whole = max(0, count + exponent)
    leading = max(1, whole)
    zeros = max(0, -exponent - count)
    # All digits are written at once; those before the point then move left by one.
    end = _write_digits(out, position + 1 + (leading - whole) + zeros, digits, count)
    for place in range(position, position + whole):
        out[place] = out[place + 1]
    for place in range(position + whole, position + leading + 1 + zeros):
        out[place] = _ZERO
    out[position + leading] = _POINT
    return end


@numba.njit(nogil=True, cache=True, error_model="numpy")
def format_number(value: float, bits: int, out: Bytes, position: int) -> int:
    """Write the shortest text that reads back as the same float32.

    Args:
        value: A finite float32.
        bits: Its binary representation.
        out: Room for the text.
        position: Where to write.

    Returns:
        Where the text ends, or -1 if the number is not plain and nothing was written.
    """
    magnitude = abs(value)
    if magnitude != 0 and not 1e-13 < magnitude < 1e16:
        return -1
    digits, exponent = (0, 0) if magnitude == 0 else _shortest(magnitude, bits & 0x7FFFFFFF)
    if magnitude != 0 and digits == 0:
        return -1
    if bits < 0:
        out[position] = _MINUS
        position += 1
    count = _DIGITS + 1
    while count > 1 and digits < _TENS[count - 1]:
        count -= 1
    if magnitude != 0 and magnitude < 1e-4:
        return _write_scientific(out, position, digits, count, exponent + count - 1)
    return _write_positional(out, position, digits, count, exponent)


@numba.njit(nogil=True, cache=True, error_model="numpy")
def format_rows(
    rows: Floats, words: Bytes, word_ends: Longs, out: Bytes, row: int, column: int, position: int
) -> tuple[int, int, int]:
    """Write words and their numbers line by line until a number is not plain.

    Args:
        rows: ``(n, dims)`` finite and C-contiguous.
        words: Bytes of all words, concatenated.
        word_ends: ``(n,)`` where each word ends in ``words``.
        out: Room for the text.
        row: Row to start with.
        column: Column to start with; -1 starts with the word.
        position: Where to write.

    Returns:
        Row and column of the first number that is not plain, and the position reached; the row is
        ``n`` if everything was written.
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
