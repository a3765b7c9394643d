"""Taking turns, medians and targets."""

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
    sides: Mapping[str, Callable[[], T]], runs: int, at_most: Mapping[str, int] | None = None
) -> dict[str, list[T]]:
    """Let the sides take turns ``runs`` times, so that a drift of the machine meets all of them.

    Args:
        sides: What each of them does; their order is the order of a turn.
        runs: Turns.
        at_most: Fewer turns for some, by name.
    """
    results: dict[str, list[T]] = {name: [] for name in sides}
    for turn in range(runs):
        for name, work in sides.items():
            if turn < (at_most or {}).get(name, runs):
                note(f"run {turn + 1} of {runs}: {name}")
                gc.collect()
                results[name].append(work())
    return results


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """The same work, which returns its wall time in seconds; what it made is let go untimed."""

    def run() -> float:
        began = time.perf_counter()
        kept = work()
        seconds = time.perf_counter() - began
        del kept
        return seconds

    return run


class BareProduct:
    """``np.matmul(a, b.T, out=out)`` on every core, into memory that was touched before."""

    def __init__(self, a: Floats, b: Floats) -> None:
        self.a, self.b = a, b
        self.out = np.zeros((len(a), len(b)), dtype=np.float32)
        self.out.fill(0)  # zeros alone would leave the page faults to the first product

    def __call__(self) -> Floats:
        """Multiply."""
        return np.matmul(self.a, self.b.T, out=self.out)


def product_seconds(size: int, dims: int, runs: int = 3) -> float:
    """The median time of a bare product of random vectors; its memory is given back."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((size, dims), dtype=np.float32) for _ in range(2))
    work = timed(BareProduct(a, b))
    return median(work() for _ in range(runs))


@dataclass(frozen=True)
class Target:
    """What a figure should be, at the full size of its case."""

    bound: Literal["at most", "at least"]
    value: float
    unit: str = "x"
    aim: float | None = None

    def __str__(self) -> str:
        wish = "" if self.aim is None else f" (aim {self.aim:g})"
        return f"{self.bound} {self.value:g} {self.unit}{wish}"

    def met(self, value: float) -> bool:
        """Whether a figure is good enough."""
        return value <= self.value if self.bound == "at most" else value >= self.value


def judged(value: float, target: Target | None, *, applies: bool = True) -> Row:
    """A target and whether it was met; not judged at another size than that it was set for."""
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
    """One line of a comparison, from the times of both.

    Args:
        what: What isolex did.
        rival: Who did it, or what stands for it, beside.
        own: Seconds of isolex's runs.
        other: Seconds of the rival's runs; there may be fewer.
        target: What the ratio should be.
        applies: Whether the target is for this size.
        faster: The ratio is that of the rival's time to isolex's, not the other way round.
        paired: The sides took turns, so lowest and highest are of one turn; else of any two runs.
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
    """One line of a comparison that is a single figure with a bound, in the bound's unit."""
    return {
        "what": what,
        "measure": "" if target is None else target.unit,
        "ratio": value,
        **judged(value, target, applies=applies),
    }
