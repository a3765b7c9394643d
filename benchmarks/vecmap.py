"""VecMap as a peer: its command line, and what it prints while it runs; nothing of it is inside.

It is looked for where VECMAP_HOME says and run by VECMAP_PYTHON, by default this very Python.
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
    """A whole run.

    Attributes:
        finished: The process.
        iterations: How many it did.
        objective: Its last objective, in [0, 1].
    """

    finished: Finished
    iterations: int
    objective: float


def present() -> bool:
    """Whether VecMap was named."""
    return bool(os.environ.get(HOME))


def need() -> None:
    """Refuse to go on without VecMap."""
    if not present() or not _program().is_file():
        raise MissingError(
            f"VecMap is not there: git clone https://github.com/artetxem/vecmap, "
            f"set {HOME} to the checkout, and pip install scipy"
        )


def whole_run(files: Files, outputs: Files, log: Path, seed: int = 0) -> Whole:
    """Map a pair from beginning to end; the mapped vectors go to ``outputs``."""
    log.unlink(missing_ok=True)
    finished = run(_command(files, outputs, log, seed))
    lines = log.read_text(encoding="utf-8").splitlines()
    columns = lines[-1].split("\t")  # iteration, objective in percent, ...
    return Whole(finished, int(columns[0]), float(columns[1]) / 100)


def iteration_seconds(files: Files, folder: Path, count: int, seed: int = 0) -> list[float]:
    """The times of ``count`` iterations, from when each is announced; then VecMap is stopped.

    The first announcement only starts the clock: so neither reading nor initialisation counts.
    """
    outputs = Files(folder / "vecmap-src.vec", folder / "vecmap-trg.vec")
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
        raise BenchmarkError(f"VecMap ended before two iterations were done: {last(''.join(said))}")
    return [after - before for before, after in pairwise(stamps)]


def _announcements(stream: IO[str], said: list[str]) -> Iterator[float]:
    """The moment of each line that announces an iteration; all lines are kept in ``said``."""
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
