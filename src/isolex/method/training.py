"""Training: maps that are learnt from the vectors themselves, by descent or by transport."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Protocol

from isolex.core.linear_map import LinearMap
from isolex.core.observer import Watch
from isolex.core.problem import Problem
from isolex.errors import UsageError


class Train(Protocol):
    """A way to the maps of both sides that does not start from a lexicon.

    One with a true ``seeded`` may end elsewhere with another seed; settings that it names in
    ``shares`` are parts of one.
    """

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of the package that it needs, see `isolex.adapters.extras`."""
        ...

    def __call__(self, problem: Problem, device: str, watch: Watch) -> tuple[LinearMap, LinearMap]:
        """The maps of the source and of the target.

        Args:
            problem: The two spaces.
            device: Where it computes: ``"cpu"``, or one of PyTorch's.
            watch: Told of every epoch.
        """
        ...


def check(train: Train) -> None:
    """Refuse settings with which nothing can be trained."""
    shares = getattr(train, "shares", ())
    for name, value in asdict(train).items():  # type: ignore[call-overload]
        if isinstance(value, bool):
            continue
        if isinstance(value, int) and value < 1:
            raise UsageError(f"{name} of a training is a whole number from one up, not {value}")
        if not (math.isfinite(value) and value >= 0) or (name in shares and value >= 1):
            limit = "from zero to below one" if name in shares else "from zero up"
            raise UsageError(f"{name} of a training is a number {limit}, not {value:g}")
