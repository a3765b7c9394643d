"""Checkpoints: a run that continues from one ends exactly as if it had not been interrupted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from isolex import Space, align
from isolex.core.checkpoint import Checkpoint, Solution
from isolex.core.lexicon import Lexicon
from isolex.core.linear_map import LinearMap
from isolex.core.observer import Observer
from isolex.errors import InputError
from isolex.method.initialise import Induced, Random
from isolex.method.mapping import AsTrained
from isolex.run import checkpoint as files
from isolex.run.checkpoint import CheckpointSaver
from isolex.systems import System, get
from tests.planted import Planted, planted
from tests.wording import Wording

IDENTITY = {"settings": {"seed": 3}, "inputs": {}}


@dataclass(frozen=True)
class Trainer:
    """Training that counts how often it takes place."""

    extras = ()

    def __call__(self, *_: object) -> tuple[LinearMap, LinearMap]:
        trainings.append(1)
        return LinearMap(np.eye(20, dtype=np.float32)), LinearMap(np.eye(20, dtype=np.float32))


trainings: list[int] = []


class Collector(Observer):
    """Collects checkpoints."""

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        self.checkpoints.append(checkpoint)


@pytest.fixture(scope="module")
def problem() -> Planted:
    return planted(words=300, dims=20)


def run(problem: Planted, system: System, **options: object) -> tuple[Space, list[Checkpoint]]:
    collector = Collector()
    space = align(
        problem.source, problem.target, system=system, seed=3, observer=collector, **options
    )  # type: ignore[arg-type]
    return space, collector.checkpoints


def through_a_file(checkpoint: Checkpoint, folder: Path) -> Checkpoint:
    files.save(checkpoint, folder / "checkpoint", IDENTITY)
    assert files.is_checkpoint(folder / "checkpoint")
    assert files.fits(folder / "checkpoint", IDENTITY)
    loaded = files.load(folder / "checkpoint", IDENTITY)
    assert loaded is not None
    return loaded


def assert_same(one: Space, other: Space, folder: Path) -> None:
    for name, space in (("one", one), ("other", other)):
        space.save(folder / name)
    first, second = (folder / name / "space.safetensors" for name in ("one", "other"))
    assert first.read_bytes() == second.read_bytes()
    assert one.attempts == other.attempts

    def without_time(space: Space) -> list[object]:
        return [replace(record, seconds=0) for record in space.history]

    assert without_time(one) == without_time(other)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["artetxe2018", "robust", "restarted"])
def test_from_any_checkpoint_the_result_is_the_same(
    problem: Planted, tmp_path: Path, name: str
) -> None:
    system = get("robust" if name == "restarted" else name)
    if name == "restarted":  # the first attempt finds nothing
        problem, system = planted(words=400, dims=30), replace(system, initialise=Random())
    whole, checkpoints = run(problem, system, validation=problem.pairs[:50])
    assert bool(whole.attempts) == (name == "restarted")
    assert checkpoints[0].solution.iterations == 0
    for place in np.linspace(0, len(checkpoints) - 1, 4).astype(int):
        start = through_a_file(checkpoints[place], tmp_path)
        again, rest = run(problem, system, validation=problem.pairs[:50], resume=start)
        assert_same(whole, again, tmp_path)
        assert len(rest) <= len(checkpoints) - place


def test_training_is_not_repeated(problem: Planted, tmp_path: Path) -> None:
    trainings.clear()
    system = replace(
        get("artetxe2018"),
        train=Trainer(),
        initialise=Induced(),
        schedule=None,
        mapping=AsTrained(),
    )
    whole, checkpoints = run(problem, system)
    again, _ = run(problem, system, resume=through_a_file(checkpoints[0], tmp_path))
    assert_same(whole, again, tmp_path)
    assert len(trainings) == 1


def test_without_a_file_there_is_no_checkpoint(tmp_path: Path) -> None:
    assert files.load(tmp_path / "none", IDENTITY) is None
    assert not files.fits(tmp_path / "none", IDENTITY)
    assert not files.is_checkpoint(tmp_path / "none")


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path, wording: Wording) -> None:
    path, other = tmp_path / "checkpoint", {"settings": {"seed": 4}, "inputs": {}}
    files.save(Checkpoint(Solution(Lexicon.shuffled(9, 0))), path, IDENTITY)
    with pytest.raises(InputError, match=r"checkpoint: .*--resume") as caught:
        files.load(path, other)
    wording(caught.value)
    assert not files.fits(path, other)


def test_a_file_that_is_not_a_checkpoint_is_refused(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "checkpoint").write_bytes(b"rubbish")
    with pytest.raises(InputError, match=r"checkpoint: .*--resume") as caught:
        files.load(tmp_path / "checkpoint", IDENTITY)
    wording(caught.value)
    assert not files.is_checkpoint(tmp_path / "checkpoint")


def test_a_saver_writes_from_time_to_time_and_at_the_end(tmp_path: Path) -> None:
    first, last = (Checkpoint(Solution(Lexicon.shuffled(9, 0), iterations=i)) for i in (1, 2))
    eager = CheckpointSaver(tmp_path / "eager", IDENTITY, seconds=0)
    eager.checkpoint(first)
    assert (tmp_path / "eager").is_file()
    patient = CheckpointSaver(tmp_path / "patient", IDENTITY, seconds=3600)
    patient.finish()
    patient.checkpoint(first)
    patient.checkpoint(last)
    assert not (tmp_path / "patient").exists()
    patient.finish()
    loaded = files.load(tmp_path / "patient", IDENTITY)
    assert loaded is not None
    assert loaded.solution.iterations == 2
