"""Where runs take place: on this machine, one by one, or on a Dask cluster, many at a time."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

from isolex.adapters import extras
from isolex.bench.plan import BenchRun
from isolex.bench.running import Result, execute
from isolex.core.observer import Observer
from isolex.errors import IsolexError, UsageError

if TYPE_CHECKING:
    from distributed import Future

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
    extras.require(["dask"], "--engine dask")
    from distributed import Client, as_completed

    _check_address(scheduler)
    client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    if not client.scheduler_info()["workers"]:
        note(f"no worker yet: start some with dask worker {scheduler} --nthreads 1")

    def engine(runs: Sequence[BenchRun]) -> Iterator[tuple[BenchRun, Result]]:
        # Dask takes equal names for equal work, so names must differ between benches.
        unique = uuid4().hex
        waiting = {
            client.submit(
                execute, run, threads, device, pure=False, key=f"{run.name}, {unique}"
            ): run
            for run in runs
        }
        done = as_completed(waiting)  # type: ignore[no-untyped-call]
        failed = []
        try:
            for future in done:
                run = waiting.pop(future)
                if future.status == "finished":
                    result = future.result()
                    future.release()  # so that a lost worker does not make it run again
                    yield run, result
                else:
                    failed.append(f"{run.name}: {_reason(future)}")
        finally:
            client.cancel(list(waiting))  # type: ignore[no-untyped-call]
        if failed:
            raise UsageError(
                f"{len(failed)} of {len(runs)} runs failed, the first with: {failed[0]}; the "
                "others are saved: fix this and run the same command again"
            )

    with _silenced("distributed", "distributed.client", "tornado", "asyncio"), client:
        yield engine


@contextmanager
def _silenced(*names: str) -> Iterator[None]:
    """Silence loggers: trouble with a cluster is reported in one line."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _reason(future: Future[Result]) -> str:
    """Why a run has no result, in one line."""
    if future.status == "cancelled":
        return "the scheduler cancelled it or has stopped"
    error = future.exception()  # type: ignore[no-untyped-call]
    text = str(error).partition("\n")[0]
    return text if isinstance(error, IsolexError) else f"{type(error).__name__}: {text}"


def _check_address(scheduler: str) -> None:
    """Refuse an address that does not answer; Dask itself would keep trying for a while."""
    try:
        address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
        if address.hostname is None or address.port is None:
            raise ValueError("give an address such as tcp://10.0.0.1:8786")
        socket.create_connection((address.hostname, address.port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {scheduler}: {error}") from error
