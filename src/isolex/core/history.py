"""History: what happened during a run, one record per iteration and per restart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class IterationRecord:
    """One iteration of self-learning, as written to ``history.tsv``.

    Attributes:
        iteration: Counted from one.
        keep_prob: Share of the similarities that induction could choose from.
        cutoff: How many of the most frequent words took part at most.
        objective: Mean of the highest similarities, in both directions.
        seconds: Time since self-learning began.
        validation: Accuracy on the validation pairs in percent, if there are any.
        pair: With several languages, the names of the two that were run, or ``all``.
    """

    iteration: int
    keep_prob: float
    cutoff: int
    objective: float
    seconds: float
    validation: float | None
    pair: str = ""


@dataclass(frozen=True)
class Attempt:
    """One restart and its result.

    Attributes:
        words: How many words its first lexicon was made from; ``None`` if it continued from the
            first attempt.
        dims: How many principal components its first lexicon was made in; ``None`` for all.
        objective: The objective it reached, in the principal components in which restarts end; if
            it was cut short, perhaps in others.
        recovered: See `isolex.core.verdict.Evidence`.
        finished: Whether it converged before the time limit.
        taken: Whether the run continued from it.
        centered: Whether its start subtracted the mean of the frequent words, as the first attempt
            does.
    """

    words: int | None
    dims: int | None
    objective: float
    recovered: float
    finished: bool = True
    taken: bool = False
    centered: bool = False
