"""isolex map --engine dask: the same files as on this machine, and one line for every mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from isolex import io
from isolex.systems.align import align
from tests.cli.typed import isolex
from tests.planted import planted_languages
from tests.wording import Wording

FILES = ("a.vec", "b.vec", "c.vec")
NOBODY = "tcp://127.0.0.1:1"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors of a, b and c."""
    home = tmp_path_factory.mktemp("cluster")
    for one, file in zip(planted_languages(3, 200, 15), FILES, strict=True):
        io.save(one, home / file)
    return home


def test_a_cluster_writes_the_same_space(home: Path, small_cluster: str) -> None:
    options = ("--engine", "dask", "--scheduler", small_cluster, "--threads", "1")
    done = isolex(home, "map", *FILES, "--out", "out", *options)
    assert (done.returncode, done.stderr) == (0, "")
    align(*(io.load(home / file) for file in FILES)).save(home / "here")
    there, here = (home / name / "space.safetensors" for name in ("out", "here"))
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.parametrize(
    ("files", "options", "facts"),
    [
        (FILES, ("--engine", "dask"), ("--engine dask", "--scheduler ADDRESS")),
        (FILES, ("--scheduler", NOBODY), ("--engine dask", "--scheduler ADDRESS")),
        (FILES, ("--engine", "dask", "--scheduler", "x"), ("no Dask scheduler at x", "10.0.0.1")),
        (FILES, ("--engine", "dask", "--scheduler", NOBODY), (NOBODY, "Connection refused")),
        (FILES[:2], ("--engine", "dask", "--scheduler", NOBODY), ("three or more", "leave out")),
    ],
    ids=["no scheduler", "no engine", "no address", "no answer", "two languages"],
)
def test_a_mistake_is_one_line(
    home: Path,
    files: tuple[str, ...],
    options: tuple[str, ...],
    facts: tuple[str, ...],
    wording: Wording,
) -> None:
    done = isolex(home, "map", *files, "--out", "new", *options)
    assert done.returncode == 2
    assert all(fact in done.stderr for fact in facts), done.stderr
    assert done.stderr.count("\n") == 1
    assert not (home / "new").exists(), "nothing was read or written"
    wording(done.stderr)
