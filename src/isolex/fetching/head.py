"""Keep the first words of a vector file, and stop its download after them."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

from isolex.core.file_errors import refuse
from isolex.io.streams import Stream

_HEADER = re.compile(rb"([0-9]+) ([0-9]+)[ \r]*")
_MAX_HEADER_BYTES = 1 << 10
_CHUNK = 1 << 20
_GZIP_WINDOW = 31  # zlib's number for gzip data with the largest window


class LineCounter:
    """Stop condition of a download: true once enough lines have arrived.

    Args:
        count: Number of lines to wait for.
        packed: Whether the data are gzip-compressed.
    """

    def __init__(self, count: int, *, packed: bool) -> None:
        self._missing = count
        self._packed = packed
        self._frame = zlib.decompressobj(_GZIP_WINDOW)

    def __call__(self, piece: bytes) -> bool:
        """Count the lines in the next bytes; return whether there are enough now."""
        self._missing -= self._unpack(piece).count(b"\n")
        return self._missing <= 0

    def _unpack(self, piece: bytes) -> bytes:
        if not self._packed:
            return piece
        out = b""
        try:
            while piece:
                out += self._frame.decompress(piece)
                piece = self._frame.unused_data
                if self._frame.eof:
                    self._frame = zlib.decompressobj(_GZIP_WINDOW)
        except zlib.error:  # reading the complete file will report it
            return b""
        return out


def write_head(path: Path, out: Path, words: int) -> None:
    """Write the first ``words`` rows of a vector file, or all of them, with a matching header.

    Args:
        path: fastText ``.vec`` file, plain or compressed; it may end after those rows.
        out: Plain text file to write.
        words: Number of rows.

    Raises:
        InputError: If the header is missing or announces more rows than the file has.
    """
    with Stream(path) as stream:
        first = stream.peek(_MAX_HEADER_BYTES).partition(b"\n")[0]
        header = _HEADER.fullmatch(first)
        if header is None:
            raise refuse(path, "the first line is not a header of fastText vectors")
        stream.skip(len(first) + 1)
        missing = count = min(words, int(header[1]))
        out.unlink(missing_ok=True)  # pooch's temporary file has restrictive permissions
        with out.open("xb") as file:
            file.write(b"%d %s\n" % (count, header[2]))
            while missing and (piece := stream.read(_CHUNK)):
                rows = _first_lines(piece, missing)
                file.write(rows)
                missing -= rows.count(b"\n")
    if missing:
        raise refuse(path, f"the file ends after {count - missing:,} of {count:,} rows")


def _first_lines(piece: bytes, count: int) -> bytes:
    """Return the first ``count`` lines, or everything if there are fewer."""
    lines = piece.split(b"\n", count)
    return piece if len(lines) <= count else piece[: len(piece) - len(lines[-1])]
