"""``isolex map`` on a dataset of the paper, against VecMap."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import options, vecmap
from benchmarks.children import isolex_map, precisions
from benchmarks.data import Files, Pair, data_file, pair_of, plain
from benchmarks.measure import Target, compare, interleave
from benchmarks.planted import planted
from benchmarks.report import COMPARISON, Case, Column, Report, Row
from isolex import io, systems

PAPER = "artetxe2018"
TARGET = Target("at least", 30)
COLUMNS = (
    *COMPARISON[:6],
    Column("nn", "nn p@1", ".2f"),
    Column("csls", "csls p@1", ".2f"),
    Column("rival_csls", "rival csls", ".2f"),
    Column("objective", "objective", ".4f"),
    Column("iterations", "iterations"),
    *COMPARISON[8:],
)


@contextmanager
def prepared(pair: Pair, size: int | None) -> Iterator[tuple[Path, Files]]:
    """A folder with the pair as plain text; Numba has compiled, and VecMap is there if named."""
    if vecmap.present():
        vecmap.need()
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        files = plain(pair, folder, size)
        warm_up(folder)
        yield folder, files


def run(asked: Namespace) -> Report:
    """The default system and the paper's, in turns with VecMap if it is there."""
    pair = pair_of(asked.pair)
    with prepared(pair, asked.size) as (folder, files):
        programs: dict[str, Callable[[], float]] = {}
        if vecmap.present():
            programs["vecmap"] = partial(vecmap_seconds, files, folder)
        for system in dict.fromkeys((systems.DEFAULT, PAPER)):
            programs[system] = partial(map_seconds, files, folder / system, system)
        times = interleave(programs, asked.runs, {"vecmap": asked.rival_runs})
        theirs = vecmap_facts(pair, folder) if vecmap.present() else {}
        rows = [
            row(system, pair, folder, times, theirs, applies=asked.size is None)
            for system in times
            if system != "vecmap"
        ]
    settings = {name: getattr(asked, name) for name in ("pair", "size", "runs", "rival_runs")}
    notes = [] if theirs else [f"VecMap was not measured: {vecmap.HOME} is not set"]
    return Report(rows, settings, COLUMNS, notes)


def warm_up(folder: Path) -> None:
    """Let Numba compile: with small files, but large enough for the text kernels."""
    tiny = Files(folder / "tiny-source.vec", folder / "tiny-target.vec")
    for language, path in zip(planted(1200, 64).embeddings(), tiny, strict=True):
        io.save(language, path)
    isolex_map(*tiny, folder / "tiny", "--cutoff", "100", "--budget", "0")


def map_seconds(files: Files, out: Path, system: str) -> float:
    """Wall time of the command."""
    return isolex_map(*files, out, "--system", system).seconds


def vecmap_seconds(files: Files, folder: Path) -> float:
    """Wall time of VecMap; its outputs are kept for the evaluation."""
    whole = vecmap.whole_run(files, vecmap_outputs(folder), folder / "vecmap.log")
    facts = {"rival_iterations": whole.iterations, "rival_objective": whole.objective}
    (folder / "vecmap.json").write_text(json.dumps(facts), encoding="utf-8")
    return whole.finished.seconds


def vecmap_outputs(folder: Path) -> Files:
    """Where VecMap writes the mapped vectors."""
    return Files(folder / "vecmap-source.vec", folder / "vecmap-target.vec")


def vecmap_facts(pair: Pair, folder: Path) -> Row:
    """Accuracy, iterations and objective of VecMap."""
    source, target = vecmap_outputs(folder)
    gold = data_file(pair.gold)
    found = precisions(["--vectors", source, "--vectors", target, gold])
    facts: Row = json.loads((folder / "vecmap.json").read_text(encoding="utf-8"))
    return facts | {f"rival_{name}": value for name, value in found.items()}


def row(
    system: str,
    pair: Pair,
    folder: Path,
    times: dict[str, list[float]],
    theirs: Row,
    *,
    applies: bool,
) -> Row:
    """Time and accuracy of one system."""
    ours = json.loads((folder / system / "run.json").read_text(encoding="utf-8"))
    target = TARGET if system == systems.DEFAULT else None
    what = f"map, {system}" + (" (default)" if target else "")
    made: Row = {"what": what, "isolex_seconds": median(times[system])}
    if theirs:
        made = compare(
            what, "VecMap", times[system], times["vecmap"], target, applies=applies, faster=True
        )
    return {
        **made,
        "isolex_runs": times[system],
        **precisions([folder / system, data_file(pair.gold)]),
        "objective": ours["objective"],
        "iterations": ours["iterations"],
        **theirs,
    }


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser, rival=3)
    options.head(parser)
    parser.add_argument("--pair", default="es-en", help="a dataset, such as es-en")


CASE = Case("map-small", "isolex map on zhang2017, against VecMap", run, add_options)
