"""Read word2vec text and GloVe: a word and its numbers per line, with or without a header."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.file_errors import refuse
from isolex.core.repairs import Repairs
from isolex.io.line_parser import BLANK, LineError, ends_in_decimal, parse_line
from isolex.io.ordered_map import map_in_order
from isolex.io.sniff import MAX_LINE_BYTES, FileLayout
from isolex.io.streams import Stream, Tick
from isolex.io.vector_table import VectorTable

_FIRST_CHUNK = 1 << 18  # small at first, so that reading a few words takes few bytes
_CHUNK = 1 << 22
_MIN_COMPILED = 1 << 21  # bytes; for less, loading the compiled kernel costs more than it saves
_COMPRESSION_RATIO, _NUMBER_BYTES = 3, 8  # rough estimates
_BLOCK_VALUES = 1 << 20


@dataclass(frozen=True)
class LineBlock:
    """Consecutive lines of a file; lines that are not plain are still to be parsed one by one.

    `isolex.kernels.text` says which lines are plain.

    Attributes:
        text: The bytes that contain the lines.
        starts: ``(n,)`` where each line begins.
        word_ends: ``(n,)`` where its word ends; -1 if the line is not plain.
        ends: ``(n,)`` where the line ends, without its newline.
        values: ``(n, dims)`` float32; undefined for lines that are not plain.
    """

    text: bytes
    starts: NDArray[np.int64]
    word_ends: NDArray[np.int64]
    ends: NDArray[np.int64]
    values: Vectors


Parse = Callable[[bytes, int], list[LineBlock]]


def read_text(
    stream: Stream, layout: FileLayout, max_words: int | None, tick: Tick
) -> tuple[Embeddings, Repairs]:
    """Read word2vec text or GloVe.

    Args:
        stream: The file, at its start.
        layout: What ``examine`` found out about it.
        max_words: Stop after this many usable words.
        tick: Called with the fraction of the file that has been read.
    """
    reader = _Reader(stream, layout, max_words)
    stream.skip(layout.skip)
    parse: Parse = parse_slowly if _is_small(stream, layout, max_words) else parse_compiled
    for blocks in map_in_order(lambda chunk: parse(chunk, layout.dims), _chunks(stream)):
        reader.add(blocks)
        if reader.table.full:
            break
        tick(stream.done)
    declared = None if layout.header is None else layout.header[0]
    return reader.table.finish(stream.path, declared)


def _is_small(stream: Stream, layout: FileLayout, max_words: int | None) -> bool:
    """Whether there is little to parse, estimated from the size on disk."""
    size = stream.size * (_COMPRESSION_RATIO if stream.packing else 1)
    size = size or _MIN_COMPILED  # the size of a pipe is unknown
    if max_words is not None:
        size = min(size, max_words * layout.dims * _NUMBER_BYTES)
    return size < _MIN_COMPILED


def parse_slowly(text: bytes, dims: int) -> list[LineBlock]:
    """Find the lines, and treat none of them as plain."""
    data = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(data == ord("\n")).astype(np.int64)
    if not text.endswith(b"\n"):
        ends = np.append(ends, len(text))
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
    not_plain = np.full(len(ends), -1, dtype=np.int64)
    step = max(1, _BLOCK_VALUES // dims)
    cuts = [slice(first, first + step) for first in range(0, len(ends), step)]
    return [
        LineBlock(
            text,
            starts[cut],
            not_plain[cut],
            ends[cut],
            np.empty((len(ends[cut]), dims), np.float32),
        )
        for cut in cuts
    ]


def parse_compiled(text: bytes, dims: int) -> list[LineBlock]:
    """Parse all plain lines with the compiled kernel."""
    from isolex.kernels.text import parse_rows

    data = np.frombuffer(text, dtype=np.uint8)
    blocks, position = [], 0
    # A row has at least two bytes per number.
    rows = max(1, min(_BLOCK_VALUES // dims, len(text) // (2 * dims) + 1))
    while position < len(data):
        starts, word_ends, ends = (np.empty(rows, dtype=np.int64) for _ in range(3))
        values = np.empty((rows, dims), dtype=np.float32)
        count, position = parse_rows(data, position, starts, word_ends, ends, values)
        blocks.append(
            LineBlock(text, starts[:count], word_ends[:count], ends[:count], values[:count])
        )
    return blocks


def _chunks(stream: Stream) -> Iterator[bytes]:
    """Yield the file in chunks of complete lines; only the last may lack its newline."""
    size, rest = _FIRST_CHUNK, b""
    while piece := stream.read(size):
        cut = piece.rfind(b"\n") + 1
        if cut:
            yield rest + piece[:cut]
            rest = piece[cut:]
        else:
            rest += piece
            if len(rest) > MAX_LINE_BYTES:
                what = f"a line has more than {MAX_LINE_BYTES:,} bytes; is this the right file?"
                raise refuse(stream.path, what)
        size = min(2 * size, _CHUNK)
    if rest:
        yield rest


class _Reader:
    """Adds lines to a table, and counts them for error messages."""

    def __init__(self, stream: Stream, layout: FileLayout, max_words: int | None) -> None:
        self._path = stream.path
        self._dims = layout.dims
        self._line = layout.lines
        declared_words, declared_dims = layout.header or (0, layout.dims)
        # Do not allocate more rows than the file can contain, whatever its header says.
        expected_rows = min(declared_words, stream.size // (2 * layout.dims))
        self.table = VectorTable(layout.dims, max_words, expected_rows)
        self.table.counts["blank"] += layout.lines - (layout.header is not None)
        if declared_dims != layout.dims:
            self.table.header = (
                f"header said {declared_dims:,} dimensions, rows have {layout.dims:,}"
            )

    def add(self, blocks: list[LineBlock]) -> None:
        """Add blocks until the table is full."""
        for block in blocks:
            self._add_block(block)
            if self.table.full:
                break

    def _add_block(self, block: LineBlock) -> None:
        text = block.text
        ends = np.maximum(block.word_ends, 0).tolist()  # lines that are not plain have no word yet
        words = [text[start:end] for start, end in zip(block.starts.tolist(), ends, strict=True)]
        kept = np.ones(len(words), dtype=bool)
        for row in np.flatnonzero(block.word_ends < 0).tolist():
            line = text[block.starts[row] : block.ends[row]]
            if not line.strip(BLANK):
                kept[row] = False
                continue
            try:
                words[row], block.values[row] = parse_line(line, self._dims)
                self.table.counts["numeric_ends"] += ends_in_decimal(words[row])
            except LineError as error:
                self._add_rows(words[:row], block.values[:row], kept[:row])
                self._handle_bad_line(block, row, error)
                return
        self._add_rows(words, block.values, kept)
        self._line += len(words)

    def _add_rows(self, words: list[bytes], values: Vectors, kept: NDArray[np.bool_]) -> None:
        if not kept.all():
            words = [words[row] for row in np.flatnonzero(kept)]
            self.table.counts["blank"] += len(kept) - len(words)
            values = values[kept]
        self.table.add(words, values)

    def _handle_bad_line(self, block: LineBlock, row: int, error: LineError) -> None:
        """Count a truncated last line and refuse any other, unless the table is already full."""
        if self.table.full:
            return
        if block.ends[row] < len(block.text):
            raise refuse(self._path, f"{error}; fix or remove the line", self._line + row + 1)
        self.table.counts["truncated"] += 1
