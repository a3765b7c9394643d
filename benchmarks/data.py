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
        gold: The gold dictionary, or its test part.
        whole: The files of the whole dictionary.
        seeds: How many seeds an average needs before it is compared with a target.
    """

    source: str
    target: str
    gold: str
    whole: tuple[str, ...]
    seeds: int


def _zhang(source: str, target: str) -> Pair:
    name = f"{source}-{target}"
    folder = f"zhang2017/{name}"
    gold = f"muse/{name}.txt"
    return Pair(f"{folder}/{source}.vec.gz", f"{folder}/{target}.vec.gz", gold, (gold,), 10)


def _muse(source: str, target: str, gold: str) -> Pair:
    test, whole = f"muse/{gold}.5000-6500.txt", (f"muse/{gold}.txt",)
    return Pair(f"{source}.vec.gz", f"{target}.vec.gz", test, whole, 2)


def _xling(source: str, target: str, gold: str) -> Pair:
    train, test = (f"xling/{gold}.{part}.tsv" for part in ("train", "test"))
    return Pair(f"{source}.vec.gz", f"{target}.vec.gz", test, (train, test), 3)


PAIRS = {
    "es-en": _zhang("es", "en"),
    "it-en": _zhang("it", "en"),
    "zh-en": _zhang("zh", "en"),
    "eng-spa": _muse("eltec/eng", "eltec/spa", "en-es"),
    "eng-deu": _muse("eltec/eng", "eltec/deu", "en-de"),
    "eng-pol": _muse("eltec/eng", "eltec/pol", "en-pl"),
    "eng-swe": _muse("eltec/eng", "eltec/swe", "en-sv"),
    "eng-cze": _muse("eltec/eng", "eltec/cze", "en-cs"),
    "eng-slv": _muse("eltec/eng", "eltec/slv", "en-sl"),
    "eng-rom": _muse("eltec/eng", "eltec/rom", "en-ro"),
    "en-fr": _xling("web/en", "web/fr", "en-fr"),
    "en-fi": _xling("web/en", "web/fi", "en-fi"),
    "fi-fr": _xling("web/fi", "web/fr", "fi-fr"),
    "en-ru": _xling("web/en", "web/ru", "en-ru"),
    "en-spa": _muse("web/en", "eltec/spa", "en-es"),
    "en-deu": _muse("web/en", "eltec/deu", "en-de"),
    "eng-fr": _xling("eltec/eng", "web/fr", "en-fr"),
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
