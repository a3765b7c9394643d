"""The figures of a table: all runs of a system on a dataset, summarised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from isolex.bench.plan import Plan
from isolex.bench.running import Result

COLUMNS = {"runs": ["best", "avg", "s", "t"], "accuracy": ["acc"]}


@dataclass(frozen=True)
class Cell:
    """All runs of a row on a dataset, or on a pair of a dataset of many languages.

    Attributes:
        runs: Number of runs.
        best: Highest accuracy in percent; ``None`` if all runs failed.
        average: Mean accuracy of the runs that did not fail.
        successes: Number of runs above the plan's threshold.
        minutes: Mean wall time of a run, including all its languages.
        cpu_minutes: Mean processor time of a run; ``None`` if a result of an earlier version lacks
            it.
        accuracies: Accuracy by seed, of the runs that did not fail.
        entries: Number of gold source words that were scored.
        coverage: Percentage of the gold source words that were scored.
        training_pairs: Number of training pairs; ``None`` if unknown, or if the system takes none.
        failures: Number of runs that failed.
        error: The reason for the first failure.
    """

    runs: int
    best: float | None
    average: float | None
    successes: int
    minutes: float
    cpu_minutes: float | None
    accuracies: Mapping[int, float]
    entries: int | None = None
    coverage: float | None = None
    training_pairs: int | None = None
    failures: int = 0
    error: str | None = None

    @classmethod
    def of(cls, results: Sequence[Result], success: float) -> Cell:
        """Summarise results; runs above ``success`` percent count as successful."""
        results = sorted(results, key=lambda result: result["seed"])
        made = [result for result in results if not result.get("error")]
        errors = [result["error"] for result in results if result.get("error")]
        accuracies = {result["seed"]: result["accuracy"] for result in made}
        cpu = [result["cpu_seconds"] for result in results if "cpu_seconds" in result]
        # Results of earlier versions have no count of training pairs.
        pairs = (result.get("training_pairs") for result in results)
        example = made[0] if made else results[0]
        return cls(
            runs=len(results),
            best=max(accuracies.values(), default=None),
            average=fmean(accuracies.values()) if made else None,
            successes=sum(accuracy > success for accuracy in accuracies.values()),
            minutes=fmean(result["seconds"] for result in results) / 60,
            cpu_minutes=fmean(cpu) / 60 if len(cpu) == len(results) else None,
            accuracies=accuracies,
            entries=example.get("entries"),
            coverage=example.get("coverage"),
            training_pairs=next((count for count in pairs if count is not None), None),
            failures=len(errors),
            error=errors[0] if errors else None,
        )

    @property
    def gold_words(self) -> int | None:
        """Number of gold source words, including those out of vocabulary."""
        return round(100 * self.entries / self.coverage) if self.entries and self.coverage else None

    def texts(self, layout: str) -> list[str]:
        """The figures as text, one for each column of the layout."""
        if self.best is None or self.average is None:
            return ["x"] * len(COLUMNS[layout])
        if layout == "accuracy":
            return [f"{self.average:.2f}"]
        minutes = f"{self.minutes:.1f}" if self.minutes >= 1 else f"{self.minutes:.2f}"
        return [f"{self.best:.2f}", f"{self.average:.2f}", f"{self.successes}/{self.runs}", minutes]


Cells = Mapping[tuple[str, str], Cell]
"""Cells by the key of the row and the name of the column."""


def summarise(plan: Plan, results: Iterable[Result]) -> Cells:
    """A cell for each row and column of the plan that has results."""
    places = {(key, column): list[Result]() for key in plan.rows for column in plan.columns}
    many = {one.name: one.columns for one in plan.datasets if one.has_many}
    for result in results:
        scores, name = result.get("scores", {}), result["data"]
        for column, pair in many.get(name, {name: ()}).items():
            place = result["row"], column
            if place in places:
                places[place].append(result | scores.get("-".join(pair), {}))
    return {place: Cell.of(some, plan.success) for place, some in places.items() if some}
