"""One pass over the similarities: neighbourhood means, raw maxima and masked CSLS, both ways.

A band of source rows is multiplied tile by tile, each tile scanned while it is in cache, for its
rows and its columns at once. The neighbourhood means must be known before the CSLS arg-max is, so
there are two scans; the product is kept for the second where memory allows, else done again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from isolex.kernels.parallel import for_bands
from isolex.kernels.similarity import tiles
from isolex.kernels.types import Floats, Induction, Ints, Tick, at_least_one

ROWS, COLUMNS = 512, 1024
"""A tile of this size stays in a core's cache between the product and its scan."""

T = TypeVar("T")


def quarter_of_memory() -> int:
    """A quarter of the machine's memory in bytes; 1 GiB where it cannot be told."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    except (AttributeError, OSError, ValueError):
        return 1 << 30


class Workspace:
    """Memory that is used again by every induction of a run.

    Args:
        budget: Bytes that may hold a product; a quarter of the machine's memory by default.
    """

    def __init__(self, budget: int | None = None) -> None:
        self.budget = quarter_of_memory() if budget is None else budget
        self._kept: Floats | None = None

    def product(self, size: int) -> Floats | None:
        """Room for ``size`` similarities, or ``None`` where they would not fit the budget."""
        if size * 4 > self.budget:
            return None
        if self._kept is None or self._kept.size < size:
            self._kept = None  # let go of the old room before taking the new
            self._kept = np.empty(size, dtype=np.float32)
        return self._kept


@dataclass
class _Best:
    """What is known of each word of one side: its best partner so far."""

    scores: Floats
    indices: Ints

    @classmethod
    def of(cls, words: int) -> _Best:
        """Nothing known yet of ``words`` words."""
        return cls(_lowest((words,)), np.full(words, -1, dtype=np.int32))


@dataclass(frozen=True)
class _Product:
    """The similarities of all source and target words, tile by tile."""

    src: Floats
    trg: Floats
    kept: Floats | None

    def block(self, band: slice, tile: slice, scratch: Floats) -> Floats:
        """Where the product of a band and a tile lives: kept for good, or in scratch memory."""
        rows, columns = band.stop - band.start, tile.stop - tile.start
        if self.kept is None:
            return scratch[: rows * columns].reshape(rows, columns)
        offset = band.start * len(self.trg) + rows * tile.start
        return self.kept[offset : offset + rows * columns].reshape(rows, columns)

    def scan(
        self,
        state: Callable[[], T],
        visit: Callable[[Floats, slice, slice, T], None],
        *,
        again: bool,
        tick: Tick | None = None,
    ) -> list[T]:
        """Visit every tile; each worker has a ``state`` of its own, and all are returned.

        A kept product is not multiplied ``again``. The share of source words done is ticked.
        """
        states: list[T] = []
        done = 0

        def make_worker() -> Callable[[slice], None]:
            scratch = np.empty(ROWS * COLUMNS if self.kept is None else 0, dtype=np.float32)
            own = state()
            states.append(own)

            def work(band: slice) -> None:
                nonlocal done
                for tile in tiles(len(self.trg), COLUMNS):
                    block = self.block(band, tile, scratch)
                    if self.kept is None or not again:
                        np.matmul(self.src[band], self.trg[tile].T, out=block)
                    visit(block, band, tile, own)
                done += band.stop - band.start
                if tick is not None:
                    tick(done / len(self.src))

            return work

        for_bands(len(self.src), ROWS, make_worker)
        return states


def induce(
    src: Floats,
    trg: Floats,
    neighbours: int,
    keep_prob: float = 1.0,
    key: int = 0,
    workspace: Workspace | None = None,
) -> Induction:
    """CSLS arg-max both ways over a random part of the similarities.

    Args:
        src: ``(n, d)`` mapped source vectors of unit length.
        trg: ``(m, d)`` mapped target vectors of unit length.
        neighbours: How many nearest neighbours make a neighbourhood mean; with none the plain
            nearest neighbour is chosen.
        keep_prob: The share of similarities that may be chosen, drawn apart for each direction.
        key: Seeds the draw; the same key draws the same entries.
        workspace: Memory of an earlier call, to be used again.

    Returns:
        The induced pairs and the figures behind them, whatever the number of threads.
    """
    at_least_one(min(len(src), len(trg)))
    product = _Product(src, trg, (workspace or Workspace()).product(len(src) * len(trg)))
    src_top, trg_top = _tops(product, max(neighbours, 1))
    src_means, trg_means = (_means(top) * np.float32(neighbours > 0) for top in (src_top, trg_top))
    forward, backward = _choices(product, src_means, trg_means, keep_prob, key)
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
    """Mean similarity of each word to its nearest ``neighbours``, both ways in one product."""
    at_least_one(neighbours)
    src_top, trg_top = _tops(_Product(src, trg, None), neighbours, tick)
    return _means(src_top), _means(trg_top)


def best_both_ways(
    src: Floats, trg: Floats, means: tuple[Floats, Floats], k: int, tick: Tick | None = None
) -> tuple[Ints, Floats, Ints]:
    """The best translations under CSLS, both ways in one product.

    Args:
        src: ``(n, d)`` mapped source vectors of unit length.
        trg: ``(m, d)`` mapped target vectors of unit length.
        means: ``(n,)`` and ``(m,)`` as of `neighbourhood_means`.
        k: How many targets of each source word.
        tick: Told the share of source words done.

    Returns:
        Targets ``(n, k)``, their similarities less half their means, and each target's source.
    """
    from isolex.kernels.scans import scan_topk

    at_least_one(k)
    n, m = len(src), len(trg)
    trg_penalty = means[1] * np.float32(0.5)
    best = np.full((n, min(k, m)), -1, dtype=np.int32)
    scores = _lowest(best.shape)
    unasked = _Best(np.full(n, np.inf, dtype=np.float32), np.empty(n, dtype=np.int32))
    choose = _chooser(means, unasked)

    def visit(block: Floats, band: slice, tile: slice, own: _Best) -> None:
        scan_topk(block, trg_penalty[tile], tile.start, best[band], scores[band])
        choose(block, band, tile, own)

    found = _Product(src, trg, None).scan(lambda: _Best.of(m), visit, again=False, tick=tick)
    return best, scores, _merge(found)


def _tops(product: _Product, neighbours: int, tick: Tick | None = None) -> tuple[Floats, Floats]:
    """The highest similarities of each word, ascending: ``(n, k)`` and ``(m, l)``."""
    from isolex.kernels.scans import scan_means

    n, m = len(product.src), len(product.trg)
    src_top = _lowest((n, min(neighbours, m)))
    width = min(neighbours, n)

    def visit(block: Floats, band: slice, tile: slice, trg_top: Floats) -> None:
        scan_means(block, src_top[band], trg_top[tile])

    found = product.scan(lambda: _lowest((m, width)), visit, again=False, tick=tick)
    return src_top, np.sort(np.concatenate(found, axis=1), axis=1)[:, -width:]


def _choices(
    product: _Product, src_means: Floats, trg_means: Floats, keep_prob: float, key: int
) -> tuple[Ints, Ints]:
    """The arg-max of each word over its kept similarities less half the others' means."""
    n, m = len(product.src), len(product.trg)
    forward = _Best.of(n)
    choose = _chooser((src_means, trg_means), forward, keep_prob, key)
    found = product.scan(lambda: _Best.of(m), choose, again=True)
    return forward.indices, _merge(found)


