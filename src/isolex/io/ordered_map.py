"""A threaded map that keeps the order of its items."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from isolex.errors import InputError

Item = TypeVar("Item")
Output = TypeVar("Output")


def map_in_order(work: Callable[[Item], Output], items: Iterable[Item]) -> Iterator[Output]:
    """Yield ``work(item)`` in the order of the items, computed in threads a few items ahead.

    If iterating over the items raises an ``InputError``, it is re-raised after the results of the
    items before it: a caller may need no more than those.
    """
    from isolex.kernels.parallel import thread_count

    threads = thread_count()
    pending: deque[Future[Output]] = deque()
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
