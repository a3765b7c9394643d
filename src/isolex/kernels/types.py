"""Array types and results shared by the kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

Tick = Callable[[float], None]
"""Progress callback; receives the completed share of the work, in [0, 1]."""

RANK_TOLERANCE = np.float32(1e-6)
"""Margin by which a pivot must beat a word to outrank it; exceeds rounding differences."""


class Induction(NamedTuple):
    """Result of one pass over the similarities of ``n`` source and ``m`` target words.

    Attributes:
        forward: ``(n,)`` target of each source word; -1 if all its entries were masked.
        backward: ``(m,)`` source of each target word; -1 if all its entries were masked.
        src_means: ``(n,)`` mean similarity of each source word to its nearest targets; zero
            without neighbours.
        trg_means: ``(m,)`` mean similarity of each target word to its nearest sources; zero
            without neighbours.
        src_best: ``(n,)`` highest similarity of each source word, ignoring the mask.
        trg_best: ``(m,)`` highest similarity of each target word, ignoring the mask.
    """

    forward: Ints
    backward: Ints
    src_means: Floats
    trg_means: Floats
    src_best: Floats
    trg_best: Floats

    @property
    def objective(self) -> float:
        """Mean highest similarity over both directions; self-learning maximises it."""
        forward = float(self.src_best.mean(dtype=np.float64))
        backward = float(self.trg_best.mean(dtype=np.float64))
        return (forward + backward) / 2


Inducer = Callable[[Floats, Floats, int, float, int], Induction]
"""Signature of `induce`: source vectors, target vectors, neighbours, keep_prob, key.

With zero neighbours there is no CSLS correction: the nearest neighbour is chosen.
"""


def part(tick: Tick | None, number: int, total: int) -> Tick | None:
    """Return a tick for part ``number`` of ``total`` equal parts of the work ``tick`` reports."""
    return None if tick is None else lambda share: tick((number + share) / total)


def at_least_one(count: int) -> None:
    """Raise if ``count`` is below one; the compiled scans do no bounds checks."""
    if count < 1:
        raise ValueError(f"at least one is needed, not {count}")
