"""The results of a case, on the terminal and as JSON."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from isolex.core.files import write_text

RESULTS = Path(__file__).parent / "results"

Value: TypeAlias = str | int | float | bool | list[float] | dict[str, float] | None
Row: TypeAlias = dict[str, Value]


class Column(NamedTuple):
    """A column of the printed table; rows may contain more than is printed."""

    key: str
    heading: str
    format: str = ""


COMPARISON = (
    Column("what", "isolex does"),
    Column("rival", "rival"),
    Column("isolex_seconds", "isolex s", ".3f"),
    Column("rival_seconds", "rival s", ".3f"),
    Column("measure", "measure"),
    Column("ratio", "median", ".2f"),
    Column("ratio_low", "lowest", ".2f"),
    Column("ratio_high", "highest", ".2f"),
    Column("target", "target"),
    Column("met", "met"),
)
"""The columns of rows made by `benchmarks.measure.compare`."""


@dataclass(frozen=True)
class Report:
    """Rows of figures.

    Attributes:
        rows: The measurements; all of them are saved as JSON.
        settings: Sizes, seeds and numbers of runs.
        columns: The columns that are printed.
        notes: Lines below the table.
        shown: Rows to print instead of ``rows``, if those are too many.
    """

    rows: list[Row]
    settings: Mapping[str, Any]
    columns: Sequence[Column] = COMPARISON
    notes: Sequence[str] = ()
    shown: list[Row] | None = field(default=None)


@dataclass(frozen=True)
class Case:
    """A benchmark and its name."""

    name: str
    summary: str
    run: Callable[[Namespace], Report]
    options: Callable[[ArgumentParser], None]


def store(report: Report, name: str, machine: Mapping[str, Any], folder: Path) -> Path:
    """Write ``name.json``, whole or not at all."""
    facts: dict[str, Any] = {
        "case": name,
        "settings": dict(report.settings),
        "hardware": dict(machine),
        "rows": report.rows,
        "notes": list(report.notes),
    }
    if report.shown is not None:
        facts["summary"] = report.shown
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    write_text(path, json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
    return path


def show(report: Report, machine: Mapping[str, Any]) -> None:
    """Print the table, and notes and the machine below it."""
    rows = report.rows if report.shown is None else report.shown
    table(
        [column.heading for column in report.columns],
        [[cell(row.get(column.key), column.format) for column in report.columns] for row in rows],
    )
    busy = machine["busy_before"]
    if busy is not None and busy > 0.25 * machine["cores"]:
        used = f"{busy:.2f} of {machine['cores']} cores in use"
        note(f"the machine was busy ({used}): do not quote these figures")
    for line in report.notes:
        note(line)
    note(
        f"{machine['cpu']}, {machine['cores']} cores, {machine['ram_gib']} GiB; "
        f"numpy {machine['numpy']} with {machine['blas']}, {machine['date']}"
    )


def cell(value: Value, form: str = "") -> str:
    """A value as text; a dash if it was not measured or not judged."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:{form}}" if isinstance(value, float) else str(value)


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a formatted table on a terminal, tab-separated text elsewhere."""
    if not sys.stdout.isatty():
        sys.stdout.writelines("\t".join(line) + "\n" for line in (headings, *rows))
        return
    from rich.console import Console
    from rich.table import Table

    drawn = Table(*headings)
    for row in rows:
        drawn.add_row(*row)
    Console().print(drawn)


def note(line: str) -> None:
    """Print a line on standard error, so that a pipe receives only the table."""
    sys.stderr.write(f"{line}\n")
