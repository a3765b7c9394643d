"""How long the command line takes to say something."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import options
from benchmarks.children import ISOLEX, isolex_map, run
from benchmarks.data import Files
from benchmarks.measure import Target, compare, interleave, judged
from benchmarks.planted import planted
from benchmarks.report import COMPARISON, Case, Report, Row
from isolex import io
from isolex.core.files import write_text

SIZE, DIMS = 20_000, 300
HELP, TRANSLATE = Target("at most", 0.5, "s"), Target("at most", 1.5, "s")
PAIRS = 5000


def run_case(asked: Namespace) -> Report:
    """The two commands in turns with a Python that only imports NumPy."""
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = made_mapping(Path(place), asked)
        commands: dict[str, Sequence[str | Path]] = {
            "python": (sys.executable, "-c", "import numpy"),
            "help": (*script(), "--help"),
            "translate": (*script(), "translate", folder, "s7"),
        }
        for command in commands.values():
            run(command)  # files come into the system's cache, Numba compiles
        sides = {name: lambda words=words: run(words).seconds for name, words in commands.items()}
        times = interleave(sides, asked.runs)
    applies = (asked.size, asked.dims) == (SIZE, DIMS)
    rows = [
        row("isolex --help", times["help"], times["python"], HELP, applies=True),
        row("isolex translate DIR WORD", times["translate"], times["python"], TRANSLATE, applies),
    ]
    names = ("size", "dims", "seed", "runs")
    return Report(rows, {name: getattr(asked, name) for name in names}, COMPARISON)


def script() -> tuple[str, ...]:
    """The command as it is installed, else the module."""
    path = Path(sys.executable).with_name("isolex")
    return (str(path),) if path.is_file() else ISOLEX


def row(what: str, own: list[float], floor: list[float], target: Target, applies: bool) -> Row:
    """A command; its bound is in seconds, not in times the floor."""
    made = compare(what, "python -c 'import numpy'", own, floor)
    return made | judged(median(own), target, applies=applies)


def made_mapping(folder: Path, asked: Namespace) -> Path:
    """A folder as ``isolex map`` writes it, from training pairs as that is quick."""
    pair = planted(asked.size, asked.dims, seed=asked.seed)
    files = Files(folder / "src.vec", folder / "trg.vec")
    for side, path in zip(pair.embeddings(), files, strict=True):
        io.save(side, path)
    lexicon = folder / "pairs.txt"
    write_text(lexicon, "".join(f"{s} {t}\n" for s, t in pair.pairs(PAIRS)))
    out = folder / "mapping"
    isolex_map(*files, out, "--system", "supervised", "--lexicon", lexicon)
    return out


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.size(parser, SIZE, DIMS)


CASE = Case("startup", "isolex --help and isolex translate, wall time", run_case, add_options)
