"""One product of two whole vocabularies that says of each word what single look-ups need to know.

The nearest words of the other side with their similarities, and the logarithm of the softmax sum,
both ways: what would be four products is one, each tile scanned while it is in cache.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from isolex.kernels.parallel import for_bands
from isolex.kernels.similarity import COLUMNS, ROWS, tiles
from isolex.kernels.types import Doubles, Floats, Ints, Tick, at_least_one

STEEPEST = 40.0
"""The highest scale whose exponentials of cosines are within reach of float32."""


class Surveyed(NamedTuple):
    """What is known of each of the ``n`` words of one side.

    Attributes:
        nearest: ``(n, k)`` words of the other side, the most similar first, ties by index.
        similarities: ``(n, k)`` to them.
        sums: ``(n,)`` the log of the sum over all words of the other side of
            ``exp(scale * similarity)``.
    """

    nearest: Ints
    similarities: Floats
    sums: Floats


@dataclass
class _Partial:
    """What a worker has seen of each target word."""

    nearest: Ints
    similarities: Floats
    sums: Doubles

    @classmethod
    def of(cls, words: int, width: int) -> _Partial:
        return cls(
            np.full((words, width), -1, dtype=np.int32),
            np.full((words, width), -np.inf, dtype=np.float32),
            np.zeros(words),
        )


def survey(
    src: Floats, trg: Floats, width: int, scale: float, tick: Tick | None = None
) -> tuple[Surveyed, Surveyed]:
    """Look at every pair of words once.

    Args:
        src: ``(n, d)`` source vectors of at most unit length.
        trg: ``(m, d)`` target vectors likewise.
        width: How many of the nearest words are kept of each.
        scale: Of the softmax; at most `STEEPEST`.
        tick: Told the share of source words done.
    """
    from isolex.kernels.scans import scan_topk

    at_least_one(width)
    if scale > STEEPEST:
        raise ValueError(f"scale {scale:g} is beyond {STEEPEST:g}: exponentials would vanish")
    source = _Partial.of(len(src), min(width, len(trg)))
    partials: list[_Partial] = []
    nothing = np.zeros(COLUMNS, dtype=np.float32)
    done = 0

    def make_worker() -> Callable[[slice], None]:
        buffer = np.empty(ROWS * COLUMNS, dtype=np.float32)
        target = _Partial.of(len(trg), min(width, len(src)))
        partials.append(target)

        def scan(block: Floats, band: slice, tile: slice) -> None:
            of_src = source.nearest[band], source.similarities[band]
            of_trg = target.nearest[tile], target.similarities[tile]
            scan_topk(block, nothing[: block.shape[1]], tile.start, *of_src)
            turned = np.ascontiguousarray(block.T)
            scan_topk(turned, nothing[: block.shape[0]], band.start, *of_trg)
            block -= np.float32(1)  # cosines end at one, so that nothing overflows
            block *= np.float32(scale)
            np.exp(block, out=block)
            source.sums[band] += block.sum(axis=1)
            target.sums[tile] += block.sum(axis=0)

        def work(band: slice) -> None:
            nonlocal done
            rows = band.stop - band.start
            for tile in tiles(len(trg)):
                block = buffer[: rows * (tile.stop - tile.start)].reshape(rows, -1)
                scan(np.matmul(src[band], trg[tile].T, out=block), band, tile)
            done += rows
            if tick is not None:
                tick(done / len(src))

        return work

    for_bands(len(src), ROWS, make_worker)
    return _finished(source, scale), _finished(_merged(partials), scale)


def _merged(partials: list[_Partial]) -> _Partial:
    """What all workers have seen, the highest first, ties by index."""
    if len(partials) == 1:
        return partials[0]
    width = partials[0].nearest.shape[1]
    nearest = np.concatenate([part.nearest for part in partials], axis=1)
    similarities = np.concatenate([part.similarities for part in partials], axis=1)
    order = np.lexsort((nearest, -similarities), axis=1)[:, :width]
    return _Partial(
        np.take_along_axis(nearest, order, axis=1),
        np.take_along_axis(similarities, order, axis=1),
        np.sum([part.sums for part in partials], axis=0),
    )


def _finished(partial: _Partial, scale: float) -> Surveyed:
    sums = (np.log(partial.sums) + scale).astype(np.float32)
    return Surveyed(partial.nearest, partial.similarities, sums)
