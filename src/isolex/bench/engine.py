"""Where the runs take place: here, one after the other, or on a Dask cluster, many at a time."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

from isolex.adapters import extras
from isolex.bench.plan import Job
from isolex.bench.running import Result, Watching, run
from isolex.errors import IsolexError, UsageError

if TYPE_CHECKING:
    from distributed import Future

Engine = Callable[[Sequence[Job]], Iterator[tuple[Job, Result]]]
"""Runs jobs and yields each with its result as it is done, in whatever order."""


def local(
    threads: int | None = None,
    device: str = "cpu",
    begin: Callable[[Job], Watching] | None = None,
) -> Engine:
    """This machine.

    Args:
        threads: Of each run; every core by default.
        device: Where training and self-learning run.
        begin: Told of each job before it is run; what it returns is told how far that has come.
    """

    def engine(jobs: Sequence[Job]) -> Iterator[tuple[Job, Result]]:
        for job in jobs:
            yield job, run(job, threads, device, begin and begin(job))

    return engine


@contextmanager
def dask(
    scheduler: str,
    threads: int | None = None,
    device: str = "cpu",
    note: Callable[[str], None] = lambda _: None,
) -> Iterator[Engine]:
    """A Dask cluster, whose workers see the same files under the same names.

    A job whose worker is lost is run again by another one. One that loses several, or that no
    worker can do, is left out, and named when the others are done.

    Args:
        scheduler: Its address, such as ``tcp://10.0.0.1:8786``.
        threads: Of each run; every core of the worker's machine by default.
        device: Of the worker's machine, where training and self-learning run.
        note: Told what there is to wait for.
    """
    extras.require(["dask"], "--engine dask")
    from distributed import Client, as_completed

    _knock(scheduler)
    client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]
    if not client.scheduler_info()["workers"]:
        note(f"no worker yet: start some with dask worker {scheduler} --nthreads 1")

    def engine(jobs: Sequence[Job]) -> Iterator[tuple[Job, Result]]:
        # A name that no other bench on the cluster has: Dask takes equal names for equal work.
        mark = uuid4().hex
        waiting = {
            client.submit(run, job, threads, device, pure=False, key=f"{job.name}, {mark}"): job
            for job in jobs
        }
        done = as_completed(waiting)  # type: ignore[no-untyped-call]
        failed = []
        try:
            for future in done:
                job = waiting.pop(future)
                if future.status == "finished":
                    result = future.result()
                    future.release()  # what is done must not be done again for a lost worker
                    yield job, result
                else:
                    failed.append(f"{job.name}: {_trouble(future)}")
        finally:
            client.cancel(list(waiting))  # type: ignore[no-untyped-call]
        if failed:
            raise UsageError(
                f"{len(failed)} of {len(jobs)} runs could not be made, the first of them "
                f"{failed[0]}; the others are kept: mend that and give the command again"
            )

    with _silent("distributed", "distributed.client", "tornado", "asyncio"), client:
        yield engine


@contextmanager
def _silent(*names: str) -> Iterator[None]:
    """What happens to a cluster is told in a line, not by the loggers of its libraries."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _trouble(future: Future[Result]) -> str:
    """Why a job has no result, in one line."""
    if future.status == "cancelled":
        return "the scheduler gave it up or is gone"
    error = future.exception()  # type: ignore[no-untyped-call]
    told = str(error).partition("\n")[0]
    return told if isinstance(error, IsolexError) else f"{type(error).__name__}: {told}"


def _knock(scheduler: str) -> None:
    """Refuse an address at which nobody answers; Dask itself would go on trying for a while."""
    try:
        address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
        if address.hostname is None or address.port is None:
            raise ValueError("an address is such as tcp://10.0.0.1:8786")
        socket.create_connection((address.hostname, address.port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {scheduler}: {error}") from error
