"""isolex bench: the paper's tables, on any data."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isolex.cli.complete import plan_names
from isolex.cli.console import Reporter, print_json, print_text
from isolex.cli.interrupt import interrupt
from isolex.cli.options import Device, Json, OnDevice, Quiet, Threads
from isolex.errors import UsageError

if TYPE_CHECKING:
    from isolex.bench.engine import Engine
    from isolex.cli.console import Bench


GO_ON = "the same command goes on where it stopped; runs under way begin anew"


class EngineName(StrEnum):
    """Where the runs take place."""

    LOCAL = "local"
    DASK = "dask"


def run(
    plan: Annotated[
        str,
        typer.Argument(
            metavar="PLAN",
            autocompletion=plan_names,
            help="A TOML file; or zhang2017, supervised, dinu2015, ablation.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write.")],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            show_default="that of PLAN; of a ready one, ISOLEX_DATA",
            help="Where the plan's files are.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="PAIR", help="Of the data only these.")
    ] = None,
    systems: Annotated[
        list[str] | None, typer.Option("--system", metavar="ROW", help="Of the systems only these.")
    ] = None,
    runs: Annotated[
        int | None, typer.Option("--runs", min=1, metavar="N", help="Seeds of every system.")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="Where it runs.")
    ] = EngineName.LOCAL,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="That of a Dask cluster."),
    ] = None,
    threads: Threads = None,
    device: OnDevice = Device.CPU,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run systems over several seeds and make the paper's tables.

    What is there from before with the same settings and files is not run again, so a bench that was
    stopped goes on. With --only and --system (the name of a row in the plan) it is run bit by bit:
    the files always hold all that was run of the plan. docs/bench.md says how to write a plan.

    With --engine dask the runs are spread over a cluster whose workers see the same files. Start
    them with one run at a time: dask worker ADDRESS --nthreads 1.

    Files:
        DIR/table.md, table.tex, table.json: the tables
        DIR/runs: a file for each run

    Example: isolex bench zhang2017 --data ~/data --out table1 --only es-en

    Example: isolex bench my-plan.toml --out tables --system robust --runs 3
    """
    from isolex.bench import plan as plans
    from isolex.bench.running import advice, check
    from isolex.bench.store import Store
    from isolex.bench.tables import Tables

    if (engine == EngineName.DASK) != (scheduler is not None):
        raise UsageError("--engine dask and --scheduler ADDRESS belong together")
    whole = plans.read(plan, data)
    asked = whole.only(only or [], systems or [], runs)
    jobs = list(asked.jobs())
    check(jobs, "cpu" if scheduler else device.value)  # that of the workers is not seen from here
    store = Store(out)
    store.prepare()
    told = advice(jobs)
    interrupt.advice = lambda: GO_ON
    known = store.everything(whole)
    found = {job.name: known[job.name] for job in jobs if job.name in known}
    left = [job for job in jobs if job.name not in found]
    reporter = Reporter(quiet=quiet)
    if found:
        reporter.note(f"{len(found)} of {len(jobs)} runs are there from before")
    if outdated := store.outdated(left):
        reporter.note(f"runs of other settings or files, or unreadable: {outdated}; done again")
    for name, line in told.items():
        reporter.note(f"[[data]] {name}: {line}")
    told |= advice(job for job in whole.jobs() if job.name in known)
    if store.begun:
        store.write_tables(whole, known.values(), told)
    with reporter.bench(len(jobs), len(found)) as shown, ExitStack() as stack:
        for job, result in _engine(stack, scheduler, threads, device, shown)(left):
            store.keep(job, result)
            found[job.name] = known[job.name] = result
            store.write_tables(whole, known.values(), told)
            shown.done(len(found), job.name, result)
    interrupt.advice = lambda: ""
    tables = Tables.of(asked, known.values(), told)
    if json:
        print_json(tables.plain)
    else:
        print_text(tables.markdown)


def _engine(
    stack: ExitStack, scheduler: str | None, threads: int | None, device: Device, shown: Bench
) -> Engine:
    from isolex.bench import engine

    if scheduler is not None:
        return stack.enter_context(engine.dask(scheduler, threads, device.value, shown.note))
    return engine.local(threads, device.value, shown.begin)
