"""Real datasets: where they are, and plain text copies of them."""

from __future__ import annotations

import gzip
import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from benchmarks.children import ROOT
from benchmarks.errors import BenchmarkError, MissingError


class Files(NamedTuple):
    """Two vector files."""

    source: Path
    target: Path


@dataclass(frozen=True)
class Pair:
    """A pair of languages; paths are relative to the data folder.

    Attributes:
        source: Vectors of the source language.
        target: Vectors of the target language.
        gold: The gold dictionary.
        seeds: How many seeds an average needs before it is compared with a target.
    """

    source: str
    target: str
    gold: str
    seeds: int


def _zhang(source: str, target: str) -> Pair:
    name = f"{source}-{target}"
    folder = f"zhang2017/{name}"
    return Pair(f"{folder}/{source}.vec.gz", f"{folder}/{target}.vec.gz", f"muse/{name}.txt", 10)


def _eltec(source: str, target: str, gold: str) -> Pair:
    test = f"muse/{gold}.5000-6500.txt"
    return Pair(f"eltec/{source}.vec.gz", f"eltec/{target}.vec.gz", test, 2)


def _web(source: str, target: str) -> Pair:
    gold = f"xling/{source}-{target}.test.tsv"
    return Pair(f"web/{source}.vec.gz", f"web/{target}.vec.gz", gold, 3)


PAIRS = {
    "es-en": _zhang("es", "en"),
    "it-en": _zhang("it", "en"),
    "zh-en": _zhang("zh", "en"),
    "eng-spa": _eltec("eng", "spa", "en-es"),
    "eng-deu": _eltec("eng", "deu", "en-de"),
    "eng-pol": _eltec("eng", "pol", "en-pl"),
    "en-fr": _web("en", "fr"),
    "en-fi": _web("en", "fi"),
    "fi-fr": _web("fi", "fr"),
    "en-ru": _web("en", "ru"),
}


def data_file(name: str) -> Path:
    """The path of a file in the data folder."""
    folder = Path(os.environ.get("ISOLEX_DATA", ROOT.parent / "shared" / "data"))
    path = folder / name
    if not path.is_file():
        raise MissingError(f"no {name} in the data folder: set ISOLEX_DATA to that folder")
    return path


def pair_of(name: str) -> Pair:
    """A pair by its name."""
    if name not in PAIRS:
        raise BenchmarkError(f"unknown pair {name!r}: choose from {', '.join(PAIRS)}")
    return PAIRS[name]


def plain(pair: Pair, folder: Path, size: int | None = None) -> Files:
    """Unpack both vector files as plain text, so that every program reads the same files.

    Args:
        pair: The pair.
        folder: The folder to write to.
        size: Number of the most frequent words to keep; all by default.
    """
    copies = Files(folder / "source.vec", folder / "target.vec")
    for name, copy in zip((pair.source, pair.target), copies, strict=True):
        _unpack(data_file(name), copy, size)
    return copies


def shape(path: Path) -> tuple[int, int]:
    """Number of words and dimensions, from the header."""
    with path.open("rb") as file:
        words, dims = file.readline().split()
    return int(words), int(dims)


def input_bytes(files: Files) -> int:
    """Bytes of the vectors of both files as float32."""
    return sum(4 * words * dims for words, dims in map(shape, files))


def _unpack(packed: Path, copy: Path, size: int | None) -> None:
    with gzip.open(packed, "rb") as lines, copy.open("wb") as out:
        words, dims = map(int, lines.readline().split())
        kept = words if size is None else min(size, words)
        out.write(f"{kept} {dims}\n".encode())
        out.writelines(islice(lines, kept))
