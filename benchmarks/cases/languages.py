"""How the time of `isolex.align` grows with the number of languages."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

import isolex
from benchmarks import options
from benchmarks.cases.accuracy import warm_up
from benchmarks.measure import compare, interleave, timed
from benchmarks.planted import planted_languages
from benchmarks.report import COMPARISON, Case, Report
from isolex.core.choices import Outcome

TWO = "2 languages"
NOISE = 0.3
"""So little that the first run of every pair succeeds: only the cost is measured."""


def run(asked: Namespace) -> Report:
    """Planted languages, and two of them in the same turn."""
    warm_up()
    most = max(asked.languages)
    languages = planted_languages(most, asked.size, asked.dims, NOISE, asked.seed)
    found: dict[int, isolex.Space] = {}

    def align(count: int) -> None:
        found[count] = isolex.align(*languages[:count], progress=False)

    counts = {f"{count} languages": count for count in (2, *asked.languages)}
    programs = {name: timed(partial(align, count)) for name, count in counts.items()}
    times = interleave(programs, asked.runs)
    rows = [
        compare(f"align, {name}", TWO, times[name], times[TWO]) for name in counts if name != TWO
    ]
    wrong = [count for count, space in found.items() if not _is_right(space)]
    settings = {
        name: getattr(asked, name) for name in ("languages", "size", "dims", "runs", "seed")
    }
    notes = [f"{count} languages: not all pairs succeeded" for count in wrong]
    return Report(rows, settings, COMPARISON, notes)


def _is_right(space: isolex.Space) -> bool:
    return all(space.outcome(name) == Outcome.SUCCEEDED for name in space.names)


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.size(parser, 5000)
    parser.add_argument(
        "--languages",
        type=options.positive,
        nargs="+",
        default=[4, 8, 16, 50],
        metavar="N",
        help="numbers of languages",
    )


CASE = Case("languages", "many languages against two, by their number", run, add_options)
