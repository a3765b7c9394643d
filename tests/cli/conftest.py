"""A folder with two vector files, a gold dictionary and a finished run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from isolex import io
from tests.cli.typed import isolex
from tests.planted import planted

Run: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors s.vec and t.vec.gz, gold.txt with 200 known pairs and one more, a run in out."""
    home = tmp_path_factory.mktemp("cli")
    problem = planted(words=200, dims=10)
    io.save(problem.source, home / "s.vec")
    io.save(problem.target, home / "t.vec.gz")
    pairs = [*problem.pairs, ("nowhere", "t1")]
    (home / "gold.txt").write_text("".join(f"{s} {t}\n" for s, t in pairs))
    done = isolex(home, "map", "s.vec", "t.vec.gz", "--out", "out", "--validation", "gold.txt")
    assert done.returncode == 0, done.stderr
    assert "\nvalidation (nn, last iteration)\t" in done.stdout, "evaluate measures with csls"
    return home


@pytest.fixture
def run(home: Path) -> Run:
    """Runs a command in the folder."""
    return lambda *arguments, **options: isolex(home, *arguments, **options)
