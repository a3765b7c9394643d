"""Checkpoints of several languages: a run resumed from any of them ends with the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from isolex import Embeddings, Space, align
from isolex.core.checkpoint import Checkpoint, PairRun, Round, Solution, SpaceCheckpoint
from isolex.core.choices import Outcome
from isolex.core.history import Attempt, IterationRecord
from isolex.core.lexicon import Lexicon
from isolex.core.observer import Observer
from isolex.core.verdict import Evidence, Verdict
from isolex.errors import InputError, UsageError
from isolex.run import checkpoint as files
from isolex.run.checkpoint import CheckpointSaver
from tests.method.starts import misled
from tests.planted import planted_languages

IDENTITY = {"settings": {"seed": 3}, "inputs": {}}
SYSTEM = misled("ac", "bc", minutes=10)
"""Only restarts can connect the third language."""


class Collector(Observer):
    """Collects checkpoints and the pairs that were worked on."""

    def __init__(self) -> None:
        self.checkpoints: list[SpaceCheckpoint] = []
        self.steps: list[str] = []

    def checkpoint(self, checkpoint: SpaceCheckpoint) -> None:
        self.checkpoints.append(checkpoint)

    def step(self, name: str) -> None:
        self.steps.append(name)


@pytest.fixture(scope="module")
def languages() -> list[Embeddings]:
    return planted_languages(3, 300, 30)


@pytest.fixture(scope="module")
def whole(languages: list[Embeddings]) -> tuple[Space, list[SpaceCheckpoint]]:
    """A run that was not interrupted, and its checkpoints."""
    collector = Collector()
    space = align(*languages, system=SYSTEM, seed=3, observer=collector)
    return space, collector.checkpoints


def through_a_file(checkpoint: SpaceCheckpoint, folder: Path) -> SpaceCheckpoint:
    files.save(checkpoint, folder / "checkpoint", IDENTITY)
    assert files.is_checkpoint(folder / "checkpoint")
    assert files.fits(folder / "checkpoint", IDENTITY)
    loaded = files.load(folder / "checkpoint", IDENTITY)
    assert isinstance(loaded, SpaceCheckpoint)
    return loaded


def content(space: Space, folder: Path) -> tuple[bytes, object, object]:
    """Everything about a space that does not depend on time."""
    space.save(folder)
    history = [replace(record, seconds=0) for record in space.history]
    return (folder / "space.safetensors").read_bytes(), space.attempts, history


KINDS: dict[str, Callable[[SpaceCheckpoint], object]] = {
    "during pair runs": lambda one: len(one.runs) == 1,
    "after restarts": lambda one: one.restarted,
    "before the first round": lambda one: one.round and not one.round.history,
    "during rounds": lambda one: one.round and one.round.number,
    "at the end": lambda one: one.round and one.round.width,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_from_any_kind_of_checkpoint_the_result_is_the_same(
    languages: list[Embeddings],
    whole: tuple[Space, list[SpaceCheckpoint]],
    tmp_path: Path,
    kind: str,
) -> None:
    space, checkpoints = whole
    place, start = next((p, one) for p, one in enumerate(checkpoints) if KINDS[kind](one))
    collector = Collector()
    again = align(
        *languages,
        system=SYSTEM,
        seed=3,
        observer=collector,
        resume=through_a_file(start, tmp_path),
    )
    assert content(again, tmp_path / "again") == content(space, tmp_path / "whole")
    assert len(collector.checkpoints) == len(checkpoints) - place - 1, "nothing is done twice"
    assert ("learn" in collector.steps) == (kind == "during pair runs")


def test_progress_is_noted_after_each_pair_and_each_round(
    whole: tuple[Space, list[SpaceCheckpoint]],
) -> None:
    _, checkpoints = whole
    for before, after in pairwise(checkpoints):
        assert set(before.runs) <= set(after.runs)
        assert len(after.runs) <= len(before.runs) + 1
        assert len(after.restarted) <= len(before.restarted) + 1
    assert [len(one.runs) for one in checkpoints[:3]] == [1, 2, 3]
    assert checkpoints[-1].round is not None


def test_a_checkpoint_with_everything_in_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    records = (IterationRecord(1, 0.5, 100, 0.25, 1.5, None),)
    found = Checkpoint(
        Solution(Lexicon.shuffled(9, 0), 0.5, 7, 1.25),
        restarts_done=True,
        attempts=(Attempt(100, 50, 0.5, 0.25, finished=True, taken=True),),
        history=records,
    )
    verdict = Verdict(Outcome.DOUBTFUL, Evidence(0.5, 0.25, 0.75, 0.5, 9))
    rotations = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(np.float32)
    given = SpaceCheckpoint(
        {(0, 1): PairRun(found, verdict), (10, 11): PairRun(found, verdict)},
        {(0, 11): PairRun(found, verdict)},
        Round(dict(enumerate(rotations)), 1, 2, 0.125, ((0, 1),), records),
    )
    read = through_a_file(given, tmp_path)
    assert list(read.runs) == [(0, 1), (10, 11)]
    assert list(read.restarted) == [(0, 11)]
    for run in (*read.runs.values(), *read.restarted.values()):
        assert run.verdict == verdict
        assert (run.found.attempts, run.found.history) == (found.attempts, found.history)
        assert run.found.restarts_done
        for array in ("sources", "targets"):
            expected = getattr(found.solution.lexicon, array)
            np.testing.assert_array_equal(getattr(run.found.solution.lexicon, array), expected)
        solution = replace(run.found.solution, lexicon=found.solution.lexicon)
        assert solution == found.solution
    assert read.round is not None
    assert list(read.round.rotations) == [0, 1, 2]
    for place, rotation in read.round.rotations.items():
        np.testing.assert_array_equal(rotation, rotations[place])
    assert given.round is not None
    assert replace(read.round, rotations={}) == replace(given.round, rotations={})


def test_an_empty_checkpoint_is_one_of_several_languages(tmp_path: Path) -> None:
    read = through_a_file(SpaceCheckpoint(), tmp_path)
    assert (dict(read.runs), dict(read.restarted), read.round) == ({}, {}, None)


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    files.save(SpaceCheckpoint(round=Round({0: np.eye(3, dtype=np.float32)})), path, IDENTITY)
    whole = path.read_bytes()
    for damaged in (whole.replace(b"rotations/0", b"rotations/1"), whole[:-4]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="run without --resume"):
            files.load(path, IDENTITY)


def test_a_checkpoint_of_another_number_of_languages_is_refused(
    languages: list[Embeddings],
) -> None:
    two = Checkpoint(Solution(Lexicon.shuffled(9, 0)))
    for given, start in ((languages[:2], SpaceCheckpoint()), (languages, two)):
        with pytest.raises(UsageError, match="a different number of languages"):
            align(*given, resume=start)


def test_a_saver_takes_checkpoints_of_several_languages(tmp_path: Path) -> None:
    saver = CheckpointSaver(tmp_path / "saved", IDENTITY, seconds=0)
    saver.checkpoint(SpaceCheckpoint(round=Round({0: np.eye(3, dtype=np.float32)}, number=4)))
    read = files.load(tmp_path / "saved", IDENTITY)
    assert isinstance(read, SpaceCheckpoint)
    assert read.round is not None
    assert read.round.number == 4
