"""``isolex explore``: time to start, response times, agreement with exact retrieval."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import options
from benchmarks.children import GIB
from benchmarks.errors import BenchmarkError
from benchmarks.folders import run_folder
from benchmarks.measure import Target, limit
from benchmarks.report import Case, Column, Report, Row, note
from benchmarks.served import Served, served
from isolex.core.choices import RetrievalMethod
from isolex.core.space import Space
from isolex.run.folder import RunFolder
from isolex.web.explorer.cache import load_statistics

SIZES, DIMS = (20_000, 200_000), 300
K = 10
SLUG = "space"
"""The name of the run folder, and of the space in addresses."""
PATIENCE = 60
"""Seconds that the server may take to save its statistics."""
ANSWER = Target("at most", 100, "ms")
CHECKED = (RetrievalMethod.NN, RetrievalMethod.CSLS, RetrievalMethod.INVSOFTMAX)
COLUMNS = (
    Column("words", "words"),
    Column("what", "what"),
    Column("ratio", "figure", ".3f"),
    Column("measure", "unit"),
    Column("median", "median", ".1f"),
    Column("worst", "worst", ".1f"),
    Column("target", "target"),
    Column("met", "met"),
)


def run_case(asked: Namespace) -> Report:
    """Each size in turn: the real command, over HTTP."""
    rows = []
    for size in asked.size:
        with TemporaryDirectory(prefix="isolex-bench-") as place:
            note(f"writing a run folder of {size:,} words per language")
            folder = Path(place) / SLUG
            run_folder(folder, size, asked.dims, asked.seed, exact_means=True)
            rows += [{"words": size, **row} for row in measured(folder, size, asked)]
    names = ("size", "dims", "seed", "requests")
    return Report(rows, {name: getattr(asked, name) for name in names}, COLUMNS)


def measured(folder: Path, size: int, asked: Namespace) -> Iterator[Row]:
    """All measurements of one space."""
    rng = np.random.default_rng(asked.seed)
    words = [f"s{row}" for row in rng.choice(size, min(asked.requests, size), replace=False)]
    applies = asked.dims == DIMS
    note("first start")
    with served(folder) as server:
        yield limit("start to first answer", server.seconds, Target("at most", 60, "s"))
        yield from answers(server, words, "while it prepares", applies)
        yield limit("start to all methods", server.wait_until_ready(words[0]), None) | SECONDS
        yield from answers(server, words, "prepared", applies)
        yield from agreement(server, folder, words)
        if server.peak is not None:
            yield limit("peak memory", server.peak / GIB, None) | {"measure": "GiB"}
    note("second start, with the cache")
    with served(folder) as server:
        yield limit("second start to first answer", server.seconds, None) | SECONDS
        ready = server.wait_until_ready(words[0], 0.05)
        yield limit("second start to all methods", ready, None) | SECONDS


SECONDS: Row = {"measure": "s"}


def answers(server: Served, words: list[str], when: str, applies: bool) -> Iterator[Row]:
    """The 95th percentile of the response times of the page and of the API."""
    for what, path, query in (
        ("page", f"/{SLUG}/", {}),
        ("api", "/api/translate", {"retrieval": RetrievalMethod.NN.value}),
    ):
        note(f"{what}, {when}")
        server.ask(path, word=words[0], k=K, **query)
        asked = [server.ask(path, word=word, k=K, **query) for word in words]
        if any(status != 200 for status, _, _ in asked):
            raise BenchmarkError(f"{path} did not answer all requests")
        times = [milliseconds for _, _, milliseconds in asked]
        high = float(np.percentile(times, 95))
        yield limit(f"{what}, 95th percentile, {when}", high, ANSWER, applies=applies) | {
            "median": float(np.median(times)),
            "worst": max(times),
            "runs": times,
        }


def agreement(server: Served, folder: Path, words: list[str]) -> Iterator[Row]:
    """How many of the exact ten best translations the server finds, in percent."""
    space = exact_space(folder)
    source, target = space.languages
    server.reconnect()
    queries = np.array([source.index[word] for word in words], dtype=np.int32)
    for method in CHECKED:
        note(f"comparison with exact retrieval: {method}")
        exact = space.direction().retrieve(queries, K, space.choose(method)).indices
        first = ten = 0
        for word, right in zip(words, exact.tolist(), strict=True):
            found = server.translate(word=word, k=K, retrieval=method.value)["translations"]
            rows = [target.index[one["word"]] for one in found]
            first += rows[0] == right[0]
            ten += len(set(rows) & set(right))
        for name, share in (
            ("the best", first / len(words)),
            ("of the ten best", ten / exact.size),
        ):
            yield limit(f"{method}: {name}", 100 * share, None) | {"measure": "% as exact"}


def exact_space(folder: Path) -> Space:
    """The space with the statistics that the server has computed, for exact retrieval."""
    run = RunFolder(folder)
    deadline = time.monotonic() + PATIENCE
    while not run.cache.is_file():  # the methods are ready a moment before it is written
        if time.monotonic() > deadline:
            raise BenchmarkError("isolex explore has not saved its statistics")
        time.sleep(0.1)
    space = run.open()
    load_statistics(space, run.cache)
    return space


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    options.sizes(parser, SIZES, DIMS)
    parser.add_argument(
        "--requests", type=options.positive, default=200, metavar="N", help="requests of each kind"
    )


CASE = Case("explore", "isolex explore: start, response times, accuracy", run_case, add_options)
