"""fastText models: the ``.bin`` file that training writes, memory-mapped.

Layout of the file, all little-endian:

1. A magic number and the version (two int32).
2. The settings (twelve int32 and a double).
3. The dictionary: its sizes, then each word, a zero byte, its count (int64) and kind (int8).
4. The input matrix: whether it is quantised (int8), its rows and columns (int64), and its float32
   numbers. It has a row for each word, then a row for each bucket of n-grams.

The rest is needed for training only.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.file_errors import StrPath, refuse, refuse_os
from isolex.core.repairs import Repairs
from isolex.io.streams import Tick
from isolex.io.subwords import Ngrams, mean_vectors
from isolex.io.vector_table import VectorTable

_MAGIC = struct.pack("<i", 793712314)
_MAX_VERSION = 12
_SUPERVISED_WITHOUT_NGRAMS = 11  # supervised models of this version have no character n-grams
_SUPERVISED = 3
_HEADER = struct.Struct("<2i12id3iqq")
_MATRIX_HEADER = struct.Struct("<?qq")
_AFTER_WORD = 9  # bytes: count and kind
_BLOCK = 8192
_DAMAGED = "a truncated or damaged fastText model; download or copy the file again"


def is_fasttext(head: bytes) -> bool:
    """Whether a file starts like a fastText model."""
    return head.startswith(_MAGIC)


def read_fasttext(path: StrPath, max_words: int | None, tick: Tick) -> tuple[Embeddings, Repairs]:
    """Read the vectors of a model's words; the model also makes vectors for other words."""
    model = FastTextModel(path)
    words = model.layout.words
    table = VectorTable(model.dims, max_words, len(words))
    first, step = 0, min(_BLOCK, max_words or _BLOCK)
    while first < len(words) and not table.full:
        last = min(first + step, len(words))
        table.add(words[first:last], model.vectors(words[first:last], range(first, last))[0])
        first = last
        tick(last / len(words))
    embeddings, repairs = table.finish(path)
    return Embeddings(embeddings.words, embeddings.vectors, model), repairs


@dataclass(frozen=True, eq=False)
class ModelLayout:
    """The parts of a model file.

    Attributes:
        words: The words in UTF-8, most frequent first; word ``i`` has row ``i``.
        ngrams: How words are split.
        matrix: ``(rows, dims)``, a view of the file.
    """

    words: list[bytes]
    ngrams: Ngrams
    matrix: Vectors


class FastTextModel:
    """A fastText model on disk, opened on first use.

    Args:
        path: The ``.bin`` file.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = path

    def __reduce__(self) -> tuple[type[FastTextModel], tuple[Any, ...]]:
        return FastTextModel, (self.path,)

    @cached_property
    def layout(self) -> ModelLayout:
        """The parts of the file."""
        try:
            with Path(self.path).open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise refuse_os(self.path, error) from error
        return _parse_layout(data, self.path)

    @cached_property
    def _rows(self) -> dict[bytes, int]:
        words = self.layout.words
        return dict(zip(reversed(words), range(len(words) - 1, -1, -1), strict=True))

    @property
    def dims(self) -> int:
        """The number of dimensions."""
        return int(self.layout.matrix.shape[1])

    def vectors(
        self, words: list[bytes], word_rows: Sequence[int]
    ) -> tuple[Vectors, NDArray[np.bool_]]:
        """Return the ``(n, dims)`` vectors of words, and ``(n,)`` whether each word has one.

        Args:
            words: ``n`` words in UTF-8.
            word_rows: Row of each word itself; -1 if it is out of vocabulary.
        """
        return mean_vectors(words, word_rows, self.layout.ngrams, self.layout.matrix)

    def compose(self, words: Iterable[str]) -> dict[str, Vectors]:
        """Return a vector ``(dims,)`` for each word that is in the vocabulary or has n-grams."""
        requested = [word for word in dict.fromkeys(words) if word]
        encoded = [word.encode("utf-8", "surrogateescape") for word in requested]
        rows, found = self.vectors(encoded, [self._rows.get(word, -1) for word in encoded])
        found &= np.isfinite(rows).all(axis=1)
        return {word: rows[place] for place, word in enumerate(requested) if found[place]}


def _parse_layout(data: mmap.mmap, path: StrPath) -> ModelLayout:
    try:
        header = _HEADER.unpack_from(data)
    except struct.error as error:
        raise refuse(path, _DAMAGED) from error
    _, version, dims, *settings = header
    model, buckets, shortest, longest = settings[6:10]
    entries, words, _, _, pruned = header[15:]
    if version > _MAX_VERSION:
        what = f"a fastText model of version {version}; isolex reads versions up to {_MAX_VERSION}"
        raise refuse(path, what)
    if version == _SUPERVISED_WITHOUT_NGRAMS and model == _SUPERVISED:
        longest = 0
    max_entries = len(data) // (_AFTER_WORD + 1)
    if not (0 < words <= entries <= max_entries and dims > 0 and buckets >= 0):
        raise refuse(path, _DAMAGED)
    texts, end = _parse_words(data, entries, path)
    end += 8 * max(0, pruned)
    matrix = _parse_matrix(data, end, dims, words + (buckets if longest > 0 else 0), path)
    return ModelLayout(texts[:words], Ngrams(shortest, longest, words, buckets), matrix)


def _parse_words(data: mmap.mmap, count: int, path: StrPath) -> tuple[list[bytes], int]:
    """Return the first ``count`` words of the dictionary, and where they end."""
    words, place = [], _HEADER.size
    for _ in range(count):
        end = data.find(b"\0", place)
        if end < 0:
            raise refuse(path, _DAMAGED)
        words.append(data[place:end])
        place = end + 1 + _AFTER_WORD
    return words, place


def _parse_matrix(data: mmap.mmap, place: int, dims: int, min_rows: int, path: StrPath) -> Vectors:
    try:
        quantised, rows, columns = _MATRIX_HEADER.unpack_from(data, place)
    except struct.error as error:
        raise refuse(path, _DAMAGED) from error
    if quantised:
        what = "a quantised fastText model, whose vectors are approximate; use the full .bin file"
        raise refuse(path, what)
    first = place + _MATRIX_HEADER.size
    if columns != dims or rows < min_rows or first + 4 * rows * columns > len(data):
        raise refuse(path, _DAMAGED)
    return np.frombuffer(data, "<f4", rows * columns, first).reshape(rows, columns)


def model_of(path: StrPath) -> FastTextModel | None:
    """Return the fastText model at ``path``; ``None`` if it is a pipe or another kind of file."""
    if not Path(path).is_file():
        return None
    try:
        with Path(path).open("rb") as file:
            return FastTextModel(path) if is_fasttext(file.read(len(_MAGIC))) else None
    except OSError as error:
        raise refuse_os(path, error) from error
