"""Parallel work on bands of rows and on independent tasks.

The bands do not depend on the number of threads, and each is multiplied by a single-threaded BLAS.
The number of threads therefore never changes a result, not even in the last bit.
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

import numpy as np  # noqa: F401 - loads the BLAS that the controller looks for
from threadpoolctl import ThreadpoolController, threadpool_info

from isolex.kernels.types import Tick

T = TypeVar("T")

_threads: ContextVar[int | None] = ContextVar("threads", default=None)


def available_threads() -> int:
    """Return the number of cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def thread_count() -> int:
    """Return the number of threads the kernels currently use."""
    return _threads.get() or available_threads()


def blas() -> str:
    """Return name, version and kernel of NumPy's BLAS; another BLAS may change the last bits."""
    found = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    if not found:
        return "unknown"
    own = min(found, key=lambda pool: "numpy" not in pool["filepath"])  # SciPy ships its own
    return f"{own['internal_api']} {own['version']} ({own.get('architecture') or 'unknown kernel'})"


@contextmanager
def use_threads(count: int | None) -> Iterator[None]:
    """Let the kernels use ``count`` threads inside the block; ``None`` changes nothing."""
    token = _threads.set(_threads.get() if count is None else count)
    try:
        yield
    finally:
        _threads.reset(token)


class _ProcessWide:
    """A process-wide setting that stays changed while any thread is inside the block.

    Args:
        change: Returns a context manager that changes the setting and restores it.
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
"""Limit BLAS to one thread inside the block."""

single_threaded_torch = _ProcessWide(_one_torch_thread)
"""Limit PyTorch to one thread inside the block; its sums depend on the number of threads."""

fast_torch_products = _ProcessWide(_fast_torch_products)
"""Let PyTorch multiply with oneDNN instead of MKL inside the block.

This takes half the time on AMD processors. On processors with AMX the factors are rounded to
bfloat16, the sums are not.
"""


def for_bands(
    rows: int,
    size: int,
    make_worker: Callable[[], Callable[[slice], None]],
    tick: Tick | None = None,
) -> None:
    """Split ``rows`` rows into bands and process them in parallel.

    Each thread takes its bands in ascending order. If a worker raises, the others stop after their
    current band and the error is raised here.

    Args:
        rows: Number of rows.
        size: Rows per band.
        make_worker: Called once per thread. It returns the function that processes a band, so
            that scratch memory and partial results belong to one thread.
        tick: Called after each band with the share of rows done.
    """
    bands = iter([slice(start, min(start + size, rows)) for start in range(0, rows, size)])
    count = min(thread_count(), -(-rows // size))
    done, lock = 0, Lock()

    def run() -> None:
        nonlocal done
        worker = make_worker()
        for band in bands:
            worker(band)
            if tick is not None:
                with lock:
                    done += band.stop - band.start
                    share = done / rows
                tick(share)

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
                for _ in bands:  # leave no bands, so that the other threads stop
                    pass
                raise


class _StoppedError(Exception):
    """Stops a task after another one has failed."""


def side_by_side(
    tasks: Sequence[Callable[[Tick], T]], tick: Tick | None = None, *, at_once: bool = True
) -> list[T]:
    """Run each task in its own thread and return their results.

    If tasks fail, the error of the first failed task in the sequence is raised.

    Args:
        tasks: Functions that take a tick. After a failure, the other tasks stop the next time
            they call their tick.
        tick: Called with the completed share of all tasks together.
        at_once: If false, run the tasks one after the other, as with a single thread.
    """
    shares = [0.0] * len(tasks)
    stop = Event()

    def tick_of(index: int) -> Tick:
        def report(share: float) -> None:
            if stop.is_set():
                raise _StoppedError
            shares[index] = share
            if tick is not None:
                tick(sum(shares) / len(shares))

        return report

    if not at_once or thread_count() == 1:
        return [task(tick_of(index)) for index, task in enumerate(tasks)]
    running: list[Future[T]] = []
    with ThreadPoolExecutor(len(tasks)) as pool:
        try:
            for index, task in enumerate(tasks):
                running.append(pool.submit(copy_context().run, task, tick_of(index)))
            wait(running, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
    for future in running:
        error = future.exception()
        if error is not None and not isinstance(error, _StoppedError):
            raise error
    return [future.result() for future in running]
