"""``python -m benchmarks CASE``: measure, print a table, save figures and hardware as JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.cases import CASES
from benchmarks.errors import BenchmarkError
from benchmarks.hardware import hardware
from benchmarks.report import RESULTS, Case, show, store, table
from isolex.errors import IsolexError

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one case, or list them all; returns the exit code."""
    options = parser().parse_args(arguments)
    if options.case is None:
        table(("case", "what it measures"), [(case.name, case.summary) for case in CASES.values()])
        return 0
    try:
        run(CASES[options.case], options)
    except (BenchmarkError, IsolexError) as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def run(case: Case, options: argparse.Namespace) -> None:
    """Measure a case; other load on the machine is recorded before it starts."""
    machine = hardware()
    report = case.run(options)
    store(report, case.name, machine, options.results)
    show(report, machine)


def parser() -> argparse.ArgumentParser:
    """The command line: one sub-command per case, each with its own options."""
    whole = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = whole.add_subparsers(dest="case", metavar="CASE")
    for case in CASES.values():
        sub = commands.add_parser(
            case.name,
            help=case.summary,
            description=case.summary,
            formatter_class=argparse.ArgumentDefaultsHelpFormatter,
        )
        sub.add_argument(
            "--results", type=Path, default=RESULTS, metavar="DIR", help="folder for the JSON file"
        )
        case.options(sub)
    return whole
