"""Compile the scans, or load them from Numba's disk cache, ahead of time."""

from __future__ import annotations

import numpy as np

from isolex.kernels.induction import Workspace, best_both_ways, induce


def warm_up() -> None:
    """Run every scan that an alignment needs on a tiny input."""
    pair = np.eye(2, dtype=np.float32)
    induced = induce(pair, pair, 1, 0.5, workspace=Workspace(0))
    best_both_ways(pair, pair, (induced.src_means, induced.trg_means), 1)
