"""Verdict: whether a run worked, judged without gold data, with the evidence for it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from isolex.core.choices import Outcome

SUCCESS, FAILURE = 0.5, 0.12
"""Score from which a run has succeeded, and score below which it has failed."""

LIFT = 0.08
"""Lift below which no run has succeeded."""

RIGHT, PER_LIFT = -0.53, 4.86
"""Log-odds that the best translation of a frequent word is right: intercept, slope in the lift."""

FEWEST = 1000
"""With fewer words than this, nothing is estimated."""

MARGIN = 15
"""In nine of ten tests, the estimate was no further from the truth than this, in points."""

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
    def expected(self) -> float | None:
        """The estimated precision@1 on the examined words.

        There is an estimate only after a success and from enough words. docs/robustness.md says how
        good it is.
        """
        if self.outcome != Outcome.SUCCEEDED or self.evidence.words < FEWEST:
            return None
        return 1 / (1 + math.exp(-RIGHT - PER_LIFT * self.evidence.lift))

    @property
    def expectation(self) -> str | None:
        """The estimate in words."""
        if self.expected is None:
            return None
        return (
            f"precision@1 of about {self.expected:.0%} (\u00b1 {MARGIN} points) on the "
            f"{self.evidence.words:,} most frequent words"
        )

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
            "expected": self.expected and round(self.expected, 2),
            "expectation": self.expectation,
            "evidence": {name: round(value, 4) for name, value in figures.items()},
        }
