"""The page of ``isolex explore``: how soon it is there, how fast it answers, what it misses."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import options
from benchmarks.children import GIB
from benchmarks.measure import Target, limit
from benchmarks.planted import planted
from benchmarks.report import Case, Column, Report, Row, note
from benchmarks.served import Served, served
from isolex import io
from isolex.core.choices import Method
from isolex.core.files import write_text
from isolex.core.retrieval import Retrieval, Space, means_key
from isolex.run.folder import LEXICON, MAPPING, RUN, RunFolder
from isolex.run.inputs import Input, describe
from isolex.systems.align import align
from isolex.web.explorer.atlas import Atlas
from isolex.web.explorer.kept import Kept

SIZES, DIMS = (20_000, 200_000), 300
PAIRS, K = 5000, 10
ANSWER = Target("at most", 100, "ms")
CHECKED = (Method.NN, Method.CSLS, Method.INVSOFTMAX)
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
    """Each size in turn, the real command over HTTP."""
    rows = []
    for size in asked.size:
        with TemporaryDirectory(prefix="isolex-bench-") as place:
            note(f"making a mapping of {size:,} words")
            folder = made(Path(place), size, asked.dims, asked.seed)
            rows += [{"words": size, **row} for row in measured(folder, size, asked)]
    names = ("size", "dims", "seed", "requests")
    return Report(rows, {name: getattr(asked, name) for name in names}, COLUMNS)


def measured(folder: Path, size: int, asked: Namespace) -> Iterator[Row]:
    """Everything that is measured of one mapping."""
    rng = np.random.default_rng(asked.seed)
    words = [f"s{row}" for row in rng.choice(size, min(asked.requests, size), replace=False)]
    applies = asked.dims == DIMS
    note("the first start")
    with served(folder) as server:
        yield limit("start to first answer", server.seconds, Target("at most", 60, "s"))
        yield from answers(server, words, "while it prepares", applies)
        yield limit("start to all methods", server.wait_until_ready(words[0]), None) | SECONDS
        yield from answers(server, words, "prepared", applies)
        yield from agreement(server, folder, words)
        if server.peak is not None:
            yield limit("peak memory", server.peak / GIB, None) | {"measure": "GiB"}
    note("the second start, from the cache")
    with served(folder) as server:
        yield limit("second start to first answer", server.seconds, None) | SECONDS
        ready = server.wait_until_ready(words[0], 0.05)
        yield limit("second start to all methods", ready, None) | SECONDS


SECONDS: Row = {"measure": "s"}


def answers(server: Served, words: list[str], when: str, applies: bool) -> Iterator[Row]:
    """The 95th percentile of the times of the page and of the API."""
    for what, path, query in (
        ("page", "/mapping/", {}),
        ("api", "/api/translate", {"retrieval": Method.NN.value}),
    ):
        note(f"{what}, {when}")
        server.ask(path, word=words[0], k=K, **query)
        asked = [server.ask(path, word=word, k=K, **query) for word in words]
        if any(status != 200 for status, _, _ in asked):
            raise RuntimeError(f"{path} did not answer")
        times = [milliseconds for _, _, milliseconds in asked]
        high = float(np.percentile(times, 95))
        yield limit(f"{what}, 95th percentile, {when}", high, ANSWER, applies=applies) | {
            "median": float(np.median(times)),
            "worst": max(times),
            "runs": times,
        }


def agreement(server: Served, folder: Path, words: list[str]) -> Iterator[Row]:
    """What of the exact ten best the server finds, in percent."""
    space, atlas = exact_space(folder)
    src, trg = atlas.source.vocabulary, atlas.target.vocabulary
    server.reconnect()
    queries = np.array([src.index[word] for word in words], dtype=np.int32)
    for method in CHECKED:
        note(f"against the exact result: {method}")
        exact = space.retrieve(queries, K, Retrieval(method)).indices
        first = ten = 0
        for word, right in zip(words, exact.tolist(), strict=True):
            found = server.translate(word=word, k=K, retrieval=method.value)["translations"]
            rows = [trg.index[one["word"]] for one in found]
            first += rows[0] == right[0]
            ten += len(set(rows) & set(right))
        for name, share in (
            ("the best", first / len(words)),
            ("of the ten best", ten / exact.size),
        ):
            yield limit(f"{method}: {name}", 100 * share, None) | {"measure": "% as exact"}


def exact_space(folder: Path) -> tuple[Space, Atlas]:
    """The space that answers exactly, with what the server computed of each word."""
    atlas = Atlas.of("mapping", folder, RunFolder(folder).open())
    Kept.of(atlas).load(atlas)
    space = Space(atlas.source.vocabulary.vectors, atlas.target.vocabulary.vectors)
    sides = ((space.penalties.src, atlas.source), (space.penalties.trg, atlas.target))
    for penalties, language in sides:
        surveyed, means = language.known.surveyed, language.known.means
        if surveyed is None or means is None:
            raise RuntimeError("nothing was kept in the cache of the mapping")
        penalties[means_key(atlas.retrieval.neighbours)] = means
        penalties["softmax", atlas.retrieval.temperature] = surveyed.sums
    return space, atlas


def made(place: Path, words: int, dims: int, seed: int) -> Path:
    """A folder with what the page needs, from training pairs; no whole dictionary is made for it.

    So the neighbourhood means, which ``isolex map`` leaves there, are computed by the page.
    """
    pair = planted(words, dims, seed=seed)
    files = place / "s.safetensors", place / "t.safetensors"
    for side, path in zip(pair.embeddings(), files, strict=True):
        io.save(side, path)
    src, trg = Input.read_both(*files)
    pairs = pair.pairs(PAIRS)
    alignment = align(src.embeddings, trg.embeddings, "supervised", lexicon=pairs)
    folder = place / "mapping"
    folder.mkdir()
    alignment.save(folder / MAPPING)
    write_text(folder / LEXICON, "source\ttarget\tscore\tmutual\n")
    write_text(folder / RUN, json.dumps({"inputs": describe(src, trg, {})}))
    return folder


def add_options(parser: ArgumentParser) -> None:
    """Options of the case."""
    parser.add_argument(
        "--size", type=options.positive, nargs="+", default=SIZES, metavar="N", help="words a side"
    )
    parser.add_argument(
        "--dims", type=options.positive, default=DIMS, metavar="D", help="dimensions"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the made-up vectors")
    parser.add_argument(
        "--requests", type=options.positive, default=200, metavar="N", help="of each kind"
    )


CASE = Case("explore", "isolex explore: start, answer times, recall", run_case, add_options)
