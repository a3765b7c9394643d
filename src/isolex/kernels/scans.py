"""What Numba compiles: scans over a tile of similarities while it is in cache.

All of it is in one file, because Numba's cache on disk notices a change only in the file of the
function that it compiled.
"""

from __future__ import annotations

import numba
import numpy as np

from isolex.kernels.types import Doubles, Floats, Ints

SEGMENT = 128
"""Entries that are compared together, by vector instructions, before any is looked at alone."""

MASK_STEP = np.uint64(0x9E3779B97F4A7C15)
MASK_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MASK_MIX_2 = np.uint64(0x94D049BB133111EB)


@numba.njit(nogil=True, cache=True, inline="always")
def _next_flag(bits, word):  # type: ignore[no-untyped-def]
    """The place of the lowest set flag of eight, and the flags without it."""
    lowest = bits & (~bits + np.uint64(1))
    # A flag at byte b shifts the b-th byte of the constant to the top.
    place = np.int64((lowest * np.uint64(0x0001020304050607)) >> np.uint64(56))
    return 8 * word + place, bits ^ lowest


@numba.njit(nogil=True, cache=True)
def scan_topk(block: Floats, penalty: Floats, first: int, best: Ints, scores: Floats) -> None:
    """Merge a tile ``(r, c)`` of dot products into each row's best ``(r, k)``."""
    rows, columns = block.shape
    k = best.shape[1]
    flags = np.zeros(SEGMENT, dtype=np.uint8)
    words = flags.view(np.uint64)
    for row in range(rows):
        for start in range(0, columns, SEGMENT):
            values = block[row, start : start + SEGMENT]
            penalties = penalty[start : start + SEGMENT]
            floor = scores[row, k - 1]
            for place in range(values.size):
                flags[place] = values[place] - penalties[place] > floor
            flags[values.size :] = 0
            for word in range((values.size + 7) // 8):
                bits = words[word]
                while bits:
                    place, bits = _next_flag(bits, word)
                    score = values[place] - penalties[place]
                    if score > scores[row, k - 1]:
                        _insert_ranked(scores[row], best[row], score, first + start + place)


@numba.njit(nogil=True, cache=True, inline="always")
def _insert_ranked(scores, best, score, index):  # type: ignore[no-untyped-def]
    """Put a score into its descending row in place of the lowest, behind its equals."""
    place = scores.size - 1
    while place > 0 and scores[place - 1] < score:
        scores[place] = scores[place - 1]
        best[place] = best[place - 1]
        place -= 1
    scores[place] = score
    best[place] = index


@numba.njit(nogil=True, cache=True)
def scan_ranks(
    asked: Floats, liked: Floats, first: int, best: Ints, scores: Doubles, tolerance: np.float32
) -> None:
    """Merge the keys of one tile into each query's best by rank, ``liked`` sorted per key."""
    rows, columns = asked.shape
    k = best.shape[1]
    for row in range(rows):
        for column in range(columns):
            value = asked[row, column]
            rank = liked.shape[1] - np.searchsorted(liked[column], value + tolerance, side="right")
            score = np.float64(value) - rank
            if score > scores[row, k - 1]:
                _insert_ranked(scores[row], best[row], score, first + column)


@numba.njit(nogil=True, cache=True, inline="always")
def _insert_value(top: Floats, value: np.float32) -> None:
    """Put ``value`` into ascending ``top`` in place of its lowest entry, without a branch."""
    last = top.size - 1
    for place in range(last):
        top[place] = max(top[place], min(value, top[place + 1]))
    top[last] = max(top[last], value)


@numba.njit(nogil=True, cache=True)
def scan_means(block: Floats, src_top: Floats, trg_top: Floats) -> None:
    """Merge a tile ``(r, c)`` into ascending tops: ``(r, k)`` of rows, ``(c, k)`` of columns."""
    rows, columns = block.shape
    trg_floor = trg_top[:, 0].copy()
    flags = np.zeros(SEGMENT, dtype=np.uint8)
    words = flags.view(np.uint64)
    for row in range(rows):
        top = src_top[row]
        for start in range(0, columns, SEGMENT):
            values = block[row, start : start + SEGMENT]
            floors = trg_floor[start : start + SEGMENT]
            floor = top[0]
            for place in range(values.size):
                flags[place] = (values[place] > floor) | (values[place] > floors[place])
            flags[values.size :] = 0
            for word in range((values.size + 7) // 8):
                bits = words[word]
                while bits:
                    place, bits = _next_flag(bits, word)
                    value = values[place]
                    if value > top[0]:
                        _insert_value(top, value)
                    if value > floors[place]:
                        _insert_value(trg_top[start + place], value)
                        floors[place] = trg_top[start + place, 0]


@numba.njit(nogil=True, cache=True, inline="always")
def _draw(key: np.uint64, row: int, column: int) -> np.uint64:
    """64 random bits of an entry: low half for one direction, high half for the other."""
    place = (np.uint64(row) << np.uint64(32)) | np.uint64(column)
    state = key + place * MASK_STEP
    state = (state ^ (state >> np.uint64(30))) * MASK_MIX_1
    state = (state ^ (state >> np.uint64(27))) * MASK_MIX_2
    return state ^ (state >> np.uint64(31))


@numba.njit(nogil=True, cache=True)
def scan_best(block, origin, penalties, src_state, trg_state, mask):  # type: ignore[no-untyped-def]
    """Merge a tile into the masked CSLS arg-max of its rows and columns.

    An entry is drawn only when it would win, which few do: so the mask costs next to nothing.
    """
    src_penalty, trg_penalty = penalties
    src_best, forward = src_state
    trg_best, backward = trg_state
    key, limit = mask
    low = np.uint64(0xFFFFFFFF)
    rows, columns = block.shape
    flags = np.zeros(SEGMENT, dtype=np.uint8)
    words = flags.view(np.uint64)
    for row in range(rows):
        penalty = src_penalty[row]
        floor = src_best[row]
        for start in range(0, columns, SEGMENT):
            values = block[row, start : start + SEGMENT]
            penalties = trg_penalty[start : start + SEGMENT]
            floors = trg_best[start : start + SEGMENT]
            for place in range(values.size):
                flags[place] = (values[place] - penalties[place] > floor) | (
                    values[place] - penalty > floors[place]
                )
            flags[values.size :] = 0
            for word in range((values.size + 7) // 8):
                bits = words[word]
                while bits:
                    place, bits = _next_flag(bits, word)
                    ahead = values[place] - penalties[place]
                    back = values[place] - penalty
                    if ahead > floor or back > floors[place]:
                        drawn = _draw(key, origin[0] + row, origin[1] + start + place)
                        if ahead > floor and (drawn & low) < limit:
                            floor = ahead
                            forward[row] = origin[1] + start + place
                        if back > floors[place] and (drawn >> np.uint64(32)) < limit:
                            floors[place] = back
                            backward[start + place] = origin[0] + row
        src_best[row] = floor
