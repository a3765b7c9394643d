"""What a run reports while it is under way."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


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
