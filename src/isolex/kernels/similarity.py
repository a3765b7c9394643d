"""Blocked similarities: top-k, its mean, sums and ranks, never more than a few tiles in memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np

from isolex.kernels.linalg import cross_moment, power, product
from isolex.kernels.parallel import for_bands
from isolex.kernels.types import RANK_TOLERANCE, Doubles, Floats, Ints, Tick, at_least_one

ROWS, COLUMNS = 256, 2048
"""A tile of this size stays in a core's cache between the product and its scan."""

FEW = 1 << 22
"""Dot products below which NumPy is done before the compiled scan would have been loaded."""

RANK_TILE = 1 << 24
"""Similarities that `rank_topk` may hold per worker."""


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
    at_least_one(k)
    k = min(k, len(keys))
    best = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf, dtype=np.float32)
    taken = np.zeros(len(keys), dtype=np.float32) if penalty is None else penalty
    scan = _scan_of(len(queries) * len(keys))
    done = 0

    def make_worker() -> Callable[[slice], None]:
        buffer = np.empty(ROWS * COLUMNS, dtype=np.float32)

        def work(band: slice) -> None:
            nonlocal done
            for tile in tiles(len(keys)):
                block = _multiply(queries[band], keys[tile], buffer)
                scan(block, taken[tile], tile.start, best[band], scores[band])
            done += band.stop - band.start
            if tick is not None:
                tick(done / len(queries))

        return work

    for_bands(len(queries), ROWS, make_worker)
    return best, scores


Scan = Callable[[Floats, Floats, int, Ints, Floats], None]


def _scan_of(size: int) -> Scan:
    """What merges a tile into the best of each row: compiled, where that is worth loading."""
    if size <= FEW and "isolex.kernels.scans" not in sys.modules:
        return scan_few
    from isolex.kernels.scans import scan_topk

    return scan_topk


def scan_few(block: Floats, penalty: Floats, first: int, best: Ints, scores: Floats) -> None:
    """Merge a tile ``(r, c)`` of dot products into each row's best ``(r, k)``, in NumPy."""
    k = best.shape[1]
    places = np.broadcast_to(np.arange(first, first + block.shape[1], dtype=np.int32), block.shape)
    both = np.concatenate([scores, block - penalty], axis=1)
    order = np.argsort(-both, axis=1, kind="stable")[:, :k]
    scores[:] = np.take_along_axis(both, order, axis=1)
    best[:] = np.take_along_axis(np.concatenate([best, places], axis=1), order, axis=1)


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
    from isolex.kernels.scans import scan_ranks

    at_least_one(k)
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
            scan_ranks(asked[band], liked, first, best[band], scores[band], RANK_TOLERANCE)

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
