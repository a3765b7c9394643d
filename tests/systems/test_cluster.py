"""Aligning on a Dask cluster: the same bytes as on one machine, whatever happens to its workers."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import torch

from isolex import Embeddings, Space, align
from isolex.core.checkpoint import Checkpoint, SpaceCheckpoint
from isolex.core.observer import Observer
from isolex.errors import UsageError
from isolex.systems import inducers
from tests.planted import planted_languages
from tests.wording import Wording


class Watch(Observer):
    """Collects checkpoints, and kills a process after the first pair."""

    def __init__(self, victim: int | None = None) -> None:
        self.victim = victim
        self.checkpoints: list[Checkpoint | SpaceCheckpoint] = []

    def pair(self, names: tuple[str, str], done: int, of: int) -> None:  # noqa: ARG002
        if self.victim is not None:
            os.kill(self.victim, signal.SIGKILL)
            self.victim = None

    def checkpoint(self, checkpoint: Checkpoint | SpaceCheckpoint) -> None:
        self.checkpoints.append(checkpoint)


@pytest.fixture(scope="module")
def languages() -> list[Embeddings]:
    return planted_languages(4, 400, 20)


@pytest.fixture(scope="module")
def local(languages: list[Embeddings]) -> tuple[Space, Watch]:
    """The space that this machine makes, and the checkpoints on the way."""
    watch = Watch()
    return align(*languages, observer=watch), watch


def saved(space: Space, folder: Path) -> bytes:
    space.save(folder)
    return (folder / "space.safetensors").read_bytes()


def test_the_loss_of_a_worker_changes_no_byte(
    languages: list[Embeddings], local: tuple[Space, Watch], cluster: str, tmp_path: Path
) -> None:
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        watch = Watch(next(iter(client.run(os.getpid).values())))
    space = align(*languages, threads=1, scheduler=cluster, observer=watch)
    assert watch.victim is None, "a worker was killed"
    assert saved(space, tmp_path / "there") == saved(local[0], tmp_path / "here")
    assert len(watch.checkpoints) == len(local[1].checkpoints)


def test_an_alignment_can_be_resumed_on_a_cluster(
    languages: list[Embeddings], local: tuple[Space, Watch], small_cluster: str, tmp_path: Path
) -> None:
    expected, watch = local
    runs = watch.checkpoints[1]
    assert isinstance(runs, SpaceCheckpoint)
    assert len(runs.runs) == 2
    space = align(*languages, scheduler=small_cluster, resume=runs)
    assert saved(space, tmp_path / "there") == saved(expected, tmp_path / "here")
    assert inducers._kept.cache_info().currsize == 0, "the worker is in this process"


def test_two_languages_are_refused(languages: list[Embeddings], wording: Wording) -> None:
    with pytest.raises(UsageError, match="only for three or more languages") as error:
        align(*languages[:2], scheduler="tcp://127.0.0.1:1")
    wording(error.value)


def test_an_address_that_does_not_answer_is_refused(languages: list[Embeddings]) -> None:
    with pytest.raises(UsageError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1: "):
        align(*languages, scheduler="tcp://127.0.0.1:1")


def test_a_cluster_without_workers_is_refused(languages: list[Embeddings]) -> None:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=0, processes=False, protocol="tcp://", dashboard_address=":0"
    ) as made:
        address = made.scheduler_address
        with pytest.raises(UsageError, match=f"{address} has no worker: start .*{address}"):
            align(*languages, scheduler=address)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_the_workers_check_the_device(languages: list[Embeddings], small_cluster: str) -> None:
    with pytest.raises(UsageError, match=r"failed on the cluster: .*--device cpu") as error:
        align(*languages, scheduler=small_cluster, device="cuda")
    assert "\n" not in str(error.value)
