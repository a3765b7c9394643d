"""Verdict: whether a run worked, judged without gold data, with the evidence for it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from isolex.core.choices import Outcome

SUCCESS, FAILURE = 0.5, 0.12
"""Score from which a run has succeeded, and score below which it has failed."""

LIFT = 0.06
"""Lift below which no run has succeeded."""

MEANINGS = {
    Outcome.SUCCEEDED: "The languages are aligned. Frequent words are translated better than rare "
    "ones.",
    Outcome.DOUBTFUL: "Parts of the alignment look right, but not all of it. Check some "
    "translations before you trust it.",
    Outcome.FAILED: "The alignment is most likely useless.",
}
"""What each verdict means to the person who reads it."""


@dataclass(frozen=True)
class Evidence:
    """The figures behind a verdict.

    Attributes:
        recovered: Share of the solution's own pairs that it recovers when it is retrained on a few
            of them.
        null_recovered: The same for a solution learned from shuffled pairs.
        objective: Mean highest similarity in the leading principal components.
        null_objective: The same for a solution learned from shuffled pairs.
        words: Number of words per language that were examined.
    """

    recovered: float
    null_recovered: float
    objective: float
    null_objective: float
    words: int

    @property
    def score(self) -> float:
        """Recovery above chance: 0 is chance, 1 is full recovery."""
        return (self.recovered - self.null_recovered) / max(1 - self.null_recovered, 1e-9)

    @property
    def lift(self) -> float:
        """Objective above chance: 0 is an accidental solution, 1 is a perfect fit."""
        return (self.objective - self.null_objective) / max(1 - self.null_objective, 1e-9)


@dataclass(frozen=True)
class Verdict:
    """Whether a run worked, and the evidence."""

    outcome: Outcome
    evidence: Evidence

    @classmethod
    def of(cls, evidence: Evidence) -> Verdict:
        """The verdict that follows from the evidence."""
        if evidence.score >= SUCCESS and evidence.lift >= LIFT:
            return cls(Outcome.SUCCEEDED, evidence)
        if evidence.score < FAILURE:
            return cls(Outcome.FAILED, evidence)
        return cls(Outcome.DOUBTFUL, evidence)

    @property
    def badness(self) -> tuple[int, float]:
        """Sort key: the best verdict comes first."""
        return self.outcome.severity, -self.evidence.score

    @property
    def meaning(self) -> str:
        """The verdict in a sentence or two."""
        return MEANINGS[self.outcome]

    @property
    def reason(self) -> str:
        """The main evidence, in one line."""
        evidence = self.evidence
        return (
            f"retrained on a few of its own pairs, it recovers {evidence.recovered:.0%} of the "
            f"rest (chance: {evidence.null_recovered:.0%})"
        )

    def as_dict(self) -> dict[str, Any]:
        """The verdict, its reason and the evidence as plain values."""
        evidence = self.evidence
        figures = {"score": evidence.score, "lift": evidence.lift} | asdict(evidence)
        return {
            "verdict": self.outcome.value,
            "reason": self.reason,
            "evidence": {name: round(value, 4) for name, value in figures.items()},
        }
