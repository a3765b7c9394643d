"""Blocked similarities: top-k, its mean, sums and ranks, never more than a few tiles in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numba
import numpy as np

from isolex.kernels.linalg import cross_moment, power, product
from isolex.kernels.parallel import for_bands
from isolex.kernels.types import RANK_TOLERANCE, Doubles, Floats, Ints

ROWS, COLUMNS = 256, 2048
"""A tile of this size stays in a core's cache between the product and its scan."""

SEGMENT = 128
"""Entries that are compared together, by vector instructions, before any is looked at alone."""

RANK_TILE = 1 << 24
"""Similarities that `rank_topk` may hold per worker."""

Tick = Callable[[float], None]


def tiles(size: int, step: int = COLUMNS) -> Iterator[slice]:
    """Consecutive slices of ``step`` that cover ``size``."""
    return (slice(start, min(start + step, size)) for start in range(0, size, step))


def topk(
    queries: Floats,
    keys: Floats,
    k: int,
    penalty: Floats | None = None,
    tick: Tick | None = None,
) -> tuple[Ints, Floats]:
    """Per query the ``k`` keys of highest dot product less penalty, best first, ties by index.

    Args:
        queries: ``(n, d)``.
        keys: ``(m, d)``.
        k: How many; at most ``m``.
        penalty: ``(m,)`` what is taken off each key's dot products.
        tick: Called with the share of queries done.

    Returns:
        Indices ``(n, k)`` and scores ``(n, k)``.
    """
    k = min(k, len(keys))
    best = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf, dtype=np.float32)
    taken = np.zeros(len(keys), dtype=np.float32) if penalty is None else penalty
    done = 0

    def make_worker() -> Callable[[slice], None]:
        buffer = np.empty(ROWS * COLUMNS, dtype=np.float32)

        def work(band: slice) -> None:
            nonlocal done
            for tile in tiles(len(keys)):
                block = _multiply(queries[band], keys[tile], buffer)
                _scan_topk(block, taken[tile], tile.start, best[band], scores[band])
            done += band.stop - band.start
            if tick is not None:
                tick(done / len(queries))

        return work

    for_bands(len(queries), ROWS, make_worker)
    return best, scores


def topk_mean(queries: Floats, keys: Floats, k: int, tick: Tick | None = None) -> Floats:
    """Per query ``(n,)`` the mean of its ``k`` highest dot products; of all if there are fewer."""
    _, scores = topk(queries, keys, k, tick=tick)
    means: Floats = scores.mean(axis=1, dtype=np.float64).astype(np.float32)
    return means


def log_sum_exp(queries: Floats, keys: Floats, scale: float, tick: Tick | None = None) -> Floats:
    """Per query ``(n,)`` the log of the sum over all keys of ``exp(scale * dot product)``."""
    totals = np.empty(len(queries), dtype=np.float32)
    done = 0

    def make_worker() -> Callable[[slice], None]:
        buffer = np.empty(ROWS * COLUMNS, dtype=np.float32)

        def work(band: slice) -> None:
            nonlocal done
            total = np.full(band.stop - band.start, -np.inf)
            for tile in tiles(len(keys)):
                block = scale * _multiply(queries[band], keys[tile], buffer).astype(np.float64)
                total = np.logaddexp(total, _log_sum_exp_rows(block))
            totals[band] = total
            done += band.stop - band.start
            if tick is not None:
                tick(done / len(queries))

        return work

    for_bands(len(queries), ROWS, make_worker)
    return totals


