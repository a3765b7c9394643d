"""What the verdict and the finish of ``robust`` cost where its first attempt succeeds."""

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
    """The default system in turns with the fast schedule, without search and verdict."""
    warm_up()
    rows = [measured(pair, asked) for pair in asked.pairs]
    settings = {name: getattr(asked, name) for name in ("pairs", "size", "runs")}
    return Report(rows, settings, COMPARISON)


def measured(name: str, asked: Namespace) -> Row:
    """One pair."""
    pair = pair_of(name)
    src, trg = (io.load(data_file(side), max_words=asked.size) for side in (pair.src, pair.trg))
    sides: dict[str, Callable[[], float]] = {
        system: partial(seconds, src, trg, system) for system in (systems.DEFAULT, FAST)
    }
    times = interleave(sides, asked.runs)
    applies = asked.size is None
    what = f"align, {name}"
    return compare(what, FAST, times[systems.DEFAULT], times[FAST], TARGET, applies=applies)


def seconds(src: isolex.Embeddings, trg: isolex.Embeddings, name: str) -> float:
    """The time that a system takes; the fast one has no verdict."""
    made = isolex.align(src, trg, variants.get(name))
    if made.attempts:
        raise BenchmarkError("the first attempt did not succeed here: choose another pair")
    return sum(took for step, took in made.timings.items() if (name, step) != (FAST, "judge"))


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.head(parser)
    parser.add_argument("--pairs", nargs="+", default=["es-en", "eng-spa"], metavar="PAIR")


CASE = Case(
    "cost", "robust against the fast schedule, where the first start works", run, add_options
)
