"""Reading and writing a large text file, against gensim."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import isolex
from benchmarks import options
from benchmarks.errors import BenchmarkError
from benchmarks.measure import Target, compare, interleave, timed
from benchmarks.peers import peer
from benchmarks.planted import planted
from benchmarks.report import Case, Report, note
from benchmarks.textfile import write_decimals
from isolex import io

SIZE, DIMS = 200_000, 300
SLOW = 3
"""Number of runs of gensim. One run takes a minute or more."""
TARGET = Target("at least", 10)


def run_load(asked: Namespace) -> Report:
    """``isolex.load`` against ``load_word2vec_format``, with the file in the system's cache."""
    vectors = peer("gensim.models").KeyedVectors
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        path = make_file(Path(place), asked)
        programs: dict[str, Callable[[], Any]] = {
            "gensim": lambda: vectors.load_word2vec_format(str(path)),
            "isolex": lambda: isolex.load(path),
        }
        check_same(programs["isolex"](), path, asked)
        return measured("load", programs, asked)


def run_save(asked: Namespace) -> Report:
    """``isolex.io.save`` against ``save_word2vec_format``, with vectors read from a file."""
    models = peer("gensim.models")
    with TemporaryDirectory(prefix="isolex-bench-") as place:
        folder = Path(place)
        embeddings = isolex.load(make_file(folder, asked))
        keyed = models.KeyedVectors(embeddings.dims)
        keyed.add_vectors(list(embeddings.words), embeddings.vectors)
        theirs, ours = folder / "gensim.vec", folder / "isolex.vec"
        programs: dict[str, Callable[[], Any]] = {
            "gensim": lambda: keyed.save_word2vec_format(str(theirs)),
            "isolex": lambda: io.save(embeddings, ours),
        }
        programs["isolex"]()  # Numba compiles
        report = measured("save", programs, asked)
        for path in (ours, theirs):
            check_same(isolex.load(path), path, asked)
        return report


def measured(what: str, programs: dict[str, Callable[[], Any]], asked: Namespace) -> Report:
    """Let both take turns."""
    work = {name: timed(program) for name, program in programs.items()}
    times = interleave(work, asked.runs, {"gensim": asked.rival_runs})
    applies = (asked.size, asked.dims) == (SIZE, DIMS)
    row = compare(
        what, "gensim", times["isolex"], times["gensim"], TARGET, applies=applies, faster=True
    )
    names = ("size", "dims", "seed", "runs", "rival_runs")
    return Report([row], {name: getattr(asked, name) for name in names})


def make_file(folder: Path, asked: Namespace) -> Path:
    """Write planted vectors as text with six decimals."""
    note(f"writing a text file of {asked.size:,} x {asked.dims}")
    path = folder / "vectors.vec"
    source, _ = planted(asked.size, asked.dims, seed=asked.seed).embeddings()
    write_decimals(path, source.words, source.vectors)
    return path


def check_same(found: isolex.Embeddings, path: Path, asked: Namespace) -> None:
    """Refuse a reader or writer that changes the vectors."""
    made = planted(asked.size, asked.dims, seed=asked.seed).source
    if found.vectors.shape != made.shape or np.abs(found.vectors - made).max() > 1e-6:
        raise BenchmarkError(f"{path.name} does not contain the vectors that were written")


def add_options(parser: ArgumentParser) -> None:
    """Options of both cases."""
    options.runs(parser, rival=SLOW)
    options.size(parser, SIZE, DIMS)


LOAD = Case("load", "reading a large text file, against gensim", run_load, add_options)
SAVE = Case("save", "writing it back, against gensim", run_save, add_options)
