"""Where runs take place: on this machine, one by one, or on a Dask cluster, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from isolex.adapters import cluster
from isolex.bench.plan import BenchRun
from isolex.bench.running import Result, execute
from isolex.core.observer import Observer
from isolex.errors import UsageError

Engine = Callable[[Sequence[BenchRun]], Iterator[tuple[BenchRun, Result]]]
"""Does runs and yields each with its result as soon as it is done, in any order."""


def local(
    threads: int | None = None,
    device: str = "cpu",
    begin: Callable[[BenchRun], Observer] | None = None,
) -> Engine:
    """An engine that uses this machine.

    Args:
        threads: Number of threads per run; all cores by default.
        device: Where training and self-learning run.
        begin: Called before each run; returns its observer.
    """

    def engine(runs: Sequence[BenchRun]) -> Iterator[tuple[BenchRun, Result]]:
        for run in runs:
            yield run, execute(run, threads, device, begin(run) if begin else None)

    return engine


@contextmanager
def dask(
    scheduler: str,
    threads: int | None = None,
    device: str = "cpu",
    note: Callable[[str], None] = lambda _: None,
) -> Iterator[Engine]:
    """An engine that uses a Dask cluster, whose workers see the same files under the same names.

    If a worker is lost, another one repeats its run. A run that loses several workers, or that no
    worker can do, is left out and reported when the others are done.

    Args:
        scheduler: The address of the scheduler, such as ``tcp://10.0.0.1:8786``.
        threads: Number of threads per run; by default all cores of the worker's machine.
        device: Where training and self-learning run on the worker's machine.
        note: Called with a line if there is no worker yet.
    """
    with cluster.connect(scheduler) as connected:
        if connected.is_empty:
            note(f"no worker yet: {connected.advice}")

        def engine(runs: Sequence[BenchRun]) -> Iterator[tuple[BenchRun, Result]]:
            named = {run.name: run for run in runs}
            calls = {name: (run, threads, device) for name, run in named.items()}
            failed = []
            for name, result in connected.each(execute, calls):
                if isinstance(result, cluster.Failure):
                    failed.append(f"{name}: {result.reason}")
                else:
                    yield named[name], result
            if failed:
                raise UsageError(
                    f"{len(failed)} of {len(runs)} runs failed, the first with: {failed[0]}; the "
                    "others are saved: fix this and run the same command again"
                )

        yield engine
