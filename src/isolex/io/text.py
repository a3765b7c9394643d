"""word2vec text and GloVe: a word and its numbers on each line, with or without a header."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isolex.core.embeddings import Embeddings, Vectors
from isolex.core.files import refuse
from isolex.core.repairs import Repairs
from isolex.io.ahead import in_order
from isolex.io.rows import BLANK, LineError, ends_in_number, parse_line
from isolex.io.sniff import LONGEST_LINE, Shape
from isolex.io.streams import Stream, Tick
from isolex.io.table import Table

_FIRST_CHUNK = 1 << 18  # small at first, so that a few words ask for few bytes
_CHUNK = 1 << 22
_COMPILED_FROM = 1 << 21  # below this the compiled kernels cost more to load than they save
_PACKED_RATIO, _NUMBER_BYTES = 3, 8  # roughly, of compressed text and of a number in it
_BLOCK_VALUES = 1 << 20


@dataclass(frozen=True)
class Lines:
    """Some lines of a file; those that are not plain wait to be parsed one by one.

    Attributes:
        text: The bytes in which the lines lie.
        starts: ``(n,)`` where each line begins.
        word_ends: ``(n,)`` where its word ends; -1 if the line is not plain.
        ends: ``(n,)`` where it ends, its newline not counted.
        values: ``(n, dims)`` float32; a row has no meaning if its line is not plain.
    """

    text: bytes
    starts: NDArray[np.int64]
    word_ends: NDArray[np.int64]
    ends: NDArray[np.int64]
    values: Vectors


Parse = Callable[[bytes, int], list[Lines]]


def read_text(
    stream: Stream, shape: Shape, max_words: int | None, tick: Tick, parse: Parse | None = None
) -> tuple[Embeddings, Repairs]:
    """Read word2vec text or GloVe.

    Args:
        stream: The file, at its very start.
        shape: What ``examine`` said of it.
        max_words: Stop after that many usable words.
        tick: Told the share of the file that is done.
        parse: How to parse many lines; by default compiled for all but small files.
    """
    reader = _Reader(stream, shape, max_words)
    stream.skip(shape.skip)
    if parse is None:
        parse = parse_slowly if _is_small(stream, shape, max_words) else parse_compiled
    for blocks in in_order(lambda chunk: parse(chunk, shape.dims), _chunks(stream)):
        reader.take(blocks)
        if reader.table.full:
            break
        tick(stream.done)
    promised = None if shape.header is None else shape.header[0]
    return reader.table.finish(stream.path, promised)


def _is_small(stream: Stream, shape: Shape, max_words: int | None) -> bool:
    """Whether there is little to parse; a guess from what the file takes on disk."""
    size = stream.size * (_PACKED_RATIO if stream.packing else 1) or _COMPILED_FROM  # 0: a pipe
    if max_words is not None:
        size = min(size, max_words * shape.dims * _NUMBER_BYTES)
    return size < _COMPILED_FROM


def parse_slowly(text: bytes, dims: int) -> list[Lines]:
    """Take no line as plain."""
    data = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(data == ord("\n")).astype(np.int64)
    if not text.endswith(b"\n"):
        ends = np.append(ends, len(text))
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1])
    odd = np.full(len(ends), -1, dtype=np.int64)
    step = max(1, _BLOCK_VALUES // dims)
    cuts = [slice(first, first + step) for first in range(0, len(ends), step)]
    return [
        Lines(text, starts[cut], odd[cut], ends[cut], np.empty((len(ends[cut]), dims), np.float32))
        for cut in cuts
    ]


def parse_compiled(text: bytes, dims: int) -> list[Lines]:
    """Parse all plain lines with the compiled kernel."""
    from isolex.kernels.text import parse_rows

    data = np.frombuffer(text, dtype=np.uint8)
    blocks, position = [], 0
    # A row takes two bytes a number at least.
    rows = max(1, min(_BLOCK_VALUES // dims, len(text) // (2 * dims) + 1))
    while position < len(data):
        starts, word_ends, ends = (np.empty(rows, dtype=np.int64) for _ in range(3))
        values = np.empty((rows, dims), dtype=np.float32)
        count, position = parse_rows(data, position, starts, word_ends, ends, values)
        blocks.append(Lines(text, starts[:count], word_ends[:count], ends[:count], values[:count]))
    return blocks


def _chunks(stream: Stream) -> Iterator[bytes]:
    """The file in whole lines; only the last may lack its newline."""
    size, rest = _FIRST_CHUNK, b""
    while piece := stream.read(size):
        cut = piece.rfind(b"\n") + 1
        if cut:
            yield rest + piece[:cut]
            rest = piece[cut:]
        else:
            rest += piece
            if len(rest) > LONGEST_LINE:
                raise refuse(stream.path, "a line has no end; check that it is the right file")
        size = min(2 * size, _CHUNK)
    if rest:
        yield rest


class _Reader:
    """Puts lines into the table, with their number at hand for messages."""

    def __init__(self, stream: Stream, shape: Shape, max_words: int | None) -> None:
        self._path = stream.path
        self._dims = shape.dims
        self._line = shape.lines
        # The header's word is taken only as far as the file is large enough for it.
        said = 0 if shape.header is None else shape.header[0]
        likely = min(said, stream.size // (2 * shape.dims))
        self.table = Table(shape.dims, max_words, likely)
        self.table.counts["blank"] += shape.lines - (shape.header is not None)
        if shape.header is not None and shape.header[1] != shape.dims:
            said = shape.header[1]
            self.table.header = f"header said {said:,} dimensions, rows have {shape.dims:,}"

    def take(self, blocks: list[Lines]) -> None:
        """Put blocks into the table until it is full."""
        for lines in blocks:
            self._take(lines)
            if self.table.full:
                break

    def _take(self, lines: Lines) -> None:
        text = lines.text
        ends = np.maximum(lines.word_ends, 0).tolist()  # nothing yet of lines that are not plain
        words = [text[start:end] for start, end in zip(lines.starts.tolist(), ends, strict=True)]
        odd = np.flatnonzero(lines.word_ends < 0)
        kept = np.ones(len(words), dtype=bool)
        for row in odd.tolist():
            line = text[lines.starts[row] : lines.ends[row]]
            if not line.strip(BLANK):
                kept[row] = False
                continue
            try:
                words[row], lines.values[row] = parse_line(line, self._dims)
                self.table.counts["numbered"] += ends_in_number(words[row])
            except LineError as error:
                self._add(words[:row], lines.values[:row], kept[:row])
                return self._bad(lines, row, error)
        self._add(words, lines.values, kept)
        self._line += len(words)
        return None

    def _add(self, words: list[bytes], values: Vectors, kept: NDArray[np.bool_]) -> None:
        if not kept.all():
            words = [words[row] for row in np.flatnonzero(kept)]
            self.table.counts["blank"] += len(kept) - len(words)
            values = values[kept]
        self.table.add(words, values)

    def _bad(self, lines: Lines, row: int, error: LineError) -> None:
        if self.table.full:
            return
        if lines.ends[row] < len(lines.text):
            raise refuse(self._path, f"{error}; mend or remove the line", self._line + row + 1)
        self.table.counts["truncated"] += 1
