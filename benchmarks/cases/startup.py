"""How long short commands take, and how much memory."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import options
from benchmarks.children import ISOLEX, Finished, run
from benchmarks.folders import run_folder
from benchmarks.measure import Target, compare, interleave, judged
from benchmarks.report import COMPARISON, Case, Column, Report, Row, note

SIZES, DIMS = (20_000, 200_000), 300
HELP, TRANSLATE = Target("at most", 0.5, "s"), Target("at most", 1.5, "s")
TARGET_SIZE = 20_000
"""The size that the target of ``translate`` was set for."""
MIB = 2**20
PYTHON = "python -c 'import numpy'"
COLUMNS = (
    *COMPARISON[:8],
    Column("isolex_mib", "isolex MiB", ".0f"),
    Column("rival_mib", "rival MiB", ".0f"),
    *COMPARISON[8:],
)


def run_case(asked: Namespace) -> Report:
    """``--help``, and ``translate`` at every size, in turns with a Python that imports NumPy."""
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        commands: dict[str, Sequence[str | Path]] = {
            PYTHON: (sys.executable, "-c", "import numpy"),
            "isolex --help": (*script(), "--help"),
        }
        for size in asked.size:
            note(f"writing a run folder of {size:,} words per language")
            folder = Path(place) / f"run-{size}"
            run_folder(folder, size, asked.dims, asked.seed, exact_means=False)
            commands[translate(size)] = (*script(), "translate", folder, "s7")
        for command in commands.values():
            run(command)  # files enter the system's cache, Numba compiles
        programs: dict[str, Callable[[], Finished]] = {
            name: partial(run, command) for name, command in commands.items()
        }
        finished = interleave(programs, asked.runs)
    python = finished[PYTHON]
    rows = [row("isolex --help", finished["isolex --help"], python, HELP, applies=True)]
    for size in asked.size:
        applies = (size, asked.dims) == (TARGET_SIZE, DIMS)
        target = TRANSLATE if size <= TARGET_SIZE else None
        rows.append(row(translate(size), finished[translate(size)], python, target, applies))
    names = ("size", "dims", "seed", "runs")
    return Report(rows, {name: getattr(asked, name) for name in names}, COLUMNS)


def translate(size: int) -> str:
    """What a row about ``translate`` is called."""
    return f"isolex translate DIR WORD, {size:,} words"


def script() -> tuple[str, ...]:
    """The installed command, or else the module."""
    path = Path(sys.executable).with_name("isolex")
    return (str(path),) if path.is_file() else ISOLEX


def row(
    what: str,
    own: Sequence[Finished],
    python: Sequence[Finished],
    target: Target | None,
    applies: bool,
) -> Row:
    """A command; its target is in seconds, not relative to Python."""
    seconds = [done.seconds for done in own]
    made = compare(what, PYTHON, seconds, [done.seconds for done in python])
    return {
        **made,
        **judged(median(seconds), target, applies=applies),
        "isolex_mib": median(done.peak for done in own) / MIB,
        "rival_mib": median(done.peak for done in python) / MIB,
    }


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.sizes(parser, SIZES, DIMS)


CASE = Case(
    "startup", "isolex --help and isolex translate: time and peak memory", run_case, add_options
)
