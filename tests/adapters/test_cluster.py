"""Calls on a Dask cluster: every result comes, lost data is sent again, trouble is one line."""

from __future__ import annotations

import logging
import socket
import time
from typing import Any

import numpy as np
import pytest

from isolex.adapters import cluster, extras
from isolex.adapters.cluster import Cluster, Failure, Shared
from isolex.errors import UsageError
from isolex.kernels.types import Doubles
from tests.wording import Wording


class Counted:
    """Counts how often it is sent."""

    sent = 0

    def __reduce__(self) -> tuple[Any, ...]:
        Counted.sent += 1
        return Counted, ()


def add(number: int, other: int) -> int:
    if other == 0:
        raise UsageError("nothing to add\nthe second line")
    return number + other


Named = tuple[str, Doubles]


def aligned(shared: Named, other: Named) -> tuple[Named, bool]:
    return other, shared[1].flags.aligned and other[1].flags.aligned


def kind(number: int, given: object) -> str:
    time.sleep(0.1)
    return f"{number} {type(given).__name__}"


def test_every_call_has_its_result_or_its_reason(small_cluster: str) -> None:
    calls = {"one": (1, 1), "nothing": (1, 0), "two": (1, "2"), "three": (1, 2)}
    with cluster.connect(small_cluster) as connected:
        assert not connected.is_empty
        found = dict(connected.each(add, calls))
        assert dict(connected.each(add, {})) == {}
    assert [found["one"], found["three"]] == [2, 3]
    assert found["nothing"] == Failure("nothing to add")
    assert isinstance(found["two"], Failure)
    assert found["two"].reason.startswith("TypeError: ")


def test_arrays_arrive_aligned_in_both_directions(small_cluster: str) -> None:
    arrays = {"x" * size: np.ones((500, 100 + size)) for size in range(1, 9)}
    calls = {name: (Shared((name, array)), (name, array)) for name, array in arrays.items()}
    with cluster.connect(small_cluster) as connected:
        for name, result in connected.each(aligned, calls):
            assert not isinstance(result, Failure)
            [(_, back), there] = result
            assert there
            assert back.flags.aligned
            np.testing.assert_array_equal(back, arrays[name])


def test_a_shared_value_is_sent_once_and_again_if_it_is_lost(small_cluster: str) -> None:
    Counted.sent = 0
    shared = Shared(Counted())
    calls = {str(number): (number, shared) for number in range(5)}
    expected = {str(number): f"{number} Counted" for number in range(5)}
    with cluster.connect(small_cluster) as connected:
        assert dict(connected.each(kind, calls)) == expected
        assert dict(connected.each(kind, calls)) == expected
        assert Counted.sent == 1
        found = {}
        for name, result in connected.each(kind, calls):
            if not found:
                lose(connected, shared)
            found[name] = result
        assert found == expected
        assert Counted.sent > 1


def lose(connected: Cluster, shared: Shared[Any]) -> None:
    """Lose a value as if with all workers that had it; calls that need it are cancelled."""
    connected.client.cancel([shared.future], force=True)


def test_calls_that_are_no_longer_needed_are_cancelled(small_cluster: str) -> None:
    with cluster.connect(small_cluster) as connected:
        results = connected.each(time.sleep, {str(number): (0.2,) for number in range(50)})
        next(results)
        results.close()
        began = time.monotonic()
        assert dict(connected.each(add, {"one": (1, 1)})) == {"one": 2}
        assert time.monotonic() - began < 5


def test_a_worker_with_another_isolex_is_refused(
    small_cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "version", lambda: "0.0")
    with (
        pytest.raises(UsageError, match=r"worker tcp://.* needs isolex .*, but has 0\.0"),
        cluster.connect(small_cluster),
    ):
        pass


def test_a_server_that_is_no_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(UsageError, match=f"no Dask scheduler at {address}: timed out"):
            cluster.check(address)


def test_a_missing_extra_is_named_with_the_pip_command(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'isolex\[dask\]'") as error:
        cluster.check("tcp://127.0.0.1:1")
    wording(error.value)


def test_dask_is_silent_only_inside_the_block(small_cluster: str) -> None:
    logger = logging.getLogger("distributed.client")
    before = logger.level
    with cluster.connect(small_cluster):
        assert not logger.isEnabledFor(logging.CRITICAL)
    assert logger.level == before
