"""Blocked similarities: top-k, means, sums and ranks with only a few tiles in memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np

from isolex.kernels.linalg import cross_moment, power, product
from isolex.kernels.parallel import for_bands
from isolex.kernels.types import RANK_TOLERANCE, Doubles, Floats, Ints, Tick, at_least_one

ROWS, COLUMNS = 256, 2048
"""A tile of this size stays in a core's cache between the product and its scan."""

NUMPY_LIMIT = 1 << 22
"""Up to this many dot products, NumPy finishes before the compiled scan would be loaded."""

RANK_TILE = 1 << 24
"""Similarities that `rank_topk` holds at once."""


def tiles(size: int, step: int = COLUMNS) -> Iterator[slice]:
    """Return consecutive slices of length ``step`` that cover ``size``."""
    return (slice(start, min(start + step, size)) for start in range(0, size, step))


def topk(
    queries: Floats,
    keys: Floats,
    k: int,
    penalty: Floats | None = None,
    tick: Tick | None = None,
) -> tuple[Ints, Floats]:
    """Return each query's ``k`` best keys by dot product minus penalty.

    Args:
        queries: ``(n, d)``.
        keys: ``(m, d)``.
        k: Number of keys per query; reduced to ``m`` if larger.
        penalty: ``(m,)`` subtracted from each key's dot products; none by default.
        tick: Called with the share of queries done.

    Returns:
        Indices ``(n, k)`` and scores ``(n, k)``, best first; ties go to the lower index.
    """
    at_least_one(k)
    k = min(k, len(keys))
    best = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf, dtype=np.float32)
    if penalty is None:
        penalty = np.zeros(len(keys), dtype=np.float32)
    scan = _choose_scan(len(queries) * len(keys))
    width = COLUMNS * max(1, ROWS // max(1, len(queries)))  # as many similarities at once

    def make_worker() -> Callable[[slice], None]:
        buffer = np.empty(min(ROWS, len(queries)) * width, dtype=np.float32)

        def work(band: slice) -> None:
            for tile in tiles(len(keys), width):
                block = _multiply(queries[band], keys[tile], buffer)
                scan(block, penalty[tile], tile.start, best[band], scores[band])

        return work

    for_bands(len(queries), ROWS, make_worker, tick)
    return best, scores


Scan = Callable[[Floats, Floats, int, Ints, Floats], None]
"""Signature of `scan_topk` and `scan_few`."""


def _choose_scan(size: int) -> Scan:
    """Return the compiled scan, or the NumPy one if ``size`` dot products do not repay loading."""
    if size <= NUMPY_LIMIT and "isolex.kernels.scans" not in sys.modules:
        return scan_few
    from isolex.kernels.scans import scan_topk

    return scan_topk


def scan_few(block: Floats, penalty: Floats, first: int, best: Ints, scores: Floats) -> None:
    """Merge a tile like `scan_topk`, in NumPy."""
    candidates, k = block - penalty, best.shape[1]
    entering = candidates > scores[:, -1:]  # earlier tiles have lower indices, so they win ties
    if (least := candidates.shape[1] - k) > 0:
        entering &= candidates >= np.partition(candidates, least, axis=1)[:, least, None]
    columns = np.flatnonzero(entering.any(axis=0)).astype(np.int32)
    if not len(columns):
        return
    places = np.broadcast_to(first + columns, (len(block), len(columns)))
    candidates = np.concatenate([scores, candidates[:, columns]], axis=1)
    order = np.argsort(-candidates, axis=1, kind="stable")[:, :k]
    scores[:] = np.take_along_axis(candidates, order, axis=1)
    best[:] = np.take_along_axis(np.concatenate([best, places], axis=1), order, axis=1)


def topk_mean(queries: Floats, keys: Floats, k: int, tick: Tick | None = None) -> Floats:
    """Return the mean ``(n,)`` of each query's ``k`` highest dot products, or all if fewer."""
    _, scores = topk(queries, keys, k, tick=tick)
    return row_means(scores)


def row_means(values: Floats) -> Floats:
    """Return the mean of each row, summed in float64."""
    means: Floats = values.mean(axis=1, dtype=np.float64).astype(np.float32)
    return means


def log_sum_exp(queries: Floats, keys: Floats, scale: float, tick: Tick | None = None) -> Floats:
    """Return ``log(sum(exp(scale * dot)))`` ``(n,)`` over all keys for each query."""
    totals = np.empty(len(queries), dtype=np.float32)

    def make_worker() -> Callable[[slice], None]:
        buffer = np.empty(ROWS * COLUMNS, dtype=np.float32)

        def work(band: slice) -> None:
            total = np.full(band.stop - band.start, -np.inf)
            for tile in tiles(len(keys)):
                block = scale * _multiply(queries[band], keys[tile], buffer).astype(np.float64)
                total = np.logaddexp(total, _log_sum_exp_rows(block))
            totals[band] = total

        return work

    for_bands(len(queries), ROWS, make_worker, tick)
    return totals


def rank_topk(
    queries: Floats, keys: Floats, pivots: Floats, k: int, tick: Tick | None = None
) -> tuple[Ints, Doubles]:
    """Return each query's ``k`` best keys by dot product minus the query's rank for the key.

    The rank is the number of ``pivots`` ``(p, d)`` more similar to the key than the query is
    (Dinu et al., 2015). The dot product only breaks ties.
    """
    from isolex.kernels.scans import scan_ranks

    at_least_one(k)
    k = min(k, len(keys))
    best = np.full((len(queries), k), -1, dtype=np.int32)
    scores = np.full((len(queries), k), -np.inf)
    step = max(1, RANK_TILE // (len(pivots) + len(queries)))
    for tile in tiles(len(keys), step):
        ranked = _sorted_columns(product(pivots, keys[tile].T))
        block = product(queries, keys[tile].T)

        def work(
            band: slice, block: Floats = block, ranked: Floats = ranked, first: int = tile.start
        ) -> None:
            scan_ranks(block[band], ranked, first, best[band], scores[band], RANK_TOLERANCE)

        for_bands(len(queries), ROWS, lambda work=work: work)  # type: ignore[misc]
        if tick is not None:
            tick(tile.stop / len(keys))
    return best, scores


def similarity_profile(vectors: Floats) -> Floats:
    """Return the sorted rows ``(n, n)`` of the square root of ``vectors @ vectors.T``.

    With ``X = U S V'`` the root is ``U S U' = X (X'X)^(-1/2) X'``, so decomposing a d x d matrix
    is enough.
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
