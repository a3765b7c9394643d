"""Turns, medians and targets."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Literal, TypeVar

import numpy as np

from benchmarks.report import Row, note
from isolex.kernels.types import Floats

T = TypeVar("T")


def interleave(
    programs: Mapping[str, Callable[[], T]], runs: int, at_most: Mapping[str, int] | None = None
) -> dict[str, list[T]]:
    """Let programs take turns ``runs`` times, so that changes of the machine affect all of them.

    Args:
        programs: What each program does; their order is the order of a turn.
        runs: Number of turns.
        at_most: Lower numbers of turns for some programs.
    """
    results: dict[str, list[T]] = {name: [] for name in programs}
    for turn in range(runs):
        for name, work in programs.items():
            if turn < (at_most or {}).get(name, runs):
                note(f"run {turn + 1} of {runs}: {name}")
                gc.collect()
                results[name].append(work())
    return results


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """Wrap work to return its wall time in seconds; freeing its result is not timed."""

    def run() -> float:
        began = time.perf_counter()
        kept = work()
        seconds = time.perf_counter() - began
        del kept
        return seconds

    return run


class BareProduct:
    """``np.matmul(a, b.T, out=out)`` on all cores, into memory that was written before."""

    def __init__(self, a: Floats, b: Floats) -> None:
        self.a, self.b = a, b
        self.out = np.zeros((len(a), len(b)), dtype=np.float32)
        self.out.fill(0)  # otherwise the first product would pay for the page faults

    def __call__(self) -> Floats:
        """Multiply."""
        return np.matmul(self.a, self.b.T, out=self.out)


def product_seconds(size: int, dims: int, runs: int = 3) -> float:
    """The median time of a bare product of random vectors; its memory is freed."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((size, dims), dtype=np.float32) for _ in range(2))
    work = timed(BareProduct(a, b))
    return median(work() for _ in range(runs))


@dataclass(frozen=True)
class Target:
    """The required value of a figure at the full size of its case."""

    bound: Literal["at most", "at least"]
    value: float
    unit: str = "x"
    aim: float | None = None

    def __str__(self) -> str:
        wish = "" if self.aim is None else f" (aim {self.aim:g})"
        return f"{self.bound} {self.value:g} {self.unit}{wish}"

    def met(self, value: float) -> bool:
        """Whether a figure meets the target."""
        return value <= self.value if self.bound == "at most" else value >= self.value


def judged(value: float, target: Target | None, *, applies: bool = True) -> Row:
    """A target and whether it is met; ``None`` at a size that the target was not set for."""
    return {
        "target": None if target is None else str(target),
        "met": target.met(value) if target is not None and applies else None,
    }


def compare(
    what: str,
    rival: str,
    own: Sequence[float],
    other: Sequence[float],
    target: Target | None = None,
    *,
    applies: bool = True,
    faster: bool = False,
    paired: bool = True,
) -> Row:
    """One row of a comparison, from the times of both programs.

    Args:
        what: What isolex did.
        rival: What it is compared with.
        own: Seconds of the runs of isolex.
        other: Seconds of the runs of the rival; there may be fewer.
        target: The required ratio.
        applies: Whether the target was set for this size.
        faster: Whether the ratio is the rival's time divided by isolex's, instead of the inverse.
        paired: Whether they took turns; the lowest and highest ratio are then of a single turn,
            otherwise of any two runs.
    """
    seconds = median(own), median(other)

    def ratio(mine: float, theirs: float) -> float:
        return theirs / mine if faster else mine / theirs

    turns = zip(own, other, strict=False) if paired else product(own, other)
    ratios = [ratio(mine, theirs) for mine, theirs in turns]
    return {
        "what": what,
        "rival": rival,
        "isolex_seconds": seconds[0],
        "rival_seconds": seconds[1],
        "measure": "times faster" if faster else "times as long",
        "ratio": ratio(*seconds),
        "ratio_low": min(ratios),
        "ratio_high": max(ratios),
        **judged(ratio(*seconds), target, applies=applies),
        "isolex_runs": list(own),
        "rival_runs": list(other),
    }


def limit(what: str, value: float, target: Target | None, *, applies: bool = True) -> Row:
    """One row that is a single figure with a target, in the unit of the target."""
    return {
        "what": what,
        "measure": "" if target is None else target.unit,
        "ratio": value,
        **judged(value, target, applies=applies),
    }