def _chooser(
    means: tuple[Floats, Floats], forward: _Best, keep_prob: float = 1.0, key: int = 0
) -> Callable[[Floats, slice, slice, _Best], None]:
    """What merges a tile into the best of its rows, ``forward``, and of its columns."""
    from isolex.kernels.scans import scan_best

    src_penalty, trg_penalty = (mean * np.float32(0.5) for mean in means)
    mask = np.uint64(key), np.uint64(round(keep_prob * 2**32))

    def visit(block: Floats, band: slice, tile: slice, own: _Best) -> None:
        scan_best(
            block,
            (band.start, tile.start),
            (src_penalty[band], trg_penalty[tile]),
            (forward.scores[band], forward.indices[band]),
            (own.scores[tile], own.indices[tile]),
            mask,
        )

    return visit


def _merge(workers: Sequence[_Best]) -> Ints:
    """Each column's arg-max over the workers, the lowest row where values tie."""
    scores, indices = workers[0].scores, workers[0].indices
    for other in workers[1:]:
        better = (other.scores > scores) | (
            (other.scores == scores) & (other.indices >= 0) & (other.indices < indices)
        )
        scores = np.where(better, other.scores, scores)
        indices = np.where(better, other.indices, indices)
    return indices


def _lowest(shape: tuple[int, ...]) -> Floats:
    return np.full(shape, -np.inf, dtype=np.float32)


def _means(tops: Floats) -> Floats:
    means: Floats = tops.mean(axis=1, dtype=np.float64).astype(np.float32)
    return means
