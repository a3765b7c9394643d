"""Where the runs take place: here, one after the other, or on a Dask cluster, many at a time."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from urllib.parse import urlsplit
from uuid import uuid4

from isolex import extras
from isolex.bench.plan import Job
from isolex.bench.running import Result, run
from isolex.errors import UsageError
from isolex.training import Epoch

Engine = Callable[[Sequence[Job]], Iterator[tuple[Job, Result]]]
"""Runs jobs and yields each with its result as it is done, in whatever order."""

OnEpoch = Callable[[Job, Epoch], None]


def local(
    threads: int | None = None,
    begin: Callable[[Job], None] | None = None,
    on_epoch: OnEpoch | None = None,
) -> Engine:
    """This machine.

    Args:
        threads: Of each run; every core by default.
        begin: Told of each job before it is run.
        on_epoch: Told of each epoch of a job that trains.
    """

    def engine(jobs: Sequence[Job]) -> Iterator[tuple[Job, Result]]:
        for job in jobs:
            if begin is not None:
                begin(job)
            yield job, run(job, threads, on_epoch and partial(on_epoch, job))

    return engine


@contextmanager
def dask(scheduler: str, threads: int | None = None) -> Iterator[Engine]:
    """A Dask cluster, whose workers see the same files under the same names.

    A job whose worker is lost is run again by another one.

    Args:
        scheduler: Its address, such as ``tcp://10.0.0.1:8786``.
        threads: Of each run; every core of the worker's machine by default.
    """
    extras.require(["dask"], "--engine dask")
    from distributed import Client, as_completed

    _knock(scheduler)
    client = Client(scheduler, timeout=10)  # type: ignore[no-untyped-call]

    def engine(jobs: Sequence[Job]) -> Iterator[tuple[Job, Result]]:
        # A name that no other bench on the cluster has: Dask takes equal names for equal work.
        mark = uuid4().hex
        waiting = {
            client.submit(run, job, threads, pure=False, key=f"{job.name}, {mark}"): job
            for job in jobs
        }
        done = as_completed(waiting)  # type: ignore[no-untyped-call]
        try:
            for future in done:
                yield waiting[future], future.result()
        finally:
            client.cancel(list(waiting))  # type: ignore[no-untyped-call]

    with client:
        yield engine


def _knock(scheduler: str) -> None:
    """Refuse an address at which nobody answers; Dask itself would go on trying for a while."""
    try:
        address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
        if address.hostname is None or address.port is None:
            raise ValueError("an address is such as tcp://10.0.0.1:8786")
        socket.create_connection((address.hostname, address.port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {scheduler}: {error}") from error
