"""Training: what every trainer of maps has in common."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Protocol

from isolex.core.linear_map import LinearMap
from isolex.core.observer import OnEpoch
from isolex.core.problem import Problem
from isolex.errors import UsageError


class Train(Protocol):
    """Learns the maps of both languages without starting from a lexicon.

    A trainer with a true ``seeded`` attribute depends on the random seed. Settings that it names in
    ``shares`` are fractions.
    """

    @property
    def extras(self) -> tuple[str, ...]:
        """The optional dependencies that it needs, see `isolex.adapters.extras`."""
        ...

    def __call__(
        self, problem: Problem, device: str, on_epoch: OnEpoch
    ) -> tuple[LinearMap, LinearMap]:
        """The maps of source and target.

        Args:
            problem: The two languages.
            device: ``"cpu"``, or a device of PyTorch.
            on_epoch: Called after each epoch.
        """
        ...


def check(train: Train) -> None:
    """Refuse settings that make no training."""
    shares = getattr(train, "shares", ())
    for name, value in asdict(train).items():  # type: ignore[call-overload]
        if isinstance(value, bool):
            continue
        if isinstance(value, int) and value < 1:
            raise UsageError(f"{name} must be a whole number of at least 1, not {value}")
        if not (math.isfinite(value) and value >= 0) or (name in shares and value >= 1):
            limit = "from 0 to below 1" if name in shares else "of at least 0"
            raise UsageError(f"{name} must be a number {limit}, not {value:g}")
