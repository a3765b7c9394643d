"""``isolex map`` with 20,000 words and 300 dimensions, in units of one bare matrix product."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks import options, vecmap
from benchmarks.cases.map_small import prepared
from benchmarks.children import GIB, isolex_map, precisions
from benchmarks.data import Files, data_file, input_bytes, pair_of, shape
from benchmarks.measure import Target, compare, interleave, limit, product_seconds
from benchmarks.report import Case, Report, Row, note

PRODUCTS = Target("at most", 45)
VECMAP = Target("at least", 100)
MEMORY = Target("at most", 2.5, "GiB above inputs")
CUTOFF = 20_000
VECMAP_ITERATIONS = 400
"""Iterations that VecMap needs at least, by its schedule and as observed."""


@dataclass(frozen=True)
class Mapped:
    """One run: its seconds, the seconds of a product around it, and its peak memory in bytes."""

    seconds: float
    product: float
    peak: int


def run(asked: Namespace) -> Report:
    """Runs with a product before and after each, then iterations of VecMap if it is there."""
    pair = pair_of(asked.pair)
    with prepared(pair, asked.size) as (folder, files):
        done = interleave({"map": lambda: mapped(files, folder / "out", asked)}, asked.runs)["map"]
        rows = judged_rows(done, files, applies=asked.size is None)
        if vecmap.present():
            rows.append(against_vecmap(done, files, folder, asked))
        rows.append(accuracy(folder / "out", data_file(pair.gold)))
    names = ("pair", "system", "size", "runs", "iterations")
    settings = {name: getattr(asked, name) for name in names}
    notes = [] if vecmap.present() else [f"VecMap was not measured: {vecmap.HOME} is not set"]
    return Report(rows, settings, notes=notes)


def mapped(files: Files, out: Path, asked: Namespace) -> Mapped:
    """Run the command between two measurements of the product."""
    words, dims = shape(files.source)
    size = min(words, CUTOFF)
    system = [] if asked.system is None else ["--system", asked.system]
    before = product_seconds(size, dims)
    finished = isolex_map(*files, out, *system)
    after = product_seconds(size, dims)
    return Mapped(finished.seconds, (before + after) / 2, finished.peak)


def judged_rows(done: list[Mapped], files: Files, *, applies: bool) -> list[Row]:
    """Time in products, and peak memory."""
    seconds = [run.seconds for run in done]
    products = [run.product for run in done]
    memory = median((run.peak - input_bytes(files)) / GIB for run in done)
    return [
        compare("map, whole run", "one product", seconds, products, PRODUCTS, applies=applies),
        limit("map, peak memory", memory, MEMORY, applies=applies),
    ]


def against_vecmap(done: list[Mapped], files: Files, folder: Path, asked: Namespace) -> Row:
    """The time of an iteration of VecMap times the iterations that it needs at least."""
    note(f"{asked.iterations} iterations of VecMap")
    times = vecmap.iteration_seconds(files, folder, asked.iterations)
    return compare(
        "map, whole run",
        f"{VECMAP_ITERATIONS} VecMap iterations (from {len(times)})",
        [run.seconds for run in done],
        [VECMAP_ITERATIONS * seconds for seconds in times],
        VECMAP,
        applies=asked.size is None,
        faster=True,
        paired=False,
    )


def accuracy(out: Path, gold: Path) -> Row:
    """The accuracy of the last run."""
    facts = json.loads((out / "run.json").read_text(encoding="utf-8"))
    found = precisions([out, gold])
    return {
        **limit("csls precision@1", found["csls"], None),
        "measure": f"percent (nn {found['nn']:.2f})",
        **found,
        "objective": facts["objective"],
        "iterations": facts["iterations"],
        **{f"{step}_seconds": seconds for step, seconds in facts["timings"].items()},
    }


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.head(parser)
    options.iterations(parser, 3)
    parser.add_argument("--pair", default="eng-spa", help="a dataset, such as eng-spa")
    parser.add_argument("--system", help="a system instead of the default")


CASE = Case("map-large", "isolex map with 20,000 words, in bare products", run, add_options)
