"""History: what happened during a run, one record per iteration and per attempt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Attempt:
    """An attempt and how it went.

    Attributes:
        words: How many words its first lexicon was made from; none where it went on from before.
        dims: In how many principal components; all of them by default.
        objective: In the view of the search.
        recovered: See `isolex.method.verdict`.
        finished: Whether it came to its end; not so when the time was up.
        taken: Whether the run went on from it.
    """

    words: int | None
    dims: int | None
    objective: float
    recovered: float
    finished: bool = True
    taken: bool = False


@dataclass(frozen=True)
class Record:
    """One line of the history."""

    iteration: int
    keep_prob: float
    cutoff: int
    objective: float
    seconds: float
    validation: float | None
