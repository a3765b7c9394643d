"""word2vec binary: a header, then each word, a space and its raw float32 numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.files import refuse
from isolex.core.repairs import Repairs
from isolex.io.sniff import Shape
from isolex.io.streams import Stream, Tick
from isolex.io.table import Table

_CHUNK = 1 << 22
_LONGEST_WORD = 1 << 16
_MOST_DIMS = 1 << 24
_ROWS = 4096


def read_binary(
    stream: Stream, shape: Shape, max_words: int | None, tick: Tick
) -> tuple[Embeddings, Repairs]:
    """Read word2vec binary; a newline after each vector may be there or not."""
    promised, dims = shape.header or (0, shape.dims)
    stream.skip(shape.skip)
    if not 0 < dims <= _MOST_DIMS or len(stream.peek(4 * dims + 1)) <= 4 * dims:
        what = f"not word2vec binary: the header says {dims:,} dimensions, more than the file holds"
        raise refuse(stream.path, f"{what}; check that it is the right file")
    table = Table(dims, max_words, min(promised, stream.size // (4 * dims)))
    for words, rows, cut_off in _blocks(stream, dims):
        table.add(words, rows)
        if table.full:
            break
        table.counts["truncated"] += cut_off
        tick(stream.done)
    return table.finish(stream.path, promised)


def _blocks(stream: Stream, dims: int) -> Iterator[tuple[list[bytes], Vectors, bool]]:
    """Words, their ``(len(words), dims)`` vectors, and whether bytes were left over at the end."""
    data, size = b"", 1 << 16
    while piece := stream.read(size):
        data += piece
        words, rows, used = _entries(data, dims, stream)
        data = data[used:]
        size = max(4 * dims, min(2 * size, _CHUNK))
        yield words, rows, False
    yield [], np.empty((0, dims), np.float32), bool(data.strip(b"\n"))


def _entries(data: bytes, dims: int, stream: Stream) -> tuple[list[bytes], Vectors, int]:
    words: list[bytes] = []
    vectors = []
    used = 0
    while True:
        space = data.find(b" ", used, used + _LONGEST_WORD)
        end = space + 1 + 4 * dims
        if space < 0 or end > len(data):
            break
        words.append(data[used:space].lstrip(b"\n"))
        vectors.append(np.frombuffer(data, "<f4", dims, space + 1))
        used = end
    if space < 0 and len(data) - used >= _LONGEST_WORD:
        what = "not word2vec binary: a word has no end; check that it is the right file"
        raise refuse(stream.path, what)
    rows = np.array(vectors, dtype=np.float32).reshape(len(words), dims)
    return words, rows, used


def carries(word: bytes) -> bool:
    """Whether word2vec binary can hold a word."""
    return bool(word) and b" " not in word and not word.startswith(b"\n")


def binary_blocks(embeddings: Embeddings, words: list[bytes]) -> Iterator[tuple[int, bytes]]:
    """Pieces of a word2vec binary file, each with the number of rows up to its end."""
    yield 0, b"%d %d\n" % embeddings.vectors.shape
    vectors = embeddings.vectors.astype("<f4", copy=False)
    for first in range(0, len(words), _ROWS):
        last = min(first + _ROWS, len(words))
        parts = [b"%b %b\n" % (words[row], vectors[row].tobytes()) for row in range(first, last)]
        yield last, b"".join(parts)
