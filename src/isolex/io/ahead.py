"""Work done in threads ahead of who asks for it, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from isolex.errors import InputError

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
