"""isolex bench: run systems over several seeds and make tables of the results."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.complete import plan_names
from isolex.cli.console import Reporter, print_json, print_text
from isolex.cli.help import epilog
from isolex.cli.interrupt import interrupt
from isolex.cli.options import (
    Device,
    EngineName,
    EngineOption,
    Json,
    OnDevice,
    Quiet,
    Scheduler,
    Threads,
    check_engine,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from isolex.bench.engine import Engine
    from isolex.bench.plan import BenchRun
    from isolex.bench.store import ResultStore
    from isolex.bench.tables import Tables
    from isolex.cli.bench_progress import BenchProgress

CONTINUE = "run the same command again to continue; unfinished runs start over"

EPILOG = epilog(
    "isolex bench zhang2017 --data ~/data --out table1 --only es-en",
    "isolex bench my-plan.toml --out tables --system robust --runs 3",
    files={
        "DIR/table.md, table.tex, table.json": "the tables",
        "DIR/runs": "one file per run",
    },
)


PlanName = Annotated[
    str,
    typer.Argument(
        metavar="PLAN",
        autocompletion=plan_names,
        help="A TOML file, or one of ablation, dinu2015, supervised, zhang2017.",
    ),
]
OutFolder = Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write.")]
DataFolder = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        show_default="the folder of PLAN; ISOLEX_DATA for a plan of isolex",
        help="Paths in the plan are relative to this folder.",
    ),
]
Datasets = Annotated[
    list[str] | None, typer.Option("--only", metavar="NAME", help="Run only these datasets.")
]
Rows = Annotated[
    list[str] | None,
    typer.Option("--system", metavar="ROW", help="Run only these rows of the plan."),
]
Seeds = Annotated[
    int | None,
    typer.Option("--runs", min=1, metavar="N", help="Number of random seeds per system."),
]


def run(
    plan: PlanName,
    out: OutFolder,
    data: DataFolder = None,
    only: Datasets = None,
    systems: Rows = None,
    runs: Seeds = None,
    engine: EngineOption = EngineName.LOCAL,
    scheduler: Scheduler = None,
    threads: Threads = None,
    device: OnDevice = Device.CPU,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run systems over several seeds and make tables of the results.

    Runs that are already in DIR with the same settings and files are not repeated, so an
    interrupted bench continues where it stopped. --only and --system run a part of the plan; the
    tables in DIR always contain all runs of the plan so far. docs/bench.md explains plans.

    With --engine dask the runs are distributed over a cluster whose workers see the same files.
    Start each worker with one run at a time: dask worker ADDRESS --nthreads 1.
    """
    from isolex.bench.inputs import overlap_warnings
    from isolex.bench.plan_file import read_plan
    from isolex.bench.running import check
    from isolex.bench.store import ResultStore
    from isolex.bench.tables import Tables
    from isolex.cli.bench_progress import BenchProgress

    check_engine(engine, scheduler)
    whole = read_plan(plan, data)
    part = whole.select(only or [], systems or [], runs)
    wanted = list(part.runs())
    # A device of the workers cannot be checked from here.
    check(wanted, "cpu" if scheduler else device.value)
    store, reporter = ResultStore(out), Reporter(quiet=quiet)
    store.prepare()
    interrupt.advice = lambda: CONTINUE
    known = store.find_all(whole)
    missing = [run for run in wanted if run.name not in known]
    warnings = overlap_warnings(wanted)
    _report_start(reporter, store, wanted, missing, warnings)
    warnings |= overlap_warnings(run for run in whole.runs() if run.name in known)
    if store.has_runs:
        store.write_tables(whole, known.values(), warnings)
    done = len(wanted) - len(missing)
    with (
        BenchProgress(reporter, len(wanted), done) as progress,
        _engine(scheduler, threads, device.value, progress) as execute,
    ):
        for number, (run, result) in enumerate(execute(missing), start=done + 1):
            store.save(run, result)
            known[run.name] = result
            store.write_tables(whole, known.values(), warnings)
            progress.end(number, run.name, result)
    interrupt.advice = lambda: ""
    _print(Tables.of(part, known.values(), warnings), json=json)


def _print(tables: Tables, *, json: bool) -> None:
    if json:
        print_json(tables.plain)
    else:
        print_text(tables.markdown)


def _report_start(
    reporter: Reporter,
    store: ResultStore,
    wanted: Sequence[BenchRun],
    missing: Sequence[BenchRun],
    warnings: Mapping[str, str],
) -> None:
    if done := len(wanted) - len(missing):
        reporter.note(f"{done} of {len(wanted)} runs are already done")
    if outdated := store.count_files(missing):
        reporter.note(f"runs to repeat because settings or files have changed: {outdated}")
    for name, line in warnings.items():
        reporter.note(f"[[data]] {name}: {line}")


def _engine(
    scheduler: str | None, threads: int | None, device: str, progress: BenchProgress
) -> AbstractContextManager[Engine]:
    from isolex.bench import engine

    if scheduler is None:
        return nullcontext(engine.local(threads, device, progress.begin))
    return engine.dask(scheduler, threads, device, progress.print)
