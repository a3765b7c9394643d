"""What commands share: messages, tables, progress. Results go to stdout, all else to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from isolex.cli.interrupt import interrupt

if TYPE_CHECKING:
    from rich.progress import Progress

    from isolex.bench.plan import Job
    from isolex.bench.running import Watching
    from isolex.core.observer import Epoch
    from isolex.method.self_learning import Iteration

Tick = Callable[[float], None]  # that of isolex.kernels.types, without its imports


def printable(text: str) -> str:
    """Text that cannot steer a terminal: words are data."""
    return "".join(char if char.isprintable() or char == " " else _escape(char) for char in text)


def _escape(char: str) -> str:
    # A lone surrogate stands for a byte that was not UTF-8; it goes out as that byte.
    return char if "\udc80" <= char <= "\udcff" else char.encode("unicode_escape").decode("ascii")


def say(line: str) -> None:
    """A line for the person at the terminal."""
    print(f"isolex: {line}", file=sys.stderr)  # noqa: T201


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    # What is not UTF-8 leaves as the JSON escape of its surrogate.
    _write(text.encode("utf-8", "backslashreplace") + b"\n")


def print_text(text: str) -> None:
    """Text on stdout as it is."""
    _write(text.encode("utf-8", "surrogateescape"))


def _write(data: bytes) -> None:
    """Put bytes on stdout; a reader that has seen enough ends the command without a fuss."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: int = 0) -> None:
    """A table for eyes on a terminal, tab-separated lines elsewhere.

    Args:
        header: Names of the columns.
        rows: Cells.
        right: How many of the last columns hold numbers.
    """
    if not sys.stdout.isatty():
        lines = ["\t".join(printable(cell) for cell in row) + "\n" for row in (header, *rows)]
        _write("".join(lines).encode("utf-8", "surrogateescape"))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(header):
        numbers = place >= len(header) - right
        table.add_column(name, justify="right" if numbers else "left", no_wrap=numbers)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console().print(table)


class Reporter:
    """Progress on a terminal; silent elsewhere, or when asked to be quiet."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.shown = not quiet and sys.stderr.isatty()

    def note(self, line: str) -> None:
        """Say a line, unless it is empty or quiet was asked for."""
        if line and not self.quiet:
            say(line)

    @contextmanager
    def task(self, what: str) -> Iterator[Tick | None]:
        """A bar for a task that reports its share done."""
        if not self.shown:
            yield None
            return
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

        with self.progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        ) as progress:
            task = progress.add_task(printable(what), total=1.0)
            yield lambda share: progress.update(task, completed=share)

    @contextmanager
    def learning(self) -> Iterator[Learning]:
        """A bar for the steps of an alignment."""
        if not self.shown:
            yield Learning(None)
            return
        from rich.progress import BarColumn, TextColumn

        with self.progress(
            TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[facts]}")
        ) as progress:
            yield Learning(progress)

    @contextmanager
    def bench(self, total: int, done: int) -> Iterator[Bench]:
        """A bar for the runs of a bench, and a line for each that is done."""
        if not self.shown:
            yield Bench(None, total, done, self.note)
            return
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

        with self.progress(
            MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}")
        ) as progress:
            yield Bench(progress, total, done, progress.console.print)

    @staticmethod
    def progress(*columns: Any) -> Progress:
        """A bar that is gone when it is done."""
        from rich.console import Console
        from rich.progress import Progress

        return Progress(*columns, console=Console(stderr=True), transient=True)


class Learning:
    """Shows each step of an alignment, and in self-learning the objective and the time left."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._task = progress.add_task("starting", total=None, facts="") if progress else None

    def step(self, name: str) -> None:
        """A step begins."""
        interrupt.step(name)
        if self._progress is None or self._task is None:
            return
        names = {
            "compile": "compiling (once)",
            "train": "training",
            "initialise": "first lexicon",
            "learn": "self-learning",
            "check": "looking at what was found",
            "search": "other starts",
            "widen": "self-learning, more words",
            "map": "final mapping",
            "judge": "verdict",
        }
        self._progress.update(self._task, description=names.get(name, name), total=None, facts="")

    def epoch(self, epoch: Epoch) -> None:
        """An epoch of training is over."""
        interrupt.heed()
        if self._progress is None or self._task is None:
            return
        self._progress.update(
            self._task,
            completed=epoch.number,
            total=epoch.of,
            facts=f"epoch {epoch.number} of {epoch.of}  criterion {epoch.criterion:.4f}",
        )

    def iteration(self, iteration: Iteration) -> None:
        """An iteration of self-learning is over."""
        interrupt.heed()
        if self._progress is None or self._task is None:
            return
        left = iteration.remaining * iteration.seconds / iteration.number
        self._progress.update(
            self._task,
            completed=iteration.number,
            total=iteration.number + iteration.remaining,
            facts=(
                f"iteration {iteration.number}  objective {iteration.objective:.4f}  "
                f"keep {iteration.stage.keep_prob:g}  at least {_clock(left)} left"
            ),
        )


class Bench:
    """Shows how far a bench has come."""

    def __init__(
        self, progress: Progress | None, total: int, done: int, note: Callable[[str], None]
    ) -> None:
        self._progress, self._total, self.note = progress, total, note
        self._task = progress.add_task("", total=total, completed=done) if progress else None
        self._name = ""

    def begin(self, job: Job) -> Watching:
        """A run begins."""
        from isolex.bench.running import Watching

        self._name = job.name
        self._describe(job.name)
        return Watching(interrupt.step, self.epoch, interrupt.heed)

    def epoch(self, epoch: Epoch) -> None:
        """An epoch of the run is over."""
        interrupt.heed()
        self._describe(f"{self._name}, epoch {epoch.number} of {epoch.of}")

    def done(self, number: int, name: str, result: dict[str, Any]) -> None:
        """A run is over."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=number)
        what = result["error"] or f"{result['accuracy']:.2f} %"
        seconds = _clock(result["seconds"])
        self.note(printable(f"{number} of {self._total}: {name}: {what}, {seconds}"))

    def _describe(self, what: str) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description=printable(what))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
