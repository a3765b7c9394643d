"""VecMap as a rival: its command line and its output; none of its code is used here.

VECMAP_HOME names its checkout, VECMAP_PYTHON the Python that runs it, by default this one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO

from benchmarks.children import Finished, last, run
from benchmarks.data import Files
from benchmarks.errors import BenchmarkError, MissingError

HOME = "VECMAP_HOME"
PROGRAM = "map_embeddings.py"
_ITERATION = re.compile(r"ITERATION (\d+)")


@dataclass(frozen=True)
class Whole:
    """A complete run.

    Attributes:
        finished: The process.
        iterations: Number of iterations.
        objective: The last objective, from 0 to 1.
    """

    finished: Finished
    iterations: int
    objective: float


def present() -> bool:
    """Whether VECMAP_HOME is set."""
    return bool(os.environ.get(HOME))


def need() -> None:
    """Refuse to continue without VecMap."""
    if not present() or not _program().is_file():
        raise MissingError(
            f"VecMap is missing: git clone https://github.com/artetxem/vecmap, "
            f"set {HOME} to the checkout, and pip install scipy"
        )


def whole_run(files: Files, outputs: Files, log: Path, seed: int = 0) -> Whole:
    """Map a pair; the mapped vectors are written to ``outputs``."""
    log.unlink(missing_ok=True)
    finished = run(_command(files, outputs, log, seed))
    lines = log.read_text(encoding="utf-8").splitlines()
    columns = lines[-1].split("\t")  # iteration, objective in percent, ...
    return Whole(finished, int(columns[0]), float(columns[1]) / 100)


def iteration_seconds(files: Files, folder: Path, count: int, seed: int = 0) -> list[float]:
    """The seconds of ``count`` iterations, between their announcements; then VecMap is stopped.

    The first announcement starts the clock, so reading and initialisation do not count.
    """
    outputs = Files(folder / "vecmap-source.vec", folder / "vecmap-target.vec")
    process = subprocess.Popen(
        [str(word) for word in _command(files, outputs, folder / "vecmap.log", seed)],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    said: list[str] = []
    stamps: list[float] = []
    try:
        for stamp in _announcements(process.stderr, said):
            stamps.append(stamp)
            if len(stamps) > count:
                break
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
    if len(stamps) < 2:
        raise BenchmarkError(f"VecMap ended before its second iteration: {last(''.join(said))}")
    return [after - before for before, after in pairwise(stamps)]


def _announcements(stream: IO[str], said: list[str]) -> Iterator[float]:
    """The time of each line that announces an iteration; all lines are added to ``said``."""
    for line in stream:
        now = time.perf_counter()
        said.append(line)
        if _ITERATION.match(line):
            yield now


def _program() -> Path:
    return Path(os.environ.get(HOME, "")) / PROGRAM


def _command(files: Files, outputs: Files, log: Path, seed: int) -> list[str | Path]:
    need()
    python = os.environ.get("VECMAP_PYTHON", sys.executable)
    options: list[str | Path] = ["--seed", str(seed), "-v", "--log", log]
    return [python, _program().absolute(), "--unsupervised", *files, *outputs, *options]
