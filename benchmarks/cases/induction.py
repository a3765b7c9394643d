"""One stochastic bidirectional CSLS induction, against the matrix product that it needs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import options, vecmap
from benchmarks.data import Files
from benchmarks.measure import BareProduct, Target, compare, interleave, timed
from benchmarks.planted import Planted, planted
from benchmarks.report import Case, Report, Row, note
from isolex import io
from isolex.core.lexicon import Lexicon
from isolex.kernels.induction import Workspace, induce
from isolex.kernels.types import Floats
from isolex.method import self_learning
from isolex.method.schedule import Schedule, Stage

SIZE, DIMS = 20_000, 300
NEIGHBOURS, KEEP_PROB = 10, 0.1
PRODUCT = Target("at most", 1.5, aim=1.2)
VECMAP = Target("at least", 8, aim=12)


def run(asked: Namespace) -> Report:
    """Product, induction with and without keeping the product; VecMap if it is there."""
    if vecmap.present():
        vecmap.need()
    pair = planted(asked.size, asked.dims, seed=asked.seed)
    source = pair.source if asked.unaligned else pair.mapped
    applies = (asked.size, asked.dims) == (SIZE, DIMS)
    kept = induction(source, pair.target)
    blocked = induction(source, pair.target, keep=False)
    for warm in (kept, blocked):
        warm()  # Numba compiles, memory is allocated
    programs: dict[str, Callable[[], object]] = {
        "product": BareProduct(source, pair.target),
        "kept": kept,
        "not kept": blocked,
    }
    times = interleave({name: timed(work) for name, work in programs.items()}, asked.runs)
    product = times["product"]
    rows = [
        compare("induction", "numpy product", times["kept"], product, PRODUCT, applies=applies),
        compare("induction, product not kept", "numpy product", times["not kept"], product),
    ]
    if vecmap.present():
        rows += against_vecmap(pair, times["kept"], asked, applies=applies)
    return Report(rows, settings(asked), notes=notes())


def induction(source: Floats, target: Floats, *, keep: bool = True) -> Callable[[], object]:
    """An induction that reuses its memory, with or without room for the whole product."""
    workspace = Workspace(4 * len(source) * len(target) if keep else 0)
    return partial(induce, source, target, NEIGHBOURS, KEEP_PROB, 0, workspace)


def against_vecmap(
    pair: Planted, inductions: list[float], asked: Namespace, *, applies: bool
) -> list[Row]:
    """An induction, and a whole iteration of isolex, against an iteration of VecMap."""
    own = whole_iterations(pair, asked.iterations)
    note(f"{asked.iterations} iterations of VecMap")
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        files = Files(folder / "source.vec", folder / "target.vec")
        for language, path in zip(pair.embeddings(), files, strict=True):
            io.save(language, path)
        theirs = vecmap.iteration_seconds(files, folder, asked.iterations)
    own += whole_iterations(pair, asked.iterations)
    against = partial(compare, rival="VecMap iteration", other=theirs, faster=True, paired=False)
    return [
        against("induction", own=inductions, target=VECMAP, applies=applies),
        against("whole iteration: map, induce", own=own),
    ]


def whole_iterations(pair: Planted, count: int) -> list[float]:
    """Seconds of ``count`` iterations of self-learning, after a first one that is not counted."""
    words = np.arange(len(pair.source), dtype=np.int32)
    place = np.argsort(pair.order).astype(np.int32)
    stage = Stage(KEEP_PROB, cutoff=len(words), patience=count + 2, neighbours=NEIGHBOURS)
    stamps: list[float] = []

    def watch(state: self_learning.LearningState) -> bool:
        stamps.append(state.solution.seconds)
        return len(stamps) > count

    schedule = Schedule((stage,))
    lexicon = Lexicon(words, place)
    self_learning.learn(pair.source, pair.target, lexicon, schedule, on_iteration=watch)
    return [after - before for before, after in pairwise(stamps)]


def settings(asked: Namespace) -> dict[str, object]:
    """The settings of the case."""
    names = ("size", "dims", "seed", "runs", "unaligned", "iterations")
    return {name: getattr(asked, name) for name in names} | {"keep_prob": KEEP_PROB}


def notes() -> list[str]:
    """Notes about what was not measured."""
    return [] if vecmap.present() else [f"VecMap was not measured: {vecmap.HOME} is not set"]


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.size(parser, SIZE, DIMS)
    options.iterations(parser, 5)
    parser.add_argument(
        "--unaligned", action="store_true", help="use unmapped vectors, as at the start of a run"
    )


CASE = Case(
    "induction", "one induction against one NumPy product of the same size", run, add_options
)
