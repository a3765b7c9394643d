"""Engines yield every run with its result; a cluster survives the loss of a worker."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from isolex.bench import engine
from isolex.bench.plan import TWO, Plan
from isolex.bench.store import ResultStore
from isolex.core.observer import Observer
from isolex.errors import UsageError
from tests.bench.test_command import isolex_bench


def test_the_local_engine_gives_each_run_its_observer(plan: Plan) -> None:
    steps: dict[str, list[str]] = {}

    class Steps(Observer):
        def __init__(self, name: str) -> None:
            self.name = name

        def step(self, name: str) -> None:
            steps.setdefault(self.name, []).append(name)

    runs = [run for run in plan.runs() if run.row.key == "few"]
    local = engine.local(threads=1, begin=lambda run: Steps(run.name))
    assert [run for run, _ in local(runs)] == runs
    assert list(steps) == [run.name for run in runs]


@pytest.mark.slow
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_the_workers_of_a_cluster_check_the_device(folder: Path, small_cluster: str) -> None:
    options = ("--engine", "dask", "--scheduler", small_cluster, "--device", "cuda")
    done = isolex_bench("plan.toml", "--out", "out", "--system", "few", *options, cwd=folder)
    assert done.returncode == 2
    assert "2 of 2 runs failed" in done.stderr
    assert "--device cpu" in done.stderr


@pytest.mark.slow
def test_a_run_that_fails_on_a_cluster_is_reported_after_the_others(
    plan: Plan, folder: Path, small_cluster: str
) -> None:
    (folder / "other.txt").write_text("no such\n")
    runs = [run for run in plan.runs() if run.row.key == "few"]
    gold = {TWO: folder / "other.txt"}
    wrong = replace(runs[0], dataset=replace(runs[0].dataset, gold=gold))
    with engine.dask(small_cluster, threads=1) as execute:
        results = execute([wrong, runs[1]])
        assert next(results)[0] == runs[1]
        with pytest.raises(UsageError, match=r"1 of 2 runs .*other\.txt: no pair"):
            next(results)


@pytest.mark.slow
def test_a_cluster_runs_many_languages_with_the_same_result(many: Plan, small_cluster: str) -> None:
    runs = [run for run in many.runs() if run.name == "abc, artetxe2018, seed 0"]
    with engine.dask(small_cluster, threads=1) as execute:
        [(_, there)] = execute(runs)
    [(_, here)] = engine.local(threads=1)(runs)
    assert list(there["scores"]) == ["a-b", "c-b"]
    assert there["scores"] == here["scores"]


@pytest.mark.slow
def test_a_cluster_does_not_keep_finished_runs(plan: Plan, small_cluster: str) -> None:
    from distributed import Client

    def kept(dask_scheduler: Any) -> list[str]:
        return [task.state for task in dask_scheduler.tasks.values() if task.state == "memory"]

    runs = [run for run in plan.runs() if run.row.key == "few"]
    with (
        Client(small_cluster, set_as_default=False) as client,
        engine.dask(small_cluster, threads=1) as execute,
    ):
        results = execute(runs)
        found = [next(results) for _ in runs]
        deadline = time.monotonic() + 10
        while client.run_on_scheduler(kept) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert client.run_on_scheduler(kept) == []
        assert next(results, None) is None
    assert {run.name for run, _ in found} == {run.name for run in runs}


@pytest.mark.slow
def test_no_run_is_lost_with_a_worker(plan: Plan, store: ResultStore, cluster: str) -> None:
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        workers = list(client.run(os.getpid).values())
    runs = list(plan.runs())
    found = []
    with engine.dask(cluster, threads=1) as execute:
        for run, result in execute(runs):
            if not found:
                os.kill(workers[0], signal.SIGKILL)
            store.save(run, result)
            found.append(run.name)
    assert sorted(found) == sorted(run.name for run in runs)
    for run, here in engine.local(threads=1)(runs):
        there = store.find(run)
        assert there is not None
        assert there["accuracy"] == here["accuracy"]
        assert there["objective"] == here["objective"]
