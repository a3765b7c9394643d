"""The arrays that kernels exchange."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int32]

Tick = Callable[[float], None]
"""Told now and then the share of the work that is done, in [0, 1]."""

RANK_TOLERANCE = np.float32(1e-6)
"""How much better a pivot must be to outrank a word: more than two blocked products may differ."""


class Induction(NamedTuple):
    """What one pass over the similarities of ``n`` source and ``m`` target words yields.

    Attributes:
        forward: ``(n,)`` the target of each source word, -1 where no entry was kept.
        backward: ``(m,)`` the source of each target word, -1 where no entry was kept.
        src_means: ``(n,)`` mean similarity of each source word to its nearest targets; zero where
            no neighbours were asked for.
        trg_means: ``(m,)`` mean similarity of each target word to its nearest sources likewise.
        src_best: ``(n,)`` highest similarity of each source word, mask or no mask.
        trg_best: ``(m,)`` highest similarity of each target word, mask or no mask.
    """

    forward: Ints
    backward: Ints
    src_means: Floats
    trg_means: Floats
    src_best: Floats
    trg_best: Floats

    @property
    def objective(self) -> float:
        """The mean of the highest similarities, both ways: what self-learning climbs."""
        forward = float(self.src_best.mean(dtype=np.float64))
        backward = float(self.trg_best.mean(dtype=np.float64))
        return (forward + backward) / 2


Inducer = Callable[[Floats, Floats, int, float, int], Induction]
"""Vectors of both sides, neighbours, keep_prob and the mask's key in; the induction out.

No neighbours at all mean no correction: the nearest neighbour is chosen.
"""


def part(tick: Tick | None, number: int, total: int) -> Tick | None:
    """A tick for part ``number`` of ``total`` equal parts of the work that ``tick`` watches."""
    return None if tick is None else lambda share: tick((number + share) / total)


def at_least_one(count: int) -> None:
    """Refuse an empty selection: the compiled scans have no bounds to catch it."""
    if count < 1:
        raise ValueError(f"at least one is needed, not {count}")
