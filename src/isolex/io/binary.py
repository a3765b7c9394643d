"""word2vec binary: a header, then each word, a space and its raw float32 numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.file_errors import StrPath, refuse
from isolex.core.repairs import Repairs
from isolex.io.sniff import FileLayout
from isolex.io.streams import Stream, Tick
from isolex.io.vector_table import VectorTable

_FIRST_CHUNK = 1 << 16
_CHUNK = 1 << 22
_MAX_WORD_BYTES = 1 << 16
_MAX_DIMS = 1 << 24
_ROWS_PER_BLOCK = 4096


def read_binary(
    stream: Stream, layout: FileLayout, max_words: int | None, tick: Tick
) -> tuple[Embeddings, Repairs]:
    """Read word2vec binary, with or without a newline after each vector."""
    declared, dims = layout.header or (0, layout.dims)
    stream.skip(layout.skip)
    if not 0 < dims <= _MAX_DIMS or len(stream.peek(4 * dims + 1)) <= 4 * dims:
        what = (
            f"not word2vec binary: the header says {dims:,} dimensions, which do not fit the file"
        )
        raise refuse(stream.path, f"{what}; is this the right file?")
    table = VectorTable(dims, max_words, min(declared, stream.size // (4 * dims)))
    for words, rows, truncated in _read_blocks(stream, dims):
        table.add(words, rows)
        if table.full:
            break
        table.counts["truncated"] += truncated
        tick(stream.done)
    return table.finish(stream.path, declared)


def _read_blocks(stream: Stream, dims: int) -> Iterator[tuple[list[bytes], Vectors, bool]]:
    """Yield words, their ``(len(words), dims)`` vectors, and whether the file ends in mid-entry."""
    data, size = b"", _FIRST_CHUNK
    while piece := stream.read(size):
        data += piece
        words, rows, used = _parse_entries(data, dims, stream.path)
        data = data[used:]
        size = max(4 * dims, min(2 * size, _CHUNK))
        yield words, rows, False
    yield [], np.empty((0, dims), np.float32), bool(data.strip(b"\n"))


def _parse_entries(data: bytes, dims: int, path: StrPath) -> tuple[list[bytes], Vectors, int]:
    """Parse the complete entries in ``data``; return words, vectors and the bytes used."""
    words: list[bytes] = []
    vectors = []
    used = 0
    while True:
        space = data.find(b" ", used, used + _MAX_WORD_BYTES)
        end = space + 1 + 4 * dims
        if space < 0 or end > len(data):
            break
        words.append(data[used:space].lstrip(b"\n"))
        vectors.append(np.frombuffer(data, "<f4", dims, space + 1))
        used = end
    if space < 0 and len(data) - used >= _MAX_WORD_BYTES:
        what = f"not word2vec binary: a word has more than {_MAX_WORD_BYTES:,} bytes"
        raise refuse(path, f"{what}; is this the right file?")
    rows = np.array(vectors, dtype=np.float32).reshape(len(words), dims)
    return words, rows, used


def fits_binary(word: bytes) -> bool:
    """Whether word2vec binary can store a word."""
    return bool(word) and b" " not in word and not word.startswith(b"\n")


def binary_blocks(embeddings: Embeddings, words: list[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the pieces of a word2vec binary file, each with the number of rows up to its end."""
    yield 0, b"%d %d\n" % embeddings.vectors.shape
    vectors = embeddings.vectors.astype("<f4", copy=False)
    for first in range(0, len(words), _ROWS_PER_BLOCK):
        last = min(first + _ROWS_PER_BLOCK, len(words))
        parts = [b"%b %b\n" % (words[row], vectors[row].tobytes()) for row in range(first, last)]
        yield last, b"".join(parts)
