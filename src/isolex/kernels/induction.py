"""Dictionary induction: neighbourhood means, highest similarities and masked CSLS.

Both directions are computed together. A band of source rows is multiplied tile by tile, and each
tile is scanned for its rows and its columns while it is in cache. CSLS needs the neighbourhood
means first, so there are two scans. The product is stored for the second scan if memory allows, and
recomputed otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from isolex.kernels.parallel import for_bands
from isolex.kernels.similarity import row_means, tiles
from isolex.kernels.types import Floats, Induction, Ints, Tick, at_least_one

ROWS, COLUMNS = 512, 1024
"""A tile of this size stays in a core's cache between the product and its scan."""

T = TypeVar("T")


def quarter_of_memory() -> int:
    """Return a quarter of the machine's memory in bytes, or 1 GiB if it is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    except (AttributeError, OSError, ValueError):
        return 1 << 30


class Workspace:
    """Memory reused by every induction of a run.

    Args:
        budget: Bytes available for storing a product; a quarter of the machine's memory by default.
    """

    def __init__(self, budget: int | None = None) -> None:
        self.budget = quarter_of_memory() if budget is None else budget
        self._stored: Floats | None = None

    def product(self, size: int) -> Floats | None:
        """Return memory for ``size`` similarities, or ``None`` if they exceed the budget."""
        if size * 4 > self.budget:
            return None
        if self._stored is None or self._stored.size < size:
            self._stored = None  # free the old memory before allocating more
            self._stored = np.empty(size, dtype=np.float32)
        return self._stored


@dataclass
class _Best:
    """The best partner of each word so far."""

    scores: Floats
    indices: Ints

    @classmethod
    def empty(cls, words: int) -> _Best:
        return cls(lowest((words,)), np.full(words, -1, dtype=np.int32))


@dataclass(frozen=True)
class Product:
    """The similarities of all source and target words, tile by tile."""

    src: Floats  # (n, d)
    trg: Floats  # (m, d)
    stored: Floats | None  # room for n * m similarities, or None to recompute them

    def block(self, band: slice, tile: slice, scratch: Floats) -> Floats:
        """Return the memory for one tile of a band: stored if possible, else scratch."""
        rows, columns = band.stop - band.start, tile.stop - tile.start
        if self.stored is None:
            return scratch[: rows * columns].reshape(rows, columns)
        offset = band.start * len(self.trg) + rows * tile.start
        return self.stored[offset : offset + rows * columns].reshape(rows, columns)

    def scan(
        self,
        make_state: Callable[[], T],
        visit: Callable[[Floats, slice, slice, T], None],
        *,
        again: bool,
        tick: Tick | None = None,
    ) -> list[T]:
        """Visit every tile and return the states of all threads.

        Args:
            make_state: Makes the state of one thread.
            visit: Called with a tile's similarities, its rows, its columns and the state.
            again: The product was scanned before; if it is stored, do not recompute it.
            tick: Called with the share of source words done.
        """
        states: list[T] = []

        def make_worker() -> Callable[[slice], None]:
            scratch = np.empty(ROWS * COLUMNS if self.stored is None else 0, dtype=np.float32)
            state = make_state()
            states.append(state)

            def work(band: slice) -> None:
                for tile in tiles(len(self.trg), COLUMNS):
                    block = self.block(band, tile, scratch)
                    if self.stored is None or not again:
                        np.matmul(self.src[band], self.trg[tile].T, out=block)
                    visit(block, band, tile, state)

            return work

        for_bands(len(self.src), ROWS, make_worker, tick)
        return states


def induce(
    src: Floats,
    trg: Floats,
    neighbours: int,
    keep_prob: float = 1.0,
    key: int = 0,
    workspace: Workspace | None = None,
) -> Induction:
    """Find the CSLS arg-max in both directions over a random part of the similarities.

    Args:
        src: ``(n, d)`` mapped source vectors of unit length.
        trg: ``(m, d)`` mapped target vectors of unit length.
        neighbours: Number of nearest neighbours in a neighbourhood mean; 0 chooses the plain
            nearest neighbour.
        keep_prob: Share of similarities kept, drawn independently for each direction.
        key: Random seed of the draw.
        workspace: Memory to reuse from earlier calls.

    Returns:
        The induced pairs and their statistics, which do not depend on the number of threads.
    """
    at_least_one(min(len(src), len(trg)))
    product = Product(src, trg, (workspace or Workspace()).product(len(src) * len(trg)))
    src_top, trg_top = _highest(product, max(neighbours, 1))
    src_means, trg_means = (
        row_means(top) * np.float32(neighbours > 0) for top in (src_top, trg_top)
    )
    forward, backward = _argmax(product, (src_means, trg_means), keep_prob, key)
    return Induction(
        forward=forward,
        backward=backward,
        src_means=src_means,
        trg_means=trg_means,
        src_best=src_top[:, -1].copy(),
        trg_best=trg_top[:, -1].copy(),
    )


def neighbourhood_means(
    src: Floats, trg: Floats, neighbours: int, tick: Tick | None = None
) -> tuple[Floats, Floats]:
    """Return each word's mean similarity to its nearest ``neighbours``: ``(n,)`` and ``(m,)``.

    Both directions share one product.
    """
    at_least_one(neighbours)
    src_top, trg_top = _highest(Product(src, trg, None), neighbours, tick)
    return row_means(src_top), row_means(trg_top)


def best_both_ways(
    src: Floats, trg: Floats, means: tuple[Floats, Floats], k: int, tick: Tick | None = None
) -> tuple[Ints, Floats, Ints]:
    """Find the best translations by CSLS; both directions share one product.

    Args:
        src: ``(n, d)`` mapped source vectors of unit length.
        trg: ``(m, d)`` mapped target vectors of unit length.
        means: ``(n,)`` and ``(m,)`` from `neighbourhood_means`.
        k: Number of targets per source word.
        tick: Called with the share of source words done.

    Returns:
        Targets ``(n, k)``, their similarities minus half the targets' means ``(n, k)``, and the
        best source of each target ``(m,)``.
    """
    from isolex.kernels.scans import scan_topk

    at_least_one(k)
    n, m = len(src), len(trg)
    trg_penalty = means[1] * np.float32(0.5)
    best = np.full((n, min(k, m)), -1, dtype=np.int32)
    scores = lowest(best.shape)
    # Infinite scores are never beaten: `scan_topk` already covers this direction.
    no_forward = _Best(np.full(n, np.inf, dtype=np.float32), np.empty(n, dtype=np.int32))
    update_best = _best_visitor(means, no_forward)

    def visit(block: Floats, band: slice, tile: slice, backward: _Best) -> None:
        scan_topk(block, trg_penalty[tile], tile.start, best[band], scores[band])
        update_best(block, band, tile, backward)

    found = Product(src, trg, None).scan(lambda: _Best.empty(m), visit, again=False, tick=tick)
    return best, scores, _merge(found)


def _highest(product: Product, count: int, tick: Tick | None = None) -> tuple[Floats, Floats]:
    """Return each word's ``count`` highest similarities, ascending: ``(n, k)`` and ``(m, l)``."""
    from isolex.kernels.scans import scan_means

    n, m = len(product.src), len(product.trg)
    src_top = lowest((n, min(count, m)))
    width = min(count, n)

    def visit(block: Floats, band: slice, tile: slice, trg_top: Floats) -> None:
        scan_means(block, src_top[band], trg_top[tile])

    found = product.scan(lambda: lowest((m, width)), visit, again=False, tick=tick)
    return src_top, np.sort(np.concatenate(found, axis=1), axis=1)[:, -width:]


