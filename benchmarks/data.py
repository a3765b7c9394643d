"""The real pairs: where they are, and plain text copies of them."""

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

    src: Path
    trg: Path


@dataclass(frozen=True)
class Pair:
    """A pair of languages, paths relative to the data folder."""

    src: str
    trg: str
    gold: str
    seeds: int
    """How many seeds an average should be over."""


def _zhang(src: str, trg: str) -> Pair:
    name = f"{src}-{trg}"
    folder = f"zhang2017/{name}"
    return Pair(f"{folder}/{src}.vec.gz", f"{folder}/{trg}.vec.gz", f"muse/{name}.txt", 10)


def _eltec(src: str, trg: str, gold: str) -> Pair:
    test = f"muse/{gold}.5000-6500.txt"
    return Pair(f"eltec/{src}.vec.gz", f"eltec/{trg}.vec.gz", test, 2)


PAIRS = {
    "es-en": _zhang("es", "en"),
    "it-en": _zhang("it", "en"),
    "zh-en": _zhang("zh", "en"),
    "eng-spa": _eltec("eng", "spa", "en-es"),
    "eng-deu": _eltec("eng", "deu", "en-de"),
    "eng-pol": _eltec("eng", "pol", "en-pl"),
}


def data_file(name: str) -> Path:
    """A file of the data folder."""
    folder = Path(os.environ.get("ISOLEX_DATA", ROOT.parent / "shared" / "data"))
    path = folder / name
    if not path.is_file():
        raise MissingError(f"no {name} in the data folder: set ISOLEX_DATA to where it is")
    return path


def pair_of(name: str) -> Pair:
    """A pair by its name."""
    if name not in PAIRS:
        raise BenchmarkError(f"unknown pair {name!r}: choose from {', '.join(PAIRS)}")
    return PAIRS[name]


def plain(pair: Pair, folder: Path, size: int | None = None) -> Files:
    """Both sides as plain text, so that every program reads the very same files.

    Args:
        pair: The pair.
        folder: Where to write them.
        size: Only so many of the most frequent words.
    """
    copies = Files(folder / "src.vec", folder / "trg.vec")
    for name, copy in zip((pair.src, pair.trg), copies, strict=True):
        _unpack(data_file(name), copy, size)
    return copies


def shape(path: Path) -> tuple[int, int]:
    """Words and dimensions, as the header says."""
    with path.open("rb") as file:
        words, dims = file.readline().split()
    return int(words), int(dims)


def input_bytes(files: Files) -> int:
    """What the vectors of both files need as float32."""
    return sum(4 * words * dims for words, dims in map(shape, files))


def _unpack(packed: Path, copy: Path, size: int | None) -> None:
    with gzip.open(packed, "rb") as source, copy.open("wb") as target:
        words, dims = map(int, source.readline().split())
        kept = words if size is None else min(size, words)
        target.write(f"{kept} {dims}\n".encode())
        target.writelines(islice(source, kept))
