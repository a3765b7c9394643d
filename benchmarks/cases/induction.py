"""One stochastic bidirectional CSLS induction, against the product it cannot do without."""

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
    """Product, induction with the product kept, induction without; then VecMap where it is."""
    if vecmap.present():
        vecmap.need()
    pair = planted(asked.size, asked.dims, seed=asked.seed)
    src = pair.src if asked.unaligned else pair.mapped
    applies = (asked.size, asked.dims) == (SIZE, DIMS)
    kept, blocked = induction(src, pair.trg), induction(src, pair.trg, keep=False)
    for warm in (kept, blocked):
        warm()  # Numba compiles, the workspace is touched
    sides: dict[str, Callable[[], object]]
    sides = {"product": BareProduct(src, pair.trg), "kept": kept, "not kept": blocked}
    times = interleave({name: timed(work) for name, work in sides.items()}, asked.runs)
    product = times["product"]
    rows = [
        compare("induction", "numpy product", times["kept"], product, PRODUCT, applies=applies),
        compare("induction, product not kept", "numpy product", times["not kept"], product),
    ]
    if vecmap.present():
        rows += against_vecmap(pair, times["kept"], asked, applies=applies)
    return Report(rows, settings(asked), notes=notes())


def induction(src: Floats, trg: Floats, *, keep: bool = True) -> Callable[[], object]:
    """An induction whose workspace is used again, with or without room for the product."""
    workspace = Workspace(4 * len(src) * len(trg) if keep else 0)
    return partial(induce, src, trg, NEIGHBOURS, KEEP_PROB, 0, workspace)


def against_vecmap(
    pair: Planted, inductions: list[float], asked: Namespace, *, applies: bool
) -> list[Row]:
    """The induction, and a whole iteration of isolex, against an iteration of VecMap."""
    own = whole_iterations(pair, asked.iterations)
    note(f"{asked.iterations} iterations of VecMap")
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        files = Files(folder / "src.vec", folder / "trg.vec")
        for side, path in zip(pair.embeddings(), files, strict=True):
            io.save(side, path)
        theirs = vecmap.iteration_seconds(files, folder, asked.iterations)
    own += whole_iterations(pair, asked.iterations)
    against = partial(compare, rival="VecMap iteration", other=theirs, faster=True, paired=False)
    return [
        against("induction", own=inductions, target=VECMAP, applies=applies),
        against("whole iteration: map, induce", own=own),
    ]


def whole_iterations(pair: Planted, count: int) -> list[float]:
    """Seconds of ``count`` iterations of self-learning, the first left out as it warms up."""
    words = np.arange(len(pair.src), dtype=np.int32)
    place = np.argsort(pair.order).astype(np.int32)
    stage = Stage(KEEP_PROB, cutoff=len(words), patience=count + 2, neighbours=NEIGHBOURS)
    stamps: list[float] = []

    def watch(iteration: self_learning.Iteration) -> bool:
        stamps.append(iteration.seconds)
        return len(stamps) > count

    schedule = Schedule((stage,))
    self_learning.learn(pair.src, pair.trg, Lexicon(words, place), schedule, callbacks=[watch])
    return [after - before for before, after in pairwise(stamps)]


def settings(asked: Namespace) -> dict[str, object]:
    """What the figures depend on."""
    names = ("size", "dims", "seed", "runs", "unaligned", "iterations")
    return {name: getattr(asked, name) for name in names} | {"keep_prob": KEEP_PROB}


def notes() -> list[str]:
    """What was left out."""
    return [] if vecmap.present() else [f"VecMap was not measured: {vecmap.HOME} is not set"]


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.runs(parser)
    options.size(parser, SIZE, DIMS)
    options.iterations(parser, 5)
    parser.add_argument(
        "--unaligned", action="store_true", help="unmapped vectors, as at the start of a run"
    )


CASE = Case("induction", "one induction against one numpy product of that size", run, add_options)