def rank_topk(
    queries: Floats, keys: Floats, pivots: Floats, k: int, tick: Tick | None = None
) -> tuple[Ints, Doubles]:
    """Per query the ``k`` best keys by dot product less the query's rank as the key sees it.

    The rank is the number of ``pivots`` ``(p, d)`` that the key likes better than the query
    (Dinu et al., 2015), so the dot product only settles ties.
    """
    k = min(k, len(keys))
    best = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf)
    step = max(1, RANK_TILE // (len(pivots) + len(queries)))
    for tile in tiles(len(keys), step):
        liked = _sorted_columns(product(pivots, keys[tile].T))
        asked = product(queries, keys[tile].T)

        def work(
            band: slice, asked: Floats = asked, liked: Floats = liked, first: int = tile.start
        ) -> None:
            _scan_ranks(asked[band], liked, first, best[band], scores[band])

        for_bands(len(queries), ROWS, lambda work=work: work)  # type: ignore[misc]
        if tick is not None:
            tick(tile.stop / len(keys))
    return best, scores


def similarity_profile(vectors: Floats) -> Floats:
    """The rows of the square root of ``vectors @ vectors.T``, each sorted: ``(n, n)``.

    With ``X = U S V'`` the root ``U S U'`` is ``X (X'X)^(-1/2) X'``: a d x d decomposition
    replaces that of the n x n matrix.
    """
    half = product(vectors, power(cross_moment(vectors, vectors), -0.5).astype(np.float32))
    profile = np.empty((len(vectors), len(vectors)), dtype=np.float32)

    def fill(band: slice) -> None:
        np.matmul(half[band], vectors.T, out=profile[band])
        profile[band].sort(axis=1)

    for_bands(len(vectors), ROWS, lambda: fill)
    return profile


def _multiply(queries: Floats, keys: Floats, buffer: Floats) -> Floats:
    block = buffer[: len(queries) * len(keys)].reshape(len(queries), len(keys))
    return np.matmul(queries, keys.T, out=block)


def _log_sum_exp_rows(block: Doubles) -> Doubles:
    top = block.max(axis=1, keepdims=True)
    sums: Doubles = top[:, 0] + np.log(np.exp(block - top).sum(axis=1))
    return sums


def _sorted_columns(block: Floats) -> Floats:
    columns = np.ascontiguousarray(block.T)
    for_bands(len(columns), 16, lambda: lambda band: columns[band].sort(axis=1))
    return columns


@numba.njit(nogil=True, cache=True, inline="always")
def next_flag(bits, word):  # type: ignore[no-untyped-def]
    """The place of the lowest set flag of eight, and the flags without it."""
    lowest = bits & (~bits + np.uint64(1))
    # A flag at byte b shifts the b-th byte of the constant to the top.
    place = np.int64((lowest * np.uint64(0x0001020304050607)) >> np.uint64(56))
    return 8 * word + place, bits ^ lowest


@numba.njit(nogil=True, cache=True)
def _scan_topk(block: Floats, penalty: Floats, first: int, best: Ints, scores: Floats) -> None:
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
                    place, bits = next_flag(bits, word)
                    score = values[place] - penalties[place]
                    if score > scores[row, k - 1]:
                        _insert(scores[row], best[row], score, first + start + place)


@numba.njit(nogil=True, cache=True, inline="always")
def _insert(scores, best, score, index):  # type: ignore[no-untyped-def]
    """Put a score into its descending row in place of the lowest, behind its equals."""
    place = scores.size - 1
    while place > 0 and scores[place - 1] < score:
        scores[place] = scores[place - 1]
        best[place] = best[place - 1]
        place -= 1
    scores[place] = score
    best[place] = index


@numba.njit(nogil=True, cache=True)
def _scan_ranks(asked: Floats, liked: Floats, first: int, best: Ints, scores: Doubles) -> None:
    """Merge the keys of one tile into each query's best by rank, ``liked`` sorted per key."""
    rows, columns = asked.shape
    k = best.shape[1]
    for row in range(rows):
        for column in range(columns):
            value = asked[row, column]
            rank = liked.shape[1] - np.searchsorted(
                liked[column], value + RANK_TOLERANCE, side="right"
            )
            score = np.float64(value) - rank
            if score > scores[row, k - 1]:
                _insert(scores[row], best[row], score, first + column)
