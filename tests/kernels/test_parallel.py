"""Bands are fixed, errors come through, the number of workers is a choice."""

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
def test_every_band_is_worked_on_once(threads: int) -> None:
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


def test_after_an_error_the_other_workers_do_not_go_on() -> None:
    done: list[int] = []

    def work(band: slice) -> None:
        if band.start == 0:
            raise ZeroDivisionError
        time.sleep(0.01)
        done.append(band.start)

    with use_threads(2), pytest.raises(ZeroDivisionError):
        for_bands(1000, 1, lambda: work)
    assert len(done) < 500


def test_blas_stays_at_one_thread_until_the_last_leaves() -> None:
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


def test_no_rows_need_no_worker() -> None:
    seen: list[slice] = []
    for_bands(0, 4, lambda: seen.append)
    assert not seen


def test_use_threads_holds_inside_the_block_only() -> None:
    with use_threads(3):
        assert thread_count() == 3
        with use_threads(None):
            assert thread_count() == 3
    assert thread_count() == available_threads()


def test_no_more_workers_than_bands() -> None:
    workers: set[int] = set()
    with use_threads(8):
        for_bands(2, 1, lambda: lambda _: workers.add(threading.get_ident()))
    assert len(workers) <= 2


def test_tasks_side_by_side_meet_and_keep_the_threads_that_were_asked_for():
    meeting = threading.Barrier(2, timeout=10)
    told = []

    def task(tick):
        meeting.wait()
        tick(1.0)
        return thread_count()

    with use_threads(7):
        assert side_by_side([task, task], told.append) == [7, 7]
    assert sorted(told)[-1] == 1.0


def test_of_two_failures_the_first_is_told():
    def fail(name, tick):
        raise ValueError(name)

    with pytest.raises(ValueError, match="source"):
        side_by_side([lambda tick: fail("source", tick), lambda tick: fail("target", tick)])


@pytest.mark.parametrize("place", [0, 1])
def test_a_failure_stops_the_other_task(place):
    ticks = []

    def long(tick):
        for number in range(10_000):
            time.sleep(0.001)
            ticks.append(number)
            tick(number / 10_000)

    def fail(tick):
        raise ValueError("no such file")

    with pytest.raises(ValueError, match="no such file"):
        side_by_side([fail, long] if place == 0 else [long, fail])
    assert len(ticks) < 5000


@pytest.mark.parametrize("threads", [1, 2])
def test_tasks_that_are_not_to_meet_run_one_after_the_other(threads):
    def task(tick):
        tick(1.0)
        return threading.current_thread()

    with use_threads(threads):
        found = side_by_side([task, task], at_once=threads == 1)
    assert found == [threading.current_thread()] * 2