def _argmax(
    product: Product, means: tuple[Floats, Floats], keep_prob: float, key: int
) -> tuple[Ints, Ints]:
    """Return each word's arg-max over its kept similarities minus half the others' means."""
    n, m = len(product.src), len(product.trg)
    forward = _Best.empty(n)
    visit = _best_visitor(means, forward, keep_prob, key)
    found = product.scan(lambda: _Best.empty(m), visit, again=True)
    return forward.indices, _merge(found)


def _best_visitor(
    means: tuple[Floats, Floats], forward: _Best, keep_prob: float = 1.0, key: int = 0
) -> Callable[[Floats, slice, slice, _Best], None]:
    """Return a visitor that merges a tile into ``forward`` and a thread's best sources."""
    from isolex.kernels.scans import scan_best

    src_penalty, trg_penalty = (mean * np.float32(0.5) for mean in means)
    mask = np.uint64(key), np.uint64(round(keep_prob * 2**32))

    def visit(block: Floats, band: slice, tile: slice, backward: _Best) -> None:
        scan_best(
            block,
            (band.start, tile.start),
            (src_penalty[band], trg_penalty[tile]),
            (forward.scores[band], forward.indices[band]),
            (backward.scores[tile], backward.indices[tile]),
            mask,
        )

    return visit


def _merge(threads: Sequence[_Best]) -> Ints:
    """Return each column's arg-max over all threads; ties go to the lowest row."""
    scores, indices = threads[0].scores, threads[0].indices
    for other in threads[1:]:
        better = (other.scores > scores) | (
            (other.scores == scores) & (other.indices >= 0) & (other.indices < indices)
        )
        scores = np.where(better, other.scores, scores)
        indices = np.where(better, other.indices, indices)
    return indices


def lowest(shape: tuple[int, ...]) -> Floats:
    """Return an array of minus infinity, below every similarity."""
    return np.full(shape, -np.inf, dtype=np.float32)
