"""Bands do not depend on the number of threads, and errors reach the caller."""

from __future__ import annotations

import threading
import time

import pytest
from threadpoolctl import threadpool_info

from isolex.kernels.parallel import (
    available_threads,
    for_bands,
    side_by_side,
    single_threaded_blas,
    thread_count,
    use_threads,
)


@pytest.mark.parametrize("threads", [1, 4])
def test_every_band_is_processed_once(threads: int) -> None:
    seen: list[tuple[int, int]] = []
    with use_threads(threads):
        for_bands(10, 4, lambda: lambda band: seen.append((band.start, band.stop)))
    assert sorted(seen) == [(0, 4), (4, 8), (8, 10)]


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_worker_reaches_the_caller(threads: int) -> None:
    def fail(band: slice) -> None:
        raise ZeroDivisionError(band)

    with use_threads(threads), pytest.raises(ZeroDivisionError):
        for_bands(10, 1, lambda: fail)


@pytest.mark.parametrize("threads", [1, 4])
def test_progress_is_reported_after_each_band(threads: int) -> None:
    shares: list[float] = []
    with use_threads(threads):
        for_bands(10, 4, lambda: lambda _: None, shares.append)
    assert len(shares) == 3
    assert max(shares) == 1.0


def test_an_error_in_one_thread_stops_the_others() -> None:
    done: list[int] = []

    def work(band: slice) -> None:
        if band.start == 0:
            raise ZeroDivisionError
        time.sleep(0.01)
        done.append(band.start)

    with use_threads(2), pytest.raises(ZeroDivisionError):
        for_bands(1000, 1, lambda: work)
    assert len(done) < 500


def test_blas_stays_single_threaded_until_the_last_block_ends() -> None:
    def threads() -> set[int]:
        return {lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}

    before = threads()
    first, second = single_threaded_blas(), single_threaded_blas()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert threads() == {1}
    second.__exit__(None, None, None)
    assert threads() == before


def test_without_rows_the_worker_is_never_called() -> None:
    seen: list[slice] = []
    for_bands(0, 4, lambda: seen.append)
    assert not seen


def test_use_threads_applies_only_inside_the_block() -> None:
    with use_threads(3):
        assert thread_count() == 3
        with use_threads(None):
            assert thread_count() == 3
    assert thread_count() == available_threads()


def test_there_are_no_more_threads_than_bands() -> None:
    threads: set[int] = set()
    with use_threads(8):
        for_bands(2, 1, lambda: lambda _: threads.add(threading.get_ident()))
    assert len(threads) <= 2


def test_tasks_run_at_the_same_time_and_inherit_the_thread_count():
    barrier = threading.Barrier(2, timeout=10)
    shares = []

    def task(tick):
        barrier.wait()
        tick(1.0)
        return thread_count()

    with use_threads(7):
        assert side_by_side([task, task], shares.append) == [7, 7]
    assert max(shares) == 1.0


def test_if_two_tasks_fail_the_error_of_the_first_is_raised():
    def fail(name, tick):
        raise ValueError(name)

    with pytest.raises(ValueError, match="source"):
        side_by_side([lambda tick: fail("source", tick), lambda tick: fail("target", tick)])


@pytest.mark.parametrize("failing", [0, 1])
def test_a_failure_stops_the_other_task(failing):
    ticks = []

    def long(tick):
        for number in range(10_000):
            time.sleep(0.001)
            ticks.append(number)
            tick(number / 10_000)

    def fail(tick):
        raise ValueError("no such file")

    with pytest.raises(ValueError, match="no such file"):
        side_by_side([fail, long] if failing == 0 else [long, fail])
    assert len(ticks) < 5000


@pytest.mark.parametrize("threads", [1, 2])
def test_tasks_run_one_after_the_other_on_request_or_with_one_thread(threads):
    def task(tick):
        tick(1.0)
        return threading.current_thread()

    with use_threads(threads):
        found = side_by_side([task, task], at_once=threads == 1)
    assert found == [threading.current_thread()] * 2
