"""Progress of a bench: a bar on a terminal, and a line for each finished run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from isolex.cli.console import Reporter, printable
from isolex.cli.heeding import Heeding
from isolex.core.observer import Epoch
from isolex.systems.progress import clock

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from isolex.bench.plan import BenchRun


class BenchProgress(Heeding):
    """Shows how far a bench has come, and observes its runs.

    Use it as a context manager around the runs.

    Args:
        reporter: Says whether there is a terminal to show a bar on, and prints the lines if not.
        total: Number of runs.
        done: How many of them were done before.
    """

    def __init__(self, reporter: Reporter, total: int, done: int) -> None:
        self._reporter, self._total, self._run = reporter, total, ""
        self._progress: Progress | None = None
        if reporter.shown:
            self._progress = _bar()
            self._task: TaskID = self._progress.add_task("", total=total, completed=done)

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def begin(self, run: BenchRun) -> Self:
        """A run begins; returns its observer."""
        self._run = run.name
        self._update(description=run.name)
        return self

    def note(self, line: str) -> None:
        """Show what the run is doing."""
        self._update(description=f"{self._run}, {line}")

    def epoch(self, epoch: Epoch) -> None:
        """Show how far training has come."""
        super().epoch(epoch)
        self._update(description=f"{self._run}, epoch {epoch.number} of {epoch.of}")

    def pair(self, names: tuple[str, str], done: int, of: int) -> None:
        """Show which of several languages the run is working on."""
        self.note(f"{'-'.join(names)} ({done} of {of} pairs done)")

    def end(self, number: int, name: str, result: dict[str, Any]) -> None:
        """A run has ended: ``number`` of them are done."""
        self._update(completed=number)
        many = len(result.get("scores", ()))
        what = result["error"] or f"{result['accuracy']:.2f} %"
        what += f" on average over {many} pairs" if many else ""
        self.print(f"{number} of {self._total}: {name}: {what}, {clock(result['seconds'])}")

    def print(self, line: str) -> None:
        """Print a line that stays."""
        if self._progress is None:
            self._reporter.note(printable(line))
        else:
            console = self._progress.console
            console.print(printable(line), markup=False, highlight=False, soft_wrap=True)

    def _update(self, **changes: Any) -> None:
        if self._progress is None:
            return
        if "description" in changes:
            changes["description"] = _escaped(changes["description"])
        self._progress.update(self._task, **changes)


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _escaped(text: str) -> str:
    """Text that neither controls a terminal nor counts as markup."""
    from rich.markup import escape

    return escape(printable(text))
