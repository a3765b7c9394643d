"""How the time of an induction and of its product grows with the vocabulary."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import numpy as np

from benchmarks import options
from benchmarks.cases.induction import DIMS, induction
from benchmarks.measure import BareProduct, compare, interleave, timed
from benchmarks.peers import need, peer
from benchmarks.planted import planted
from benchmarks.report import COMPARISON, Case, Column, Report, Row, note

SIZES = (1000, 2000, 5000, 10_000, 20_000)
COLUMNS = (Column("words", "words"), *COMPARISON[2:-2])
LINES = (("isolex_seconds", "isolex induction"), ("rival_seconds", "bare NumPy product"))


def run(asked: Namespace) -> Report:
    """Measure every size, fit slopes and plot them."""
    if asked.plot:
        need("matplotlib")
    rows = [measured(size, asked) for size in sorted(asked.size)]
    slopes = {label: slope(rows, key) for key, label in LINES}
    if asked.plot:
        draw(rows, slopes, asked.dims, asked.results)
    settings = {"size": asked.size, "dims": asked.dims, "runs": asked.runs, "seed": asked.seed}
    notes = [f"{label}: slope {value:.2f}" for label, value in slopes.items() if value is not None]
    return Report(rows, settings | {"slopes": slopes}, COLUMNS, notes)


def measured(size: int, asked: Namespace) -> Row:
    """One size."""
    note(f"{size:,} words")
    pair = planted(size, asked.dims, seed=asked.seed)
    source, target = pair.mapped, pair.target
    kept = induction(source, target)
    kept()  # Numba compiles, memory is allocated
    programs = {"product": timed(BareProduct(source, target)), "induction": timed(kept)}
    times = interleave(programs, asked.runs)
    row = compare("induction", "numpy product", times["induction"], times["product"])
    return {"words": size, **row}


def slope(rows: list[Row], key: str) -> float | None:
    """The power of the vocabulary size with which the time grows."""
    if len(rows) < 2:
        return None
    words = np.log(np.array([row["words"] for row in rows], dtype=np.float64))
    seconds = np.log(np.array([row[key] for row in rows], dtype=np.float64))
    return round(float(np.polyfit(words, seconds, 1)[0]), 3)


def draw(rows: list[Row], slopes: dict[str, float | None], dims: int, folder: Path) -> None:
    """Plot both lines on logarithmic axes, as PNG and SVG."""
    peer("matplotlib").use("Agg")
    plt = peer("matplotlib.pyplot")
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    words = [row["words"] for row in rows]
    for (key, label), marker in zip(LINES, "os", strict=True):
        fitted = slopes[label]
        legend = label if fitted is None else f"{label} (slope {fitted:.2f})"
        axes.loglog(words, [row[key] for row in rows], marker=marker, label=legend)
    axes.set_xticks(words, [f"{size:,}" for size in words])
    axes.minorticks_off()
    axes.set_xlabel("words per language")
    axes.set_ylabel("seconds")
    axes.set_title(f"One CSLS induction, both directions, {dims} dimensions")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "scaling.png", dpi=150)
    figure.savefig(folder / "scaling.svg", metadata={"Date": None})
    plt.close(figure)


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.sizes(parser, SIZES, DIMS)
    parser.add_argument(
        "--no-plot",
        action="store_false",
        dest="plot",
        help="print only the table, without matplotlib",
    )


CASE = Case("scaling", "induction and product as the vocabulary grows, log-log", run, add_options)
