"""One product of two whole vocabularies that collects what single look-ups need.

For every word, in both directions: its highest similarities and the logarithm of its softmax sum.
Separate passes would take four products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from isolex.kernels.induction import Product, lowest
from isolex.kernels.types import Doubles, Floats, Tick, at_least_one

STEEPEST = 40.0
"""The largest scale for which exponentials of cosines stay within the range of float32."""


class Surveyed(NamedTuple):
    """What is known about each of the ``n`` words of one language.

    Attributes:
        highest: ``(n, w)`` the highest similarities to words of the other language, ascending.
        sums: ``(n,)`` log of the sum of ``exp(scale * similarity)`` over the other language.
    """

    highest: Floats
    sums: Floats


@dataclass
class _Columns:
    """What one worker has seen of each target word."""

    highest: Floats
    sums: Doubles


def survey(
    x: Floats, z: Floats, width: int, scale: float, tick: Tick | None = None
) -> tuple[Surveyed, Surveyed]:
    """Look at every pair of words once.

    Args:
        x: ``(n, d)`` source vectors of at most unit length.
        z: ``(m, d)`` target vectors of at most unit length.
        width: How many of the highest similarities to keep for each word.
        scale: Scale of the softmax, at most `STEEPEST`.
        tick: Called with the share of source words done.

    Returns:
        The results for the source words and for the target words.
    """
    from isolex.kernels.scans import scan_means

    at_least_one(width)
    if scale > STEEPEST:
        raise ValueError(f"scale {scale:g} is above {STEEPEST:g}: exponentials would underflow")
    highest, sums = lowest((len(x), min(width, len(z)))), np.zeros(len(x))

    def visit(block: Floats, band: slice, tile: slice, columns: _Columns) -> None:
        scan_means(block, highest[band], columns.highest[tile])
        block -= np.float32(1)  # cosines are at most one, so no exponential overflows
        block *= np.float32(scale)
        np.exp(block, out=block)
        sums[band] += block.sum(axis=1)
        columns.sums[tile] += block.sum(axis=0)

    found = Product(x, z, None).scan(
        lambda: _Columns(lowest((len(z), min(width, len(x)))), np.zeros(len(z))),
        visit,
        again=False,
        tick=tick,
    )
    tops = np.sort(np.concatenate([part.highest for part in found], axis=1), axis=1)
    return (
        Surveyed(highest, _log(sums, scale)),
        Surveyed(
            np.ascontiguousarray(tops[:, -min(width, len(x)) :]),
            _log(np.sum([part.sums for part in found], axis=0), scale),
        ),
    )


def _log(sums: Doubles, scale: float) -> Floats:
    return (np.log(sums) + scale).astype(np.float32)
