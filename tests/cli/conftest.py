"""A folder with two vector files, a gold dictionary and a finished run."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from isolex import Embeddings, Space, io
from isolex.core.choices import Outcome
from isolex.core.pair import Pair
from isolex.core.verdict import Evidence, Verdict
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


@pytest.fixture(scope="session")
def eu(home: Path) -> Space:
    """A space of four languages, saved in eu: en0, en1, ... are de0, de1, ... and so on.

    English and Polish are recovered through German, and Romanian is not connected.
    """
    rng = np.random.default_rng(0)
    common = rng.normal(size=(80, 10))
    languages = (
        Embeddings([f"{name}{row}" for row in range(80)], vectors, name=name)
        for name in ("en", "de", "pl", "ro")
        for vectors in [common + 0.1 * rng.normal(size=common.shape)]
    )
    good, doubtful, bad = (
        Verdict.of(Evidence(recovered, 0.0, 0.7, 0.6, 80)) for recovered in (0.9, 0.3, 0.0)
    )
    pairs = {
        ("en", "de"): Pair(good, alone=good.outcome),
        ("en", "pl"): Pair(doubtful, alone=Outcome.FAILED, through=("de",)),
        ("de", "pl"): Pair(doubtful, alone=doubtful.outcome),
        **{(name, "ro"): Pair(bad, alone=bad.outcome) for name in ("en", "de", "pl")},
    }
    space = replace(Space.from_vectors(*languages), pairs=pairs)
    space.save(home / "eu")
    return space


@pytest.fixture
def run(home: Path) -> Run:
    """Runs a command in the folder."""
    return lambda *arguments, **options: isolex(home, *arguments, **options)
