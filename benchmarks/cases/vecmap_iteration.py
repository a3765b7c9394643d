"""The time of one iteration of VecMap, relative to the product that it computes four times."""

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
"""Words per language that VecMap uses by default."""
COLUMNS = (
    Column("pair", "pair"),
    Column("words", "words"),
    Column("iterations", "iterations"),
    Column("seconds", "seconds each", ".3f"),
    Column("product_seconds", "one product s", ".3f"),
    Column("ratio", "in products", ".2f"),
)


def run(asked: Namespace) -> Report:
    """A product, some iterations, and a product again."""
    vecmap.need()
    pair = pair_of(asked.pair)
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        files = plain(pair, folder, asked.size)
        words, dims = shape(files.source)
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
    parser.add_argument("--pair", default="eng-spa", help="a dataset, such as eng-spa")


CASE = Case("vecmap-iteration", "one iteration of VecMap, in bare products", run, add_options)
