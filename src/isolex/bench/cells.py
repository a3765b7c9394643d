"""What the runs of a system on a pair come to: the figures in a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from isolex.bench.plan import Plan
from isolex.bench.running import Result

COLUMNS = {"runs": ["best", "avg", "s", "t"], "accuracy": ["acc"]}


@dataclass(frozen=True)
class Cell:
    """A system on a pair over all its runs.

    Attributes:
        runs: How many there are.
        best: The highest accuracy in percent of those that could be made, if any could.
        average: The mean accuracy of the same.
        successes: Runs above the plan's threshold.
        minutes: Of a run, on average.
        cpu_minutes: The same of the processor; ``None`` where a run is from before they were kept.
        accuracies: By the seed, of the runs that could be made.
        entries: Source words that were asked.
        coverage: Their share of those of the gold pairs.
        training_pairs: Pairs that were learnt from; ``None`` where that is not known, or none are.
        failures: Runs that could not be made.
        error: Why the first of these could not.
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
        """What several runs come to."""
        results = sorted(results, key=lambda result: result["seed"])
        made = [result for result in results if not result.get("error")]
        errors = [result["error"] for result in results if result.get("error")]
        accuracies = {result["seed"]: result["accuracy"] for result in made}
        cpu = [result["cpu_seconds"] for result in results if "cpu_seconds" in result]
        learnt = (result.get("training_pairs") for result in results)  # not in those from before
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
            training_pairs=next((n for n in learnt if n is not None), None),
            failures=len(errors),
            error=errors[0] if errors else None,
        )

    @property
    def words(self) -> int | None:
        """Source words of the gold pairs, those that could not be asked too."""
        return round(self.entries / self.coverage) if self.entries and self.coverage else None

    def texts(self, layout: str) -> list[str]:
        """The figures as they stand in a table."""
        if self.best is None or self.average is None:
            return ["x"] * len(COLUMNS[layout])
        if layout == "accuracy":
            return [f"{self.average:.2f}"]
        minutes = f"{self.minutes:.1f}" if self.minutes >= 1 else f"{self.minutes:.2f}"
        return [f"{self.best:.2f}", f"{self.average:.2f}", f"{self.successes}/{self.runs}", minutes]


Cells = Mapping[tuple[str, str], Cell]
"""Those of all rows and pairs that have results."""


def cells(plan: Plan, results: Iterable[Result]) -> Cells:
    """A cell for each row and pair of the plan that has results."""
    asked = {(row, pair.name): list[Result]() for row in plan.entries for pair in plan.data}
    for result in results:
        place = result["row"], result["data"]
        if place in asked:
            asked[place].append(result)
    return {place: Cell.of(some, plan.success) for place, some in asked.items() if some}
