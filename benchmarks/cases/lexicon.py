"""The CSLS lexicon of two whole vocabularies, against a flat index without CSLS."""

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
class Costs:
    """The costs of one program.

    Attributes:
        seconds: Wall time.
        products: Number of full matrix products.
        precision: Precision at 1 in percent.
        peak: Peak memory in bytes.
    """

    seconds: float
    products: float
    precision: float
    peak: int


def run_case(asked: Namespace) -> Report:
    """Both programs in turns, each in its own process."""
    need("faiss")
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        inputs = prepare(folder, asked)
        programs = {name: partial(costs, name, folder) for name in ("faiss", "isolex")}
        found = interleave(programs, asked.runs)
    return report(found["isolex"], found["faiss"], inputs, asked)


def prepare(folder: Path, asked: Namespace) -> int:
    """Write the mapped pair for the workers; returns the bytes of the vectors."""
    pair = planted(asked.size, asked.dims, seed=asked.seed)
    arrays = {"source": pair.mapped, "target": pair.target, "order": pair.order}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return arrays["source"].nbytes + arrays["target"].nbytes


def costs(program: str, folder: Path) -> Costs:
    """Run one program."""
    out = folder / f"{program}.json"
    finished = run([sys.executable, "-m", "benchmarks.workers", program, folder, out])
    return Costs(**json.loads(out.read_text(encoding="utf-8")), peak=finished.peak)


def report(own: list[Costs], theirs: list[Costs], inputs: int, asked: Namespace) -> Report:
    """Time per product, total time, memory."""
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
