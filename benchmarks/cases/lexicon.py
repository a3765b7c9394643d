"""The CSLS lexicon of two whole vocabularies, against a flat index that knows no CSLS."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import options
from benchmarks.children import GIB, run
from benchmarks.measure import Target, compare, interleave, limit
from benchmarks.peers import need
from benchmarks.planted import planted
from benchmarks.report import Case, Report

SIZE, DIMS = 200_000, 300
PER_PRODUCT = Target("at most", 1.3)
MEMORY = Target("at most", 2, "GiB above inputs")


@dataclass(frozen=True)
class Half:
    """What one side took: seconds, full products, peak memory in bytes, precision in percent."""

    seconds: float
    products: float
    precision: float
    peak: int


def run_case(asked: Namespace) -> Report:
    """Both sides in processes of their own, in turns."""
    need("faiss")
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        inputs = prepare(folder, asked)
        sides = {name: partial(half, name, folder) for name in ("faiss", "isolex")}
        halves = interleave(sides, asked.runs)
    return report(halves["isolex"], halves["faiss"], inputs, asked)


def prepare(folder: Path, asked: Namespace) -> int:
    """Put the mapped pair where the workers find it; returns the bytes of the vectors."""
    pair = planted(asked.size, asked.dims, seed=asked.seed)
    arrays = {"src": pair.mapped, "trg": pair.trg, "order": pair.order}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return arrays["src"].nbytes + arrays["trg"].nbytes


def half(side: str, folder: Path) -> Half:
    """Run one side."""
    out = folder / f"{side}.json"
    finished = run([sys.executable, "-m", "benchmarks.workers", side, folder, out])
    return Half(**json.loads(out.read_text(encoding="utf-8")), peak=finished.peak)


def report(own: list[Half], theirs: list[Half], inputs: int, asked: Namespace) -> Report:
    """Time per product done, time as a whole, memory."""
    applies = (asked.size, asked.dims) == (SIZE, DIMS)
    products = own[0].products
    seconds = [done.seconds for done in own]
    rival = [done.seconds for done in theirs]
    each = [done.seconds / done.products for done in own]
    memory = [(done.peak - inputs) / GIB for done in own]
    faiss_memory = [(done.peak - inputs) / GIB for done in theirs]
    flat = "faiss flat top-10, one way"
    rows = [
        compare(
            f"CSLS lexicon, each of {products:.2f} products",
            flat,
            each,
            rival,
            PER_PRODUCT,
            applies=applies,
        ),
        compare(f"CSLS lexicon, whole: {products:.2f} products", flat, seconds, rival),
        limit("peak memory", median(memory), MEMORY, applies=applies),
        limit("peak memory of faiss", median(faiss_memory), None) | {"measure": MEMORY.unit},
    ]
    rows[0]["products"] = rows[1]["products"] = products
    names = ("size", "dims", "seed", "runs")
    settings = {name: getattr(asked, name) for name in names} | {"input_bytes": inputs}
    notes = [
        f"precision@1 on the planted pairs: isolex csls {own[0].precision:.2f} %, "
        f"faiss nn {theirs[0].precision:.2f} %"
    ]
    return Report(rows, settings, notes=notes)


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.size(parser, SIZE, DIMS)


CASE = Case(
    "lexicon", "CSLS top-10 of a whole vocabulary, against faiss flat", run_case, add_options
)
