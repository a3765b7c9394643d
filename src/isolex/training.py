"""Training: maps that are learnt from the vectors themselves, by descent or by transport."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import NamedTuple, Protocol

from isolex.errors import UsageError
from isolex.mapping import LinearMap
from isolex.problem import Problem


class Epoch(NamedTuple):
    """How far a training has come.

    Attributes:
        number: Of the epoch that is over, counted from one.
        of: How many there will be.
        criterion: What the system goes by, without gold data; the higher the better.
    """

    number: int
    of: int
    criterion: float


Watch = Callable[[Epoch], None]
"""Told of every epoch as it ends; what it raises ends the training."""


class Train(Protocol):
    """A way to the maps of both sides that does not start from a lexicon.

    One with a true ``seeded`` may end elsewhere with another seed; settings that it names in
    ``shares`` are parts of one.
    """

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of the package that it needs, see `isolex.extras`."""
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
