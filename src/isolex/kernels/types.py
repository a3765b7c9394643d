"""The arrays that kernels exchange."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int32]

RANK_TOLERANCE = np.float32(1e-6)
"""How much better a pivot must be to outrank a word: more than two blocked products may differ."""


class Induction(NamedTuple):
    """What one pass over the similarities of ``n`` source and ``m`` target words yields.

    Attributes:
        forward: ``(n,)`` the target of each source word, -1 where no entry was kept.
        backward: ``(m,)`` the source of each target word, -1 where no entry was kept.
        src_means: ``(n,)`` mean similarity of each source word to its nearest targets.
        trg_means: ``(m,)`` mean similarity of each target word to its nearest sources.
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
