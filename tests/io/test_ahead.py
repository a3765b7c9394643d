"""Work in threads comes back in order, and not too far ahead."""

from __future__ import annotations

import threading
import time

import pytest

from isolex.errors import InputError
from isolex.io.ahead import in_order, side_by_side
from isolex.kernels.parallel import thread_count, use_threads


def test_results_keep_the_order_of_the_items():
    def work(item):
        time.sleep(0.001 * (item % 3))
        return item * item

    assert list(in_order(work, range(40))) == [item * item for item in range(40)]


def test_few_items_are_taken_ahead():
    taken = []

    def items():
        for item in range(1000):
            taken.append(item)
            yield item

    results = in_order(lambda item: item, items())
    assert next(results) == 0
    results.close()
    assert len(taken) < 200


def test_what_came_before_a_failure_comes_first():
    def items():
        yield from range(3)
        raise InputError("cut off")

    seen = []

    def collect():
        for result in in_order(lambda item: item, items()):
            seen.append(result)  # noqa: PERF402

    with pytest.raises(InputError, match="cut off"):
        collect()
    assert seen == [0, 1, 2]


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
        raise InputError(name)

    with pytest.raises(InputError, match="source"):
        side_by_side([lambda tick: fail("source", tick), lambda tick: fail("target", tick)])


def test_a_failure_stops_the_other_task():
    ticks = []

    def long(tick):
        for number in range(10_000):
            time.sleep(0.001)
            ticks.append(number)
            tick(number / 10_000)

    def fail(tick):
        raise InputError("no such file")

    with pytest.raises(InputError, match="no such file"):
        side_by_side([fail, long])
    assert len(ticks) < 5000
