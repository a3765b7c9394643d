"""Optimal transport: treat two languages as distributions of mass and move one onto the other."""

from __future__ import annotations

from isolex.trainers.transport.earth_mover import EarthMover
from isolex.trainers.transport.gromov_wasserstein import GromovWasserstein
from isolex.trainers.transport.wasserstein_procrustes import WassersteinProcrustes

__all__ = ["EarthMover", "GromovWasserstein", "WassersteinProcrustes"]
