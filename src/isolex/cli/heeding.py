"""An observer that lets signals end an alignment between two iterations or epochs."""

from __future__ import annotations

from isolex.cli.interrupt import interrupt
from isolex.core.observer import Epoch, Iteration, Observer


class Heeding(Observer):
    """Ends the run at the next opportunity after Ctrl-C or SIGTERM."""

    def step(self, name: str) -> None:
        """Compiling must not be interrupted."""
        interrupt.step(name)

    def epoch(self, epoch: Epoch) -> None:  # noqa: ARG002
        """Check for a signal."""
        interrupt.heed()

    def iteration(self, iteration: Iteration) -> None:  # noqa: ARG002
        """Check for a signal."""
        interrupt.heed()
