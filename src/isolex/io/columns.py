"""Lines of a text file, split into columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from isolex.core.file_errors import StrPath, refuse
from isolex.io.line_parser import BLANK, split
from isolex.io.sniff import BOM, MAX_LINE_BYTES
from isolex.io.streams import Stream

_CHUNK = 1 << 20


class Row(NamedTuple):
    """One line that is not blank.

    Attributes:
        line: Line number, counted from 1.
        columns: Its columns, stripped of surrounding spaces.
        tabbed: Whether tabs separate them.
    """

    line: int
    columns: list[str]
    tabbed: bool


def read_rows(path: StrPath) -> Iterator[Row]:
    """Yield the lines of a file, split at tabs if a line has any, otherwise at spaces."""
    with Stream(path) as stream:
        for number, line in enumerate(read_lines(stream), start=1):
            if not line.strip(BLANK):
                continue
            tabbed = b"\t" in line
            columns = line.split(b"\t") if tabbed else split(line.lstrip(b" "))
            words = [part.strip(b" \r").decode("utf-8", "surrogateescape") for part in columns]
            yield Row(number, words, tabbed)


def read_lines(stream: Stream) -> Iterator[bytes]:
    """Yield the lines of a text file without newlines and byte order mark."""
    if stream.peek(len(BOM)) == BOM:
        stream.skip(len(BOM))
    rest = b""
    while piece := stream.read(_CHUNK):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
        if len(rest) > MAX_LINE_BYTES:
            what = f"a line has more than {MAX_LINE_BYTES:,} bytes; is this the right file?"
            raise refuse(stream.path, what)
    if rest:
        yield rest
