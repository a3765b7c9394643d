"""Run commands in child processes: wall time, peak memory, output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.errors import BenchmarkError

ROOT = Path(__file__).parents[1]
LAUNCHER = Path(__file__).with_name("launcher.py")
ISOLEX = (sys.executable, "-m", "isolex")
GIB = 2**30


@dataclass(frozen=True)
class Finished:
    """A finished command.

    Attributes:
        seconds: Wall time from its start to its end.
        peak: Peak memory in bytes.
        code: Its exit code.
        output: Its standard output.
    """

    seconds: float
    peak: int
    code: int
    output: str


def run(command: Sequence[str | Path], accept: Collection[int] = (0,)) -> Finished:
    """Run a command from the root of the checkout and wait for it."""
    words = [str(word) for word in command]
    with TemporaryDirectory(prefix="isolex-bench-") as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run(
            [sys.executable, str(LAUNCHER), str(report), *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.is_file():
            raise BenchmarkError(f"{Path(words[0]).name} could not be started: {last(done.stderr)}")
        facts = json.loads(report.read_text(encoding="utf-8"))
    if facts["code"] not in accept:
        shown = " ".join(Path(word).name for word in words[:4])
        raise BenchmarkError(f"{shown} ... ended with {facts['code']}: {last(done.stderr)}")
    return Finished(facts["seconds"], facts["peak"], facts["code"], done.stdout)


def last(text: str) -> str:
    """The last line that is not empty."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no output"


def isolex_map(source: Path, target: Path, out: Path, *options: str | Path) -> Finished:
    """Run ``isolex map``; exit code 1 means that the verdict is failed."""
    return run([*ISOLEX, "map", source, target, "--out", out, "--quiet", *options], accept=(0, 1))


def precision(places: Sequence[str | Path], retrieval: str) -> float:
    """Precision at 1 in percent, from ``isolex evaluate lexicon``."""
    options = ["--retrieval", retrieval, "--json", "--quiet"]
    done = run([*ISOLEX, "evaluate", "lexicon", *places, *options])
    facts: dict[str, Any] = json.loads(done.output)
    return float(facts["precision"]["1"])


def precisions(places: Sequence[str | Path]) -> dict[str, float]:
    """Precision at 1 with nearest neighbours and with CSLS."""
    return {name: precision(places, name) for name in ("nn", "csls")}
