"""A run folder that was moved, without the files it was made from, still answers everything."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import isolex
from isolex import io
from tests.cli import typed
from tests.cli.conftest import Run


@pytest.fixture
def before(run: Run, home: Path) -> dict[str, str]:
    """What the commands print about the run in its place."""
    return answers(home, home / "out")


@pytest.fixture
def moved(home: Path, tmp_path: Path) -> Path:
    """The run in another place, and nothing else of it: the originals cannot be found."""
    folder = tmp_path / "elsewhere" / "run"
    shutil.copytree(home / "out", folder)
    path = folder / "run.json"
    facts = json.loads(path.read_text())
    for given in (*facts["inputs"]["vectors"].values(), facts["inputs"]["validation"]):
        assert Path(given["path"]).is_file()
        given["path"] = str(tmp_path / "deleted" / Path(given["path"]).name)
    path.write_text(json.dumps(facts))
    return folder


def answers(home: Path, folder: Path) -> dict[str, str]:
    (home / "scored.txt").write_text("s1 t1 10\ns1 t2 1\ns3 t3 10\n")
    (home / "questions.txt").write_text(": one\nt1 t2 t3 t4\n")
    commands = {
        "translate": (folder, "s1", "s2"),
        "lexicon": (folder, "--out", "-", "-k", "2", "--reverse"),
        "evaluate lexicon": (folder, home / "gold.txt"),
        "evaluate similarity": (folder, home / "scored.txt"),
        "evaluate analogy": (folder, home / "questions.txt", "--language", "t"),
    }
    found = {}
    for name, arguments in commands.items():
        done = typed.isolex(home, *name.split(), *map(str, arguments))
        assert done.returncode == 0, (name, done.stderr)
        found[name] = done.stdout
    return found


@pytest.mark.slow
def test_every_command_answers_as_before(home: Path, before: dict[str, str], moved: Path) -> None:
    assert answers(home, moved) == before


def test_python_opens_it(moved: Path, home: Path) -> None:
    space = isolex.open(moved)
    assert space.names == ("s", "t")
    assert space.translate("s1") == isolex.open(home / "out").translate("s1")
    assert space.translate("t1", source="t")[0].word == "s1"
    assert len(space.lexicon()) == 200


def test_new_vectors_can_be_mapped(moved: Path, home: Path, run: Run, tmp_path: Path) -> None:
    io.save(io.load(home / "s.vec").head(5), tmp_path / "new.vec")
    out = tmp_path / "mapped.vec"
    done = run("apply", str(moved), str(tmp_path / "new.vec"), "--language", "s", "--out", str(out))
    assert done.returncode == 0, done.stderr
    expected = io.load(home / "out" / "s.vec").head(5)
    np.testing.assert_allclose(io.load(out).vectors, expected.vectors, atol=1e-5)


def test_the_space_is_all_that_is_needed(home: Path, tmp_path: Path, run: Run) -> None:
    shutil.copy(home / "out" / "space.safetensors", tmp_path)
    assert isolex.open(tmp_path).translate("s1") == isolex.open(home / "out").translate("s1")
    assert run("translate", str(tmp_path), "s1").stdout == run("translate", "out", "s1").stdout
