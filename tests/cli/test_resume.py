"""isolex map --resume: finished runs are not repeated, interrupted runs continue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isolex import align, io
from isolex.core.checkpoint import Checkpoint
from isolex.core.observer import Observer
from isolex.run import checkpoint
from isolex.run.folder import RunFolder
from isolex.run.inputs import fingerprint
from tests.cli.conftest import Run
from tests.wording import Wording

OPTIONS = ("map", "s.vec", "t.vec.gz", "--vectors", "none")


class Collector(Observer):
    """Collects checkpoints."""

    def __init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        self.checkpoints.append(checkpoint)


@pytest.mark.slow
def test_a_finished_run_is_not_repeated_or_replaced(run: Run, home: Path, wording: Wording) -> None:
    options = (*OPTIONS, "--out", "resumed")
    first = run(*options)
    written = (home / "resumed" / "run.json").stat().st_mtime_ns
    second = run(*options, "--resume")
    assert second.stderr.startswith("isolex: resumed: ")
    assert second.stdout == first.stdout
    assert (home / "resumed" / "run.json").stat().st_mtime_ns == written
    third = run(*options, "--resume", "--seed", "9")
    assert third.returncode == 2
    assert "resumed: " in third.stderr
    assert "--resume" in third.stderr
    for done in (second, third):
        wording(done.stderr)
    assert (home / "resumed" / "run.json").stat().st_mtime_ns == written
    assert run(*options, "--seed", "9").returncode == 0
    assert json.loads((home / "resumed" / "run.json").read_text())["settings"]["seed"] == 9


@pytest.mark.slow
def test_an_interrupted_run_continues_to_the_same_result(
    run: Run, home: Path, wording: Wording
) -> None:
    options = (*OPTIONS, "--out", "continued")
    assert run(*options).returncode == 0
    folder = RunFolder(home / "continued")
    expected = {
        name: (folder.path / name).read_bytes() for name in ("space.safetensors", "lexicon.tsv")
    }
    facts = folder.facts()
    collector = Collector()
    align(io.load(home / "s.vec"), io.load(home / "t.vec.gz"), observer=collector)
    identity = fingerprint(facts["settings"], facts["inputs"])
    checkpoint.save(collector.checkpoints[7], folder.checkpoint, identity)
    for name in expected:
        (folder.path / name).unlink()
    other = run(*options, "--resume", "--seed", "9")
    assert other.returncode == 2
    assert "checkpoint.safetensors: " in other.stderr
    done = run(*options, "--resume")
    assert done.returncode == 0
    assert "iteration 7" in done.stderr
    for ended in (other, done):
        wording(ended.stderr)
    assert {name: (folder.path / name).read_bytes() for name in expected} == expected
    assert not folder.checkpoint.exists()
