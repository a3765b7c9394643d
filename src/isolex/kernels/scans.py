"""The compiled inner loops: top-k, neighbourhood means and masked CSLS over a tile in cache.

They share one file because Numba's disk cache only notices changes in the file of the compiled
function itself.
"""

from __future__ import annotations

import numba
import numpy as np

from isolex.kernels.types import Doubles, Floats, Ints

SEGMENT = 128
"""Entries compared with vector instructions before single entries are inspected."""

MASK_STEP = np.uint64(0x9E3779B97F4A7C15)
MASK_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MASK_MIX_2 = np.uint64(0x94D049BB133111EB)


@numba.njit(nogil=True, cache=True, inline="always")
def _next_flag(bits, word):  # type: ignore[no-untyped-def]
    """Return the place of the lowest set flag among eight, and the flags without it."""
    lowest = bits & (~bits + np.uint64(1))
    # A flag in byte b shifts byte b of the constant to the top.
    place = np.int64((lowest * np.uint64(0x0001020304050607)) >> np.uint64(56))
    return 8 * word + place, bits ^ lowest


@numba.njit(nogil=True, cache=True)
def scan_topk(block: Floats, penalty: Floats, first: int, best: Ints, scores: Floats) -> None:
    """Merge a tile ``(r, c)`` of dot products, minus penalties, into each row's best ``(r, k)``."""
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
    """Insert a score into a descending row, after equal scores, and drop the lowest."""
    place = scores.size - 1
    while place > 0 and scores[place - 1] < score:
        scores[place] = scores[place - 1]
        best[place] = best[place - 1]
        place -= 1
    scores[place] = score
    best[place] = index


@numba.njit(nogil=True, cache=True)
def scan_ranks(
    block: Floats, pivots: Floats, first: int, best: Ints, scores: Doubles, tolerance: np.float32
) -> None:
    """Merge the keys of a tile into each query's best by rank.

    Args:
        block: ``(r, c)`` dot products of queries and keys.
        pivots: ``(c, p)`` dot products of each key with all pivots, ascending.
        first: Index of the tile's first key.
        best: ``(r, k)`` best keys so far; updated.
        scores: ``(r, k)`` their scores; updated.
        tolerance: Margin by which a pivot must beat the query.
    """
    rows, columns = block.shape
    k = best.shape[1]
    for row in range(rows):
        for column in range(columns):
            value = block[row, column]
            beaten = np.searchsorted(pivots[column], value + tolerance, side="right")
            rank = pivots.shape[1] - beaten
            score = np.float64(value) - rank
            if score > scores[row, k - 1]:
                _insert_ranked(scores[row], best[row], score, first + column)


@numba.njit(nogil=True, cache=True, inline="always")
def _insert_value(top: Floats, value: np.float32) -> None:
    """Insert ``value`` into ascending ``top`` and drop the lowest entry, without branches."""
    last = top.size - 1
    for place in range(last):
        top[place] = max(top[place], min(value, top[place + 1]))
    top[last] = max(top[last], value)


@numba.njit(nogil=True, cache=True)
def scan_means(block: Floats, src_top: Floats, trg_top: Floats) -> None:
    """Merge a tile ``(r, c)`` into its rows' ``(r, k)`` and columns' ``(c, l)`` top, ascending."""
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
    """Return 64 random bits for an entry: the low half for forward, the high half for backward."""
    place = (np.uint64(row) << np.uint64(32)) | np.uint64(column)
    state = key + place * MASK_STEP
    state = (state ^ (state >> np.uint64(30))) * MASK_MIX_1
    state = (state ^ (state >> np.uint64(27))) * MASK_MIX_2
    return state ^ (state >> np.uint64(31))


@numba.njit(nogil=True, cache=True)
def scan_best(block, origin, penalties, src_state, trg_state, mask):  # type: ignore[no-untyped-def]
    """Merge a tile into the masked CSLS arg-max of its rows and columns.

    Random bits are drawn only for the few entries that would win, so the mask costs almost nothing.

    Args:
        block: ``(r, c)`` similarities.
        origin: Row and column of the tile's first entry in the whole matrix.
        penalties: ``(r,)`` and ``(c,)`` half neighbourhood means.
        src_state: ``(r,)`` best scores and their targets so far; updated.
        trg_state: ``(c,)`` best scores and their sources so far; updated.
        mask: Key of the draw, and the limit below which 32 random bits keep an entry.
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
                    src_score = values[place] - penalties[place]
                    trg_score = values[place] - penalty
                    if src_score > floor or trg_score > floors[place]:
                        drawn = _draw(key, origin[0] + row, origin[1] + start + place)
                        if src_score > floor and (drawn & low) < limit:
                            floor = src_score
                            forward[row] = origin[1] + start + place
                        if trg_score > floors[place] and (drawn >> np.uint64(32)) < limit:
                            floors[place] = trg_score
                            backward[start + place] = origin[0] + row
        src_best[row] = floor
