"""fastText models: the ``.bin`` that training writes, mapped into memory and not copied.

The file, all of it little-endian: two int32, a mark and the version; twelve int32 and a double,
the settings; the dictionary, each word ended by a zero byte and followed by its count (int64) and
kind (int8); whether the input matrix is quantised (int8), its rows and columns (int64), and its
float32 numbers: a row for each word, then one for each bucket of n-grams. What follows is needed
for training only.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.files import StrPath, refuse, refuse_os
from isolex.core.repairs import Repairs
from isolex.io.streams import Tick
from isolex.io.subwords import Grams, mean_vectors
from isolex.io.table import Table

MAGIC = struct.pack("<i", 793712314)
_NEWEST, _WITHOUT_PARTS = 12, 11  # of supervised models, version 11 has no n-grams of letters
_SUPERVISED = 3
_HEADER = struct.Struct("<2i12id3iqq")
_SHAPE = struct.Struct("<?qq")
_AFTER_WORD = 9  # bytes: count and kind
_BLOCK = 8192
_DAMAGED = "a fastText model that is cut off or damaged; get the file again"


def is_fasttext(head: bytes) -> bool:
    """Whether a file begins like a fastText model."""
    return head.startswith(MAGIC)


def read_fasttext(path: StrPath, max_words: int | None, tick: Tick) -> tuple[Embeddings, Repairs]:
    """The vectors of the model's words, most frequent first; other words can be asked of it."""
    model = Model(path)
    words = model.layout.words
    table = Table(model.dims, max_words, len(words))
    first, step = 0, min(_BLOCK, max_words or _BLOCK)
    while first < len(words) and not table.full:
        last = min(first + step, len(words))
        table.add(words[first:last], model.vectors(words[first:last], range(first, last))[0])
        first = last
        tick(last / len(words))
    embeddings, repairs = table.finish(path)
    return Embeddings(embeddings.words, embeddings.vectors, model), repairs


@dataclass(frozen=True, eq=False)
class Layout:
    """What is where in a model.

    Attributes:
        words: The words in UTF-8, most frequent first; a word's place is its row.
        grams: How they are cut.
        matrix: ``(rows, dims)``, a view on the file.
    """

    words: list[bytes]
    grams: Grams
    matrix: Vectors


class Model:
    """A fastText model on disk; it is opened when it is first asked for something.

    Args:
        path: The ``.bin`` file.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = path

    def __reduce__(self) -> tuple[type[Model], tuple[Any, ...]]:
        return Model, (self.path,)

    @cached_property
    def layout(self) -> Layout:
        """The parts of the file."""
        try:
            with Path(self.path).open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise refuse_os(self.path, error) from error
        return _layout(data, self.path)

    @cached_property
    def _rows(self) -> dict[bytes, int]:
        words = self.layout.words
        return dict(zip(reversed(words), range(len(words) - 1, -1, -1), strict=True))

    @property
    def dims(self) -> int:
        """The number of dimensions."""
        return int(self.layout.matrix.shape[1])

    def vectors(self, words: list[bytes], own: Iterable[int]) -> tuple[Vectors, Any]:
        """The vectors of words whose rows are ``own``; and which of them have one at all."""
        return mean_vectors(words, list(own), self.layout.grams, self.layout.matrix)

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """A vector ``(dims,)`` of each word, in the vocabulary or not, that has any part."""
        asked = [word for word in dict.fromkeys(words) if word]
        encoded = [word.encode("utf-8", "surrogateescape") for word in asked]
        rows, found = self.vectors(encoded, [self._rows.get(word, -1) for word in encoded])
        found &= np.isfinite(rows).all(axis=1)
        return {word: rows[place] for place, word in enumerate(asked) if found[place]}


def _layout(data: mmap.mmap, path: StrPath) -> Layout:
    try:
        header = _HEADER.unpack_from(data)
    except struct.error as error:
        raise refuse(path, _DAMAGED) from error
    _, version, dims, *settings = header
    model, buckets, shortest, longest = settings[6:10]
    entries, words, _, _, pruned = header[15:]
    if version > _NEWEST:
        what = f"a fastText model of version {version}; isolex knows those up to {_NEWEST}"
        raise refuse(path, what)
    if version == _WITHOUT_PARTS and model == _SUPERVISED:
        longest = 0
    most = len(data) // (_AFTER_WORD + 1)
    if not (0 < words <= entries <= most and dims > 0 and buckets >= 0):
        raise refuse(path, _DAMAGED)
    texts, end = _words(data, entries, path)
    end += 8 * max(0, pruned)
    matrix = _matrix(data, end, dims, words + (buckets if longest > 0 else 0), path)
    return Layout(texts[:words], Grams(shortest, longest, words, buckets), matrix)


def _words(data: mmap.mmap, count: int, path: StrPath) -> tuple[list[bytes], int]:
    """That many words, and where the dictionary ends."""
    words, place = [], _HEADER.size
    for _ in range(count):
        end = data.find(b"\0", place)
        if end < 0:
            raise refuse(path, _DAMAGED)
        words.append(data[place:end])
        place = end + 1 + _AFTER_WORD
    return words, place


def _matrix(data: mmap.mmap, place: int, dims: int, least: int, path: StrPath) -> Vectors:
    try:
        quantised, rows, columns = _SHAPE.unpack_from(data, place)
    except struct.error as error:
        raise refuse(path, _DAMAGED) from error
    if quantised:
        what = "a quantised fastText model, which has only approximate vectors; give the full .bin"
        raise refuse(path, what)
    first = place + _SHAPE.size
    if columns != dims or rows < least or first + 4 * rows * columns > len(data):
        raise refuse(path, _DAMAGED)
    return np.frombuffer(data, "<f4", rows * columns, first).reshape(rows, columns)


def model_of(path: StrPath) -> Model | None:
    """The fastText model at ``path``; ``None`` if there is something else, or a pipe."""
    if not Path(path).is_file():
        return None
    try:
        with Path(path).open("rb") as file:
            return Model(path) if is_fasttext(file.read(len(MAGIC))) else None
    except OSError as error:
        raise refuse_os(path, error) from error
