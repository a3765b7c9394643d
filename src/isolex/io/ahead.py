"""Work done in threads: ahead of who asks for it, or side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from threading import Event
from typing import TypeVar

from isolex.errors import InputError
from isolex.kernels.types import Tick

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """``work(item)`` for each item, in the order of the items; few of them are held at a time.

    If the items end in an ``InputError``, it is raised after the results of those before it:
    they may already be enough.
    """
    from isolex.kernels.parallel import thread_count

    threads = thread_count()
    pending: deque[Future[Result]] = deque()
    failure: InputError | None = None
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                pending.append(pool.submit(work, item))
                if len(pending) > threads:
                    yield pending.popleft().result()
        except InputError as error:
            failure = error
        while pending:
            yield pending.popleft().result()
    if failure is not None:
        raise failure


def side_by_side(
    tasks: Sequence[Callable[[Tick], Result]], tick: Tick | None = None
) -> list[Result]:
    """The results of all tasks, done at the same time; if some fail, the failure of the first.

    Args:
        tasks: Each takes a tick, and is stopped at its next call when this one is interrupted.
        tick: Told the share done of all tasks.
    """
    shares = [0.0] * len(tasks)
    stop = Event()

    def watch(place: int) -> Tick:
        def told(share: float) -> None:
            if stop.is_set():
                raise InputError("stopped")
            shares[place] = share
            if tick is not None:
                tick(sum(shares) / len(shares))

        return told

    with ThreadPoolExecutor(len(tasks)) as pool:
        running = [
            pool.submit(copy_context().run, task, watch(place)) for place, task in enumerate(tasks)
        ]
        try:
            return [future.result() for future in running]
        except BaseException:
            stop.set()
            raise
