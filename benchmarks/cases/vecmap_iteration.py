"""The time of one iteration of VecMap, next to the product that it does four times."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import options, vecmap
from benchmarks.data import pair_of, plain, shape
from benchmarks.measure import product_seconds
from benchmarks.report import Case, Column, Report, note

CUTOFF = 20_000
"""Words of each side that take part, by VecMap's default."""
COLUMNS = (
    Column("pair", "pair"),
    Column("words", "words"),
    Column("iterations", "iterations"),
    Column("seconds", "seconds each", ".3f"),
    Column("product_seconds", "one product s", ".3f"),
    Column("ratio", "in products", ".2f"),
)


def run(asked: Namespace) -> Report:
    """A product, some iterations, a product."""
    vecmap.need()
    pair = pair_of(asked.pair)
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        files = plain(pair, folder, asked.size)
        words, dims = shape(files.src)
        size = min(words, CUTOFF)
        before = product_seconds(size, dims)
        note(f"{asked.iterations} iterations of VecMap")
        times = vecmap.iteration_seconds(files, folder, asked.iterations)
        product = (before + product_seconds(size, dims)) / 2
    each = median(times)
    row = {
        "pair": asked.pair,
        "words": size,
        "iterations": len(times),
        "seconds": each,
        "product_seconds": product,
        "ratio": each / product,
        "runs": times,
    }
    settings = {name: getattr(asked, name) for name in ("pair", "size", "iterations")}
    return Report([row], settings, COLUMNS)


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.head(parser)
    options.iterations(parser, 5)
    parser.add_argument("--pair", default="eng-spa", help="a pair of the data folder")


CASE = Case("vecmap-iteration", "one iteration of VecMap, in bare products", run, add_options)
