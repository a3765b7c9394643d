"""Work on fixed bands of rows, one BLAS thread per worker; and tasks side by side.

The bands do not depend on the number of workers, and each is multiplied by a single-threaded
BLAS: so the number of threads cannot change one bit of a result.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar, copy_context
from functools import cache
from threading import Event, Lock
from typing import TypeVar

import numpy as np  # noqa: F401 - brings the BLAS that the controller looks for
from threadpoolctl import ThreadpoolController, threadpool_info

from isolex.kernels.types import Tick

T = TypeVar("T")

_threads: ContextVar[int | None] = ContextVar("threads", default=None)


def available_threads() -> int:
    """The number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def thread_count() -> int:
    """How many workers the kernels use now."""
    return _threads.get() or available_threads()


def blas() -> str:
    """Name, version and kernel of the BLAS behind NumPy; with another one last bits differ."""
    found = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    if not found:
        return "unknown"
    own = min(found, key=lambda pool: "numpy" not in pool["filepath"])  # SciPy brings another
    return f"{own['internal_api']} {own['version']} ({own.get('architecture') or 'unknown kernel'})"


@contextmanager
def use_threads(count: int | None) -> Iterator[None]:
    """Let the kernels use ``count`` workers inside the block; ``None`` leaves it as it is."""
    token = _threads.set(_threads.get() if count is None else count)
    try:
        yield
    finally:
        _threads.reset(token)


class _ProcessWide:
    """Keeps a setting of the whole process while any of its threads is inside.

    Args:
        change: Makes a context in which it is set.
    """

    def __init__(self, change: Callable[[], AbstractContextManager[object]]) -> None:
        self._change = change
        self._lock = Lock()
        self._inside = 0
        self._restore = ExitStack()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            if self._inside == 0:
                self._restore.enter_context(self._change())
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._restore.close()


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def _one_torch_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _fast_torch_products() -> Iterator[None]:
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


single_threaded_blas = _ProcessWide(lambda: _libraries().limit(limits=1, user_api="blas"))
"""Keep BLAS to one thread inside the block."""

single_threaded_torch = _ProcessWide(_one_torch_thread)
"""Keep PyTorch to one thread inside the block: its sums depend on their number."""

fast_torch_products = _ProcessWide(_fast_torch_products)
"""Let PyTorch multiply by oneDNN instead of MKL inside the block, in half the time on an AMD
processor; on one that has units for it (AMX) factors are rounded to bfloat16 and sums are not."""


def for_bands(rows: int, size: int, make_worker: Callable[[], Callable[[slice], None]]) -> None:
    """Call a worker on each band of ``size`` rows of ``rows``, in ascending order per worker.

    Args:
        rows: How many rows there are.
        size: Rows per band.
        make_worker: Called once per thread; what it returns is called with each band's slice, so
            that scratch memory and partial results belong to one thread.
    """
    bands = iter([slice(start, min(start + size, rows)) for start in range(0, rows, size)])
    count = min(thread_count(), -(-rows // size))

    def run() -> None:
        worker = make_worker()
        for band in bands:
            worker(band)

    with single_threaded_blas():
        if count <= 1:
            run()
            return
        with ThreadPoolExecutor(count) as pool:
            futures = [pool.submit(run) for _ in range(count)]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                for _ in bands:  # leave nothing to the other workers, so that they end now
                    pass
                raise


class _StoppedError(Exception):
    """Ends a task whose result nobody waits for any more."""


def side_by_side(
    tasks: Sequence[Callable[[Tick], T]], tick: Tick | None = None, *, at_once: bool = True
) -> list[T]:
    """The results of all tasks, each in a thread; if some fail, the failure of the first.

    Args:
        tasks: Each takes a tick, and ends at its next call of it when another one has failed.
        tick: Told the share done of all tasks.
        at_once: Else one after the other, as with a single worker.
    """
    shares = [0.0] * len(tasks)
    stop = Event()

    def watch(place: int) -> Tick:
        def told(share: float) -> None:
            if stop.is_set():
                raise _StoppedError
            shares[place] = share
            if tick is not None:
                tick(sum(shares) / len(shares))

        return told

    if not at_once or thread_count() == 1:
        return [task(watch(place)) for place, task in enumerate(tasks)]
    running: list[Future[T]] = []
    with ThreadPoolExecutor(len(tasks)) as pool:
        try:
            for place, task in enumerate(tasks):
                running.append(pool.submit(copy_context().run, task, watch(place)))
            wait(running, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
    for future in running:
        error = future.exception()
        if error is not None and not isinstance(error, _StoppedError):
            raise error
    return [future.result() for future in running]
