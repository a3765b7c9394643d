"""One pass over the similarities: neighbourhood means, raw maxima and masked CSLS, both ways.

A band of source rows is multiplied tile by tile, each tile scanned while it is in cache, for its
rows and its columns at once. The neighbourhood means must be known before the CSLS arg-max is, so
there are two scans; the product is kept for the second where memory allows, else done again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numba
import numpy as np

from isolex.kernels.parallel import for_bands
from isolex.kernels.similarity import SEGMENT, next_flag, tiles
from isolex.kernels.types import Floats, Induction, Ints

ROWS, COLUMNS = 512, 1024

MASK_STEP = np.uint64(0x9E3779B97F4A7C15)
MASK_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MASK_MIX_2 = np.uint64(0x94D049BB133111EB)


class Workspace:
    """Memory that is used again by every induction of a run."""

    def __init__(self, budget: int = 4 << 30) -> None:
        self.budget = budget
        self._kept: Floats | None = None

    def product(self, size: int) -> Floats | None:
        """Room for ``size`` similarities, or ``None`` where they would not fit the budget."""
        if size * 4 > self.budget:
            return None
        if self._kept is None or self._kept.size < size:
            self._kept = np.empty(size, dtype=np.float32)
        return self._kept


@dataclass
class _Columns:
    """What one worker knows of each target word: its best sources so far."""

    top: Floats
    best: Floats
    argbest: Ints

    @classmethod
    def empty(cls, size: int, k: int) -> _Columns:
        return cls(
            top=np.full((size, k), -np.inf, dtype=np.float32),
            best=np.full(size, -np.inf, dtype=np.float32),
            argbest=np.full(size, -1, dtype=np.int32),
        )


@dataclass
class _Pass:
    """The two scans over one product and what they have found so far."""

    src: Floats
    trg: Floats
    kept: Floats | None
    k: int
    workers: list[_Columns] = field(default_factory=list)

    def block(self, band: slice, tile: slice, scratch: Floats) -> Floats:
        """Where the product of a band and a tile lives: kept for good, or in scratch memory."""
        rows, columns = band.stop - band.start, tile.stop - tile.start
        if self.kept is None:
            return scratch[: rows * columns].reshape(rows, columns)
        offset = band.start * len(self.trg) + rows * tile.start
        return self.kept[offset : offset + rows * columns].reshape(rows, columns)

    def scan(
        self, visit: Callable[[Floats, slice, slice, _Columns], None], *, multiply: bool
    ) -> list[_Columns]:
        """Visit every tile of the product; returns what each worker gathered of the columns."""
        workers: list[_Columns] = []

        def make_worker() -> Callable[[slice], None]:
            columns = _Columns.empty(len(self.trg), self.k)
            scratch = np.empty(ROWS * COLUMNS if self.kept is None else 0, dtype=np.float32)
            workers.append(columns)

            def work(band: slice) -> None:
                for tile in tiles(len(self.trg), COLUMNS):
                    block = self.block(band, tile, scratch)
                    if multiply or self.kept is None:
                        np.matmul(self.src[band], self.trg[tile].T, out=block)
                    visit(block, band, tile, columns)

            return work

        for_bands(len(self.src), ROWS, make_worker)
        return workers


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
        neighbours: How many nearest neighbours make a neighbourhood mean.
        keep_prob: The share of similarities that may be chosen, drawn apart for each direction.
        key: Seeds the draw; the same key draws the same entries.
        workspace: Memory of an earlier call, to be used again.

    Returns:
        The induced pairs and the figures behind them, whatever the number of threads.
    """
    kept = (workspace or Workspace()).product(len(src) * len(trg))
    k = min(neighbours, len(src), len(trg))
    run = _Pass(src, trg, kept, k)
    src_top = np.full((len(src), k), -np.inf, dtype=np.float32)

    def gather(block: Floats, band: slice, tile: slice, columns: _Columns) -> None:
        _scan_means(block, src_top[band], columns.top[tile])

    gathered = run.scan(gather, multiply=True)
    trg_top = np.sort(np.concatenate([c.top for c in gathered], axis=1), axis=1)[:, -k:]
    src_means = src_top.mean(axis=1, dtype=np.float64).astype(np.float32)
    trg_means = trg_top.mean(axis=1, dtype=np.float64).astype(np.float32)

    forward = np.full(len(src), -1, dtype=np.int32)
    best = np.full(len(src), -np.inf, dtype=np.float32)
    limit = np.uint64(round(keep_prob * 2**32))
    src_penalty, trg_penalty = src_means / 2, trg_means / 2

    def choose(block: Floats, band: slice, tile: slice, columns: _Columns) -> None:
        _scan_best(
            block,
            (band.start, tile.start),
            (src_penalty[band], trg_penalty[tile]),
            (best[band], forward[band]),
            (columns.best[tile], columns.argbest[tile]),
            (np.uint64(key), limit),
        )

    chosen = run.scan(choose, multiply=False)
    return Induction(
        forward=forward,
        backward=_merge_best(chosen),
        src_means=src_means,
        trg_means=trg_means,
        src_best=src_top[:, -1].copy(),
        trg_best=trg_top[:, -1].copy(),
    )


def _merge_best(workers: list[_Columns]) -> Ints:
    """Each column's arg-max over the workers, the lowest row where values tie."""
    best, argbest = workers[0].best, workers[0].argbest
    for other in workers[1:]:
        better = (other.best > best) | (
            (other.best == best) & (other.argbest >= 0) & (other.argbest < argbest)
        )
        best = np.where(better, other.best, best)
        argbest = np.where(better, other.argbest, argbest)
    return argbest


@numba.njit(nogil=True, cache=True, inline="always")
def _insert(top: Floats, value: np.float32) -> None:
    """Put ``value`` into ascending ``top`` in place of its lowest entry, without a branch."""
    last = top.size - 1
    for place in range(last):
        top[place] = max(top[place], min(value, top[place + 1]))
    top[last] = max(top[last], value)


@numba.njit(nogil=True, cache=True)
def _scan_means(block: Floats, src_top: Floats, trg_top: Floats) -> None:
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
                    place, bits = next_flag(bits, word)
                    value = values[place]
                    if value > top[0]:
                        _insert(top, value)
                    if value > floors[place]:
                        _insert(trg_top[start + place], value)
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
def _scan_best(block, origin, penalties, src_state, trg_state, mask):  # type: ignore[no-untyped-def]
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
                    place, bits = next_flag(bits, word)
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
