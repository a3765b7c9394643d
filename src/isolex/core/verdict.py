"""Verdict: whether a run worked, judged without gold data, and the evidence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

SUCCESS, FAILURE = 0.5, 0.15
"""Scores from which a run has succeeded, and below which it has failed."""


class Outcome(StrEnum):
    """How a run went."""

    SUCCEEDED = "succeeded"
    DOUBTFUL = "doubtful"
    FAILED = "failed"


@dataclass(frozen=True)
class Figures:
    """What a verdict rests on.

    Attributes:
        recovered: The share of its own pairs that come back when learnt again from a few of them.
        null_recovered: The same of a solution learnt from shuffled pairs.
        objective: Mean highest similarity in the leading principal components.
        null_objective: The same of a solution learnt from shuffled pairs.
        words: How many words of each side were looked at.
    """

    recovered: float
    null_recovered: float
    objective: float
    null_objective: float
    words: int

    @property
    def score(self) -> float:
        """Recovery above the accidental: 0 is chance, 1 all."""
        return (self.recovered - self.null_recovered) / max(1 - self.null_recovered, 1e-9)


@dataclass(frozen=True)
class Verdict:
    """Whether a run worked, and why it is thought so."""

    outcome: Outcome
    figures: Figures

    @classmethod
    def of(cls, figures: Figures) -> Verdict:
        """The verdict on figures."""
        if figures.score >= SUCCESS and figures.objective > figures.null_objective:
            return cls(Outcome.SUCCEEDED, figures)
        if figures.score < FAILURE:
            return cls(Outcome.FAILED, figures)
        return cls(Outcome.DOUBTFUL, figures)

    def explain(self) -> str:
        """Why it is thought so, in a line."""
        figures = self.figures
        return (
            f"learnt again from a few of its pairs, {figures.recovered:.0%} of the others come "
            f"back (by chance: {figures.null_recovered:.0%})"
        )

    def as_dict(self) -> dict[str, Any]:
        """The verdict, the reason and the figures as plain values."""
        figures = {"score": self.figures.score} | asdict(self.figures)
        return {
            "verdict": self.outcome.value,
            "reason": self.explain(),
            "evidence": {name: round(value, 4) for name, value in figures.items()},
        }
