"""What commands share: messages, tables, progress. Results go to stdout, all else to stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

Tick = Callable[[float], None]  # like isolex.kernels.types.Tick, which takes longer to import


def printable(text: str) -> str:
    """Text that cannot control a terminal, because words are data."""
    return "".join(char if char.isprintable() or char == " " else _escape(char) for char in text)


def _escape(char: str) -> str:
    # A lone surrogate stands for a byte that was not UTF-8; it is written as that byte.
    return char if "\udc80" <= char <= "\udcff" else char.encode("unicode_escape").decode("ascii")


def say(line: str) -> None:
    """Print a line on standard error."""
    print(f"isolex: {line}", file=sys.stderr)  # noqa: T201


def print_json(value: Any) -> None:
    """Print one JSON document on stdout."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    # A byte that is not UTF-8 is written as the JSON escape of its surrogate.
    _write(text.encode("utf-8", "backslashreplace") + b"\n")


def print_text(text: str) -> None:
    """Print text on stdout as it is."""
    _write(text.encode("utf-8", "surrogateescape"))


def _write(data: bytes) -> None:
    """Write bytes to stdout; if the reader has closed it, end the command quietly."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit from None


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: int = 0) -> None:
    """Print a formatted table on a terminal, tab-separated lines elsewhere.

    Args:
        header: Names of the columns.
        rows: The cells.
        right: How many of the last columns are numbers, which are right-aligned.
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


def terminal_width() -> int | None:
    """The width of the terminal in columns; ``None`` if stdout is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


class Reporter:
    """Notes and progress bars for a person at a terminal.

    Attributes:
        quiet: Whether notes are suppressed.
        shown: Whether progress bars are shown.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.shown = not quiet and sys.stderr.isatty()

    def note(self, line: str) -> None:
        """Print a line on standard error, unless it is empty or notes are suppressed."""
        if line and not self.quiet:
            say(line)

    @contextmanager
    def task(self, what: str) -> Iterator[Tick | None]:
        """A progress bar for a task that reports the share it has done."""
        if not self.shown:
            yield None
            return
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

        with progress_bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        ) as progress:
            task = progress.add_task(printable(what), total=1.0)
            yield lambda share: progress.update(task, completed=share)


def progress_bar(*columns: Any) -> Progress:
    """A progress bar on standard error that disappears when it is done."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)
