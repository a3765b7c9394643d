"""The threaded map keeps the order and does not run far ahead."""

from __future__ import annotations

import time

import pytest

from isolex.errors import InputError
from isolex.io.ordered_map import map_in_order


def test_results_keep_the_order_of_the_items():
    def work(item):
        time.sleep(0.001 * (item % 3))
        return item * item

    assert list(map_in_order(work, range(40))) == [item * item for item in range(40)]


def test_few_items_are_taken_ahead():
    taken = []

    def items():
        for item in range(1000):
            taken.append(item)
            yield item

    results = map_in_order(lambda item: item, items())
    assert next(results) == 0
    results.close()
    assert len(taken) < 200


def test_results_before_a_failure_come_first():
    def items():
        yield from range(3)
        raise InputError("truncated")

    seen = []

    def collect():
        for result in map_in_order(lambda item: item, items()):
            seen.append(result)  # noqa: PERF402

    with pytest.raises(InputError, match="truncated"):
        collect()
    assert seen == [0, 1, 2]
