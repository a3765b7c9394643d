"""What the verdict and the last stages of ``robust`` cost if its first attempt succeeds."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial

import isolex
from benchmarks import options, variants
from benchmarks.cases.accuracy import warm_up
from benchmarks.data import data_file, pair_of
from benchmarks.errors import BenchmarkError
from benchmarks.measure import Target, compare, interleave
from benchmarks.report import COMPARISON, Case, Report, Row
from isolex import io, systems

FAST = "fast"
TARGET = Target("at most", 1.5)


def run(asked: Namespace) -> Report:
    """The default system in turns with the fast schedule, without restarts and verdict."""
    warm_up()
    rows = [measured(pair, asked) for pair in asked.pairs]
    settings = {name: getattr(asked, name) for name in ("pairs", "size", "runs")}
    return Report(rows, settings, COMPARISON)


def measured(name: str, asked: Namespace) -> Row:
    """One pair."""
    pair = pair_of(name)
    files = (data_file(file) for file in (pair.source, pair.target))
    source, target = (io.load(path, max_words=asked.size) for path in files)
    programs: dict[str, Callable[[], float]] = {
        system: partial(seconds, source, target, system) for system in (systems.DEFAULT, FAST)
    }
    times = interleave(programs, asked.runs)
    applies = asked.size is None
    what = f"align, {name}"
    return compare(what, FAST, times[systems.DEFAULT], times[FAST], TARGET, applies=applies)


def seconds(source: isolex.Embeddings, target: isolex.Embeddings, name: str) -> float:
    """The time that a system takes, without the verdict for the fast one."""
    space = isolex.align(source, target, system=variants.get(name), progress=False)
    if space.attempts:
        raise BenchmarkError("the first attempt failed: choose another pair")
    return sum(took for step, took in space.timings.items() if (name, step) != (FAST, "judge"))


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.head(parser)
    parser.add_argument("--pairs", nargs="+", default=["es-en", "eng-spa"], metavar="PAIR")


CASE = Case(
    "cost", "robust against the fast schedule, if the first attempt succeeds", run, add_options
)
