"""A Dask cluster: calls that its workers run in parallel, with one-line errors."""

from __future__ import annotations

import logging
import pickle
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

from isolex import __version__
from isolex.adapters import extras
from isolex.errors import IsolexError, UsageError

if TYPE_CHECKING:
    from distributed import Client, Future

Result = TypeVar("Result")

PATIENCE = 10
"""Seconds to wait for an answer from the scheduler."""

RETURN = 60
"""Seconds to wait for a new worker after all workers were lost."""

ATTEMPTS = 5
"""Number of attempts at a call if the cluster loses its data."""


@dataclass(frozen=True)
class Failure:
    """A call that has no result, with the reason in one line."""

    reason: str


@dataclass(frozen=True)
class Packed(Generic[Result]):
    """A value to send, packed so that its arrays arrive aligned in memory.

    Dask may place large arrays at unaligned addresses. There, NumPy is slower and the last bits of
    its results differ.
    """

    value: Result

    def __reduce__(self) -> tuple[Callable[[bytes], Packed[Any]], tuple[bytes]]:
        return _unpack, (pickle.dumps(self.value),)


def _unpack(data: bytes) -> Packed[Any]:
    return Packed(pickle.loads(data))  # noqa: S301 - sent by a client of the same cluster


class Shared(Generic[Result]):
    """A value that many calls use: it is sent once, not with each call.

    If the cluster loses it together with a worker, it is sent again.
    """

    def __init__(self, value: Result) -> None:
        self.value = value
        self.future: Future[Packed[Result]] | None = None


@dataclass(frozen=True)
class Cluster:
    """A connection to a Dask cluster.

    Attributes:
        client: The connection.
        scheduler: The address of the scheduler.
    """

    client: Client
    scheduler: str

    @property
    def advice(self) -> str:
        """How to start a worker."""
        return f"start some with dask worker {self.scheduler} --nthreads 1"

    @property
    def is_empty(self) -> bool:
        """Whether there is no worker."""
        return not self.client.scheduler_info()["workers"]

    def each(
        self, function: Callable[..., Result], calls: Mapping[str, Sequence[Any]]
    ) -> Iterator[tuple[str, Result | Failure]]:
        """Call a function many times, and yield each result as soon as it is available.

        If a worker is lost, another one repeats its calls. A call that loses several workers fails.

        Args:
            function: A function that the workers can import.
            calls: The arguments of each call, by its name; an argument may be `Shared`.
        """
        from distributed import as_completed

        # Dask treats calls of the same name as the same work, so names must differ between runs.
        unique = uuid4().hex

        def submit(name: str, attempt: int) -> Future[Packed[Result]]:
            sent = [self._sent(one) for one in calls[name]]
            key = f"{name}, {attempt}, {unique}"
            return self.client.submit(_call, function, *sent, pure=False, key=key)

        waiting = {submit(name, 1): (name, 1) for name in calls}
        done = as_completed(waiting, loop=self.client.loop)  # type: ignore[no-untyped-call]
        try:
            for future in done:
                name, attempt = waiting.pop(future)
                try:
                    result = future.result().value
                except CancelledError:
                    if attempt < ATTEMPTS and self.client.status == "running":
                        again = submit(name, attempt + 1)
                        waiting[again] = name, attempt + 1
                        done.add(again)  # type: ignore[no-untyped-call]
                    else:
                        yield name, Failure("the scheduler cancelled it or has stopped")
                except Exception as error:
                    yield name, Failure(_reason(error))
                else:
                    future.release()  # so that a lost worker does not make it run again
                    yield name, result
        finally:
            self.client.cancel(list(waiting))  # type: ignore[no-untyped-call]

    def tell(self, function: Callable[[], None]) -> None:
        """Call a function on all workers that can be reached."""
        if self.client.status == "running":
            with suppress(OSError):
                self.client.run(function, on_error="ignore")

    def _sent(self, argument: Any) -> Any:
        if not isinstance(argument, Shared):
            return Packed(argument)
        if argument.future is None or argument.future.cancelled():  # type: ignore[no-untyped-call]
            try:
                argument.future = self.client.scatter(  # type: ignore[no-untyped-call]
                    Packed(argument.value), hash=False, timeout=RETURN
                )
            except OSError as error:
                raise UsageError(f"the cluster has no worker any more: {self.advice}") from error
        return argument.future


def _call(function: Callable[..., Result], *arguments: Packed[Any]) -> Packed[Result]:
    return Packed(function(*(one.value for one in arguments)))


@contextmanager
def connect(scheduler: str) -> Iterator[Cluster]:
    """Connect to a Dask cluster.

    Args:
        scheduler: The address of the scheduler, such as ``tcp://10.0.0.1:8786``.
    """
    check(scheduler)
    from distributed import Client

    with _silenced("distributed", "distributed.client", "tornado", "asyncio"):
        try:
            client = Client(scheduler, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler at {scheduler}: {_first_line(error)}") from error
        with client:
            _check_versions(client)
            yield Cluster(client, scheduler)


def check(scheduler: str) -> None:
    """Refuse an address where no scheduler answers; Dask itself would wait for one."""
    extras.require(["dask"], "--engine dask")
    try:
        address = urlsplit(scheduler if "://" in scheduler else f"tcp://{scheduler}")
        if address.hostname is None or address.port is None:
            raise ValueError("give an address such as tcp://10.0.0.1:8786")
        place = (address.hostname, address.port)
        with socket.create_connection(place, timeout=PATIENCE) as connection:
            if address.scheme == "tcp":
                connection.recv(1)  # a scheduler sends the first message
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler at {scheduler}: {error}") from error


def _check_versions(client: Client) -> None:
    """Refuse workers with another version of isolex, because their results may differ."""
    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, ImportError | AttributeError):
            found = f"another one ({_reason(found)})"
        if isinstance(found, str) and found != __version__:
            raise UsageError(f"worker {worker} needs isolex {__version__}, but has {found}")


def version() -> str:
    """The version of isolex on this machine."""
    return __version__


@contextmanager
def _silenced(*names: str) -> Iterator[None]:
    """Silence loggers: errors of a cluster are reported in one line."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _reason(error: Exception) -> str:
    """Why a call has no result, in one line."""
    text = _first_line(error)
    return text if isinstance(error, IsolexError) else f"{type(error).__name__}: {text}"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
